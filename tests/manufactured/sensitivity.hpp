// How much errors of single steps may grow in a manufactured problem (rule F9 of
// docs/theory/manufactured-problems.md).
#pragma once

#include "manufactured/problem.hpp"

namespace daedal::manufactured {

struct Sensitivity {
  double mixing = 1.0;  // kappa: of the change of unknowns
  double rate = 0.0;    // mu: bounds the growth of the states
  double growth = 1.0;  // kappa e^(mu T) (1 + mu)^3
};

Sensitivity sensitivity_of(const Problem& problem);

}  // namespace daedal::manufactured
