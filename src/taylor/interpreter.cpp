#include "taylor/interpreter.hpp"

#include <algorithm>

namespace daedal::taylor {
namespace {

int num_orders(const Tape& tape) {
  int highest = 0;
  for (const TapeEntry& entry : tape.entries()) highest = std::max(highest, entry.order);
  return highest + 1;
}

}  // namespace

template <typename Scalar>
BasicInterpreter<Scalar>::BasicInterpreter(const Tape& tape)
    : tape_(tape), table_(tape, num_orders(tape)) {}

template <typename Scalar>
void BasicInterpreter<Scalar>::run(const SeriesPoint& point) {
  table_.set_origin({.time = point.time, .scale = 1.0, .parameters = point.parameters});
  const auto entries = tape_.entries();
  for (int sweep = 0; sweep < tape_.num_sweeps(); ++sweep) {
    for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
      const TapeEntry& entry = entries[slot];
      const int k = sweep - entry.lag;
      if (k < 0 || k > entry.order) continue;
      if (entry.instruction == Instruction::unknown)
        table_.at(slot, k) = point.derivative(expr::UnknownId(entry.index), k) / factorial(k);
      else if (entry.instruction == Instruction::derivative)
        table_.at(slot, k) =
            point.derivative(expr::UnknownId(entry.index), static_cast<int>(entry.number) + k) /
            factorial(k);
      else
        table_.evaluate(slot, k);
    }
  }
}

template <typename Scalar>
bool BasicInterpreter<Scalar>::is_finite(std::uint32_t slot) const {
  for (int k = 0; k <= tape_.entries()[slot].order; ++k)
    if (!linear::is_finite(table_.at(slot, k))) return false;
  return true;
}

// A function's partner is passed over: sin and cos are partners of each other, so neither would be
// first.
template <typename Scalar>
std::vector<NodeId> BasicInterpreter<Scalar>::undefined_operations() const {
  std::vector<NodeId> found;
  const auto entries = tape_.entries();
  for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
    if (is_finite(slot)) continue;
    bool is_first = true;
    tape_.for_each_value_argument(
        entries[slot], [&](std::uint32_t argument) { is_first = is_first && is_finite(argument); });
    if (is_first) found.push_back(entries[slot].source);
  }
  return found;
}

template class BasicInterpreter<double>;
template class BasicInterpreter<linear::Rounded>;

}  // namespace daedal::taylor
