#include "taylor/interpreter.hpp"

#include <algorithm>
#include <cmath>

#include "expr/apply.hpp"
#include "taylor/rules.hpp"

namespace daedal::taylor {

using expr::Op;

Interpreter::Interpreter(const Tape& tape) : tape_(tape) {
  first_.push_back(0);
  for (const TapeEntry& entry : tape.entries())
    first_.push_back(first_.back() + static_cast<std::size_t>(entry.order + 1));
  series_.resize(first_.back());
}

void Interpreter::run(const SeriesPoint& point) {
  const auto entries = tape_.entries();
  for (int sweep = 0; sweep < tape_.num_sweeps(); ++sweep) {
    for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
      const int k = sweep - entries[slot].lag;
      if (k < 0 || k > entries[slot].order) continue;
      series(slot)[k] = coefficient_of(entries[slot], slot, k, point);
    }
  }
}

double Interpreter::coefficient_of(const TapeEntry& entry, std::uint32_t slot, int k,
                                   const SeriesPoint& point) {
  const auto argument = [&](std::size_t a) { return series(tape_.arguments(entry)[a]); };
  switch (entry.instruction) {
    case Instruction::constant: return k == 0 ? entry.number : 0.0;
    case Instruction::parameter: return k == 0 ? point.parameters[entry.index] : 0.0;
    case Instruction::time: return k == 0 ? point.time : (k == 1 ? 1.0 : 0.0);
    case Instruction::unknown:
      return point.derivative(expr::UnknownId(entry.index), k) / factorial(k);
    case Instruction::shift: return shift_rule(k, static_cast<int>(entry.index), argument(0));
    case Instruction::affine: return affine(entry, k);
    case Instruction::multiply: return multiply_rule(k, argument(0), argument(1));
    case Instruction::square: return square_rule(k, argument(0));
    case Instruction::divide: return divide_rule(k, argument(0), argument(1), series(slot));
    case Instruction::power: return power(entry, series(slot), k);
    case Instruction::function: return function(entry, k);
    case Instruction::piecewise: return piecewise(entry, k);
  }
  return 0.0;
}

double Interpreter::affine(const TapeEntry& entry, int k) {
  const auto slots = tape_.arguments(entry);
  const auto coefficients = tape_.coefficients(entry);
  double sum = k == 0 ? entry.number : 0.0;
  for (std::size_t a = 0; a < slots.size(); ++a) sum += coefficients[a] * series(slots[a])[k];
  return sum;
}

double Interpreter::power(const TapeEntry& entry, std::span<const double> z, int k) {
  const auto u = series(tape_.arguments(entry)[0]);
  return k == 0 ? expr::apply_power(u[0], entry.number) : power_rule(k, u, entry.number, z);
}

double Interpreter::function(const TapeEntry& entry, int k) {
  const auto slots = tape_.arguments(entry);
  if (entry.op == Op::atan2) {
    const auto y = series(slots[0]), by_y = series(slots[1]), x = series(slots[2]),
               minus_by_x = series(slots[3]);
    if (k == 0) return std::atan2(y[0], x[0]);
    return function_rule(k, y, by_y) - function_rule(k, x, minus_by_x);
  }
  const auto u = series(slots[0]);
  return k == 0 ? expr::apply_unary(entry.op, u[0]) : function_rule(k, u, series(slots[1]));
}

// The branch is chosen by the values at the point; its derivatives are those of the branch.
double Interpreter::piecewise(const TapeEntry& entry, int k) {
  const auto slots = tape_.arguments(entry);
  const auto u = series(slots[0]);
  switch (entry.op) {
    case Op::abs: return k == 0 ? std::abs(u[0]) : (u[0] < 0 ? -u[k] : u[k]);
    case Op::sign: return k == 0 ? expr::apply_unary(Op::sign, u[0]) : 0.0;
    case Op::min: return u[0] < series(slots[1])[0] ? u[k] : series(slots[1])[k];
    default: return u[0] > series(slots[1])[0] ? u[k] : series(slots[1])[k];
  }
}

bool Interpreter::is_finite(std::uint32_t slot) const {
  return std::all_of(series_.begin() + first_[slot], series_.begin() + first_[slot + 1],
                     [](double value) { return std::isfinite(value); });
}

std::vector<NodeId> Interpreter::undefined_operations() const {
  std::vector<NodeId> found;
  const auto entries = tape_.entries();
  for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
    if (is_finite(slot)) continue;
    const auto arguments = tape_.arguments(entries[slot]);
    const bool is_first = std::all_of(arguments.begin(), arguments.end(),
                                      [&](std::uint32_t a) { return a == slot || is_finite(a); });
    if (is_first) found.push_back(entries[slot].source);
  }
  return found;
}

}  // namespace daedal::taylor
