// A block of the system Jacobian with its matrices and scratch: what the stages need to solve it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/linear_solver.hpp"
#include "structure/structure.hpp"
#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

// The rows and columns of a local stage below 0: those whose coefficient exists.
struct Projection {
  std::vector<int> rows, columns;  // of the block
  std::vector<int> entries;        // of the block's Jacobian, between those
  std::vector<double> values, right, step;
  std::vector<std::unique_ptr<base::MinimumNormSolver>> solvers;  // by lane
};

struct BlockWork {
  const BlockSchedule* plan = nullptr;
  int index = 0;
  int num_lanes = 1;
  std::vector<int> c, d;                       // offsets less the lead
  std::unique_ptr<base::SquareSolver> solver;  // none if diagonal
  std::vector<double> jacobian;                // [entry][lane]
  std::span<const double> pivots;              // diagonal: [row][lane]
  bool is_factorised = false;
  std::vector<double> condition;        // by lane
  std::vector<Projection> projections;  // [-1 - local stage]

  BlockWork(const BlockSchedule& schedule, int number, const structure::Structure& structure,
            int lanes);

  int size() const { return plan->size(); }
  // Null if no row exists at this local stage, which is below 0.
  Projection* projection(int local_stage);
  // From the jacobian. A diagonal block's goes to `diagonal`, which is kept.
  void factorise(std::span<double> diagonal);
  bool is_regular(int lane) const { return std::isfinite(condition[lane]); }
  int singular_row(int lane) const;  // of a diagonal block; -1 if there is none
  // b, [row][lane], becomes the solution. Precondition: factorised, not diagonal.
  void solve(std::span<double> b) { solver->solve(b); }
  int determinant_sign(int row, int lane) const;
};

// When to stop a Newton or Gauss-Newton iteration. A step below 1e-9 of every value leaves an error
// of its square: rounding. Where a value vanishes no step is small in comparison; there the
// iteration ends when steps, small beside the unknown itself, stop shrinking.
class Convergence {
 public:
  void begin_step() {
    last_ = size_;
    relative_ = size_ = 0.0;
  }
  // `size` of the unknown: of its value, and its nominal value.
  void add(double step, double value, double size) {
    const double length = std::abs(step);
    if (length == 0.0) return;
    relative_ = std::max(relative_, length / std::abs(value));
    size_ = std::max(size_, length / std::max(std::abs(value), size));
  }
  // Is the matrix of the last step good enough for the next?
  bool is_near() const {
    constexpr double nearly_straight = 1e-4;
    return relative_ <= nearly_straight;
  }
  bool is_reached() const {
    constexpr double quadratic_limit = 1e-9, rounding_limit = 1e-12;
    return relative_ <= quadratic_limit || (size_ <= rounding_limit && size_ >= 0.5 * last_);
  }

 private:
  double relative_ = 1.0, size_ = 1.0, last_ = 1.0;
};

}  // namespace daedal::taylor
