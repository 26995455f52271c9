// Taylor series of a DAE's solution at a point, stage by stage (docs/theory/series.md).
//
// Stage k solves coefficient k + c_i of f_i for coefficient k + d_j of x_j, block by block. A block
// becomes square at its local stage 0, k = -lead:
//   local stage < 0   the coefficients are given; the rows that exist constrain them, and they are
//                     projected: smallest change, in given weights, that satisfies those rows
//   local stage = 0   solved: by one linear solve, or by Newton where the block is nonlinear
//   local stage > 0   one linear solve with the same matrix up to scaling of rows and columns
//
// Coefficients belong to powers of (t - time)/scale. With a power of two near the step as scale,
// scaling is exact and high orders neither overflow nor underflow.
//
// Lanes are independent points of the same equations, each with its own origin and parameters,
// computed side by side; what a lane gives does not depend on the others.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "taylor/block_work.hpp"
#include "taylor/convergence.hpp"
#include "taylor/packed_series.hpp"
#include "taylor/series_schedule.hpp"
#include "taylor/series_table.hpp"

namespace daedal::taylor {

enum class StageFailure { none, singular, not_converged, not_finite };

struct StageReport {
  StageFailure failure = StageFailure::none;
  int block = -1;  // where
  int stage = 0;

  bool ok() const { return failure == StageFailure::none; }
};

struct SeriesCounters {
  long factorisations = 0;  // of blocks of size 2 and more
  long newton_iterations = 0;
};

class SeriesSolver {
 public:
  // parameters: by lane.
  SeriesSolver(SeriesSchedule schedule, const structure::Structure& structure, int last_stage,
               std::vector<std::vector<double>> parameters, std::span<const double> nominals);

  int last_stage() const { return last_stage_; }
  int num_unknowns() const { return static_cast<int>(schedule_->slot_of_unknown.size()); }
  int num_lanes() const { return packed_.num_lanes(); }
  int num_blocks() const { return static_cast<int>(places_.size()); }  // fine ones
  // Highest coefficient of x_j.
  int degree(int unknown) const { return last_stage_ + schedule_->offset[slot(unknown)]; }
  int highest_degree() const { return table().num_orders() - 1; }
  // d_j - lead: coefficients below it are given, this one and those above are solved for.
  int local_order(int unknown) const { return local_orders_[unknown]; }
  // Unknowns in the order of their columns in a row of coefficients: by falling local order.
  std::span<const int> columns() const { return columns_; }

  // Another trajectory begins in a lane: nothing of the former one is kept.
  void set_lane(int lane, std::vector<double> parameters, std::span<const double> nominals);
  // The trajectory begins anew, with its parameters and nominal sizes.
  void forget(int lane);
  void set_origin(double time, double scale, int lane = 0);
  double scale(int lane = 0) const { return table().origin(lane).scale; }
  double& coefficient(int unknown, int k, int lane = 0) {
    return packed_.table().at(slot(unknown), k, lane);
  }
  double coefficient(int unknown, int k, int lane = 0) const {
    return table().at(slot(unknown), k, lane);
  }
  // Coefficient k of all unknowns, [column][lane]; zero above the degree.
  double* row(int k) { return packed_.table().row(k); }
  const double* row(int k) const { return table().row(k); }
  std::size_t stride() const { return table().stride(); }  // from row to row

  // For any node that the equations keep as such, as far as the stages have come.
  double coefficient(NodeId node, int k, int lane = 0) const {
    return slot_coefficient(schedule_->tape.slot(node), k, lane);
  }
  double slot_coefficient(Slot slot, int k, int lane = 0) const {
    return table().at(slot, k, lane);
  }

  // Lanes that are idle are computed, too, but nothing is said of them.
  void set_idle(int lane, bool is_idle) { is_idle_[lane] = is_idle; }

  // How much x_j may move when it is projected, compared to the other unknowns; 1 at first.
  void set_weights(int unknown, const double* by_lane) {
    double* const weights = weights_.data() + unknown * num_lanes();
    for (int lane = 0; lane < num_lanes(); ++lane) weights[lane] = by_lane[lane];
  }
  // Stages up to 0, from given coefficients below the local order (projected where constrained) and
  // at it (guesses where the block is nonlinear). report() says how it went.
  void solve_start();
  // The stages above 0.
  void solve_rest();
  // From now on the stages are run by machine code of this solver's program, and linear systems
  // solved by machine code of their intended schedules.
  void use(std::shared_ptr<const CompiledStages> compiled);
  // By block; null where solves follow none.
  std::vector<const linear::LuSchedule*> intended_schedules() const;
  bool is_compiled() const { return packed_.is_compiled(); }
  const PackedProgram& program() const { return packed_.program(); }
  const StageReport& report(int lane = 0) const { return reports_[lane]; }

  // After solve_start: largest residual of the constraints, relative to the size of its terms.
  double constraint_residual(int lane = 0) const { return constraint_residuals_[lane]; }
  // Estimated for fine blocks of size 2 and more; the others have 1.
  double condition(int block, int lane = 0) const;
  int determinant_sign(int block, int lane = 0) const;
  // Precondition: the block is regular.
  linear::Determinant determinant(int block, int lane = 0) const;
  bool has_constant_jacobian(int block) const;
  // Where a fine block is scheduled; row: in a block that is diagonal.
  struct BlockPlan {
    const BlockSchedule& block;
    int row;
  };
  BlockPlan place_of(int block) const {
    return {*blocks_[places_[block].block].plan, places_[block].row};
  }

  // After a failure at this stage: an operation with a coefficient that is not finite although its
  // arguments' are; unset if there is none.
  NodeId undefined_operation(int stage, int lane = 0) const;

  // abs, sign, min and max follow one branch as long as a function of their arguments keeps its
  // sign: the argument, or the difference of two.
  int num_switches() const { return static_cast<int>(switches_.size()); }
  int switch_degree(int number) const { return last_stage_ + switches_[number].offset; }
  double switch_coefficient(int number, int k, int lane = 0) const;
  // The sizes of the terms that this coefficient is the sum of: its rounding error is relative to
  // them.
  double switch_term_sizes(int number, int k, int lane = 0) const;
  // The sign of the branch that the present values select; zero counts as the tape takes it.
  bool is_switch_positive(int number, int lane = 0) const;
  // sign(0) = 0 is no branch to follow: it ends at once.
  bool is_switch_undecided(int number, int lane = 0) const {
    return switches_[number].is_sign && switch_coefficient(number, 0, lane) == 0.0;
  }
  NodeId switch_node(int number) const { return switches_[number].node; }

  const SeriesSchedule& schedule() const { return *schedule_; }
  const std::vector<double>& parameters(int lane = 0) const { return parameters_[lane]; }
  std::vector<double> nominals(int lane = 0) const;  // by unknown
  const SeriesCounters& counters(int lane = 0) const { return counters_[lane]; }

 private:
  struct Switch {
    Slot first, second;
    bool is_difference;
    bool zero_is_positive;
    bool is_sign;
    int offset;
    NodeId node;
  };
  struct BlockPlace {
    int block, row;
  };
  const SeriesTable<double>& table() const { return packed_.table(); }
  double term_sizes(Slot slot, int k, int lane) const;
  void find_switches();
  Slot slot(int unknown) const { return schedule_->slot_of_unknown[unknown]; }
  bool is_running(int lane) const { return !is_idle_[lane] && reports_[lane].ok(); }
  bool is_anything_running() const;
  void fail(int lane, StageFailure failure, const BlockWork& block, int stage, int row = 0);
  void solve_block(BlockWork& block, int stage);
  void project(BlockWork& block, int stage);
  void solve_nonlinear(BlockWork& block, int stage);
  void solve_linear(BlockWork& block, int stage);
  void iterate(Projection& projection, const BlockWork& block, int stage);
  void factorise(Projection& projection, const BlockWork& block, int stage);
  void find_newton_right_side(const BlockWork& block, int stage);
  void begin_iteration();
  // A lane that is iterating.
  void give_up(int lane, StageFailure failure, const BlockWork& block, int stage);
  void give_up_all(const BlockWork& block, int stage);
  void move(const MovedColumn& column, const double* factor, const double* step);
  // Fails the lanes in which the block's rows do not hold.
  std::span<const double> check_residuals(BlockWork& block, int stage);
  void check_finite(const BlockWork& block, int stage);
  void check_rows();
  void factorise(BlockWork& block, int stage);      // in the lanes that are running
  void factorise_due(BlockWork& block, int stage);  // in those of is_due_
  void evaluate_constants();
  void rescale(int lane);

  int last_stage_;
  std::vector<std::vector<double>> parameters_;
  std::unique_ptr<SeriesSchedule> schedule_;  // the table refers to its tape
  PackedSeries packed_;
  std::vector<double> nominals_;  // [unknown][lane]
  std::vector<BlockWork> blocks_;
  std::vector<BlockPlace> places_;  // by fine block
  std::vector<Switch> switches_;
  std::vector<int> local_orders_, columns_;
  Convergence convergence_;
  std::vector<double> weights_;  // [unknown][lane]
  std::vector<char> is_idle_;    // by lane, as are the following
  std::vector<char> is_due_;     // for a new matrix
  std::vector<double> factor_;
  std::vector<StageReport> reports_;
  std::vector<double> constraint_residuals_;
  std::vector<SeriesCounters> counters_;
};

}  // namespace daedal::taylor
