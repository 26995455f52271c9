// Operations on the solution, compared with their series inside a step
// (docs/theory/taylor-method.md, Features of the state). Far from a wall exp(-(x/w)^2) and all its
// coefficients are smaller than any tolerance, and they are so after it: the last terms of the
// unknowns allow any step across, and the values at its end say nothing.
//
// Relative to the operation itself the series shows it: its last terms are no smaller than the
// first ones. That is asked of all operations but products of few factors side by side, and is the
// end of it on nearly every step. Where it is not, the operations in question are followed along
// the step, by values on the polynomials of the unknowns; where one differs most from its own
// series, a trial of the step has to show whether that matters.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "taylor/series_solver.hpp"
#include "taylor/state_operations.hpp"
#include "taylor/tape_ranges.hpp"

namespace daedal::integrate {

class FeatureWatch {
 public:
  // Keeps a reference; nothing is allocated later.
  FeatureWatch(const taylor::SeriesSolver& series, int lane, double tolerance);

  // Another run, with the present parameters.
  void begin();
  // Before a step from the present series, which is at t, to s, in units of their scale.
  void begin_step(double t, double s) {
    doubts_.clear();
    seen_ = unlimited;
    if (!operations_.empty() && s != 0.0 && !all_settle(std::abs(s))) look_closer(t, s);
  }
  // How much of the distance |s| a trial may go: no farther than operations were followed; and if
  // the trial would end before the place of a question, no farther than where the difference in
  // question begins.
  double reach(double distance) const;
  // A place before that distance at which a trial has to show that a difference does not matter.
  std::optional<double> question(double distance) const;
  // What the trial there has shown. If the difference matters, the step ends where it begins.
  void answer(bool is_close);

 private:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  struct Operation {
    taylor::Slot slot;
    int degree;
  };
  struct Group {  // of operations of one degree
    int degree;
    std::size_t first, last;
  };
  // An operation that is compared with its series along the step.
  struct Followed {
    std::size_t number;     // in operations_
    double largest;         // of its values so far
    double argument = 0.0;  // at the last point
    double largest_argument = 0.0;
    double worst = 0.0, worst_at = 0.0;  // the largest difference; at 0 if there is none
    double like = 0.0;                   // the last point before the first difference
  };
  struct Doubt {
    double at, like;  // see Followed
  };

  bool all_settle(double s);
  void look_closer(double t, double s);
  bool moves_as_series(const Operation& operation, double s);
  expr::Range range_of(taylor::Slot slot, double s) const;
  double motion(taylor::Slot slot, int degree, double s) const;
  double series_value(taylor::Slot slot, double s) const;
  int degree_of(taylor::Slot slot) const;
  void mark_needed();
  void evaluate(double t, double s);
  void follow(double t, double s);
  double moved_in_resolutions() const;
  void compare(double before, double at, double direction);
  bool is_at_zero_by_zero() const;
  void note_doubts();

  const taylor::SeriesSolver& series_;
  int lane_;
  double still_;                       // a part of a value that is nothing
  std::vector<Operation> operations_;  // those that are asked group by group, then products
  std::size_t num_asked_ = 0;
  std::vector<Group> groups_;        // of those that are asked
  std::vector<std::size_t> places_;  // of the operations in a row of coefficients
  std::vector<double> measures_;     // of how much they are in question
  // None if there are no operations.
  std::optional<taylor::SeriesTable<double>> values_;
  std::optional<taylor::TapeRanges> ranges_;
  std::vector<char> is_varying_, is_needed_;      // by slot
  std::vector<taylor::Slot> evaluated_, needed_;  // by all operations; by those that are followed
  std::vector<Followed> followed_;
  std::vector<Doubt> doubts_;  // farthest first
  double seen_ = unlimited;
};

}  // namespace daedal::integrate
