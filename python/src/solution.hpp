// A solution with the model that it is of.
#pragma once

#include <memory>

#include "bindings.hpp"

namespace daedal::python {

struct SharedSolution {
  std::shared_ptr<const Solution> solution;
  SharedModel model;
  ParameterValues parameters = {};  // in which this run differs from the model
};

}  // namespace daedal::python
