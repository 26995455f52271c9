#include "taylor/series_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::taylor {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int most_iterations = 12;
// Relative to the terms of an equation: above this it does not hold.
constexpr double largest_residual = 1e-8;
// Where all terms of an equation are below this, what is left of them is nothing to judge by.
constexpr double vanishing = 1e-6;

}  // namespace

SeriesSolver::SeriesSolver(SeriesSchedule schedule, const structure::Structure& structure,
                           int last_stage, std::vector<double> parameters,
                           std::vector<double> nominals)
    : last_stage_(last_stage),
      parameters_(std::move(parameters)),
      nominals_(std::move(nominals)),
      schedule_(std::make_unique<SeriesSchedule>(std::move(schedule))),
      table_(schedule_->tape, last_stage + schedule_->largest_offset() + 1),
      local_orders_(structure.d.size()),
      change_(schedule_->tape.entries().size(), 0.0) {
  for (const BlockSchedule& plan : schedule_->blocks) {
    const BlockWork& block =
        blocks_.emplace_back(plan, static_cast<int>(blocks_.size()), structure);
    for (int k = 0; k < plan.size(); ++k) local_orders_[plan.unknowns[k]] = block.d[k];
  }
  powers_.assign(schedule_->largest_offset() + 1, 1.0);
  set_origin(0.0, 1.0);
  for (const Slot slot : schedule_->constant) table_.evaluate(slot, 0);
  find_switches();
}

void SeriesSolver::find_switches() {
  std::vector<bool> is_constant(schedule_->offset.size(), false);
  for (const Slot slot : schedule_->constant) is_constant[slot] = true;
  for (Slot slot = 0; slot < schedule_->offset.size(); ++slot) {
    const TapeEntry& entry = schedule_->tape.entries()[slot];
    const bool is_series = schedule_->highest[slot] == SeriesSchedule::unlimited;
    if (entry.instruction != Instruction::piecewise || !is_series || is_constant[slot]) continue;
    const auto arguments = schedule_->tape.arguments(entry);
    switches_.push_back({.first = arguments.front(),
                         .second = arguments.back(),
                         .is_difference = arguments.size() == 2,
                         .zero_is_positive = entry.op != expr::Op::max,
                         .is_sign = entry.op == expr::Op::sign,
                         .offset = schedule_->offset[slot],
                         .node = entry.source});
  }
}

double SeriesSolver::switch_coefficient(int number, int k) const {
  const Switch& s = switches_[number];
  return s.is_difference ? table_.at(s.first, k) - table_.at(s.second, k) : table_.at(s.first, k);
}

bool SeriesSolver::is_switch_positive(int number) const {
  const double value = switch_coefficient(number, 0);
  return switches_[number].zero_is_positive ? value >= 0.0 : value > 0.0;
}

void SeriesSolver::set_origin(double time, double scale) {
  table_.set_origin({.time = time, .scale = scale, .parameters = parameters_});
  for (std::size_t n = 1; n < powers_.size(); ++n) powers_[n] = powers_[n - 1] * scale;
}

// (q+1)...(q+n)/h^n: what d^n/dt^n multiplies coefficient q + n with.
double SeriesSolver::derivative_factor(int q, int n) const {
  return rising_factorial(q, n) / powers_[n];
}

void SeriesSolver::evaluate_one(Slot slot, int stage) {
  const int k = stage + schedule_->offset[slot];
  if (k >= 0 && k <= schedule_->highest[slot]) table_.evaluate(slot, k);
}

void SeriesSolver::evaluate(std::span<const Slot> slots, int stage) {
  for (const Slot slot : slots) evaluate_one(slot, stage);
}

void SeriesSolver::evaluate_series(std::span<const Slot> slots, int stage) {
  for (const Slot slot : slots) table_.evaluate(slot, stage + schedule_->offset[slot]);
}

StageReport SeriesSolver::solve_start(std::span<const double> weights) {
  weights_ = weights;
  constraint_residual_ = 0.0;
  for (BlockWork& block : blocks_)
    block.is_factorised = block.is_factorised && block.plan->has_constant_jacobian;
  for (int stage = schedule_->first_stage; stage <= 0; ++stage) {
    evaluate(schedule_->before, stage);
    evaluate(schedule_->values_before, stage);
    for (BlockWork& block : blocks_)
      if (const StageReport report = solve_block(block, stage); !report.ok()) return report;
  }
  return {};
}

StageReport SeriesSolver::solve_rest() {
  for (int stage = 1; stage <= last_stage_; ++stage) {
    evaluate_series(schedule_->before, stage);
    for (BlockWork& block : blocks_) {
      if (const StageReport report = solve_linear(block, stage); !report.ok()) return report;
      evaluate_series(block.plan->after, stage);
    }
  }
  return {};
}

StageReport SeriesSolver::solve_block(BlockWork& block, int stage) {
  const int q = stage + block.plan->lead;
  if (q < 0) return project(block, stage);
  if (q == 0 && !block.plan->is_linear) return solve_nonlinear(block, stage);
  const StageReport report = solve_linear(block, stage);
  if (!report.ok()) return report;
  evaluate(block.plan->after, stage);
  evaluate(block.plan->values_after, stage);
  return {};
}

// Gauss-Newton on the rows that exist, from given coefficients.
StageReport SeriesSolver::project(BlockWork& block, int stage) {
  evaluate(block.plan->own, stage);
  const int q = stage + block.plan->lead;
  if (Projection* projection = block.projection(q)) {
    Convergence convergence;
    const bool is_linear = std::all_of(projection->rows.begin(), projection->rows.end(),
                                       [&](int row) { return q + block.c[row] >= 1; });
    for (int iteration = 0; !convergence.is_reached(); ++iteration) {
      if (iteration == 1 && is_linear) break;
      if (iteration == most_iterations) return {StageFailure::not_converged, block.index, stage};
      if (const StageFailure failure = find_projection_step(block, *projection, q);
          failure != StageFailure::none)
        return {failure, block.index, stage};
      convergence.begin_step();
      for (std::size_t s = 0; s < projection->columns.size(); ++s) {
        const int column = projection->columns[s], j = block.plan->unknowns[column];
        double& x = table_.at(block.plan->unknown_slots[column], q + block.d[column]);
        const double step = weights_[j] * projection->step[s];
        x += step;
        convergence.add(step, x, size_of(j));
      }
      evaluate(block.plan->own, stage);
    }
    const double residual = relative_residual(block, stage);
    if (!(residual < largest_residual)) return {StageFailure::not_converged, block.index, stage};
    constraint_residual_ = std::max(constraint_residual_, residual);
  }
  evaluate(block.plan->rest, stage);
  return {};
}

// The smallest step, in weights, that satisfies the linearised rows: A_ij = J_ij n!/m! h^(m-n) w_j,
// m = q + c_i, n = q + d_j.
StageFailure SeriesSolver::find_projection_step(const BlockWork& block, Projection& projection,
                                                int q) const {
  const BlockSchedule& plan = *block.plan;
  for (std::size_t r = 0; r < projection.rows.size(); ++r) {
    const int row = projection.rows[r];
    projection.right[r] = -table_.at(plan.residual_slots[row], q + block.c[row]);
    if (!std::isfinite(projection.right[r])) return StageFailure::not_finite;
  }
  for (std::size_t e = 0; e < projection.entries.size(); ++e) {
    const base::Place place = plan.places[projection.entries[e]];
    const int m = q + block.c[place.row], shift = block.d[place.column] - block.c[place.row];
    projection.values[e] = table_.at(plan.jacobian_slots[projection.entries[e]], 0) *
                           derivative_factor(m, shift) * weights_[plan.unknowns[place.column]];
  }
  if (!projection.solver->factorise(projection.values)) return StageFailure::singular;
  projection.solver->solve(projection.right, projection.step);
  return StageFailure::none;
}

// Of all rows that exist, each relative to the largest sum of the sizes of its terms over its
// coefficients so far.
double SeriesSolver::relative_residual(const BlockWork& block, int stage) const {
  const BlockSchedule& plan = *block.plan;
  double worst = 0.0;
  for (int row = 0; row < plan.size(); ++row) {
    const int m = stage + plan.lead + block.c[row];
    const Slot slot = plan.residual_slots[row];
    const TapeEntry& entry = schedule_->tape.entries()[slot];
    if (m < 0 || entry.instruction != Instruction::affine) continue;
    const auto arguments = schedule_->tape.arguments(entry);
    const auto factors = schedule_->tape.coefficients(entry);
    double largest = 0.0;
    for (int k = 0; k <= m; ++k) {
      double terms = k == 0 ? std::abs(entry.number) : 0.0;
      for (std::size_t a = 0; a < arguments.size(); ++a)
        terms += std::abs(factors[a] * table_.at(arguments[a], k));
      largest = std::max(largest, terms);
    }
    largest = std::max(largest, vanishing);
    worst = std::max(worst, std::abs(table_.at(slot, m)) / largest);
  }
  return worst;
}

bool SeriesSolver::factorise(BlockWork& block) {
  for (std::size_t e = 0; e < block.jacobian.size(); ++e)
    block.jacobian[e] = table_.at(block.plan->jacobian_slots[e], 0);
  block.is_factorised = true;
  if (block.size() == 1) {
    block.pivot = 0.0;
    for (const double value : block.jacobian) block.pivot += value;
    return block.pivot != 0.0 && std::isfinite(block.pivot);
  }
  ++counters_.factorisations;
  const bool is_regular = block.solver->factorise(block.jacobian);
  block.condition = is_regular ? block.solver->condition() : infinite;
  return is_regular;
}

// Newton for the coefficients of local stage 0, from the guesses given. Column j of the scaled
// system is d_j!/h^d_j, row i c_i!/h^c_i.
StageReport SeriesSolver::solve_nonlinear(BlockWork& block, int stage) {
  const BlockSchedule& plan = *block.plan;
  Convergence convergence;
  for (int iteration = 0; !convergence.is_reached(); ++iteration) {
    if (iteration == most_iterations) return {StageFailure::not_converged, block.index, stage};
    ++counters_.newton_iterations;
    evaluate(plan.own, stage);
    for (int k = 0; k < plan.size(); ++k) {
      block.right[k] =
          -table_.at(plan.residual_slots[k], block.c[k]) * derivative_factor(0, block.c[k]);
      if (!std::isfinite(block.right[k])) return {StageFailure::not_finite, block.index, stage};
    }
    if (!factorise(block)) return {StageFailure::singular, block.index, stage};
    block.solve();
    convergence.begin_step();
    for (int k = 0; k < plan.size(); ++k) {
      double& x = table_.at(plan.unknown_slots[k], block.d[k]);
      const double step = block.right[k] / derivative_factor(0, block.d[k]);
      x += step;
      convergence.add(step, x, size_of(plan.unknowns[k]));
    }
  }
  evaluate(plan.own, stage);
  if (!(relative_residual(block, stage) < largest_residual))  // steps shrank, but towards nothing
    return {StageFailure::not_converged, block.index, stage};
  evaluate(plan.rest, stage);
  block.is_factorised = false;  // the later stages need the Jacobian at the solution
  return {};
}

double SeriesSolver::linear_residual(const BlockWork& block, int row, int order) const {
  double sum = order == 0 ? block.plan->residual_constant[row] : 0.0;
  for (const ResidualTerm& term : block.plan->residual[row])
    sum += term.factor * table_.at(term.slot, order);
  return sum;
}

// With the newest coefficients set to zero the residual is the known part; they follow from
//   sum_j J_ij [x_n (q+1)...(q+d_j)/h^d_j] = -r_m (q+1)...(q+c_i)/h^c_i,   m = q + c_i, n = q +
//   d_j,
// q the local stage, c and d less the lead; then the slots used again are completed.
StageReport SeriesSolver::solve_linear(BlockWork& block, int stage) {
  const BlockSchedule& plan = *block.plan;
  const int q = stage + plan.lead;
  for (int k = 0; k < plan.size(); ++k) table_.at(plan.unknown_slots[k], q + block.d[k]) = 0.0;
  for (const Slot slot : plan.shifted) {
    const int k = stage + schedule_->offset[slot];
    if (k >= 0) table_.at(slot, k) = 0.0;
  }
  evaluate_series(plan.known, stage);
  if (!block.is_factorised && !factorise(block)) {
    const bool is_finite = std::all_of(block.jacobian.begin(), block.jacobian.end(),
                                       [](double value) { return std::isfinite(value); });
    return {is_finite ? StageFailure::singular : StageFailure::not_finite, block.index, stage};
  }
  for (int k = 0; k < plan.size(); ++k)
    block.right[k] = -linear_residual(block, k, q + block.c[k]) * derivative_factor(q, block.c[k]);
  block.solve();
  for (int k = 0; k < plan.size(); ++k) {
    const double x = block.right[k] / derivative_factor(q, block.d[k]);
    if (!std::isfinite(x)) return {StageFailure::not_finite, block.index, stage};
    table_.at(plan.unknown_slots[k], q + block.d[k]) = x;
  }
  complete(block, stage);
  return {};
}

// Adds to the slots used again what is linear in the newest coefficients.
void SeriesSolver::complete(const BlockWork& block, int stage) {
  const BlockSchedule& plan = *block.plan;
  for (const Slot slot : plan.unknown_slots)
    change_[slot] = table_.at(slot, stage + schedule_->offset[slot]);
  for (const Slot slot : plan.shifted) {
    const int k = stage + schedule_->offset[slot];
    if (k < 0) continue;
    table_.evaluate(slot, k);
    change_[slot] = table_.at(slot, k);
  }
  for (const Slot slot : plan.completed) {
    const int k = stage + schedule_->offset[slot];
    change_[slot] = table_.change(slot, k, change_, schedule_->offset);
    table_.at(slot, k) += change_[slot];
  }
  for (const auto* slots : {&plan.unknown_slots, &plan.shifted, &plan.completed})
    for (const Slot slot : *slots) change_[slot] = 0.0;
}

double SeriesSolver::condition(int block) const { return blocks_[block].condition; }

int SeriesSolver::determinant_sign(int block) const {
  const BlockWork& b = blocks_[block];
  return b.solver == nullptr ? (b.pivot < 0.0 ? -1 : 1) : b.solver->determinant_sign();
}

NodeId SeriesSolver::undefined_operation(int stage) const {
  const auto entries = schedule_->tape.entries();
  for (int k = 0; k < table_.num_orders(); ++k) {
    for (Slot slot = 0; slot < entries.size(); ++slot) {
      const Instruction instruction = entries[slot].instruction;
      const bool is_computed =
          k <= std::min(stage + schedule_->offset[slot], schedule_->highest[slot]);
      if (!is_computed || instruction == Instruction::unknown || std::isfinite(table_.at(slot, k)))
        continue;
      const auto arguments = schedule_->tape.arguments(entries[slot]);
      bool is_first = true;
      for (std::size_t a = 0; a < arguments.size(); a += Tape::value_stride(entries[slot]))
        is_first = is_first && std::isfinite(table_.at(arguments[a], k));
      if (is_first) return entries[slot].source;
    }
  }
  return {};
}

namespace {

// Adds what the slots of one stage cost.
void count_slots(const SeriesSchedule& schedule, std::span<const Slot> slots,
                 OperationCount& count) {
  for (const Slot slot : slots) {
    const TapeEntry& entry = schedule.tape.entries()[slot];
    if (schedule.highest[slot] != SeriesSchedule::unlimited) {
      count.start += 2.0;
      continue;
    }
    switch (entry.instruction) {
      case Instruction::affine: count.stage += 2.0 * entry.num_arguments; break;
      case Instruction::multiply:
      case Instruction::divide: count.convolution += 2.0; break;
      case Instruction::square: count.convolution += 1.0; break;
      case Instruction::power:
      case Instruction::steady_power: count.convolution += 4.0; break;
      case Instruction::varying_power:
      case Instruction::function: count.convolution += 3.0; break;
      default: count.stage += 1.0;
    }
  }
}

// Dense: n^2 a solve, 2/3 n^3 a factorisation. Sparse: fill-in of three times the entries and ten
// operations each, typical of networks and multibody systems.
void count_linear_algebra(const BlockSchedule& block, OperationCount& count) {
  const double size = block.size();
  if (block.size() == 1) {
    count.stage += 3.0;
    return;
  }
  const bool is_dense = block.size() <= base::largest_dense_block;
  const double filled = is_dense ? size * size : 3.0 * static_cast<double>(block.places.size());
  count.stage += 2.0 * filled;
  count.start += (is_dense ? 0.7 * size : 10.0) * filled;
}

}  // namespace

OperationCount count_operations(const SeriesSchedule& schedule) {
  OperationCount count;
  count_slots(schedule, schedule.before, count);
  count_slots(schedule, schedule.values_before, count);
  for (const BlockSchedule& block : schedule.blocks) {
    count_slots(schedule, block.known, count);
    count_slots(schedule, block.after, count);
    count_slots(schedule, block.values_after, count);
    count.stage += 2.0 * static_cast<double>(block.completed.size() + block.shifted.size());
    for (const auto& terms : block.residual) count.stage += 2.0 * static_cast<double>(terms.size());
    count_linear_algebra(block, count);
  }
  count.start += (1.0 - schedule.first_stage) * (count.stage + count.convolution);
  return count;
}

}  // namespace daedal::taylor
