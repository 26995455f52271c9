// Functions of time alone, compared with their series inside a step (docs/theory/taylor-method.md,
// Forcing). Where all coefficients of a series vanish, as those of a pulse do long before it, a
// step seems good for ever; and the values at its end say nothing if the pulse is over by then.
//
// First each operation on time is bounded over the whole step, by interval arithmetic. One that
// moves no farther than the terms of its series together hides nothing, and that is the end of it
// on nearly every step. Otherwise the series are kept, and each trial compares the functions with
// them on a grid.
#pragma once

#include <optional>
#include <vector>

#include "taylor/series_solver.hpp"
#include "taylor/tape_ranges.hpp"
#include "taylor/time_functions.hpp"

namespace daedal::integrate {

class ForcingWatch {
 public:
  // Keeps a reference; nothing is allocated later.
  ForcingWatch(const taylor::SeriesSolver& series, int lane, double tolerance);

  // A run of this duration, with the present parameters.
  void begin(double duration);
  // A step of the present series, from t to at most `farthest`.
  void begin_step(double t, double farthest);
  // Where it has to end on its way to t_new, so that the series of all functions are like them.
  double resolved(double t_new);

 private:
  struct Function {
    taylor::Slot slot;
    std::vector<double> series;          // on the step
    double lowest = 0.0, highest = 0.0;  // of its values on the step so far
  };
  // An operation that may do something that the series of its arguments do not show.
  struct Operation {
    taylor::Slot slot;
    int degree;
  };

  int degree_of(taylor::Slot slot) const;
  void copy_series(Function& function) const;
  bool moves_as_series(const Operation& operation, double s) const;
  bool all_move_as_series(double farthest);
  double resolved_on_grid(double t_new);
  double grid_point(double number) const;
  double series_value(const Function& function, double t) const;
  bool is_like_series(double t);
  double last_like(double like, double unlike);

  const taylor::SeriesSolver& series_;
  int lane_;
  double allowed_;  // of the range of a function
  std::vector<taylor::Slot> evaluated_;
  std::vector<Function> functions_;
  std::vector<Operation> operations_;
  // None if there are no functions.
  std::optional<taylor::SeriesTable<double>> values_;
  std::optional<taylor::TapeRanges> ranges_;
  double spacing_ = 0.0, t_ = 0.0, scale_ = 1.0;
  bool is_clear_ = true;  // nothing is hidden in the step
};

}  // namespace daedal::integrate
