#include "reduce/dummy/state_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace daedal::reduce {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;

// Columns are exchanged while that makes the determinant larger by this factor at least.
constexpr double worthwhile = 1.1;
constexpr double infinite = std::numeric_limits<double>::infinity();

Matrix columns_of(const Matrix& matrix, const std::vector<int>& columns) {
  Matrix result(matrix.rows(), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    result.col(static_cast<Index>(k)) = matrix.col(columns[k]);
  return result;
}

std::vector<int> others(Index num_columns, const std::vector<int>& selected) {
  std::vector<int> rest;
  for (int c = 0; c < num_columns; ++c)
    if (std::find(selected.begin(), selected.end(), c) == selected.end()) rest.push_back(c);
  return rest;
}

// G^-1 N; empty if G is singular to working precision.
Matrix response(const Matrix& matrix, const std::vector<int>& selected,
                const std::vector<int>& rest) {
  const Matrix g = columns_of(matrix, selected);
  const Eigen::PartialPivLU<Matrix> lu(g);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > std::numeric_limits<double>::epsilon() * g.cwiseAbs().maxCoeff()))
    return {};
  return lu.solve(columns_of(matrix, rest));
}

// Gaussian elimination that chooses columns.
class Pivoting {
 public:
  explicit Pivoting(const Matrix& matrix) : rest_(matrix), is_used_(matrix.rows(), false) {}

  // The columns given and as many others as there are rows left, full pivoting; empty if the rows
  // are not independent.
  std::vector<int> completed(std::vector<int> selected) {
    for (const int column : selected)
      if (!eliminate(row_for(column), column)) return {};
    while (static_cast<Index>(selected.size()) < rest_.rows()) {
      int best = -1;
      for (const int column : others(rest_.cols(), selected))
        if (best < 0 || size_of(column) > size_of(best)) best = column;
      if (best < 0 || !eliminate(row_for(best), best)) return {};
      selected.push_back(best);
    }
    return selected;
  }

 private:
  Index row_for(Index column) const {
    Index best = -1;
    for (Index r = 0; r < rest_.rows(); ++r)
      if (!is_used_[r] && (best < 0 || std::abs(rest_(r, column)) > std::abs(rest_(best, column))))
        best = r;
    return best;
  }
  double size_of(Index column) const { return std::abs(rest_(row_for(column), column)); }

  bool eliminate(Index row, Index column) {
    const double pivot = rest_(row, column);
    if (!(std::abs(pivot) > 0.0)) return false;
    is_used_[row] = true;
    for (Index r = 0; r < rest_.rows(); ++r)
      if (!is_used_[r]) rest_.row(r) -= rest_(r, column) / pivot * rest_.row(row);
    return true;
  }

  Matrix rest_;
  std::vector<bool> is_used_;  // rows
};

// Columns after the bound ones are exchanged while that is worthwhile. Each exchange makes |det G|
// larger by a factor, so this ends; the bound on their number is for rounding.
std::vector<int> exchanged(const Matrix& matrix, std::vector<int> selected, std::size_t num_bound) {
  for (Index exchange = 0; exchange < 4 * matrix.cols() && !selected.empty(); ++exchange) {
    const std::vector<int> unselected = others(matrix.cols(), selected);
    const Matrix moved = response(matrix, selected, unselected);
    if (moved.size() == 0) return {};
    const auto free = moved.bottomRows(moved.rows() - static_cast<Index>(num_bound));
    Index out = 0, in = 0;
    if (free.size() == 0 || free.cwiseAbs().maxCoeff(&out, &in) <= worthwhile) break;
    selected[num_bound + static_cast<std::size_t>(out)] = unselected[static_cast<std::size_t>(in)];
  }
  return selected;
}

}  // namespace

StateSelection::StateSelection(const structure::Structure& structure,
                               std::span<const JacobianPlace> places, std::vector<double> nominals)
    : structure_(structure), nominals_(std::move(nominals)), latest_(structure.d) {
  for (std::size_t b = 0; b < structure.fine_blocks.size(); ++b)
    add_stages(static_cast<int>(b), places);
}

void StateSelection::add_stages(int number, std::span<const JacobianPlace> places) {
  const structure::Block& block = structure_.fine_blocks[number];
  const std::vector<int>&c = structure_.c, &d = structure_.d;
  int first = 0, lead = std::numeric_limits<int>::max();
  for (const int i : block.equations) {
    first = std::max(first, c[i]);
    lead = std::min(lead, c[i]);
  }
  for (const int j : block.unknowns) latest_[j] -= lead;
  std::vector<int> row_of(c.size(), -1), column_of(d.size(), -1);
  for (int k = -first; k < -lead; ++k) {
    Stage stage{.block = number, .k = k};
    for (const int i : block.equations)
      if (k + c[i] >= 0) row_of[i] = stage.num_rows++;
    for (const int j : block.unknowns) {
      if (k + d[j] < 0) continue;
      column_of[j] = static_cast<int>(stage.unknowns.size());
      stage.unknowns.push_back(j);
    }
    const bool is_as_before = !stages_.empty() && stages_.back().unknowns == stage.unknowns &&
                              stages_.back().num_rows == stage.num_rows;
    if (is_as_before) continue;
    for (std::size_t p = 0; p < places.size(); ++p)
      if (row_of[places[p].equation] >= 0 && column_of[places[p].unknown] >= 0)
        stage.entries.push_back(
            {row_of[places[p].equation], column_of[places[p].unknown], static_cast<int>(p)});
    stages_.push_back(std::move(stage));
  }
}

Matrix StateSelection::matrix_of(const Stage& stage, std::span<const double> jacobian) const {
  Matrix matrix = Matrix::Zero(stage.num_rows, static_cast<Index>(stage.unknowns.size()));
  for (const Entry& entry : stage.entries)
    matrix(entry.row, entry.column) =
        jacobian[entry.place] * nominals_[stage.unknowns[entry.column]];
  for (Index row = 0; row < matrix.rows(); ++row) {  // for the choice of pivots only
    const double largest = matrix.row(row).cwiseAbs().maxCoeff();
    if (largest > 0.0) matrix.row(row) /= largest;
  }
  return matrix;
}

DeltaSpec StateSelection::by_transversal() const {
  DeltaSpec delta(structure_.d.size());
  for (std::size_t i = 0; i < structure_.c.size(); ++i) {
    const int j = structure_.transversal[i];
    delta[j] = structure_.d[j] - structure_.c[i];
  }
  return delta;
}

// Bound columns first.
std::vector<int> StateSelection::select(const Stage& stage, std::span<const double> jacobian,
                                        std::vector<int> bound) const {
  if (stage.is_square()) {
    const std::vector<int> rest = others(stage.num_rows, bound);
    bound.insert(bound.end(), rest.begin(), rest.end());
    return bound;
  }
  const Matrix matrix = matrix_of(stage, jacobian);
  const std::size_t num_bound = bound.size();
  return exchanged(matrix, Pivoting(matrix).completed(std::move(bound)), num_bound);
}

bool StateSelection::has_choice() const {
  return std::any_of(stages_.begin(), stages_.end(),
                     [](const Stage& stage) { return !stage.is_square(); });
}

DeltaSpec StateSelection::by_pivoting(std::span<const double> jacobian) const {
  DeltaSpec delta = latest_;
  std::vector<int> bound;  // unknowns
  int block = -1;
  for (const Stage& stage : stages_) {
    if (stage.block != block) bound.clear();
    block = stage.block;
    std::vector<int> columns;
    for (const int j : bound)
      columns.push_back(static_cast<int>(
          std::find(stage.unknowns.begin(), stage.unknowns.end(), j) - stage.unknowns.begin()));
    const std::vector<int> selected = select(stage, jacobian, std::move(columns));
    if (selected.empty()) return {};
    for (std::size_t s = bound.size(); s < selected.size(); ++s) {
      const int j = stage.unknowns[selected[s]];
      delta[j] = stage.k + structure_.d[j];
    }
    bound.clear();
    for (const int column : selected) bound.push_back(stage.unknowns[column]);
  }
  return delta;
}

DeltaSpec StateSelection::choose(std::span<const double> jacobian) const {
  DeltaSpec cheap = by_transversal();
  if (is_good(growth(jacobian, cheap))) return cheap;
  DeltaSpec pivoted = by_pivoting(jacobian);
  return pivoted.empty() ? cheap : pivoted;
}

double StateSelection::growth(std::span<const double> jacobian, const DeltaSpec& delta) const {
  double largest = 0.0;
  for (const Stage& stage : stages_) {
    if (stage.is_square()) continue;
    std::vector<int> selected, unselected;
    for (std::size_t c = 0; c < stage.unknowns.size(); ++c) {
      const int j = stage.unknowns[c];
      (stage.k + structure_.d[j] >= delta[j] ? selected : unselected)
          .push_back(static_cast<int>(c));
    }
    DAEDAL_CHECK(static_cast<int>(selected.size()) == stage.num_rows);
    const Matrix moved = response(matrix_of(stage, jacobian), selected, unselected);
    if (moved.size() == 0) return infinite;
    largest = std::max(largest, moved.cwiseAbs().maxCoeff());
  }
  return std::isnan(largest) ? infinite : largest;
}

}  // namespace daedal::reduce
