#include "taylor/block_work.hpp"

#include <limits>

namespace daedal::taylor {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Numbers those k of 0 ... offsets.size()-1 whose coefficient q + offsets[k] exists; -1 for others.
std::vector<int> numbered(const std::vector<int>& offsets, int q, std::vector<int>& existing) {
  std::vector<int> number(offsets.size(), -1);
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    if (q + offsets[k] < 0) continue;
    number[k] = static_cast<int>(existing.size());
    existing.push_back(static_cast<int>(k));
  }
  return number;
}

Projection make_projection(const BlockWork& block, int q) {
  Projection result;
  const std::vector<int> row = numbered(block.c, q, result.rows);
  const std::vector<int> column = numbered(block.d, q, result.columns);
  if (result.rows.empty()) return result;
  std::vector<base::Place> places;
  for (std::size_t e = 0; e < block.plan->places.size(); ++e) {
    const base::Place place = block.plan->places[e];
    if (row[place.row] < 0) continue;
    places.push_back({row[place.row], column[place.column]});
    result.entries.push_back(static_cast<int>(e));
  }
  result.values.resize(places.size());
  result.right.resize(result.rows.size());
  result.step.resize(result.columns.size());
  for (int lane = 0; lane < block.num_lanes; ++lane)
    result.solvers.push_back(base::make_minimum_norm_solver(
        static_cast<int>(result.rows.size()), static_cast<int>(result.columns.size()), places));
  return result;
}

}  // namespace

BlockWork::BlockWork(const BlockSchedule& schedule, int number,
                     const structure::Structure& structure, int lanes)
    : plan(&schedule),
      index(number),
      num_lanes(lanes),
      jacobian(schedule.places.size() * lanes),
      condition(lanes, 1.0) {
  for (int k = 0; k < size(); ++k) {
    c.push_back(structure.c[schedule.equations[k]] - schedule.lead);
    d.push_back(structure.d[schedule.unknowns[k]] - schedule.lead);
  }
  if (plan->is_diagonal) return;
  solver = base::make_square_solver(size(), schedule.places, lanes);
  const int largest = *std::max_element(d.begin(), d.end());
  for (int q = -1; q >= -largest; --q) projections.push_back(make_projection(*this, q));
}

Projection* BlockWork::projection(int local_stage) {
  const auto at = static_cast<std::size_t>(-1 - local_stage);
  return at < projections.size() && !projections[at].rows.empty() ? &projections[at] : nullptr;
}

void BlockWork::factorise(std::span<double> diagonal) {
  is_factorised = true;
  if (plan->is_diagonal) {
    std::fill(diagonal.begin(), diagonal.end(), 0.0);
    for (std::size_t e = 0; e < plan->places.size(); ++e)
      for (int lane = 0; lane < num_lanes; ++lane)
        diagonal[plan->places[e].row * num_lanes + lane] += jacobian[e * num_lanes + lane];
    pivots = diagonal;
    for (int lane = 0; lane < num_lanes; ++lane)
      condition[lane] = singular_row(lane) < 0 ? 1.0 : infinite;
    return;
  }
  (void)solver->factorise(jacobian);
  for (int lane = 0; lane < num_lanes; ++lane)
    condition[lane] = solver->is_regular(lane) ? solver->condition(lane) : infinite;
}

int BlockWork::singular_row(int lane) const {
  for (int row = 0; plan->is_diagonal && row < size(); ++row) {
    const double pivot = pivots[row * num_lanes + lane];
    if (pivot == 0.0 || !std::isfinite(pivot)) return row;
  }
  return -1;
}

int BlockWork::determinant_sign(int row, int lane) const {
  if (!plan->is_diagonal) return solver->determinant_sign(lane);
  return pivots[row * num_lanes + lane] < 0.0 ? -1 : 1;
}

}  // namespace daedal::taylor
