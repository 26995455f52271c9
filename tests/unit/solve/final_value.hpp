// The value of a variable at the end of a run.
#pragma once

#include <string>

#include "daedal/solution.hpp"

namespace daedal::test {

inline double final_value(const Solution& solution, const std::string& name) {
  return solution.final(name);
}

}  // namespace daedal::test
