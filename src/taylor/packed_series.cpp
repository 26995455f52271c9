#include "taylor/packed_series.hpp"

#include <algorithm>

namespace daedal::taylor {
namespace {

bool has_kernel(const Pack& pack) {
  switch (pack.instruction) {
    case Instruction::shift:
    case Instruction::affine:
    case Instruction::multiply:
    case Instruction::square:
    case Instruction::divide:
    case Instruction::power: return true;
    case Instruction::function: return pack.op != expr::Op::atan2;
    default: return false;
  }
}

// The order of this pack's newest coefficient; negative if there is none at this stage.
int order_at(const Pack& pack, int stage) {
  const int k = stage + pack.offset;
  return k <= pack.highest ? k : -1;
}

}  // namespace

PackedSeries::PackedSeries(const SeriesSchedule& schedule, int num_orders, int num_lanes,
                           const Kernels& kernels)
    : schedule_(schedule),
      kernels_(kernels),
      table_(schedule.tape, num_orders, num_lanes),
      is_constant_(schedule.offset.size(), false),
      works_(schedule.packs.size()),
      change_(table_.stride(), 0.0) {
  for (const Slot slot : schedule.constant) is_constant_[slot] = true;
  for (std::size_t n = 0; n < works_.size(); ++n) prepare(schedule.packs[n], works_[n]);
}

void PackedSeries::prepare(const Pack& pack, Work& work) {
  if (!has_kernel(pack)) return;
  if (pack.instruction == Instruction::affine) {
    work.sums = collect_sums(pack, false);
    work.tight_sums = collect_sums(pack, true);
  } else {
    prepare_operands(pack, work);
  }
}

void PackedSeries::prepare_operands(const Pack& pack, Work& work) {
  const std::size_t width = pack.count * table_.num_lanes();
  work.u = operand(pack, 0);
  if (pack.instruction == Instruction::function) {  // weighted: always a copy
    if (work.u.slots == nullptr) {
      std::vector<Slot>& slots = arguments_.emplace_back();
      for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
        slots.push_back(schedule_.tape.arguments(schedule_.tape.entries()[slot])[0]);
      copies_.emplace_back(width * table_.num_orders(), 0.0);
      work.u = {{copies_.back().data(), width}, slots.data()};
    }
    work.v = operand(pack, 1);
  } else if (pack.instruction == Instruction::multiply || pack.instruction == Instruction::divide) {
    work.v = operand(pack, 1);
  }
  if (pack.instruction == Instruction::divide || pack.instruction == Instruction::power)
    work.reciprocal.assign(width, 0.0);
}

PackedSeries::Operand PackedSeries::operand(const Pack& pack, std::size_t argument) {
  std::vector<Slot> slots;
  bool are_adjacent = true;
  for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot) {
    slots.push_back(schedule_.tape.arguments(schedule_.tape.entries()[slot])[argument]);
    are_adjacent = are_adjacent && slots.back() == slots.front() + (slot - pack.first);
  }
  const auto lanes = static_cast<std::size_t>(table_.num_lanes());
  if (are_adjacent) return {{table_.row(0) + slots.front() * lanes, table_.stride()}, nullptr};
  const std::size_t width = pack.count * lanes;
  arguments_.push_back(std::move(slots));
  copies_.emplace_back(width * table_.num_orders(), 0.0);
  return {{copies_.back().data(), width}, arguments_.back().data()};
}

bool PackedSeries::is_tight(Slot slot, Slot argument) const {
  return !is_constant_[argument] && schedule_.offset[argument] == schedule_.offset[slot];
}

// Calls visit(argument's slot, number of the term) for the terms of a sum that vary.
template <typename Visit>
void PackedSeries::for_each_term(Slot slot, bool only_tight, Visit visit) const {
  const TapeEntry& entry = schedule_.tape.entries()[slot];
  const auto arguments = schedule_.tape.arguments(entry);
  for (std::size_t a = 0; a < arguments.size(); ++a)
    if (!is_constant_[arguments[a]] && (!only_tight || is_tight(slot, arguments[a])))
      visit(arguments[a], a);
}

Sums PackedSeries::collect_sums(const Pack& pack, bool only_tight) {
  std::vector<std::uint32_t>& starts = starts_.emplace_back(1, 0);
  std::vector<Slot>& slots = arguments_.emplace_back();
  for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot) {
    for_each_term(slot, only_tight, [&](Slot argument, std::size_t) { slots.push_back(argument); });
    starts.push_back(static_cast<std::uint32_t>(slots.size()));
  }
  std::vector<double>& coefficients =
      coefficients_.emplace_back(slots.size() * table_.num_lanes(), 0.0);
  return {starts.data(), slots.data(), coefficients.data()};
}

void PackedSeries::fill_coefficients(const Pack& pack, bool only_tight, const Sums& sums) {
  auto* to = const_cast<double*>(sums.coefficients);
  for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
    for_each_term(slot, only_tight, [&](Slot, std::size_t a) {
      for (int lane = 0; lane < table_.num_lanes(); ++lane)
        *to++ = table_.term_factor(schedule_.tape.entries()[slot], a, lane);
    });
}

void PackedSeries::evaluate_constants() {
  for (const Slot slot : schedule_.constant)
    for (int lane = 0; lane < table_.num_lanes(); ++lane) table_.evaluate(slot, 0, lane);
  for (std::size_t n = 0; n < works_.size(); ++n) {
    const Pack& pack = schedule_.packs[n];
    if (pack.instruction != Instruction::affine) continue;
    fill_coefficients(pack, false, works_[n].sums);
    fill_coefficients(pack, true, works_[n].tight_sums);
  }
}

void PackedSeries::evaluate(std::span<const PackNumber> packs, int stage) {
  for (const PackNumber number : packs) {
    const Pack& pack = schedule_.packs[number];
    if (const int k = order_at(pack, stage); k >= 0) evaluate(pack, works_[number], k);
  }
}

void PackedSeries::clear(std::span<const PackNumber> packs, int stage) {
  const auto lanes = static_cast<std::size_t>(table_.num_lanes());
  for (const PackNumber number : packs) {
    const Pack& pack = schedule_.packs[number];
    if (const int k = order_at(pack, stage); k >= 0)
      std::fill_n(table_.row(k) + pack.first * lanes, pack.count * lanes, 0.0);
  }
}

void PackedSeries::evaluate_one_by_one(const Pack& pack, int k) {
  for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
    for (int lane = 0; lane < table_.num_lanes(); ++lane) table_.evaluate(slot, k, lane);
}

void PackedSeries::evaluate(const Pack& pack, Work& work, int k) {
  const auto lanes = static_cast<std::size_t>(table_.num_lanes());
  const std::size_t width = pack.count * lanes;
  double* z = table_.row(k) + pack.first * lanes;
  if (has_kernel(pack) && pack.instruction != Instruction::affine) {
    if (pack.is_provisional && k > 0) copy_operands(pack, work, k - 1);
    copy_operands(pack, work, k);
  }
  if (k == 0 || !has_kernel(pack)) return evaluate_one_by_one(pack, k);
  const Rows own{table_.row(0) + pack.first * lanes, table_.stride()};
  switch (pack.instruction) {
    case Instruction::shift: return shift(pack, work, k);
    case Instruction::affine: return kernels_.sum(work.sums, table_.row(k), z, pack.count, lanes);
    case Instruction::multiply: return kernels_.multiply(k, work.u.rows, work.v.rows, z, width);
    case Instruction::square: return kernels_.square(k, work.u.rows, z, width);
    case Instruction::divide:
      if (work.u.slots != nullptr)
        kernels_.gather(table_.row(k), work.u.slots, pack.count, lanes, 1.0, z);
      else
        std::copy_n(work.u.rows.row(k), width, z);
      return kernels_.divide(k, work.v.rows, own, work.reciprocal.data(), z, width);
    case Instruction::power:
      return kernels_.power(k, pack.number, work.u.rows, own, work.reciprocal.data(), z, width);
    case Instruction::function: return kernels_.function(k, work.u.rows, work.v.rows, z, width);
    default: return;
  }
}

// Row k of the copies, from arguments as they are now.
void PackedSeries::copy_operands(const Pack& pack, Work& work, int k) {
  switch (pack.instruction) {
    case Instruction::multiply:
      copy(work.u, pack, k, 1.0);
      copy(work.v, pack, k, 1.0);
      return;
    case Instruction::square: copy(work.u, pack, k, 1.0); return;
    case Instruction::divide:
      copy(work.v, pack, k, 1.0);
      if (k == 0)
        for (std::size_t i = 0; i < work.reciprocal.size(); ++i)
          work.reciprocal[i] = 1.0 / work.v.rows.first[i];
      return;
    case Instruction::power:
      copy(work.u, pack, k, 1.0);
      if (k == 0)
        for (std::size_t i = 0; i < work.reciprocal.size(); ++i)
          work.reciprocal[i] = 1.0 / work.u.rows.first[i];
      return;
    case Instruction::function:
      copy(work.u, pack, k, k);
      if (k > 0) copy(work.v, pack, k - 1, 1.0);
      return;
    default: return;
  }
}

void PackedSeries::copy(const Operand& operand, const Pack& pack, int k, double weight) {
  if (operand.slots != nullptr)
    kernels_.gather(table_.row(k), operand.slots, pack.count, table_.num_lanes(), weight,
                    operand.rows.row(k));
}

void PackedSeries::shift(const Pack& pack, const Work&, int k) {
  for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot) {
    const Slot argument = schedule_.tape.arguments(schedule_.tape.entries()[slot])[0];
    for (int lane = 0; lane < table_.num_lanes(); ++lane)
      table_.at(slot, k, lane) =
          table_.shift_factor(pack.shift, k, lane) * table_.at(argument, k + pack.shift, lane);
  }
}

void PackedSeries::complete(const BlockSchedule& block, int stage) {
  const auto lanes = static_cast<std::size_t>(table_.num_lanes());
  for (const Slot slot : block.unknown_slots)
    std::copy_n(table_.row(stage + schedule_.offset[slot]) + slot * lanes, lanes, change_of(slot));
  for (const PackNumber number : block.shifted) {
    const Pack& pack = schedule_.packs[number];
    const int k = order_at(pack, stage);
    if (k < 0) continue;
    shift(pack, works_[number], k);
    std::copy_n(table_.row(k) + pack.first * lanes, pack.count * lanes, change_of(pack.first));
  }
  for (const PackNumber number : block.completed) {
    const Pack& pack = schedule_.packs[number];
    if (const int k = order_at(pack, stage); k >= 0) correct(pack, works_[number], k);
  }
  for (const Slot slot : block.unknown_slots) std::fill_n(change_of(slot), lanes, 0.0);
  for (const auto* packs : {&block.shifted, &block.completed})
    for (const PackNumber number : *packs)
      std::fill_n(change_of(schedule_.packs[number].first), schedule_.packs[number].count * lanes,
                  0.0);
}

void PackedSeries::correct(const Pack& pack, const Work& work, int k) {
  const auto lanes = static_cast<std::size_t>(table_.num_lanes());
  const std::size_t width = pack.count * lanes;
  double* change = change_.data() + pack.first * lanes;
  if (pack.instruction == Instruction::affine) {
    kernels_.sum(work.tight_sums, change_.data(), change, pack.count, lanes);
  } else {
    for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        change_[slot * lanes + lane] =
            table_.change(slot, k, change_, schedule_.offset, static_cast<int>(lane));
  }
  double* z = table_.row(k) + pack.first * lanes;
  for (std::size_t i = 0; i < width; ++i) z[i] += change[i];
}

}  // namespace daedal::taylor
