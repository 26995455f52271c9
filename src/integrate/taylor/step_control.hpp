// Order and step length of the Taylor method (docs/theory/taylor-method.md).
#pragma once

#include <span>
#include <vector>

#include "solution/step.hpp"
#include "taylor/operation_count.hpp"
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
  ErrorScales(double tolerance, const SeriesShape& shape, int num_lanes = 1);

  // nominals: by unknown.
  void set_nominals(std::span<const double> nominals, int lane = 0);
  void begin(double duration, int lane = 0);
  // The sizes of the x_j^(n) now: factors * |values|, both [column][lane].
  void set_sizes(int n, const double* values, const double* factors);
  // To be called after every step: sizes are those of the recent past.
  void forget_slowly(int lane = 0);

  double tolerance() const { return tolerance_; }
  int num_lanes() const { return static_cast<int>(num_lanes_); }
  const double* scales(int n) const { return scales_.data() + n * width_; }  // [column][lane]

 private:
  const SeriesShape& shape_;
  double tolerance_;
  std::size_t num_lanes_;
  std::size_t width_;                    // columns times lanes
  std::vector<double> nominals_;         // [column][lane]
  std::vector<double> floors_, scales_;  // [n][column][lane]
};

// The longest step whose first term left out is expected to stay below every unknown's weight. If
// coefficients fall like scale_j R^-k, each of the last two or three gives a radius
// R_k = (scale_j/|x_k|)^(1/k), and term P+1 of degree P is below tol scale_j for
// h = R tol^(1/(P+1)) [JorbaZou2005]; the same for every derivative that the next step starts from.
class StepLimits {
 public:
  // Keeps references.
  StepLimits(const SeriesShape& shape, const ErrorScales& scales);

  // By lane; infinite if all coefficients that count vanish. coefficients: [row][column][lane];
  // step_scales, by lane, are powers of two.
  void find(const double* coefficients, std::span<const double> step_scales,
            std::span<double> lengths);

  // The longest step of one lane without the last `stages` coefficients of every series; 0 if too
  // few are left.
  double length_without(int stages, const double* coefficients, double step_scale, int lane) const;

  // Distance to the nearest singularity of the solution, from the ratio of the last coefficients of
  // the unknown that limits the step.
  double radius_of_convergence(const solution::StepView& step, int lane = 0) const;

 private:
  // Coefficient k of the series of x^(n) of some columns, from row k + n.
  struct Term {
    int n, k, first, last;
    double by_k;           // 1/k
    double log_factor;     // log2 C(k+n, n) n!
    double log_tolerance;  // log2(tol)/(P+1)
  };
  Term term(const SeriesShape::Range& range, int n, int degree, int k) const;
  // log2 of the length, in units of the step's scale, that a coefficient relative to the scale of
  // its series allows.
  static double log_length(const Term& term, double log_ratio, double log_scale) {
    return term.log_tolerance - term.by_k * (log_ratio + term.log_factor - term.n * log_scale);
  }

  double length_of(std::size_t lane, double step_scale) const;

  const SeriesShape& shape_;
  const ErrorScales& scales_;
  std::vector<Term> terms_;
  std::vector<double> largest_;  // [term][lane]: coefficients relative to their scales
};

// The longest step for one polynomial of this scale, in units of its variable; or of unknown scale:
// relative to the largest of its first three coefficients.
double longest_accurate(solution::Polynomial polynomial, double tolerance, double scale);
double longest_accurate(solution::Polynomial polynomial, double tolerance);

}  // namespace daedal::integrate
