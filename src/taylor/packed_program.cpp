#include "taylor/packed_program.hpp"

#include <algorithm>

#include "linear/aligned_vector.hpp"

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

class Layout {
 public:
  Layout(const SeriesSchedule& schedule, PackedProgram& program)
      : schedule_(schedule), program_(program), is_constant_(schedule.offset.size(), false) {
    for (const Slot slot : schedule.constant) is_constant_[slot] = true;
  }

  void run(const structure::Structure& structure) {
    for (const Pack& pack : schedule_.packs) program_.packs.push_back(plan(pack));
    for (const BlockSchedule& block : schedule_.blocks)
      program_.blocks.push_back(plan(block, structure));
    make_segments();
    program_.change = reserve(program_.table_stride);
    program_.num_powers = schedule_.largest_offset() + 1;
    const auto num_powers = static_cast<std::size_t>(program_.num_powers);
    program_.rising = reserve(num_powers * program_.num_orders);
    program_.reciprocal_rising = reserve(num_powers * program_.num_orders);
    program_.powers = reserve(num_powers * program_.num_lanes);
    program_.reciprocal_powers = reserve(num_powers * program_.num_lanes);
  }

 private:
  static constexpr std::size_t line = linear::cache_line / sizeof(double);

  // Rounded up to a cache line.
  std::size_t reserve(std::size_t count) {
    const std::size_t first = program_.work_size;
    program_.work_size += (count + line - 1) / line * line;
    return first;
  }

  std::size_t width(const Pack& pack) const { return pack.count * program_.num_lanes; }

  PackPlan plan(const Pack& pack) {
    PackPlan result{
        .has_kernel = has_kernel(pack), .u = {}, .v = {}, .own = {}, .sums = {}, .tight_sums = {}};
    if (!result.has_kernel) return result;
    if (pack.instruction == Instruction::affine) {
      result.constants = reserve(width(pack));
      result.sums = sums(pack, false);
      result.tight_sums = sums(pack, true);
      return result;
    }
    result.u = operand(pack, 0, pack.instruction == Instruction::function);  // weighted: a copy
    if (pack.instruction == Instruction::multiply || pack.instruction == Instruction::divide ||
        pack.instruction == Instruction::function)
      result.v = operand(pack, 1, false);
    if (pack.instruction == Instruction::divide || pack.instruction == Instruction::power) {
      result.reciprocal = reserve(width(pack));
      for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
        result.own.slots.push_back(slot);
      result.own.is_copy = crosses_lines(pack.first, width(pack));
      place(result.own, width(pack));
    }
    return result;
  }

  Operand operand(const Pack& pack, std::size_t argument, bool must_copy) {
    Operand result;
    bool are_adjacent = true;
    for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot) {
      result.slots.push_back(arguments(slot)[argument]);
      are_adjacent =
          are_adjacent && result.slots.back() == result.slots.front() + (slot - pack.first);
    }
    // u of a shift or a quotient is needed at the newest order only
    const bool is_read_once = argument == 0 && (pack.instruction == Instruction::divide ||
                                                pack.instruction == Instruction::shift);
    result.is_copy = must_copy || !are_adjacent ||
                     (!is_read_once && crosses_lines(result.slots.front(), width(pack)));
    if (!result.is_copy || !is_read_once) place(result, width(pack));
    return result;
  }

  void place(Operand& operand, std::size_t width) {
    operand.stride = operand.is_copy ? linear::padded_width(width) : program_.table_stride;
    operand.first = operand.is_copy
                        ? reserve(operand.stride * program_.num_orders)
                        : operand.slots.front() * static_cast<std::size_t>(program_.num_lanes);
  }

  // Asked for several vectors in a row of the table: for one alone a copy costs what it saves.
  bool crosses_lines(Slot first, std::size_t width) const {
    return width > line && first * static_cast<std::size_t>(program_.num_lanes) % line != 0;
  }

  std::span<const Slot> arguments(Slot slot) const {
    return schedule_.tape.arguments(schedule_.tape.entries()[slot]);
  }

  SumTerms sums(const Pack& pack, bool only_tight) {
    SumTerms result{.starts = {0}, .slots = {}};
    for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot) {
      for (const Slot argument : arguments(slot))
        if (is_term(schedule_, slot, argument, only_tight)) result.slots.push_back(argument);
      result.starts.push_back(static_cast<std::uint32_t>(result.slots.size()));
    }
    reserve_coefficients(result);
    return result;
  }

  void reserve_coefficients(SumTerms& terms) {
    terms.coefficients = reserve(terms.slots.size() * program_.num_lanes);
    if (program_.num_lanes == 1) terms.side_by_side = reserve(terms.slots.size());
    terms.find_terms_of_all();
  }

  bool is_term(const SeriesSchedule& schedule, Slot slot, Slot argument, bool only_tight) const {
    return !is_constant_[argument] &&
           (!only_tight || schedule.offset[argument] == schedule.offset[slot]);
  }

  BlockPlan plan(const BlockSchedule& block, const structure::Structure& structure) {
    BlockPlan result;
    for (int k = 0; k < block.size(); ++k) {
      result.c.push_back(structure.c[block.equations[k]] - block.lead);
      result.d.push_back(structure.d[block.unknowns[k]] - block.lead);
      if (k == 0 || result.c[k] != result.c[k - 1]) result.runs.push_back({k, k, result.c[k]});
      ++result.runs.back().last;
      const Slot slot = block.unknown_slots[k];
      std::vector<UnknownRun>& runs = result.unknown_runs;
      if (k == 0 || result.d[k] != result.d[k - 1] || slot != block.unknown_slots[k - 1] + 1)
        runs.push_back({k, k, result.d[k], slot});
      ++runs.back().last;
    }
    result.residual.starts.push_back(0);
    for (const auto& terms : block.residual) {
      for (const ResidualTerm& term : terms) result.residual.slots.push_back(term.slot);
      result.residual.starts.push_back(static_cast<std::uint32_t>(result.residual.slots.size()));
    }
    const auto lanes = static_cast<std::size_t>(program_.num_lanes);
    reserve_coefficients(result.residual);
    result.constants = reserve(block.size() * lanes);
    result.right = reserve(block.size() * lanes);
    if (block.is_diagonal) result.pivots = reserve(block.size() * lanes);
    return result;
  }

  void make_segments() {
    using Kind = StageStep::Kind;
    program_.segments.push_back({{{Kind::before, -1}}, -1});
    for (std::size_t n = 0; n < schedule_.blocks.size(); ++n) {
      const int b = static_cast<int>(n);
      program_.segments.back().steps.push_back({Kind::begin_block, b});
      if (schedule_.blocks[n].is_diagonal) {
        program_.segments.back().steps.push_back({Kind::divide, b});
      } else {
        program_.segments.back().solved = b;
        program_.segments.emplace_back();
      }
      program_.segments.back().steps.push_back({Kind::finish_block, b});
    }
  }

  const SeriesSchedule& schedule_;
  PackedProgram& program_;
  std::vector<bool> is_constant_;  // by slot
};

}  // namespace

PackedProgram::PackedProgram(const SeriesSchedule& schedule, const structure::Structure& structure,
                             int orders, int lanes)
    : num_lanes(lanes),
      num_orders(orders),
      first_stage(schedule.first_stage),
      table_stride(linear::padded_width(schedule.offset.size() * static_cast<std::size_t>(lanes))) {
  Layout(schedule, *this).run(structure);
}

}  // namespace daedal::taylor
