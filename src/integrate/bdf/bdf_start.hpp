// How a BDF method starts: order, step and the points before the start follow from Taylor series of
// the solution at the start (docs/theory/bdf.md, rule B9).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "reduce/index_form.hpp"

namespace daedal::integrate {

// By unknown: Taylor coefficients.
using Coefficients = std::vector<std::vector<double>>;

// Continues the Taylor coefficients of the user's unknowns at t; false if it cannot.
using SeriesContinuation = std::function<bool(double t, Coefficients& coefficients)>;

// Series of the unknowns of a form at t, from x_j, x_j', ... of the user's. Every z has one
// coefficient at least; what is not known is zero.
Coefficients series_of_form(const reduce::IndexForm& form, double t,
                            const std::vector<std::vector<double>>& derivatives,
                            const SeriesContinuation& continue_series);

// The value of the series at distance h.
double value_of(const std::vector<double>& coefficients, double h);

// What errors are measured by: |error of z| (h/T)^(level - 1) <= accuracy size, where T is the time
// in which z follows from what it is the derivative of, and h/T counts as 1 at most.
struct BdfScales {
  double accuracy = 0.0;
  std::span<const double> sizes;
  std::span<const double> time_units;  // T
  std::span<const int> levels;
  std::span<const char> is_auxiliary;

  double weight(int u, double h) const;
};

struct BdfStart {
  int order = 1;
  double step = 0.0;  // > 0
};

// At most `longest`, of one of the orders given.
BdfStart choose_start(const Coefficients& series, const BdfScales& scales, int lowest_order,
                      int highest_order, double longest);

}  // namespace daedal::integrate
