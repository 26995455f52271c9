#include "taylor/tape_ranges.hpp"

#include <algorithm>
#include <utility>

namespace daedal::taylor {

using expr::Op;
using expr::Range;

TapeRanges::TapeRanges(const Tape& tape, std::vector<Slot> evaluated)
    : tape_(tape), evaluated_(std::move(evaluated)), ranges_(tape.entries().size()) {}

void TapeRanges::evaluate(double from, double to) {
  const Range time{std::min(from, to), std::max(from, to)};
  for (const Slot slot : evaluated_) ranges_[slot] = range(tape_.entries()[slot], time);
}

Range TapeRanges::range(const TapeEntry& entry, Range time) const {
  const auto argument = [&](std::size_t a) { return ranges_[tape_.arguments(entry)[a]]; };
  switch (entry.instruction) {
    case Instruction::time: return time;
    case Instruction::affine: return affine(entry);
    case Instruction::multiply: return expr::times(argument(0), argument(1));
    case Instruction::square: return expr::square(argument(0));
    case Instruction::divide: return expr::times(argument(0), expr::inverse(argument(1)));
    case Instruction::power: return expr::power(argument(0), entry.number);
    case Instruction::steady_power: return expr::power(argument(0), argument(1).low);
    case Instruction::varying_power: return expr::apply_unary(Op::exp, argument(0));
    case Instruction::function:
      return entry.op == Op::atan2 ? expr::anything : expr::apply_unary(entry.op, argument(0));
    case Instruction::piecewise: return piecewise(entry);
    default: return expr::anything;
  }
}

Range TapeRanges::affine(const TapeEntry& entry) const {
  const auto arguments = tape_.arguments(entry);
  Range sum{entry.number, entry.number};
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const std::uint32_t factor = tape_.factors(entry)[a];
    const double coefficient =
        tape_.coefficients(entry)[a] * (factor == no_slot ? 1.0 : ranges_[factor].low);
    const Range term = expr::times(coefficient, ranges_[arguments[a]]);
    sum.low += term.low;
    sum.high += term.high;
  }
  return sum;
}

Range TapeRanges::piecewise(const TapeEntry& entry) const {
  const auto arguments = tape_.arguments(entry);
  const Range first = ranges_[arguments.front()], second = ranges_[arguments.back()];
  if (entry.op == Op::min) return expr::smaller(first, second);
  if (entry.op == Op::max) return expr::larger(first, second);
  return expr::apply_unary(entry.op, first);
}

}  // namespace daedal::taylor
