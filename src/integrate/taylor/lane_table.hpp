// The numbers of all trajectories under way, side by side: [..][column][lane], so that vectors of
// the processor run along columns, or along lanes if there are several
// (docs/theory/taylor-method.md). What happens to a trajectory is decided in TaylorRun; here it is
// computed for all of them at once.
#pragma once

#include <vector>

#include "integrate/taylor/step_control.hpp"
#include "linear/aligned_vector.hpp"
#include "solution/step.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::integrate {

class LaneTable {
 public:
  // Keeps references.
  LaneTable(taylor::SeriesSolver& series, const SeriesShape& shape, double tolerance);

  int num_lanes() const { return static_cast<int>(num_lanes_); }
  ErrorScales& scales() { return scales_; }
  const StepLimits& limits() const { return limits_; }

  // --- the series at t, and those of the step before ---
  solution::StepView current(int lane) const { return current_.view(lane, num_lanes_); }
  solution::StepView accepted(int lane) const { return accepted_.view(lane, num_lanes_); }
  // The series that the solver holds become the current ones of the lanes chosen; what was current
  // is accepted, up to t.
  void choose(int lane, bool is_chosen) { is_chosen_[lane] = is_chosen; }
  void keep_chosen();
  // The series that the solver holds becomes the current one of this lane, at t; the accepted step
  // stays.
  void keep_at_start(int lane, double t);

  // --- a step ---
  // The sizes of the states, and the longest steps, from the current series. Nothing is computed
  // again if it was since the last step.
  void begin_steps();
  double longest_step(int lane) const { return longest_[lane]; }
  // Drops as few of the last stages as leave a step of this length, if any number of them does:
  // where they are rounding errors, amplified, lower degrees go farther.
  bool drop_stages_for(int lane, double step);
  // x_n at t_new, for powers of (t - t_new)/scale: sum_k C(k, n) x_k s^(k-n), largest term last,
  // with what rounding lost in the last sum. They go to the solver.
  void set_target(int lane, double t_new, double scale);
  void predict();
  // How far the states that the solver found are from the predicted ones, in units of what is
  // allowed; coefficients that are solved for may jump in lanes that say so.
  void allow_jump(int lane, bool is_allowed) { may_jump_[lane] = is_allowed; }
  void compare();
  double error(int lane) const { return errors_[lane]; }
  int worst_unknown(int lane) const;

  // The solver starts from these: coefficient n of every column, whose sizes give the weights.
  void set_weights(const double* values);
  double scale(int column, int lane) const {  // nominal + |x| of what was given last
    return scales_.scales(0)[column * num_lanes_ + lane];
  }
  double predicted(int n, int column, int lane) const {
    return predicted_[n * width_ + column * num_lanes_ + lane];
  }
  int block_of(int column) const { return block_of_[column]; }  // fine one
  // A trajectory begins: nothing was lost by rounding.
  void begin(int lane);
  // What rounding has taken from the state so far; to be kept if the trajectory begins again at the
  // same point.
  std::vector<double> lost(int lane) const;
  void set_lost(int lane, const std::vector<double>& lost);

 private:
  using Numbers = linear::AlignedVector<double>;
  struct Series {
    Numbers coefficients;                   // [row][column][lane]
    std::vector<double> begin, end, scale;  // by lane
    solution::StepView view(int lane, std::size_t lanes) const {
      return {begin[lane], end[lane], scale[lane], coefficients.data() + lane, lanes};
    }
  };
  // The comparison of coefficient n of the columns of a range.
  struct Judged {
    int first, last, n;
    int state;         // the derivative whose scale counts
    double amplified;  // what differentiating the polynomial once more does to its error
    bool is_solved_for;
  };

  void spread(const std::vector<double>& by_lane, Numbers& row) const;
  void find_noise();
  void drop_stages(int lane, int count);
  void prepare_comparison(const Judged& judged);

  taylor::SeriesSolver& series_;
  const SeriesShape& shape_;
  std::size_t num_lanes_, width_;
  ErrorScales scales_;
  StepLimits limits_;
  Series current_, accepted_;
  std::vector<double> longest_, errors_;  // by lane
  std::vector<char> is_chosen_, may_jump_;
  bool are_steps_begun_ = false;  // sizes and lengths are those of the current series
  // The trial's state, [n][column][lane], n up to the highest local order.
  Numbers predicted_;
  Numbers magnitude_;  // of its first term and of the sum of the rest
  Numbers lost_;       // by rounding, when the state was last summed: added next time
  Numbers lost_now_;   // the same for the trial
  std::vector<double> t_new_, new_scale_;  // by lane
  std::vector<Judged> judged_;
  std::vector<int> block_of_;      // by column: fine block
  std::vector<double> binomials_;  // [n][row]: C(row, n)
  Numbers s_, factor_;             // [column][lane]
  Numbers no_noise_, noise_;  // [column][lane]: relative rounding errors; of what is solved for
  std::vector<double> by_lane_, power_, allowed_;
};

}  // namespace daedal::integrate
