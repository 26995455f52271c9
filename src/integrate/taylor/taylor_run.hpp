// One trajectory under way (docs/theory/taylor-method.md): where it is, the step that is being
// tried, and whether it is good enough. The series are computed by a SeriesSolver and the numbers
// of the steps by a LaneTable, for all trajectories at once; a lane of both belongs to this run.
// The parts of a step, in parentheses what happens to all lanes together:
//
//   (begin_steps)     sizes, and the longest step from the last terms
//   begin_step        h
//   prepare_trial     t + h, and the scale of the series there
//   (predict)         sum the series at t + h: coefficients below the local orders, the new state
//   (solve_start)     project it: stages <= 0 at t + h
//   (compare)         with the prediction
//   is_close
//   (solve_rest)
//   accept            or reject, shorten h, and try again
//   (keep_chosen)     the series at t + h of those that accepted
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "integrate/event_source.hpp"
#include "integrate/progress.hpp"
#include "integrate/taylor/domain_watch.hpp"
#include "integrate/taylor/feature_watch.hpp"
#include "integrate/taylor/forcing_watch.hpp"
#include "integrate/taylor/lane_table.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::integrate {

struct TaylorOptions {
  double tolerance = 1e-9;
  double max_step = 0.0;  // > 0
};

// Whether a step may go where the determinant of a block has another sign than at its begin.
class BranchJudge {
 public:
  virtual ~BranchJudge() = default;
  virtual bool may_change_sign(int block, int sign_at_begin, const solution::StepView& step) = 0;
};

class TaylorRun final : public EventSource {
 public:
  // Keeps references.
  TaylorRun(taylor::SeriesSolver& series, LaneTable& table, int lane, const SeriesShape& shape,
            std::span<const double> nominals, const TaylorOptions& options);

  // Another trajectory, with other parameters and nominal sizes.
  void set_member(std::vector<double> parameters, std::span<const double> nominals);
  // Nothing that was learnt on the way is kept; to be followed by begin().
  void forget();
  // See LaneTable.
  std::vector<double> lost() const { return table_.lost(lane_); }
  void set_lost(const std::vector<double>& lost) { table_.set_lost(lane_, lost); }

  // Computes the series at t from the derivatives given: x_j, x_j', ... below the local order, and
  // at it as a guess where the block is nonlinear. False: there is none; failure() says why.
  // `duration` is that of the whole run, if this is a part of it only.
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives,
             double duration = 0.0);

  void go_on_to(double end) override { end_ = end; }

  // Unknowns that keep the values given to begin() where constraints have to move something.
  void hold(std::vector<int> unknowns) { held_ = std::move(unknowns); }

  // Steps are made shorter where the judge says no; without one they go anywhere. It must outlive
  // the run, or be taken away.
  void ask(BranchJudge* judge) { judge_ = judge; }
  const BranchJudge* judge() const { return judge_; }
  // The sign that the determinant of a block has at the end of the last step, for blocks whose
  // Jacobian is not constant.
  int determinant_sign(int block) const { return signs_[block]; }
  // The block for which a trial of the last step was refused; -1 if there is none.
  int parting_block() const { return parting_block_; }

  // The next step is to be no longer than this.
  void limit_next_step(double h) { trusted_step_ = h; }

  bool can_step() override {
    return table_.longest_step(lane_) > shortest_to_event() &&
           std::abs(way_in_domains()) > shortest_to_event();
  }

  void watch(std::vector<WatchedFunction> functions) override {
    events_.set_functions(std::move(functions));
  }
  std::vector<WatchedFunction> take_watched() override { return events_.take_functions(); }
  const std::vector<WatchedFunction>& watched() const override { return events_.functions(); }
  void arrive(std::span<const Arrival> arrivals) override { events_.set_arrivals(arrivals); }
  std::span<const Arrival> arrivals() const override { return events_.arrivals(); }
  // Whether one of them leaves its side on a step that was not made by advance().
  bool may_have_event(const solution::StepView& step) {
    return events_.has_event(step, shape_.layout, shortest_to_event());
  }
  int side_behind(const WatchedFunction& function) override {
    return events_.side_behind(function, current(), shape_.layout, way_in_domains());
  }

  // The parts of a step, see above. prepare_trial() is false if even the shortest step was not
  // accepted: then t is as before, and failure() and worst_unknown() are those of the last trial.
  void begin_step();
  bool prepare_trial();
  bool is_close();
  // If the step ends at an event whose function is not yet zero there, now that the state is known:
  // a better time is set for another trial.
  bool refines_event();
  bool accept();
  void reject();
  void take_series();  // after keep_chosen, if accepted: the functions that select branches
  bool is_trying() const { return is_trying_; }

  // The series at t again, in place of that of the last trial.
  void restore();

  // How far values solved for just before t are from the series at t, in tolerances. The solution
  // came that way, so more than 1 is rounding. To be followed by restore().
  double noise_behind();

  double t() const override;
  double end() const override { return end_; }
  bool is_done() const override { return t_ == end_; }
  // The last accepted step.
  solution::StepView accepted() const override;
  const solution::StepLayout& layout() const override;
  solution::StepView current() const override { return table_.current(lane_); }
  const SeriesShape& shape() const { return shape_; }
  const std::vector<int>& orders() const override { return shape_.local_orders; }
  // x_j^(order) at t, order up to the degree of the series.
  double derivative(int unknown, int order) const override;
  int highest_told(int unknown) const override;
  solution::StepQuality quality() const override;

  const taylor::SeriesSolver& series() const { return series_; }
  int lane() const { return lane_; }
  // That of the last trial; ok if the series exists and only the comparison failed.
  const taylor::StageReport& failure() const { return failure_; }
  // Branches that switch back and forth without t getting on: the operation, unset if there is
  // none.
  taylor::NodeId chattering() const;
  int worst_unknown() const { return worst_unknown_; }  // of the last comparison
  // Whether steps were given up because they do not get on, though each is accepted.
  const Progress& progress() const { return progress_; }
  void set_progress(const Progress& progress) { progress_ = progress; }  // of the whole trajectory
  long num_rejected() const { return num_rejected_; }
  // How much coarser than the tolerance rounding made the comparison; 1 if it never did.
  double largest_noise() const { return largest_noise_; }
  // How far the highest derivatives of a fine block, solved for at the end of the last accepted
  // step, are from those that the step's polynomials have there, as a part of the larger: about 1
  // or more if another branch of the solution was met.
  double jump(int block) const;
  double radius() const { return table_.limits().radius_of_convergence(current(), lane_); }

 private:
  void solve_at_start(const std::vector<std::vector<double>>& derivatives);
  void solve();
  void judge_this_lane_only();
  void solve_near(double s, const std::function<double(int unknown, int n)>& state);
  double shifted_coefficient(int unknown, int n, double s) const;
  double distance_from_shifted(double s) const;
  double proposed_step();
  double proposed_step_from_here() const;
  double way_in_domains();
  void take_signs();
  bool stays_on_branch();
  bool is_known_at_start(const WatchedFunction& function) const;
  double derivative_found(int unknown, int order) const;
  double first_stop(double t_new);
  double up_to_first_switch(double t_new);
  std::optional<hybrid::Root> first_root_of_switch(std::size_t number, double end);
  double rounding_of_switch(std::size_t number, double end) const;
  double inside_domains(double t_new);
  void pass_zero_by_zero();
  double while_forcing_is_seen(double t_new);
  double while_features_are_seen(double t_new);
  void ask_inside();
  double cut_at(double t);
  double shortest_step() const;
  double hardly_longer() const;
  double shortest_to_event() const;

  taylor::SeriesSolver& series_;
  LaneTable& table_;
  int lane_;
  const SeriesShape& shape_;
  TaylorOptions options_;
  double t_ = 0.0, end_ = 0.0, duration_ = 0.0;
  // The functions whose signs select branches, as polynomials on the current step.
  std::vector<std::vector<double>> switches_, switch_term_sizes_;
  std::vector<double> switch_beyond_rounding_;
  std::vector<bool> is_switch_positive_, is_due_at_once_;
  hybrid::RootFinder switch_finder_;
  EventWatch events_;
  DomainWatch domains_;
  std::optional<ForcingWatch> forcing_;  // none where the equations do not depend on time
  FeatureWatch features_;
  bool is_looked_at_ = false;  // the step, by features_
  bool is_asking_ = false;     // the trial is of a place inside the step
  Progress progress_;
  double refined_t_ = 0.0;
  int num_refined_ = 0;  // times that the event of this step was moved
  std::vector<int> held_;
  int switch_ahead_ = -1;       // that ends the step being tried; -1 if none
  int num_short_switches_ = 0;  // in a row, each after a step of hardly any length

  BranchJudge* judge_ = nullptr;
  std::vector<int> varying_blocks_;  // whose Jacobian is not constant
  std::vector<int> signs_;           // of their determinants, by block
  int parting_block_ = -1;

  // The step being tried.
  bool is_trying_ = false;
  double proposed_ = 0.0, longest_ = 0.0, h_ = 0.0, t_new_ = 0.0;
  double error_ = 0.0;       // of the last comparison; accepted if at most noise_
  double last_error_ = 0.0;  // of the one before
  bool is_too_far_ = false;  // the comparison failed, not the series
  int num_useless_ = 0;      // trials in a row in which a shorter step was hardly better
  taylor::StageReport failure_;
  int worst_unknown_ = -1;
  long num_rejected_ = 0;
  double trusted_step_ = std::numeric_limits<double>::infinity();  // finite after a rejection
  double noise_ = 1.0, largest_noise_ = 1.0;
};

}  // namespace daedal::integrate
