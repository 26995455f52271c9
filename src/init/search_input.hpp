// What the search for a consistent point is given: equations, structure, guesses, conditions. Ids
// only; names and messages belong to the caller.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "structure/structure.hpp"

namespace daedal::init {

// The start value of one derivative, as given by the user.
struct GivenValue {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: not given
  bool fixed = false;

  bool is_given() const { return !std::isnan(value); }
};

struct GivenStart {
  std::vector<GivenValue> derivatives;  // of x, x', ...; may be shorter than needed
  double nominal = 1.0;

  GivenValue at(int order) const {
    const auto k = static_cast<std::size_t>(order);
    return k < derivatives.size() ? derivatives[k] : GivenValue{};
  }
};

struct SearchInput {
  expr::Graph& graph;  // grows by derivatives
  std::span<const expr::NodeId> residuals;
  std::span<const expr::NodeId> initial_residuals;  // conditions that hold only at the start
  const structure::Structure& structure;
  std::span<const int> leads;          // by fine block
  const std::vector<bool>& is_linear;  // by fine block taken alone
  double time = 0.0;
  std::span<const double> parameters;
  std::vector<GivenStart> starts;  // by unknown
};

}  // namespace daedal::init
