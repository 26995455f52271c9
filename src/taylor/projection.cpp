#include "taylor/projection.hpp"

#include <algorithm>

#include "taylor/for_lanes.hpp"

namespace daedal::taylor {
namespace {

// Numbers those k whose coefficient q + offsets[k] exists; -1 for others.
std::vector<int> numbers_of_existing(const std::vector<int>& offsets, int q) {
  std::vector<int> number;
  int next = 0;
  for (const int offset : offsets) number.push_back(q + offset < 0 ? -1 : next++);
  return number;
}

}  // namespace

Projection::Projection(const BlockOffsets& block, int local_stage, int lanes) : lanes_(lanes) {
  const BlockSchedule& plan = block.plan;
  const int q = local_stage;
  const std::vector<int> row = numbers_of_existing(block.c, q);
  const std::vector<int> column = numbers_of_existing(block.d, q);
  for (int k = 0; k < plan.size(); ++k) {
    if (row[k] >= 0) rows_.push_back({plan.residual_slots[k], q + block.c[k]});
    if (column[k] >= 0)
      columns_.push_back({plan.unknowns[k], plan.unknown_slots[k], q + block.d[k]});
  }
  if (!has_rows()) return;
  is_linear_ = std::all_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.order >= 1; });
  std::vector<linear::Place> places;
  for (std::size_t e = 0; e < plan.places.size(); ++e) {
    const int i = plan.places[e].row, j = plan.places[e].column;
    if (row[i] < 0) continue;
    places.push_back({row[i], column[j]});
    entries_.push_back({plan.jacobian_slots[e], plan.unknowns[j],
                        number_of({q + block.c[i], block.d[j] - block.c[i]})});
  }
  factor_values_.resize(factors_.size() * lanes);
  values_.resize(entries_.size() * lanes);
  right_.resize(rows_.size() * lanes);
  step_.resize(columns_.size() * lanes);
  zero_if_finite_.resize(lanes);
  solver_ = linear::make_minimum_norm_solver(static_cast<int>(rows_.size()),
                                             static_cast<int>(columns_.size()), places, lanes);
}

int Projection::number_of(Factor factor) {
  const auto found = std::find_if(factors_.begin(), factors_.end(), [&](const Factor& other) {
    return other.m == factor.m && other.n == factor.n;
  });
  const auto number = static_cast<int>(found - factors_.begin());
  if (found == factors_.end()) factors_.push_back(factor);
  return number;
}

void Projection::set_origin(const PackedSeries& series, int lane) {
  for (std::size_t k = 0; k < factors_.size(); ++k)
    factor_values_[k * lanes_ + lane] =
        series.derivative_factor(factors_[k].m, factors_[k].n, lane);
}

void Projection::find_right_side(const SeriesTable<double>& table) {
  with_lanes(lanes_, [&](const auto lanes) {
    double* __restrict const zero_if_finite = zero_if_finite_.data();
    for (int lane = 0; lane < lanes; ++lane) zero_if_finite[lane] = 0.0;
    double* __restrict right = right_.data();
    for (const Row& row : rows_) {
      const double* __restrict const residual = &table.at(row.residual, row.order);
      for (int lane = 0; lane < lanes; ++lane) {
        right[lane] = -residual[lane];
        zero_if_finite[lane] += residual[lane] - residual[lane];
      }
      right += lanes;
    }
  });
}

// A_ij = J_ij n!/m! h^(m-n) w_j, m = q + c_i, n = q + d_j.
void Projection::factorise(const SeriesTable<double>& table, const double* weights,
                           std::span<const char> is_due) {
  with_lanes(lanes_, [&](const auto lanes) {
    double* __restrict value = values_.data();
    for (const Entry& entry : entries_) {
      const double* __restrict const jacobian = &table.at(entry.jacobian, 0);
      const double* __restrict const factor = factor_values_.data() + entry.factor * lanes;
      const double* __restrict const weight = weights + entry.unknown * lanes;
      for (int lane = 0; lane < lanes; ++lane) {
        const double due = jacobian[lane] * factor[lane] * weight[lane];
        value[lane] = is_due[lane] != 0 ? due : value[lane];
      }
      value += lanes;
    }
  });
  (void)solver_->factorise(values_, is_due);
}

}  // namespace daedal::taylor
