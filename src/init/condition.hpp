// Conditions at the start: fixed values and initial equations. Functions: independence.cpp.
#pragma once

#include <functional>
#include <vector>

#include "init/search_input.hpp"

namespace daedal::init {

// A fixed value x_j^(order), or an initial equation.
struct Condition {
  int unknown = -1;  // -1: an initial equation
  int order = 0;
  int initial_equation = -1;

  bool is_fixed_value() const { return unknown >= 0; }
  friend bool operator==(const Condition&, const Condition&) = default;
};

std::vector<Condition> conditions_of(const SearchInput& input);

// How conditions meet the tangent space T of the constraints at a point (rule C7).
struct Independence {
  int dimension = 0;           // of T
  std::vector<int> dependent;  // a condition that nothing in T changes; empty if there is none
  int rank = 0;                // of the conditions on T; found only if there is one
  bool is_accepted() const { return dependent.empty() || rank == dimension; }
};

// A minimal subset of `conditions` for which `can_hold` is false: can_hold is true for every proper
// subset of it, provided can_hold(all) is false, can_hold(none) is true, and a subset of conditions
// that can hold can hold.
std::vector<Condition> minimal_conflict(
    const std::vector<Condition>& conditions,
    const std::function<bool(const std::vector<Condition>&)>& can_hold);

}  // namespace daedal::init
