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
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "taylor/block_work.hpp"
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

// Floating-point operations of a step of K stages: start + K * stage + K^2/2 * convolution.
struct OperationCount {
  double start = 0.0;
  double stage = 0.0;
  double convolution = 0.0;
};

OperationCount count_operations(const SeriesSchedule& schedule);

class SeriesSolver {
 public:
  SeriesSolver(SeriesSchedule schedule, const structure::Structure& structure, int last_stage,
               std::vector<double> parameters, std::vector<double> nominals);

  int num_unknowns() const { return static_cast<int>(schedule_->slot_of_unknown.size()); }
  // Highest coefficient of x_j.
  int degree(int unknown) const { return last_stage_ + schedule_->offset[slot(unknown)]; }
  // d_j - lead: coefficients below it are given, this one and those above are solved for.
  int local_order(int unknown) const { return local_orders_[unknown]; }

  void set_origin(double time, double scale);
  double scale() const { return table_.origin().scale; }
  double& coefficient(int unknown, int k) { return table_.at(slot(unknown), k); }
  double coefficient(int unknown, int k) const { return table_.at(slot(unknown), k); }

  // Of any node of the equations, as far as the stages have come.
  double coefficient(NodeId node, int k) const {
    return slot_coefficient(schedule_->tape.slot(node), k);
  }
  double slot_coefficient(Slot slot, int k) const { return table_.at(slot, k); }

  // Stages up to 0, from given coefficients below the local order (projected where constrained;
  // weights by unknown) and at it (guesses where the block is nonlinear).
  StageReport solve_start(std::span<const double> weights);
  // The stages above 0.
  StageReport solve_rest();

  // After solve_start: largest residual of the constraints, relative to the size of its terms.
  double constraint_residual() const { return constraint_residual_; }
  // Of blocks of size 2 and more; the others have 1.
  double condition(int block) const;
  int determinant_sign(int block) const;

  // After a failure at this stage: an operation with a coefficient that is not finite although its
  // arguments' are; unset if there is none.
  NodeId undefined_operation(int stage) const;

  // abs, sign, min and max follow one branch as long as a function of their arguments keeps its
  // sign: the argument, or the difference of two.
  int num_switches() const { return static_cast<int>(switches_.size()); }
  int switch_degree(int number) const { return last_stage_ + switches_[number].offset; }
  double switch_coefficient(int number, int k) const;
  // The sign of the branch that the present values select; zero counts as the tape takes it.
  bool is_switch_positive(int number) const;
  // sign(0) = 0 is no branch to follow: it ends at once.
  bool is_switch_undecided(int number) const {
    return switches_[number].is_sign && switch_coefficient(number, 0) == 0.0;
  }
  NodeId switch_node(int number) const { return switches_[number].node; }

  const SeriesSchedule& schedule() const { return *schedule_; }
  const SeriesCounters& counters() const { return counters_; }

 private:
  struct Switch {
    Slot first, second;
    bool is_difference;
    bool zero_is_positive;
    bool is_sign;
    int offset;
    NodeId node;
  };

  void find_switches();
  double size_of(int unknown) const {
    return std::max(std::abs(coefficient(unknown, 0)), nominals_[unknown]);
  }
  Slot slot(int unknown) const { return schedule_->slot_of_unknown[unknown]; }
  void evaluate(std::span<const Slot> slots, int stage);
  void evaluate_one(Slot slot, int stage);
  void evaluate_series(std::span<const Slot> slots, int stage);  // no coefficient is out of range
  double derivative_factor(int q, int n) const;
  StageReport solve_block(BlockWork& block, int stage);
  StageReport project(BlockWork& block, int stage);
  StageReport solve_nonlinear(BlockWork& block, int stage);
  StageReport solve_linear(BlockWork& block, int stage);
  StageFailure find_projection_step(const BlockWork& block, Projection& projection, int q) const;
  void complete(const BlockWork& block, int stage);
  bool factorise(BlockWork& block);
  double linear_residual(const BlockWork& block, int row, int order) const;
  double relative_residual(const BlockWork& block, int stage) const;

  int last_stage_;
  std::vector<double> parameters_;
  std::vector<double> nominals_;
  std::unique_ptr<SeriesSchedule> schedule_;  // the table refers to its tape
  SeriesTable<double> table_;
  std::vector<BlockWork> blocks_;
  std::vector<Switch> switches_;
  std::vector<int> local_orders_;
  std::vector<double> powers_;  // of the scale
  std::vector<double> change_;  // by slot; zero outside solve_linear
  std::span<const double> weights_;
  double constraint_residual_ = 0.0;
  SeriesCounters counters_;
};

}  // namespace daedal::taylor
