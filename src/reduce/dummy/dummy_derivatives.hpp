// A DAE as an ODE in state items (docs/theory/dummy-derivatives.md): the equations (8) of
// [Pryce2018] in the items (9), the choice of state items at a point, the table of choices met, and
// the other items as functions of these.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "reduce/dummy/state_mode.hpp"

namespace daedal::reduce {

struct DummyProblem {
  expr::Graph& graph;  // grows by derivatives; must outlive this
  std::span<const NodeId> residuals;
  const structure::Structure& structure;  // must outlive this, as must the parameters
  const std::vector<double>& parameters;
  std::vector<double> nominals;
  double tolerance = 1e-9;
};

struct DummyCounters {
  long evaluations = 0;     // of the series f^(c)
  long jacobians = 0;       // with their partial derivatives
  long factorisations = 0;  // of all blocks
  long solves = 0;          // for the items that are not state
  long switches = 0;
};

class DummyDerivatives {
 public:
  explicit DummyDerivatives(const DummyProblem& problem);

  const structure::Structure& structure() const { return problem_.structure; }
  DerivativeArray& array() { return array_; }
  int num_unknowns() const { return array_.num_unknowns(); }
  int column(int unknown, int order) const { return array_.column(unknown, order); }
  Place place(int column) const { return array_.place_of_column(column); }
  // |x_jl| up to this are small, by column.
  double nominal(int column) const { return problem_.nominals[place(column).index]; }
  ArrayPoint point(double t, std::span<const double> items) const {
    return {t, problem_.parameters, items};
  }

  // A new trajectory: parameters may be others than before.
  void begin();

  // Values of all items, by column of the array, from derivatives of the unknowns.
  std::vector<double> items_of(const std::vector<std::vector<double>>& derivatives) const;

  // At a consistent point. False if J is singular there.
  bool choose_state(double t, std::span<const double> items);
  // Chooses again if the present state items have become bad there; whether they are others now.
  bool switch_if_bad(double t, std::span<const double> items);
  // For a step that ended before the last switch, or before the last choice.
  void note_use(double length) { last_used_->time += length; }
  StateMode& mode() { return *mode_; }
  const StateMode& mode() const { return *mode_; }
  const std::deque<StateMode>& modes() const { return modes_; }  // in the order of first entries
  double growth() const { return growth_; }                      // when last looked at

  // Changes the items that are not state so that (8) holds. They are guesses before. False if that
  // does not converge.
  bool solve(double t, std::span<double> items);
  // How much the other items move when state items do by as much as given: by column, about the
  // largest. The array has been linearised.
  void find_responses(std::span<const double> moves, std::span<double> responses);
  bool was_finite() const { return was_finite_; }
  // Largest residual of (8), each relative to how much it would change with items as large as they
  // are.
  double residual(double t, std::span<const double> items);

  const DummyCounters& counters() const { return counters_; }

 private:
  enum class Outcome { converged, slow, failed };
  void read_jacobian(double t, std::span<const double> items);
  void enter(DeltaSpec delta);
  bool refresh(double t, std::span<const double> items);
  bool factorise();
  Outcome iterate(double t, std::span<double> items);
  double correct(std::span<double> items);

  DummyProblem problem_;
  DerivativeArray array_;
  std::vector<JacobianPlace> places_;  // of J
  std::vector<int> positions_;         // of its values among those of the array's Jacobian
  StateSelection selection_;
  std::deque<StateMode> modes_;
  StateMode* mode_ = nullptr;
  StateMode* last_used_ = nullptr;  // when it was last looked at whether the choice is good
  double growth_ = 0.0;
  double rate_ = 1.0;  // of convergence with the present factors
  bool was_finite_ = true;
  std::vector<double> correction_, guess_, jacobian_, rows_;
  DummyCounters counters_;
};

}  // namespace daedal::reduce
