#include "taylor/series_solver.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::taylor {
namespace {

constexpr int most_iterations = 12;
// Relative to the terms of an equation: above this it does not hold.
constexpr double largest_residual = 1e-8;

}  // namespace

SeriesSolver::SeriesSolver(SeriesSchedule schedule, const structure::Structure& structure,
                           int last_stage, std::vector<std::vector<double>> parameters,
                           std::span<const double> nominals)
    : last_stage_(last_stage),
      parameters_(std::move(parameters)),
      schedule_(std::make_unique<SeriesSchedule>(std::move(schedule))),
      packed_(*schedule_, structure, last_stage + schedule_->largest_offset() + 1,
              static_cast<int>(parameters_.size())),
      nominals_(structure.d.size() * num_lanes()),
      places_(structure.fine_blocks.size()),
      local_orders_(structure.d.size()),
      columns_(structure.d.size()),
      convergence_(num_lanes()),
      weights_(structure.d.size() * num_lanes(), 1.0),
      is_idle_(num_lanes(), 0),
      is_due_(num_lanes(), 0),
      factor_(num_lanes()),
      reports_(num_lanes()),
      constraint_residuals_(num_lanes(), 0.0),
      counters_(num_lanes()) {
  for (const BlockSchedule& plan : schedule_->blocks) {
    const BlockWork& block =
        blocks_.emplace_back(*schedule_, static_cast<int>(blocks_.size()), structure, num_lanes());
    for (int k = 0; k < plan.size(); ++k) local_orders_[plan.unknowns[k]] = block.d[k];
    for (std::size_t k = 0; k < plan.fine_blocks.size(); ++k)
      places_[plan.fine_blocks[k]] = {block.index, static_cast<int>(k)};
  }
  for (int j = 0; j < num_unknowns(); ++j) columns_[slot(j)] = j;
  for (int lane = 0; lane < num_lanes(); ++lane) {
    for (int j = 0; j < num_unknowns(); ++j) nominals_[j * num_lanes() + lane] = nominals[j];
    set_origin(0.0, 1.0, lane);
    rescale(lane);
  }
  evaluate_constants();
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

double SeriesSolver::switch_coefficient(int number, int k, int lane) const {
  const Switch& s = switches_[number];
  const double first = table().at(s.first, k, lane);
  return s.is_difference ? first - table().at(s.second, k, lane) : first;
}

double SeriesSolver::switch_term_sizes(int number, int k, int lane) const {
  const Switch& s = switches_[number];
  const double first = term_sizes(s.first, k, lane);
  return s.is_difference ? first + term_sizes(s.second, k, lane) : first;
}

double SeriesSolver::term_sizes(Slot slot, int k, int lane) const {
  const TapeEntry& entry = schedule_->tape.entries()[slot];
  if (entry.instruction != Instruction::affine) return std::abs(table().at(slot, k, lane));
  const auto arguments = schedule_->tape.arguments(entry);
  double sum = k == 0 ? std::abs(entry.number) : 0.0;
  for (std::size_t a = 0; a < arguments.size(); ++a)
    sum += std::abs(table().term_factor(entry, a, lane) * table().at(arguments[a], k, lane));
  return sum;
}

bool SeriesSolver::is_switch_positive(int number, int lane) const {
  const double value = switch_coefficient(number, 0, lane);
  return switches_[number].zero_is_positive ? value >= 0.0 : value > 0.0;
}

void SeriesSolver::set_lane(int lane, std::vector<double> parameters,
                            std::span<const double> nominals) {
  parameters_[lane] = std::move(parameters);
  for (int j = 0; j < num_unknowns(); ++j) nominals_[j * num_lanes() + lane] = nominals[j];
  set_origin(0.0, 1.0, lane);  // constants are evaluated with the parameters there
  evaluate_constants();
  forget(lane);
}

std::vector<double> SeriesSolver::nominals(int lane) const {
  std::vector<double> nominals(num_unknowns());
  for (int j = 0; j < num_unknowns(); ++j) nominals[j] = nominals_[j * num_lanes() + lane];
  return nominals;
}

void SeriesSolver::forget(int lane) {
  set_origin(0.0, 1.0, lane);
  for (BlockWork& block : blocks_) block.forget(lane);
  counters_[lane] = {};
}

void SeriesSolver::evaluate_constants() {
  packed_.evaluate_constants();
  for (BlockWork& block : blocks_) block.check.set_constants(table());
}

void SeriesSolver::set_origin(double time, double scale, int lane) {
  const bool is_rescaled = scale != this->scale(lane);
  packed_.set_origin({.time = time, .scale = scale, .parameters = parameters_[lane]}, lane);
  if (is_rescaled) rescale(lane);
}

void SeriesSolver::rescale(int lane) {
  for (BlockWork& block : blocks_)
    for (Projection& projection : block.projections) projection.set_origin(packed_, lane);
}

bool SeriesSolver::is_anything_running() const {
  for (int lane = 0; lane < num_lanes(); ++lane)
    if (is_running(lane)) return true;
  return false;
}

void SeriesSolver::fail(int lane, StageFailure failure, const BlockWork& block, int stage,
                        int row) {
  const BlockSchedule& plan = *block.plan;
  reports_[lane] = {failure, plan.fine_blocks[plan.is_diagonal ? row : 0], stage};
}

void SeriesSolver::use(std::shared_ptr<const CompiledStages> compiled) {
  for (BlockWork& block : blocks_)
    if (block.solver != nullptr) block.solver->use(compiled->solves[block.index]);
  packed_.use(std::move(compiled));
}

std::vector<const linear::LuSchedule*> SeriesSolver::intended_schedules() const {
  std::vector<const linear::LuSchedule*> schedules;
  for (const BlockWork& block : blocks_)
    schedules.push_back(block.solver != nullptr ? block.solver->intended_schedule() : nullptr);
  return schedules;
}

void SeriesSolver::solve_start() {
  std::fill(constraint_residuals_.begin(), constraint_residuals_.end(), 0.0);
  std::fill(reports_.begin(), reports_.end(), StageReport{});
  for (BlockWork& block : blocks_)
    block.is_factorised = block.is_factorised && block.plan->has_constant_jacobian;
  for (int stage = schedule_->first_stage; stage <= 0; ++stage) {
    packed_.run({StartStep::Kind::before}, stage);
    for (BlockWork& block : blocks_) {
      solve_block(block, stage);
      if (!is_anything_running()) return;
    }
  }
}

void SeriesSolver::solve_rest() {
  if (!is_anything_running()) return;
  for (BlockWork& block : blocks_)
    if (!block.is_factorised) factorise(block, 0);  // nonlinear: at the solution
  const PackedSeries::Segments segments(packed_);
  const int num_segments = static_cast<int>(packed_.program().segments.size());
  for (int stage = 1; stage <= last_stage_; ++stage) {
    for (int segment = 0; segment < num_segments; ++segment) {
      segments.run(segment, stage);
      const int solved = packed_.program().segments[segment].solved;
      if (solved >= 0) blocks_[solved].solve(packed_.right(solved));
    }
  }
  check_rows();
}

void SeriesSolver::solve_block(BlockWork& block, int stage) {
  const int q = stage + block.plan->lead;
  if (q < 0) return project(block, stage);
  if (q == 0 && !block.plan->is_linear) return solve_nonlinear(block, stage);
  solve_linear(block, stage);
}

// Gauss-Newton on the rows that exist, from given coefficients.
void SeriesSolver::project(BlockWork& block, int stage) {
  packed_.run({StartStep::Kind::own, block.index}, stage);
  if (Projection* projection = block.projection(stage + block.plan->lead)) {
    iterate(*projection, block, stage);
    const std::span<const double> residuals = check_residuals(block, stage);
    for (int lane = 0; lane < num_lanes(); ++lane)
      if (is_running(lane))
        constraint_residuals_[lane] = std::max(constraint_residuals_[lane], residuals[lane]);
  }
  packed_.run({StartStep::Kind::rest, block.index}, stage);
}

void SeriesSolver::iterate(Projection& projection, const BlockWork& block, int stage) {
  begin_iteration();
  for (int iteration = 0; convergence_.is_any_moving(); ++iteration) {
    if (iteration == 1 && projection.is_linear()) return;
    if (iteration == most_iterations) return give_up_all(block, stage);
    projection.find_right_side(table());
    for (int lane = 0; lane < num_lanes(); ++lane)
      if (convergence_.is_moving(lane) && !projection.is_finite(lane))
        give_up(lane, StageFailure::not_finite, block, stage);
    factorise(projection, block, stage);
    if (!convergence_.is_any_moving()) return;
    projection.solve();
    convergence_.begin_step();
    std::size_t number = 0;
    for (const MovedColumn& column : projection.columns())
      move(column, weights_.data() + column.unknown * num_lanes(), projection.step(number++));
    convergence_.end_step();
    packed_.run({StartStep::Kind::own, block.index}, stage);
  }
}

// In lanes that are not near enough to the solution to keep their matrix.
void SeriesSolver::factorise(Projection& projection, const BlockWork& block, int stage) {
  bool is_any_due = false;
  for (int lane = 0; lane < num_lanes(); ++lane) {
    is_due_[lane] = convergence_.is_moving(lane) && !convergence_.is_near(lane) ? 1 : 0;
    is_any_due = is_any_due || is_due_[lane];
  }
  if (!is_any_due) return;
  projection.factorise(table(), weights_.data(), is_due_);
  for (int lane = 0; lane < num_lanes(); ++lane)
    if (is_due_[lane] && !projection.is_regular(lane))
      give_up(lane, StageFailure::singular, block, stage);
}

void SeriesSolver::begin_iteration() {
  convergence_.begin();
  for (int lane = 0; lane < num_lanes(); ++lane)
    if (is_running(lane)) convergence_.start(lane);
}

void SeriesSolver::give_up(int lane, StageFailure failure, const BlockWork& block, int stage) {
  fail(lane, failure, block, stage);
  convergence_.stop(lane);
}

void SeriesSolver::give_up_all(const BlockWork& block, int stage) {
  for (int lane = 0; lane < num_lanes(); ++lane)
    if (convergence_.is_moving(lane)) give_up(lane, StageFailure::not_converged, block, stage);
}

void SeriesSolver::move(const MovedColumn& column, const double* factor, const double* step) {
  convergence_.move({.value = &packed_.table().at(column.slot, column.order),
                     .first = &packed_.table().at(column.slot, 0),
                     .nominal = nominals_.data() + column.unknown * num_lanes()},
                    factor, step);
}

std::span<const double> SeriesSolver::check_residuals(BlockWork& block, int stage) {
  const std::span<const double> residuals =
      block.check.relative_residuals(table(), stage + block.plan->lead);
  for (int lane = 0; lane < num_lanes(); ++lane)
    if (is_running(lane) && !(residuals[lane] < largest_residual))
      fail(lane, StageFailure::not_converged, block, stage);
  return residuals;
}

void SeriesSolver::factorise(BlockWork& block, int stage) {
  for (int lane = 0; lane < num_lanes(); ++lane) is_due_[lane] = is_running(lane) ? 1 : 0;
  factorise_due(block, stage);
}

// A constant Jacobian serves all lanes from now on, due or not.
void SeriesSolver::factorise_due(BlockWork& block, int stage) {
  packed_.kernels().gather(table().row(0), block.plan->jacobian_slots.data(),
                           block.plan->jacobian_slots.size(), num_lanes(), 1.0,
                           block.jacobian.data());
  block.factorise(packed_.pivots(block.index),
                  block.plan->has_constant_jacobian ? std::span<const char>() : is_due_);
  for (int lane = 0; lane < num_lanes(); ++lane) {
    if (is_due_[lane] == 0) continue;
    if (!block.plan->is_diagonal) ++counters_[lane].factorisations;
    if (block.is_regular(lane)) continue;
    bool is_finite = true;
    for (std::size_t e = lane; e < block.jacobian.size(); e += num_lanes())
      is_finite = is_finite && std::isfinite(block.jacobian[e]);
    fail(lane, is_finite ? StageFailure::singular : StageFailure::not_finite, block, stage,
         std::max(block.singular_row(lane), 0));
  }
}

// Newton for the coefficients of local stage 0, from the guesses given. Column j of the scaled
// system is d_j!/h^d_j, row i c_i!/h^c_i.
void SeriesSolver::solve_nonlinear(BlockWork& block, int stage) {
  const BlockSchedule& plan = *block.plan;
  const std::span<double> solution = packed_.right(block.index);
  begin_iteration();
  for (int iteration = 0; convergence_.is_any_moving(); ++iteration) {
    packed_.run({StartStep::Kind::own, block.index}, stage);
    if (iteration == most_iterations) give_up_all(block, stage);
    find_newton_right_side(block, stage);
    if (!convergence_.is_any_moving()) break;
    for (int lane = 0; lane < num_lanes(); ++lane)
      is_due_[lane] = convergence_.is_moving(lane) ? 1 : 0;
    factorise_due(block, stage);
    for (int lane = 0; lane < num_lanes(); ++lane)
      if (!is_running(lane)) convergence_.stop(lane);
    if (plan.is_diagonal)
      packed_.divide(block.index);
    else
      block.solve(solution);
    convergence_.begin_step();
    for (int k = 0; k < plan.size(); ++k) {
      for (int lane = 0; lane < num_lanes(); ++lane)
        factor_[lane] = packed_.reciprocal_factor(0, block.d[k], lane);
      move({plan.unknowns[k], plan.unknown_slots[k], block.d[k]}, factor_.data(),
           solution.data() + k * num_lanes());
    }
    convergence_.end_step();
  }
  packed_.run({StartStep::Kind::own, block.index}, stage);
  (void)check_residuals(block, stage);  // steps may have shrunk, but towards nothing
  packed_.run({StartStep::Kind::rest, block.index}, stage);
  block.is_factorised = false;  // the later stages need the Jacobian at the solution
}

void SeriesSolver::find_newton_right_side(const BlockWork& block, int stage) {
  const BlockSchedule& plan = *block.plan;
  const std::span<double> right = packed_.right(block.index);
  for (int lane = 0; lane < num_lanes(); ++lane) {
    if (!convergence_.is_moving(lane)) continue;
    ++counters_[lane].newton_iterations;
    bool is_finite = true;
    for (int k = 0; k < plan.size(); ++k) {
      double& value = right[k * num_lanes() + lane];
      value = -table().at(plan.residual_slots[k], block.c[k], lane) *
              packed_.derivative_factor(0, block.c[k], lane);
      is_finite = is_finite && std::isfinite(value);
    }
    if (!is_finite) give_up(lane, StageFailure::not_finite, block, stage);
  }
}

// With the newest coefficients set to zero the residual is the known part; they follow from
//   sum_j J_ij [x_n (q+1)...(q+d_j)/h^d_j] = -r_m (q+1)...(q+c_i)/h^c_i,   m = q + c_i, n = q +
//   d_j,
// q the local stage, c and d less the lead; then the slots used again are completed.
void SeriesSolver::solve_linear(BlockWork& block, int stage) {
  packed_.run({StartStep::Kind::begin, block.index}, stage);
  if (!block.is_factorised) factorise(block, stage);
  if (!block.plan->is_diagonal) block.solve(packed_.right(block.index));
  packed_.run({StartStep::Kind::finish, block.index}, stage);
  check_finite(block, stage);
}

void SeriesSolver::check_finite(const BlockWork& block, int stage) {
  const std::span<const double> solution = packed_.right(block.index);
  for (std::size_t i = 0; i < solution.size(); ++i) {
    const int lane = static_cast<int>(i) % num_lanes(), row = static_cast<int>(i) / num_lanes();
    if (!std::isfinite(solution[i]) && is_running(lane))
      fail(lane, StageFailure::not_finite, block, stage, row);
  }
}

// All coefficients of all unknowns; a lane fails where the first of them, stage by stage, is not
// finite.
void SeriesSolver::check_rows() {
  const auto width = static_cast<std::size_t>(num_unknowns() * num_lanes());
  if (packed_.kernels().are_finite({table().row(0), table().stride()}, highest_degree(), width))
    return;
  for (int stage = 1; stage <= last_stage_; ++stage)
    for (const BlockWork& block : blocks_)
      for (int k = 0; k < block.size(); ++k)
        for (int lane = 0; lane < num_lanes(); ++lane) {
          const Slot slot = block.plan->unknown_slots[k];
          const int order = stage + schedule_->offset[slot];
          if (is_running(lane) && !std::isfinite(table().at(slot, order, lane)))
            fail(lane, StageFailure::not_finite, block, stage, k);
        }
}

double SeriesSolver::condition(int block, int lane) const {
  return blocks_[places_[block].block].condition[lane];
}

int SeriesSolver::determinant_sign(int block, int lane) const {
  return blocks_[places_[block].block].determinant_sign(places_[block].row, lane);
}

linear::Determinant SeriesSolver::determinant(int block, int lane) const {
  return blocks_[places_[block].block].determinant(places_[block].row, lane);
}

bool SeriesSolver::has_constant_jacobian(int block) const {
  return blocks_[places_[block].block].plan->has_constant_jacobian;
}

NodeId SeriesSolver::undefined_operation(int stage, int lane) const {
  const auto entries = schedule_->tape.entries();
  for (int k = 0; k < table().num_orders(); ++k) {
    for (Slot slot = 0; slot < entries.size(); ++slot) {
      const Instruction instruction = entries[slot].instruction;
      const bool is_computed =
          k <= std::min(stage + schedule_->offset[slot], schedule_->highest[slot]);
      if (!is_computed || instruction == Instruction::unknown ||
          std::isfinite(table().at(slot, k, lane)))
        continue;
      bool is_first = true;
      schedule_->tape.for_each_value_argument(entries[slot], [&](Slot argument) {
        is_first = is_first && std::isfinite(table().at(argument, k, lane));
      });
      if (is_first) return entries[slot].source;
    }
  }
  return {};
}

}  // namespace daedal::taylor
