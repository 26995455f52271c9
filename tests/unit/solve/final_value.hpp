// The value of a variable at the end of a run.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "daedal/solution.hpp"

namespace daedal::test {

inline double final_value(const Solution& solution, const std::string& name) {
  for (std::size_t j = 0; j < solution.variables.size(); ++j)
    if (solution.variables[j] == name) return solution.final[j];
  ADD_FAILURE() << "no variable " << name;
  return 0.0;
}

}  // namespace daedal::test
