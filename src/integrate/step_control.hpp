// Order and step length of the Taylor method (docs/theory/taylor-method.md).
#pragma once

#include <span>
#include <vector>

#include "solution/step.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::integrate {

// The order p that covers an interval with the fewest operations: steps are as long as
// tol^(1/p) allows, and cost start + K stage + K^2/2 convolution with K = p - 1.
int choose_order(const taylor::OperationCount& cost, double tolerance);

// Error weights: the error of a step in x_j is to stay below weight_j = tol (nominal_j + |x_j|).
class ErrorWeights {
 public:
  ErrorWeights(double tolerance, std::vector<double> nominals)
      : tolerance_(tolerance), nominals_(std::move(nominals)), weights_(nominals_.size()) {}

  void set_value(int unknown, double value);
  double operator[](int unknown) const { return weights_[unknown]; }
  std::span<const double> all() const { return weights_; }
  double tolerance() const { return tolerance_; }

 private:
  double tolerance_;
  std::vector<double> nominals_, weights_;
};

// What the next step starts from: coefficients of x_j below local_orders[j].
struct SeriesShape {
  solution::StepLayout layout;
  std::vector<int> local_orders;

  SeriesShape() = default;
  explicit SeriesShape(const taylor::SeriesSolver& series);
};

// The longest step whose first term left out is expected to stay below every unknown's weight. If
// coefficients fall like scale_j R^-k, with scale_j = nominal_j + |x_j|, each of the last two or
// three tells a radius R_k = (scale_j/|x_k|)^(1/k), and term P+1 of degree P is below tol scale_j
// for h = R tol^(1/(P+1)) [JorbaZou2005]. Infinite if all of them vanish. Of a state the highest
// derivative counts that the next step starts from: C(k, d-1) x_k, d the local order.
double longest_step(const solution::Step& step, const SeriesShape& shape,
                    const ErrorWeights& weights);

// Distance to the nearest singularity of the solution, from the ratio of the last coefficients of
// the unknown that limits the step.
double radius_of_convergence(const solution::Step& step, const SeriesShape& shape,
                             const ErrorWeights& weights);

}  // namespace daedal::integrate
