// Coefficients that are given, at a local stage below 0 of a block, are projected onto the rows
// that exist: the smallest change, in given weights, that satisfies the linearised rows
// (docs/theory/series.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "linear/linear_solver.hpp"
#include "taylor/packed_series.hpp"
#include "taylor/series_schedule.hpp"

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

}  // namespace daedal::taylor
