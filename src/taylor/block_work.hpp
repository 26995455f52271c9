// What the stages need of one block: its matrices, the projection onto its rows, whether they hold,
// and when an iteration ends.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "linear/linear_solver.hpp"
#include "structure/structure.hpp"
#include "taylor/packed_series.hpp"
#include "taylor/series_schedule.hpp"
#include "taylor/series_table.hpp"

namespace daedal::taylor {

// A block whose offsets, less its lead, are c and d.
struct BlockOffsets {
  const BlockSchedule& plan;
  const std::vector<int>&c, &d;
};

// A coefficient that is corrected.
struct MovedColumn {
  int unknown;
  Slot slot;  // of the unknown
  int order;
};

// Coefficients that are given, at a local stage below 0 of a block, are projected onto the rows
// that exist: the smallest change, in given weights, that satisfies the linearised rows
// (docs/theory/series.md).
class Projection {
 public:
  Projection(const BlockOffsets& block, int local_stage, int lanes);

  bool has_rows() const { return !rows_.empty(); }
  // Are the rows linear in the coefficients that move?
  bool is_linear() const { return is_linear_; }
  std::span<const MovedColumn> columns() const { return columns_; }

  // After a lane's scale or parameters have changed.
  void set_origin(const PackedSeries& series, int lane);
  void forget(int lane) {
    if (has_rows()) solver_->forget(lane);
  }
  // From the residuals; is_finite(lane) says whether a lane's are.
  void find_right_side(const SeriesTable<double>& table);
  bool is_finite(int lane) const { return zero_if_finite_[lane] == 0.0; }
  // Matrices of the lanes that are due; the others keep theirs. weights: [unknown][lane].
  void factorise(const SeriesTable<double>& table, const double* weights,
                 std::span<const char> is_due);
  bool is_regular(int lane) const { return solver_->is_regular(lane); }
  // step(c) is that of the column at place c of columns(), by lane, in weights.
  void solve() { solver_->solve(right_, step_); }
  const double* step(std::size_t column) const { return step_.data() + column * lanes_; }

 private:
  struct Row {
    Slot residual;
    int order;
  };
  struct Entry {
    Slot jacobian;
    int unknown;
    int factor;  // its place in factors_
  };
  // (m+1)...(m+n)/h^n
  struct Factor {
    int m, n;
  };

  int number_of(Factor factor);

  int lanes_;
  bool is_linear_ = true;
  std::vector<Row> rows_;
  std::vector<MovedColumn> columns_;
  std::vector<Entry> entries_;
  std::vector<Factor> factors_;                                // different ones
  std::vector<double> factor_values_, values_, right_, step_;  // [...][lane]
  std::vector<double> zero_if_finite_;
  std::unique_ptr<linear::MinimumNormSolver> solver_;
};

// Do the rows of a block hold? Each residual is compared with the sizes of its terms.
class ResidualCheck {
 public:
  // c: offsets less the lead.
  ResidualCheck(const BlockSchedule& plan, const std::vector<int>& c, const Tape& tape, int lanes);

  // After constants have changed.
  void set_constants(const SeriesTable<double>& table);

  // Over all rows that exist at this local stage the largest residual relative to the largest sum
  // of the sizes of the row's terms over its coefficients so far. Local stages come one after the
  // other, from the first at which a row exists.
  std::span<const double> relative_residuals(const SeriesTable<double>& table, int local_stage);

 private:
  struct Row {
    Slot residual;
    int c;
    std::size_t first_term, end_term;
    double constant;  // its size
  };
  struct Term {
    Slot slot;
    const TapeEntry* entry;  // whose argument it is,
    std::size_t argument;    // with this number
  };
  template <typename Lanes>
  void add_sizes(const SeriesTable<double>& table, const Row& row, int k, double* largest,
                 Lanes lanes);

  int lanes_;
  std::vector<Row> rows_;  // those that are sums; others have no terms to compare with
  std::vector<Term> terms_;
  std::vector<double> factors_;       // [term][lane]: sizes
  std::vector<double> largest_;       // [row][lane]: sum of sizes, so far
  std::vector<double> sums_, worst_;  // [lane]
};

// A block of the system Jacobian with its matrices and scratch: what the stages need to solve it.
struct BlockWork {
  const BlockSchedule* plan = nullptr;
  int index = 0;
  int num_lanes = 1;
  std::vector<int> c, d;                         // offsets less the lead
  std::unique_ptr<linear::SquareSolver> solver;  // none if diagonal
  std::vector<double> jacobian;                  // [entry][lane]
  std::span<const double> pivots;                // diagonal: [row][lane]
  bool is_factorised = false;
  std::vector<double> condition;        // by lane
  std::vector<Projection> projections;  // [-1 - local stage]
  ResidualCheck check;

  BlockWork(const SeriesSchedule& schedule, int number, const structure::Structure& structure,
            int lanes);

  int size() const { return plan->size(); }
  // Null if no row exists at this local stage, which is below 0.
  Projection* projection(int local_stage);
  // Another trajectory begins in a lane.
  void forget(int lane);
  // From the jacobian. A diagonal block's goes to `diagonal`, which is kept.
  void factorise(std::span<double> diagonal, std::span<const char> is_due);
  bool is_regular(int lane) const { return std::isfinite(condition[lane]); }
  int singular_row(int lane) const;  // of a diagonal block; -1 if there is none
  // b, [row][lane], becomes the solution. Precondition: factorised, not diagonal.
  void solve(std::span<double> b) { solver->solve(b); }
  int determinant_sign(int row, int lane) const;
  linear::Determinant determinant(int row, int lane) const;
};

// An unknown's coefficient that is moved; all of them [lane].
struct MovedCoefficient {
  double* value;
  const double* first;    // coefficient 0 of the unknown
  const double* nominal;  // its size is that of `first`, at least this
};

// When to stop a Newton or Gauss-Newton iteration, lane by lane. A step below 1e-9 of every value
// leaves an error of its square: rounding. Where a value vanishes no step is small in comparison;
// there the iteration ends when steps, small beside the unknown itself, stop shrinking.
class Convergence {
 public:
  explicit Convergence(int lanes)
      : lanes_(lanes), moves_(lanes), relative_(lanes), size_(lanes), last_(lanes), step_(lanes) {}

  void begin();
  // A lane takes part in the steps from start() until it has converged, or stop().
  void start(int lane) { moves_[lane] = 1.0; }
  void stop(int lane) { moves_[lane] = 0.0; }
  bool is_moving(int lane) const { return moves_[lane] != 0.0; }
  bool is_any_moving() const;
  // Is the matrix of the last step good enough for the next?
  bool is_near(int lane) const { return relative_[lane] <= nearly_straight; }

  void begin_step();
  // Adds factor * step in the lanes that move; the others are left as they are.
  void move(const MovedCoefficient& coefficient, const double* factor, const double* step);
  void end_step();

 private:
  static constexpr double nearly_straight = 1e-4;

  int lanes_;
  // By lane. A flag among doubles is a double: compared and selected by the same vectors.
  std::vector<double> moves_;
  std::vector<double> relative_, size_, last_;  // of the steps; last_: size_ of the one before
  std::vector<double> step_;
};

}  // namespace daedal::taylor
