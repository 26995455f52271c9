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

// What the next step starts from: coefficients of x_j below local_orders[j].
struct SeriesShape {
  solution::StepLayout layout;
  std::vector<int> local_orders;

  SeriesShape() = default;
  explicit SeriesShape(const taylor::SeriesSolver& series);
};

// How large errors may be. The error of a step in x_j is to stay below tol (nominal_j + |x_j|);
// that in a derivative x_j^(n), n below the local order, which the next step starts from as well,
// below tol times its recent size, as if it were an unknown of its own. Where it vanishes, an error
// of tol nominal_j/T^n does no harm over an interval of length T.
class ErrorScales {
 public:
  ErrorScales(double tolerance, std::vector<double> nominals, const SeriesShape& shape);

  void begin(double duration);
  // The size of x_j^(n) now.
  void set_size(int unknown, int n, double size);
  // To be called after every step: sizes are those of the recent past.
  void forget_slowly();

  double tolerance() const { return tolerance_; }
  double scale(int unknown, int n) const { return scales_[first_[unknown] + n]; }
  // By unknown: tol (nominal_j + |x_j|).
  std::span<const double> weights() const { return weights_; }

 private:
  double tolerance_;
  std::vector<double> nominals_;
  std::vector<int> first_;  // of each unknown's scales
  std::vector<double> floors_, scales_, weights_;
};

// The longest step whose first term left out is expected to stay below every unknown's weight. If
// coefficients fall like scale_j R^-k, each of the last two or
// three tells a radius R_k = (scale_j/|x_k|)^(1/k), and term P+1 of degree P is below tol scale_j
// for h = R tol^(1/(P+1)) [JorbaZou2005]; the same for every derivative that the next step starts
// from. Infinite if all of them vanish.
double longest_step(const solution::Step& step, const SeriesShape& shape,
                    const ErrorScales& scales);

// The same for one polynomial of unknown size, in units of its variable: relative to the largest of
// its first three coefficients.
double longest_accurate(std::span<const double> polynomial, double tolerance);

// Distance to the nearest singularity of the solution, from the ratio of the last coefficients of
// the unknown that limits the step.
double radius_of_convergence(const solution::Step& step, const SeriesShape& shape,
                             const ErrorScales& scales);

}  // namespace daedal::integrate
