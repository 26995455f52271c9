#include "taylor/block_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taylor/for_lanes.hpp"

namespace daedal::taylor {

// ---------------------------------------------------------------------------------------------------------------------
// Onto the rows

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

// ---------------------------------------------------------------------------------------------------------------------
// Do the rows hold?

namespace {

// Where all terms of an equation are below this, what is left of them is nothing to judge by.
constexpr double vanishing = 1e-6;

}  // namespace

ResidualCheck::ResidualCheck(const BlockSchedule& plan, const std::vector<int>& c, const Tape& tape,
                             int lanes)
    : lanes_(lanes), sums_(lanes), worst_(lanes) {
  for (int k = 0; k < plan.size(); ++k) {
    const Slot residual = plan.residual_slots[k];
    const TapeEntry& entry = tape.entries()[residual];
    if (entry.instruction != Instruction::affine) continue;
    const auto arguments = tape.arguments(entry);
    const std::size_t first = terms_.size();
    for (std::size_t a = 0; a < arguments.size(); ++a) terms_.push_back({arguments[a], &entry, a});
    rows_.push_back({residual, c[k], first, terms_.size(), std::abs(entry.number)});
  }
  factors_.resize(terms_.size() * lanes);
  largest_.resize(rows_.size() * lanes);
}

void ResidualCheck::set_constants(const SeriesTable<double>& table) {
  double* factor = factors_.data();
  for (const Term& term : terms_)
    for (int lane = 0; lane < lanes_; ++lane)
      *factor++ = std::abs(table.term_factor(*term.entry, term.argument, lane));
}

// Adds the sizes of coefficient k of the row's terms; `lanes` is a number or a constant.
template <typename Lanes>
void ResidualCheck::add_sizes(const SeriesTable<double>& table, const Row& row, int k,
                              double* __restrict largest, Lanes lanes) {
  double* __restrict const sum = sums_.data();
  for (int lane = 0; lane < lanes; ++lane) sum[lane] = k == 0 ? row.constant : 0.0;
  const double* __restrict factor = factors_.data() + row.first_term * lanes;
  for (std::size_t t = row.first_term; t < row.end_term; ++t) {
    const double* __restrict const term = &table.at(terms_[t].slot, k);
    for (int lane = 0; lane < lanes; ++lane) sum[lane] += factor[lane] * std::abs(term[lane]);
    factor += lanes;
  }
  for (int lane = 0; lane < lanes; ++lane) {
    const double before = k == 0 ? vanishing : largest[lane];
    largest[lane] = before < sum[lane] ? sum[lane] : before;
  }
}

std::span<const double> ResidualCheck::relative_residuals(const SeriesTable<double>& table,
                                                          int local_stage) {
  with_lanes(lanes_, [&](const auto lanes) {
    double* __restrict const worst = worst_.data();
    for (int lane = 0; lane < lanes; ++lane) worst[lane] = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const int m = local_stage + rows_[i].c;
      if (m < 0) continue;
      double* const largest = largest_.data() + i * lanes;
      add_sizes(table, rows_[i], m, largest, lanes);
      const double* __restrict const residual = &table.at(rows_[i].residual, m);
      for (int lane = 0; lane < lanes; ++lane) {
        const double relative = std::abs(residual[lane]) / largest[lane];
        worst[lane] = worst[lane] < relative ? relative : worst[lane];
      }
    }
  });
  return worst_;
}

// ---------------------------------------------------------------------------------------------------------------------
// The block

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

// ---------------------------------------------------------------------------------------------------------------------
// When an iteration ends

void Convergence::begin() {
  for (int lane = 0; lane < lanes_; ++lane) {
    moves_[lane] = 0.0;
    relative_[lane] = size_[lane] = last_[lane] = 1.0;
  }
}

bool Convergence::is_any_moving() const {
  double any = 0.0;
  for (int lane = 0; lane < lanes_; ++lane) any += moves_[lane];
  return any != 0.0;
}

void Convergence::begin_step() {
  for (int lane = 0; lane < lanes_; ++lane) {
    last_[lane] = size_[lane];
    relative_[lane] = size_[lane] = 0.0;
  }
}

void Convergence::move(const MovedCoefficient& coefficient, const double* factor,
                       const double* step) {
  with_lanes(lanes_, [&](const auto lanes) {
    double* __restrict const value = coefficient.value;
    double* __restrict const moved = step_.data();
    const double* __restrict const moves = moves_.data();
    for (int lane = 0; lane < lanes; ++lane) {
      const double length = factor[lane] * step[lane];
      moved[lane] = moves[lane] != 0.0 ? length : 0.0;
      const double sum = value[lane] + length;
      value[lane] = moves[lane] != 0.0 ? sum : value[lane];
    }
    double* __restrict const relative = relative_.data();
    double* __restrict const size = size_.data();
    const double *const first = coefficient.first, *const nominal = coefficient.nominal;
    for (int lane = 0; lane < lanes; ++lane) {
      const double length = std::abs(moved[lane]), here = std::abs(value[lane]);
      const double unknown = std::max(std::max(std::abs(first[lane]), nominal[lane]), here);
      // no branches; 0/0 is less than nothing
      relative[lane] = std::max(relative[lane], length / here);
      size[lane] = std::max(size[lane], length / unknown);
    }
  });
}

void Convergence::end_step() {
  constexpr double quadratic_limit = 1e-9, rounding_limit = 1e-12;
  for (int lane = 0; lane < lanes_; ++lane) {
    const bool is_reached = relative_[lane] <= quadratic_limit ||
                            (size_[lane] <= rounding_limit && size_[lane] >= 0.5 * last_[lane]);
    moves_[lane] = is_reached ? 0.0 : moves_[lane];
  }
}

}  // namespace daedal::taylor
