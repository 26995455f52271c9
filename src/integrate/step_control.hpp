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

// What the next step starts from: coefficients of x_j below local_orders[j]. Columns are sorted by
// falling local order, so that what concerns coefficient n is the first `count` columns.
struct SeriesShape {
  // Columns whose unknowns have the same local order and degree.
  struct Range {
    int first = 0, last = 0;
    int local_order = 0, degree = 0;
  };

  solution::StepLayout layout;
  std::vector<int> local_orders;  // by unknown
  std::vector<int> unknowns;      // by column
  std::vector<Range> ranges;

  SeriesShape(std::vector<int> orders, std::vector<int> degrees,
              std::vector<int> unknown_of_column);
  explicit SeriesShape(const taylor::SeriesSolver& series);

  int num_columns() const { return static_cast<int>(unknowns.size()); }
  int highest_local_order() const { return local_orders.empty() ? 0 : counts_size() - 1; }
  // Columns of unknowns whose local order is at least n.
  int num_with_order(int n) const { return n < counts_size() ? counts_[n] : 0; }
  // Columns of unknowns whose derivative n the next step starts from; of n = 0 all, since x_j
  // itself is always judged.
  int num_judged(int n) const { return n == 0 ? num_columns() : num_with_order(n + 1); }

 private:
  int counts_size() const { return static_cast<int>(counts_.size()); }
  std::vector<int> counts_;
};

// How large errors may be. The error of a step in x_j is to stay below tol (nominal_j + |x_j|);
// that in a derivative x_j^(n), n below the local order, which the next step starts from as well,
// below tol times its recent size, as if it were an unknown of its own. Where it vanishes, an error
// of tol nominal_j/T^n does no harm over an interval of length T.
class ErrorScales {
 public:
  // nominals: by unknown.
  ErrorScales(double tolerance, std::span<const double> nominals, const SeriesShape& shape);

  void begin(double duration);
  // The size of x_j^(n) now.
  void set_size(int column, int n, double size) {
    const std::size_t at = n * width_ + column;
    const double now = floors_[at] + size;
    scales_[at] = n == 0 || now > scales_[at] ? now : scales_[at];
  }
  // To be called after every step: sizes are those of the recent past.
  void forget_slowly();

  double tolerance() const { return tolerance_; }
  double scale(int column, int n) const { return scales_[n * width_ + column]; }
  const double* scales(int n) const { return scales_.data() + n * width_; }

 private:
  double tolerance_;
  std::size_t width_;                    // columns
  std::vector<double> nominals_;         // by column
  std::vector<double> floors_, scales_;  // [n][column]
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
