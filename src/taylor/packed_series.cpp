#include "taylor/packed_series.hpp"

#include <algorithm>

namespace daedal::taylor {
namespace {

// The order of this pack's newest coefficient; negative if there is none at this stage.
int order_at(const Pack& pack, int stage) {
  const int k = stage + pack.offset;
  return k <= pack.highest ? k : -1;
}

// Is its value, as opposed to its other coefficients, not a matter of arithmetic?
bool needs_library(const Pack& pack) {
  return pack.instruction == Instruction::power || pack.instruction == Instruction::function;
}

}  // namespace

PackedSeries::PackedSeries(const SeriesSchedule& schedule, const structure::Structure& structure,
                           int num_orders, int num_lanes, const Kernels& kernels)
    : schedule_(schedule),
      kernels_(kernels),
      program_(schedule, structure, num_orders, num_lanes),
      table_(schedule.tape, num_orders, num_lanes),
      work_(program_.work_size + kernel_overrun, 0.0),
      is_constant_(schedule.offset.size(), false) {
  for (const Slot slot : schedule.constant) is_constant_[slot] = true;
  for (Slot slot = 0; slot < schedule.offset.size(); ++slot)
    if (schedule.tape.entries()[slot].instruction == Instruction::time) times_.push_back(slot);
  for (int n = 0; n < program_.num_powers; ++n)
    for (int q = 0; q < num_orders; ++q) {
      const double rising = rising_factorial(q, n);
      work_[program_.rising + n * num_orders + q] = rising;
      work_[program_.reciprocal_rising + n * num_orders + q] = 1.0 / rising;
    }
}

void PackedSeries::set_origin(const Origin& origin, int lane) {
  table_.set_origin(origin, lane);
  for (const Slot slot : times_)
    for (int k = 0; k < std::min(table_.num_orders(), 2); ++k) table_.evaluate(slot, k, lane);
  double power = 1.0, reciprocal = 1.0;
  for (int n = 0; n < program_.num_powers; ++n) {
    work_[program_.powers + n * num_lanes() + lane] = power;
    work_[program_.reciprocal_powers + n * num_lanes() + lane] = reciprocal;
    power *= origin.scale;
    reciprocal /= origin.scale;
  }
}

void PackedSeries::evaluate_constants() {
  for (const Slot slot : schedule_.constant)
    for (int lane = 0; lane < num_lanes(); ++lane) table_.evaluate(slot, 0, lane);
  for (std::size_t n = 0; n < schedule_.packs.size(); ++n) {
    const Pack& pack = schedule_.packs[n];
    if (pack.instruction != Instruction::affine) continue;
    fill_constants(pack, program_.packs[n]);
    fill_coefficients(pack, false, program_.packs[n].sums);
    fill_coefficients(pack, true, program_.packs[n].tight_sums);
  }
  for (std::size_t b = 0; b < schedule_.blocks.size(); ++b) {
    double* to = work_.data() + program_.blocks[b].residual.coefficients;
    for (const auto& terms : schedule_.blocks[b].residual)
      for (const ResidualTerm& term : terms)
        for (int lane = 0; lane < num_lanes(); ++lane)
          *to++ = term.factor == no_slot ? term.coefficient
                                         : term.coefficient * table_.at(term.factor, 0, lane);
    put_side_by_side(program_.blocks[b].residual);
    double* constants = work_.data() + program_.blocks[b].constants;
    for (const double constant : schedule_.blocks[b].residual_constant)
      constants = std::fill_n(constants, num_lanes(), constant);
  }
}

void PackedSeries::fill_constants(const Pack& pack, const PackPlan& plan) {
  double* to = work_.data() + plan.constants;
  for (Slot i = 0; i < pack.count; ++i) {
    const TapeEntry& entry = schedule_.tape.entries()[pack.first + i];
    const auto arguments = schedule_.tape.arguments(entry);
    for (int lane = 0; lane < num_lanes(); ++lane, ++to) {
      *to = entry.number;
      for (std::size_t a = 0; a < arguments.size(); ++a)
        if (is_constant_[arguments[a]])
          *to += table_.term_factor(entry, a, lane) * table_.at(arguments[a], 0, lane);
    }
  }
}

// The slots of the terms are those arguments that vary, in order.
void PackedSeries::fill_coefficients(const Pack& pack, bool only_tight, const SumTerms& terms) {
  double* to = work_.data() + terms.coefficients;
  std::size_t term = 0;
  for (Slot i = 0; i < pack.count; ++i) {
    const TapeEntry& entry = schedule_.tape.entries()[pack.first + i];
    const auto arguments = schedule_.tape.arguments(entry);
    for (std::size_t a = 0; a < arguments.size() && term < terms.starts[i + 1]; ++a) {
      if (arguments[a] != terms.slots[term]) continue;
      if (only_tight && schedule_.offset[arguments[a]] != pack.offset) continue;
      for (int lane = 0; lane < num_lanes(); ++lane) *to++ = table_.term_factor(entry, a, lane);
      ++term;
    }
  }
  put_side_by_side(terms);
}

void PackedSeries::put_side_by_side(const SumTerms& terms) {
  if (num_lanes() > 1) return;
  const double* from = work_.data() + terms.coefficients;
  for (std::size_t first = 0, last = 0; first + 1 < terms.starts.size(); first = last) {
    last = terms.neighbours(first).last;
    double* to = work_.data() + terms.side_by_side + terms.starts[first];
    const std::size_t num_terms = terms.starts[first + 1] - terms.starts[first];
    for (std::size_t a = 0; a < num_terms; ++a)
      for (std::size_t i = first; i < last; ++i) *to++ = from[terms.starts[i] + a];
  }
}

void PackedSeries::evaluate(std::span<const PackNumber> packs, int stage) {
  for (const PackNumber number : packs) {
    const Pack& pack = schedule_.packs[number];
    if (const int k = order_at(pack, stage); k >= 0) evaluate(pack, program_.packs[number], k);
  }
}

void PackedSeries::evaluate_one_by_one(const Pack& pack, int k) {
  for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
    for (int lane = 0; lane < num_lanes(); ++lane) table_.evaluate(slot, k, lane);
}

void PackedSeries::evaluate(const Pack& pack, const PackPlan& plan, int k) {
  if (pack.is_given()) return;
  if (plan.has_kernel) {
    if (pack.is_provisional && k > 0) copy_operands(pack, plan, k - 1);  // final by now
    copy_operands(pack, plan, k);
    if (k > 0) copy(plan.own, k - 1, 1.0);
  }
  if (!plan.has_kernel || (k == 0 && needs_library(pack))) return evaluate_one_by_one(pack, k);
  const auto lanes = static_cast<std::size_t>(num_lanes());
  const std::size_t width = pack.count * lanes;
  double* z = place(pack.first, k);
  const Rows own = rows(plan.own);
  const double* reciprocal = work_.data() + plan.reciprocal;
  switch (pack.instruction) {
    case Instruction::shift: return shift(pack, plan, k);
    case Instruction::affine:
      kernels_.sum(sums(plan.sums), table_.row(k), z, pack.count, lanes);
      for (std::size_t i = 0; k == 0 && i < width; ++i) z[i] += work_[plan.constants + i];
      return;
    case Instruction::multiply: return kernels_.multiply(k, rows(plan.u), rows(plan.v), z, width);
    case Instruction::square: return kernels_.square(k, rows(plan.u), z, width);
    case Instruction::divide:
      if (plan.u.is_copy)
        kernels_.gather(table_.row(k), plan.u.slots.data(), pack.count, lanes, 1.0, z);
      else
        std::copy_n(rows(plan.u).row(k), width, z);
      for (std::size_t i = 0; k == 0 && i < width; ++i) z[i] /= rows(plan.v).first[i];
      if (k == 0) return;
      return kernels_.divide(k, rows(plan.v), own, reciprocal, z, width);
    case Instruction::power:
      return kernels_.power(k, pack.number, rows(plan.u), own, reciprocal, z, width);
    case Instruction::function: return kernels_.function(k, rows(plan.u), rows(plan.v), z, width);
    default: return;
  }
}

// Row k of the copies, from the arguments as they are now.
void PackedSeries::copy_operands(const Pack& pack, const PackPlan& plan, int k) {
  const std::size_t width = pack.count * static_cast<std::size_t>(num_lanes());
  switch (pack.instruction) {
    case Instruction::multiply:
      copy(plan.u, k, 1.0);
      copy(plan.v, k, 1.0);
      return;
    case Instruction::square: copy(plan.u, k, 1.0); return;
    case Instruction::divide:
      copy(plan.v, k, 1.0);
      if (k == 0) invert(plan.v, plan.reciprocal, width);
      return;
    case Instruction::power:
      copy(plan.u, k, 1.0);
      if (k == 0) invert(plan.u, plan.reciprocal, width);
      return;
    case Instruction::function:
      copy(plan.u, k, k);
      if (k > 0) copy(plan.v, k - 1, 1.0);
      return;
    default: return;
  }
}

void PackedSeries::copy(const Operand& operand, int k, double weight) {
  if (operand.is_copy)
    kernels_.gather(table_.row(k), operand.slots.data(), operand.slots.size(),
                    static_cast<std::size_t>(num_lanes()), weight,
                    work_.data() + operand.first + k * operand.stride);
}

void PackedSeries::invert(const Operand& operand, std::size_t to, std::size_t width) {
  const double* values = rows(operand).first;
  for (std::size_t i = 0; i < width; ++i) work_[to + i] = 1.0 / values[i];
}

void PackedSeries::shift(const Pack& pack, const PackPlan& plan, int k) {
  for (Slot i = 0; i < pack.count; ++i) {
    double* z = place(pack.first + i, k);
    const double* u = place(plan.u.slots[i], k + pack.shift);
    for (int lane = 0; lane < num_lanes(); ++lane)
      z[lane] = derivative_factor(k, pack.shift, lane) * u[lane];
  }
}

StageCallbacks PackedSeries::callbacks() {
  return {this,
          [](void* self, std::int64_t pack, std::int64_t k) {
            auto& series = *static_cast<PackedSeries*>(self);
            series.evaluate(series.schedule_.packs[pack], series.program_.packs[pack],
                            static_cast<int>(k));
          },
          [](void* self, std::int64_t pack, std::int64_t k) {
            auto& series = *static_cast<PackedSeries*>(self);
            series.correct(series.schedule_.packs[pack], series.program_.packs[pack],
                           static_cast<int>(k));
          }};
}

void PackedSeries::run(StartStep step, int stage) {
  const StageFunction function =
      compiled_ == nullptr ? nullptr : compiled_->start[program_.number_of(step, stage)];
  if (function == nullptr) return interpret(step, stage);
  const StageCallbacks to_interpreter = callbacks();
  function(table_.row(0), work_.data(), stage, &to_interpreter);
}

void PackedSeries::interpret(StartStep step, int stage) {
  if (step.kind == StartStep::Kind::before) {
    evaluate(schedule_.before, stage);
    return evaluate(schedule_.values_before, stage);
  }
  const BlockSchedule& block = schedule_.blocks[step.block];
  switch (step.kind) {
    case StartStep::Kind::before: return;
    case StartStep::Kind::own: return evaluate(block.own, stage);
    case StartStep::Kind::rest: return evaluate(block.rest, stage);
    case StartStep::Kind::begin: return begin_block(step.block, stage);
    case StartStep::Kind::finish:
      if (block.is_diagonal) divide(step.block);
      finish_block(step.block, stage);
      evaluate(block.after, stage);
      return evaluate(block.values_after, stage);
  }
}

void PackedSeries::interpret(const Segment& segment, int stage) {
  for (const StageStep& step : segment.steps) {
    switch (step.kind) {
      case StageStep::Kind::before: evaluate(schedule_.before, stage); break;
      case StageStep::Kind::begin_block: begin_block(step.block, stage); break;
      case StageStep::Kind::divide: divide(step.block); break;
      case StageStep::Kind::finish_block:
        finish_block(step.block, stage);
        evaluate(schedule_.blocks[step.block].after, stage);
        break;
    }
  }
}

void PackedSeries::begin_block(int block, int stage) {
  clear_newest(block, stage);
  evaluate(schedule_.blocks[block].known, stage);
  find_right_side(block, stage + schedule_.blocks[block].lead);
}

void PackedSeries::clear_newest(int block, int stage) {
  const int q = stage + schedule_.blocks[block].lead;
  for (const UnknownRun& run : program_.blocks[block].unknown_runs)
    std::fill_n(place(run.slot, q + run.d), (run.last - run.first) * num_lanes(), 0.0);
  for (const PackNumber number : schedule_.blocks[block].shifted) {
    const Pack& pack = schedule_.packs[number];
    if (const int k = order_at(pack, stage); k >= 0)
      std::fill_n(place(pack.first, k), pack.count * num_lanes(), 0.0);
  }
}

void PackedSeries::find_right_side(int block, int q) {
  const BlockPlan& plan = program_.blocks[block];
  const auto lanes = static_cast<std::size_t>(num_lanes());
  for (const ResidualRun& run : plan.runs) {
    double* to = work_.data() + plan.right + run.first * lanes;
    const std::size_t count = run.last - run.first;
    kernels_.sum(sums(plan.residual, run.first), table_.row(q + run.c), to, count, lanes);
    if (q + run.c == 0)
      for (std::size_t i = 0; i < count * lanes; ++i)
        to[i] += work_[plan.constants + run.first * lanes + i];
    multiply_lanes(to, to, count, -rising(q, run.c), reciprocal_powers(run.c));
  }
}

void PackedSeries::divide(int block) {
  const BlockPlan& plan = program_.blocks[block];
  for (std::size_t i = 0; i < block_width(block); ++i)
    work_[plan.right + i] /= work_[plan.pivots + i];
}

void PackedSeries::finish_block(int block, int stage) {
  take_solution(block, stage + schedule_.blocks[block].lead);
  complete(block, stage);
}

void PackedSeries::take_solution(int block, int q) {
  const BlockPlan& plan = program_.blocks[block];
  for (const UnknownRun& run : plan.unknown_runs)
    multiply_lanes(work_.data() + plan.right + run.first * num_lanes(), place(run.slot, q + run.d),
                   run.last - run.first, reciprocal_rising(q, run.d), powers(run.d));
}

// to = from * (factor * by), `by` different in every lane.
void PackedSeries::multiply_lanes(const double* from, double* to, std::size_t count, double factor,
                                  const double* by) const {
  if (num_lanes() == 1) {
    const double product = factor * by[0];
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i] * product;
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < num_lanes(); ++lane) *to++ = *from++ * (factor * by[lane]);
}

// Adds to what was evaluated before the block was solved what follows from the newest coefficients
// of its unknowns, which were zero then.
void PackedSeries::complete(int number_of_block, int stage) {
  const BlockSchedule& block = schedule_.blocks[number_of_block];
  if (block.shifted.empty() && block.completed.empty()) return;
  const auto lanes = static_cast<std::size_t>(num_lanes());
  const std::vector<UnknownRun>& unknowns = program_.blocks[number_of_block].unknown_runs;
  for (const UnknownRun& run : unknowns)
    std::copy_n(place(run.slot, stage + block.lead + run.d), (run.last - run.first) * lanes,
                change_of(run.slot));
  for (const PackNumber number : block.shifted) {
    const Pack& pack = schedule_.packs[number];
    const int k = order_at(pack, stage);
    if (k < 0) continue;
    shift(pack, program_.packs[number], k);
    std::copy_n(place(pack.first, k), pack.count * lanes, change_of(pack.first));
  }
  for (const PackNumber number : block.completed) {
    const Pack& pack = schedule_.packs[number];
    if (const int k = order_at(pack, stage); k >= 0) correct(pack, program_.packs[number], k);
  }
  for (const UnknownRun& run : unknowns)
    std::fill_n(change_of(run.slot), (run.last - run.first) * lanes, 0.0);
  for (const auto* packs : {&block.shifted, &block.completed})
    for (const PackNumber number : *packs)
      std::fill_n(change_of(schedule_.packs[number].first), schedule_.packs[number].count * lanes,
                  0.0);
}

void PackedSeries::correct(const Pack& pack, const PackPlan& plan, int k) {
  const auto lanes = static_cast<std::size_t>(num_lanes());
  double* change = change_of(pack.first);
  if (pack.instruction == Instruction::affine) {
    kernels_.sum(sums(plan.tight_sums), change_of(0), change, pack.count, lanes);
  } else {
    for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        change_of(slot)[lane] = table_.change(slot, k, {change_of(0), table_.stride()},
                                              schedule_.offset, static_cast<int>(lane));
  }
  double* z = place(pack.first, k);
  for (std::size_t i = 0; i < pack.count * lanes; ++i) z[i] += change[i];
}

}  // namespace daedal::taylor
