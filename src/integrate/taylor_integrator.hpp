// Explicit Taylor series integrator for DAEs of any index (docs/theory/taylor-method.md).
//
//   series at t                         all stages, block by block
//   h from the last terms
//   try: sum the series at t + h        coefficients below the local orders: the new state
//        project it                     stages <= 0 at t + h
//        compare with the prediction    too far: shorten h, try again
//   accept
#pragma once

#include <limits>
#include <vector>

#include "integrate/step_control.hpp"
#include "solution/step.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::integrate {

struct TaylorOptions {
  double tolerance = 1e-9;
  double max_step = 0.0;  // > 0
};

class TaylorIntegrator {
 public:
  TaylorIntegrator(taylor::SeriesSolver series, std::vector<double> nominals,
                   const TaylorOptions& options);

  // Computes the series at t from the derivatives given: x_j, x_j', ... below the local order, and
  // at it as a guess where the block is nonlinear. False: there is none; failure() says why.
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives);

  // One step towards the end. False if even the shortest is not accepted; then the state is as
  // before the call, and failure() and worst_unknown() tell of the last trial.
  bool advance();

  // After advance() returned false: the series at t again, in place of that of the last trial.
  void restore();

  double t() const { return t_; }
  double end() const { return end_; }
  bool is_done() const { return t_ == end_; }
  // The last accepted step.
  const solution::Step& accepted() const { return accepted_; }
  // The series at t.
  const solution::Step& current() const { return current_; }
  const SeriesShape& shape() const { return shape_; }
  // x_j^(order) at t, order up to the degree of the series.
  double derivative(int unknown, int order) const;

  const taylor::SeriesSolver& series() const { return series_; }
  // Of the last trial; ok if the series exists and only the comparison failed.
  const taylor::StageReport& failure() const { return failure_; }
  // Branches that switch back and forth without t getting on: the operation, unset if there is
  // none.
  taylor::NodeId chattering() const;
  int worst_unknown() const { return worst_unknown_; }  // of the last comparison
  long num_rejected() const { return num_rejected_; }
  // How much coarser than the tolerance rounding made the comparison; 1 if it never did.
  double largest_noise() const { return largest_noise_; }
  double radius() const { return radius_of_convergence(current_, shape_, scales_); }

 private:
  enum class Trial { accepted, failed, too_far };

  taylor::StageReport solve_at_start(const std::vector<std::vector<double>>& derivatives);
  void keep_series();
  void set_sizes(const solution::Step& step);
  void keep_switches();
  double proposed_step() const;
  double up_to_first_switch(double t_new);
  double shortest_step() const;
  Trial attempt(double t_new);
  void predict(double t_new, double scale);
  double comparison_error(double h);
  double allowance(int unknown, int n, double h) const;

  taylor::SeriesSolver series_;
  SeriesShape shape_;
  ErrorScales scales_;
  TaylorOptions options_;
  double t_ = 0.0, end_ = 0.0, duration_ = 0.0;
  solution::Step accepted_, current_;
  std::vector<int> first_;         // of each unknown's coefficients in the vectors below
  std::vector<double> predicted_;  // at the end of the trial
  std::vector<double> magnitude_;  // of its first term and of the sum of the rest
  std::vector<double> lost_;       // by rounding, when the state was last summed: added next time
  std::vector<double> lost_new_;   // the same for the trial
  std::vector<int> block_of_;      // by unknown
  // The functions whose signs select branches, as polynomials on the current step.
  std::vector<std::vector<double>> switches_;
  std::vector<bool> is_switch_positive_, is_due_at_once_;
  int switch_ahead_ = -1;       // that ends the step being tried; -1 if none
  int num_short_switches_ = 0;  // in a row, each after a step of hardly any length
  taylor::StageReport failure_;
  double error_ = 0.0;  // of the last comparison; accepted if at most noise_
  int worst_unknown_ = -1;
  long num_rejected_ = 0;
  double trusted_step_ = std::numeric_limits<double>::infinity();  // finite after a rejection
  double noise_ = 1.0, largest_noise_ = 1.0;
};

}  // namespace daedal::integrate
