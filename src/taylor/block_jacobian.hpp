// The Jacobian of one fine block at any point: its entries are operations of the series' schedule,
// evaluated without their series, so that nothing has to be differentiated or lowered again.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "linear/linear_solver.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::taylor {

class BlockJacobian {
 public:
  // Keeps a reference; parameters are those of the lane.
  BlockJacobian(const SeriesSolver& series, int fine_block, int lane);

  // +1, -1, or 0 where the matrix has no pivots. derivative(unknown, order): x^(order) at t.
  int determinant_sign(double t, const std::function<double(int unknown, int order)>& derivative);

 private:
  void visit(Slot first);
  void evaluate(double t, const std::function<double(int unknown, int order)>& derivative);

  const SeriesSolver& series_;
  const Tape& tape_;
  SeriesTable<double> values_;
  std::unique_ptr<linear::SquareSolver> solver_;  // of the same kind as that of the steps
  std::vector<Slot> slots_;                       // the operations of the matrix's entries
  std::vector<double> entries_;                   // their values
  std::vector<Slot> evaluated_;                   // what they need, arguments first
  std::vector<bool> is_visited_;                  // by slot
  std::vector<int> unknowns_;                     // that they need
  int highest_order_ = 0;                         // of derivatives that they need
};

}  // namespace daedal::taylor
