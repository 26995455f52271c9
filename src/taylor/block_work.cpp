#include "taylor/block_work.hpp"

#include <algorithm>
#include <limits>

namespace daedal::taylor {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Offsets of the block's equations or unknowns, less its lead.
std::vector<int> offsets(const std::vector<int>& all, const std::vector<int>& numbers, int lead) {
  std::vector<int> result;
  for (const int number : numbers) result.push_back(all[number] - lead);
  return result;
}

}  // namespace

BlockWork::BlockWork(const SeriesSchedule& schedule, int number,
                     const structure::Structure& structure, int lanes)
    : plan(&schedule.blocks[number]),
      index(number),
      num_lanes(lanes),
      c(offsets(structure.c, plan->equations, plan->lead)),
      d(offsets(structure.d, plan->unknowns, plan->lead)),
      jacobian(plan->places.size() * lanes),
      condition(lanes, 1.0),
      check(*plan, c, schedule.tape, lanes) {
  if (plan->is_diagonal) return;
  solver = linear::make_square_solver(size(), plan->places, lanes);
  const int largest = *std::max_element(d.begin(), d.end());
  for (int q = -1; q >= -largest; --q)
    projections.emplace_back(BlockOffsets{.plan = *plan, .c = c, .d = d}, q, lanes);
}

Projection* BlockWork::projection(int local_stage) {
  const auto at = static_cast<std::size_t>(-1 - local_stage);
  return at < projections.size() && projections[at].has_rows() ? &projections[at] : nullptr;
}

void BlockWork::forget(int lane) {
  is_factorised = false;
  if (solver != nullptr) solver->forget(lane);
  for (Projection& projection : projections) projection.forget(lane);
}

void BlockWork::factorise(std::span<double> diagonal, std::span<const char> is_due) {
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
  (void)solver->factorise(jacobian, is_due);
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

linear::Determinant BlockWork::determinant(int row, int lane) const {
  if (!plan->is_diagonal) return solver->determinant(lane);
  linear::Determinant result;
  result.multiply(pivots[row * num_lanes + lane]);
  return result;
}

}  // namespace daedal::taylor
