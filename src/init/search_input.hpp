// What the search for a consistent point is given: equations, structure, guesses, conditions. Ids
// only; names and messages belong to the caller.
#pragma once

#include <cmath>
#include <functional>
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

// The distance of a start from its guesses, for a derivative array: 1/2 (x0 - guess)^T M (x0 -
// guess), M symmetric and positive semidefinite, in units of nominal values. M may depend on the
// point.
struct MetricEntry {
  int row = 0, column = 0;  // unknowns
  double value = 0.0;
};
using DerivativeAt = std::function<double(int unknown, int order)>;
using Metric = std::function<std::vector<MetricEntry>(const DerivativeAt& point)>;

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
  // Whether the starts are a user's guesses, which may be far off, and who wants to know what to do
  // about them; else they are the values of a run that goes on, and all that counts is whether
  // there is a point near them.
  bool is_by_user = true;
  // Whether every guess of an x_j^(m), m <= d_j, weighs; else those of values that may be chosen.
  bool weighs_all = false;
  // Set for the derivative array of a system of order one: the structure is then that of its
  // layout (c = 0, d = 1, one block that runs ahead), stages are not solved one by one, guesses
  // weigh in this metric, and neither conditions nor a system Jacobian are judged.
  Metric metric = {};
  bool may_be_any = false;  // with a metric: any point on the constraints will do
  double pace = 1.0;        // unit of time in which coefficients are measured
  // With a metric, by unknown: the point of a smaller array, from which the search goes on where
  // the guesses cannot be kept.
  std::vector<std::vector<double>> beginning = {};
};

}  // namespace daedal::init
