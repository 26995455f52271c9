// One choice of state items, and the linear systems by which the other items follow from them:
// blocks G_k,b in the order in which they are solved (docs/theory/dummy-derivatives.md, rule D6).
// Items are the columns of the derivative array with r_i = c_i, equations its rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "linear/linear_solver.hpp"
#include "reduce/array/derivative_array.hpp"
#include "reduce/dummy/state_selection.hpp"

namespace daedal::reduce {

class StateMode {
 public:
  StateMode(const DerivativeArray& array, const structure::Structure& structure, DeltaSpec delta);

  const DeltaSpec& delta() const { return delta_; }
  // By unknown, then order; and their derivatives.
  std::span<const int> state_columns() const { return state_; }
  std::span<const int> slope_columns() const { return slopes_; }
  std::span<const int> solved_columns() const { return solved_; }

  // With the values of the array's Jacobian. False if a block is singular or not finite.
  bool factorise(std::span<const double> jacobian);
  bool is_factorised() const { return is_factorised_; }
  // The factors are of no use any more; of blocks whose matrices depend on parameters only, they
  // are, unless these change.
  void forget() { is_factorised_ = false; }
  void forget_all();
  // The equations are linear in the solved items, with coefficients that do not change in time: one
  // correction is exact.
  bool is_constant() const { return is_constant_; }
  // By column: the correction of the solved items that makes rows with these residuals vanish.
  void solve(std::span<const double> residuals, std::span<double> correction);

  // How often it was entered, and for how long.
  long entries = 0;
  double time = 0.0;

 private:
  struct Coupling {
    int row = 0;     // in the block
    int column = 0;  // of an item solved for before
    int position = 0;
  };
  struct Block {
    std::vector<int> rows, columns;
    std::vector<int> positions = {};  // of the block's matrix
    std::vector<Coupling> couplings = {};
    std::unique_ptr<linear::SquareSolver> solver = nullptr;  // null: size 1
    bool is_steady = true;                                   // the matrix, unless parameters change
    bool is_factorised = false;
  };
  void add_block(const DerivativeArray& array, std::vector<int> rows, std::vector<int> columns);

  DeltaSpec delta_;
  std::vector<int> state_, slopes_, solved_;
  std::vector<int> block_of_column_;  // -1: not solved for yet, or never
  std::vector<int> place_in_block_;   // of columns that are solved for
  std::vector<Block> blocks_;
  bool is_factorised_ = false, is_constant_ = true;
  std::vector<double> matrix_;  // the Jacobian's values that the factors belong to
  std::vector<double> right_, entries_;
};

}  // namespace daedal::reduce
