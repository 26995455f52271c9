#include "reduce/dummy/dummy_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::reduce {
namespace {

constexpr int most_iterations = 8;
// Slower convergence asks for a new matrix when its values are there.
constexpr double good_rate = 0.1;
constexpr double slow_rate = 0.5;  // this one at once
constexpr double divergent = 0.95;
// What Newton's method may leave of a tolerance.
constexpr double converged = 0.01;
// A correction that does not get smaller is rounding if it is below this, relative to the item.
constexpr double rounding = 1e-11;

// Where J_ij stands in the Jacobian of the array: row f_i^(c_i), column x_j^(d_j).
void find_jacobian(const DerivativeArray& array, const structure::Structure& structure,
                   std::vector<JacobianPlace>& places, std::vector<int>& positions) {
  const SparseRows& jacobian = array.jacobian();
  for (int row = 0; row < array.num_rows(); ++row) {
    const Place equation = array.rows()[row];
    if (equation.order != structure.c[equation.index]) continue;
    for (int p = jacobian.starts[row]; p < jacobian.starts[row + 1]; ++p) {
      const Place item = array.place_of_column(jacobian.columns[p]);
      if (item.order != structure.d[item.index]) continue;
      places.push_back({equation.index, item.index});
      positions.push_back(p);
    }
  }
}

}  // namespace

DummyDerivatives::DummyDerivatives(const DummyProblem& problem)
    : problem_(problem),
      array_(problem.graph, problem.residuals, problem.structure.c, Entries::derivatives),
      selection_([&] {
        find_jacobian(array_, problem.structure, places_, positions_);
        return StateSelection(problem_.structure, places_, problem.nominals);
      }()),
      correction_(array_.num_columns(), 0.0),
      guess_(array_.num_columns(), 0.0),
      jacobian_(positions_.size(), 0.0) {}

void DummyDerivatives::begin() {
  for (StateMode& mode : modes_) mode.forget_all();
}

std::vector<double> DummyDerivatives::items_of(
    const std::vector<std::vector<double>>& derivatives) const {
  std::vector<double> items(array_.num_columns(), 0.0);
  for (int j = 0; j < num_unknowns(); ++j)
    for (int l = 0; l <= problem_.structure.d[j]; ++l)
      if (l < static_cast<int>(derivatives[j].size())) items[column(j, l)] = derivatives[j][l];
  return items;
}

void DummyDerivatives::read_jacobian(double t, std::span<const double> items) {
  array_.linearise(point(t, items));
  ++counters_.jacobians;
  const std::vector<double>& values = array_.jacobian().values;
  for (std::size_t k = 0; k < positions_.size(); ++k) jacobian_[k] = values[positions_[k]];
}

void DummyDerivatives::enter(DeltaSpec delta) {
  const auto found = std::find_if(modes_.begin(), modes_.end(),
                                  [&](const StateMode& mode) { return mode.delta() == delta; });
  mode_ = found != modes_.end()
              ? &*found
              : &modes_.emplace_back(array_, problem_.structure, std::move(delta));
  mode_->forget();
  ++mode_->entries;
}

bool DummyDerivatives::choose_state(double t, std::span<const double> items) {
  read_jacobian(t, items);
  DeltaSpec delta = selection_.choose(jacobian_);
  growth_ = selection_.growth(jacobian_, delta);
  enter(std::move(delta));
  return std::isfinite(growth_);
}

bool DummyDerivatives::switch_if_bad(double t, std::span<const double> items) {
  last_used_ = mode_;
  if (!selection_.has_choice()) return false;
  read_jacobian(t, items);
  growth_ = selection_.growth(jacobian_, mode_->delta());
  if (selection_.is_good(growth_)) {
    if (rate_ > good_rate) factorise();  // now that there are values for it
    return false;
  }
  DeltaSpec delta = selection_.by_pivoting(jacobian_);
  if (delta.empty() || delta == mode_->delta()) return false;
  growth_ = selection_.growth(jacobian_, delta);
  enter(std::move(delta));
  ++counters_.switches;
  return true;
}

bool DummyDerivatives::refresh(double t, std::span<const double> items) {
  array_.linearise(point(t, items));
  ++counters_.jacobians;
  return factorise();
}

bool DummyDerivatives::factorise() {
  ++counters_.factorisations;
  rate_ = 1.0;
  return mode_->factorise(array_.jacobian().values);
}

// One Newton step for all items that are not state; its size in tolerances.
double DummyDerivatives::correct(std::span<double> items) {
  mode_->solve(array_.values(), correction_);
  double size = 0.0;
  for (const int column : mode_->solved_columns()) {
    items[column] += correction_[column];
    const double weight = problem_.tolerance * (nominal(column) + std::abs(items[column]));
    const double moved = std::abs(correction_[column]) / weight;
    size = moved <= size ? size : moved;  // a value that is not a number stays
  }
  return size;
}

DummyDerivatives::Outcome DummyDerivatives::iterate(double t, std::span<double> items) {
  double before = 0.0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    array_.evaluate(point(t, items));
    ++counters_.evaluations;
    const double size = correct(items);
    was_finite_ = std::isfinite(size);
    if (!was_finite_) return Outcome::failed;
    if (mode_->is_constant()) return Outcome::converged;
    if (iteration > 0) rate_ = std::max(0.2 * rate_, size / before);
    if (size == 0.0) return Outcome::converged;
    if (iteration > 0 && rate_ > divergent)
      return size * problem_.tolerance <= rounding ? Outcome::converged : Outcome::failed;
    if (rate_ < 1.0 && size * rate_ / (1 - rate_) <= converged)
      return rate_ > slow_rate ? Outcome::slow : Outcome::converged;
    before = size;
  }
  return Outcome::failed;
}

// Two patterns of signs in place of all of them.
void DummyDerivatives::find_responses(std::span<const double> moves, std::span<double> responses) {
  const SparseRows& jacobian = array_.jacobian();
  std::fill(responses.begin(), responses.end(), 0.0);
  ++counters_.factorisations;
  if (!mode_->factorise(jacobian.values)) return;
  rows_.resize(static_cast<std::size_t>(array_.num_rows()));
  for (const int period : {2, 3}) {
    for (int row = 0; row < array_.num_rows(); ++row) {
      rows_[row] = 0.0;
      for (int p = jacobian.starts[row]; p < jacobian.starts[row + 1]; ++p) {
        const int c = jacobian.columns[p];
        if (place(c).order >= mode_->delta()[place(c).index]) continue;
        rows_[row] += (c % period == 0 ? 1.0 : -1.0) * moves[c] * jacobian.values[p];
      }
    }
    mode_->solve(rows_, correction_);
    for (const int c : mode_->solved_columns())
      responses[c] = std::max(responses[c], std::abs(correction_[c]));
  }
}

double DummyDerivatives::residual(double t, std::span<const double> items) {
  array_.linearise(point(t, items));
  const SparseRows& jacobian = array_.jacobian();
  double largest = 0.0;
  for (int row = 0; row < array_.num_rows(); ++row) {
    double size = 0.0;
    for (int p = jacobian.starts[row]; p < jacobian.starts[row + 1]; ++p) {
      const int c = jacobian.columns[p];
      size += std::abs(jacobian.values[p]) * (nominal(c) + std::abs(items[c]));
    }
    if (size > 0.0) largest = std::max(largest, std::abs(array_.values()[row]) / size);
  }
  return largest;
}

bool DummyDerivatives::solve(double t, std::span<double> items) {
  ++counters_.solves;
  const bool is_old = mode_->is_factorised();
  if (!is_old && !refresh(t, items)) return false;
  std::copy(items.begin(), items.end(), guess_.begin());
  Outcome outcome = iterate(t, items);
  if (outcome == Outcome::failed && is_old) {
    std::copy(guess_.begin(), guess_.end(), items.begin());
    if (!refresh(t, items)) return false;
    outcome = iterate(t, items);
  }
  if (outcome == Outcome::slow) mode_->forget();
  return outcome != Outcome::failed;
}

}  // namespace daedal::reduce
