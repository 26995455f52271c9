// A block of the system Jacobian with its matrices and scratch: what the stages need to solve it.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "linear/linear_solver.hpp"
#include "structure/structure.hpp"
#include "taylor/projection.hpp"
#include "taylor/residual_check.hpp"
#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

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

}  // namespace daedal::taylor
