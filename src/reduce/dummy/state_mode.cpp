#include "reduce/dummy/state_mode.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace daedal::reduce {
namespace {

// Row of f_i^(order), by order and equation.
std::vector<std::vector<int>> rows_by_order(const DerivativeArray& array, std::size_t size) {
  std::vector<std::vector<int>> row_of;
  for (int row = 0; row < array.num_rows(); ++row) {
    const Place place = array.rows()[row];
    if (static_cast<int>(row_of.size()) <= place.order) row_of.emplace_back(size, -1);
    row_of[place.order][place.index] = row;
  }
  return row_of;
}

}  // namespace

StateMode::StateMode(const DerivativeArray& array, const structure::Structure& structure,
                     DeltaSpec delta)
    : delta_(std::move(delta)), block_of_column_(array.num_columns(), -1) {
  const std::vector<int>&c = structure.c, &d = structure.d;
  for (std::size_t j = 0; j < d.size(); ++j)
    for (int l = 0; l < delta_[j]; ++l) {
      state_.push_back(array.column(static_cast<int>(j), l));
      slopes_.push_back(array.column(static_cast<int>(j), l + 1));
    }
  const std::vector<std::vector<int>> row_of = rows_by_order(array, c.size());
  const int first = c.empty() ? 0 : -*std::max_element(c.begin(), c.end());
  for (int k = first; k <= 0; ++k)
    for (const structure::Block& block : structure.fine_blocks) {
      std::vector<int> rows, columns;
      for (const int i : block.equations)
        if (k + c[i] >= 0) rows.push_back(row_of[k + c[i]][i]);
      for (const int j : block.unknowns)
        if (k + d[j] >= delta_[j]) columns.push_back(array.column(j, k + d[j]));
      DAEDAL_CHECK(rows.size() == columns.size());
      if (!rows.empty()) add_block(array, std::move(rows), std::move(columns));
    }
}

void StateMode::add_block(const DerivativeArray& array, std::vector<int> rows,
                          std::vector<int> columns) {
  const auto number = static_cast<int>(blocks_.size());
  Block block{.rows = std::move(rows), .columns = std::move(columns)};
  place_in_block_.resize(block_of_column_.size());
  for (std::size_t k = 0; k < block.columns.size(); ++k) {
    block_of_column_[block.columns[k]] = number;
    place_in_block_[block.columns[k]] = static_cast<int>(k);
    solved_.push_back(block.columns[k]);
  }
  const SparseRows& jacobian = array.jacobian();
  std::vector<linear::Place> places;
  for (std::size_t r = 0; r < block.rows.size(); ++r)
    for (int p = jacobian.starts[block.rows[r]]; p < jacobian.starts[block.rows[r] + 1]; ++p) {
      const int column = jacobian.columns[p], owner = block_of_column_[column];
      is_constant_ = is_constant_ && (owner < 0 || array.is_steady(p));
      if (owner == number) {
        block.is_steady = block.is_steady && array.is_steady(p);
        places.push_back({static_cast<int>(r), place_in_block_[column]});
        block.positions.push_back(p);
      } else if (owner >= 0) {
        block.couplings.push_back({static_cast<int>(r), column, p});
      }
    }
  const auto size = static_cast<int>(block.rows.size());
  if (size > 1) block.solver = linear::make_square_solver(size, places);
  right_.resize(std::max(right_.size(), block.rows.size()));
  entries_.resize(std::max(entries_.size(), block.positions.size()));
  blocks_.push_back(std::move(block));
}

void StateMode::forget_all() {
  forget();
  for (Block& block : blocks_) block.is_factorised = false;
}

bool StateMode::factorise(std::span<const double> jacobian) {
  matrix_.assign(jacobian.begin(), jacobian.end());
  is_factorised_ = true;
  for (Block& block : blocks_) {
    if (block.is_steady && block.is_factorised) continue;
    double size = 0.0;
    for (std::size_t k = 0; k < block.positions.size(); ++k) {
      entries_[k] = matrix_[block.positions[k]];
      size = std::max(size, std::abs(entries_[k]));
    }
    block.is_factorised =
        block.solver ? block.solver->factorise(std::span(entries_).first(block.positions.size()))
                     : size > 0.0 && std::isfinite(size);
    is_factorised_ = is_factorised_ && block.is_factorised;
  }
  return is_factorised_;
}

void StateMode::solve(std::span<const double> residuals, std::span<double> correction) {
  for (const Block& block : blocks_) {
    for (std::size_t r = 0; r < block.rows.size(); ++r) right_[r] = -residuals[block.rows[r]];
    for (const Coupling& coupling : block.couplings)
      right_[coupling.row] -= matrix_[coupling.position] * correction[coupling.column];
    if (block.solver)
      block.solver->solve(std::span(right_).first(block.rows.size()));
    else
      right_[0] /= matrix_[block.positions[0]];
    for (std::size_t r = 0; r < block.rows.size(); ++r) correction[block.columns[r]] = right_[r];
  }
}

}  // namespace daedal::reduce
