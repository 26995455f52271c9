// The table of state vectors, as it is reported.
#pragma once

#include "integrate/step_method.hpp"
#include "reduce/dummy/dummy_derivatives.hpp"

namespace daedal::integrate {

inline std::vector<StateVectorUse> uses_of(const reduce::DummyDerivatives& dummies) {
  std::vector<StateVectorUse> uses;
  for (const reduce::StateMode& mode : dummies.modes()) {
    uses.push_back({.items = {}, .entries = mode.entries, .time = mode.time});
    for (const int column : mode.state_columns())
      uses.back().items.push_back(dummies.place(column));
  }
  return uses;
}

}  // namespace daedal::integrate
