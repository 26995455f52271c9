#include "taylor/state_operations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::taylor {
namespace {

// Where a value comes from; what has several arguments comes from the last of their origins.
enum class Origin : char { not_visited, constant, time, solution };

class Search {
 public:
  explicit Search(const SeriesSchedule& schedule)
      : schedule_(schedule),
        tape_(schedule.tape),
        origins_(schedule.offset.size(), Origin::not_visited) {
    for (const Slot slot : schedule.constant) origins_[slot] = Origin::constant;
  }

  StateOperations run() {
    for (Slot slot = 0; slot < origins_.size(); ++slot) visit(slot);
    for (const Slot slot : order_)
      if (is_wanted(slot)) found_.operations.push_back(slot);
    find_evaluated();
    return std::move(found_);
  }

 private:
  const TapeEntry& entry(Slot slot) const { return tape_.entries()[slot]; }

  // Arguments first, without recursion: tapes can be deep.
  void visit(Slot first) {
    pending_.assign(1, first);
    while (!pending_.empty()) {
      const Slot slot = pending_.back();
      if (origins_[slot] == Origin::not_visited && push_arguments(slot)) continue;
      pending_.pop_back();
      if (origins_[slot] != Origin::not_visited) continue;
      origins_[slot] = origin_of(slot);
      if (origins_[slot] != Origin::constant) order_.push_back(slot);
    }
  }
  bool push_arguments(Slot slot) {
    const std::size_t before = pending_.size();
    for_each_needed(slot, [&](Slot argument) {
      if (origins_[argument] == Origin::not_visited) pending_.push_back(argument);
    });
    return pending_.size() > before;
  }
  template <typename Visit>
  void for_each_needed(Slot slot, Visit visit) const {
    if (!is_leaf(entry(slot))) tape_.for_each_value_argument(entry(slot), visit);
  }

  Origin origin_of(Slot slot) const {
    if (is_leaf(entry(slot))) return Origin::solution;
    switch (entry(slot).instruction) {
      case Instruction::time: return Origin::time;
      case Instruction::constant:
      case Instruction::parameter: return Origin::constant;
      default: break;
    }
    Origin last = Origin::constant;
    for_each_needed(slot, [&](Slot argument) { last = std::max(last, origins_[argument]); });
    return last;
  }

  bool is_wanted(Slot slot) const {
    return origins_[slot] == Origin::solution && is_nonlinear(slot) &&
           schedule_.highest[slot] == SeriesSchedule::unlimited;
  }
  bool is_nonlinear(Slot slot) const {
    const auto varies = [&](std::size_t a) {
      return origins_[tape_.arguments(entry(slot))[a]] != Origin::constant;
    };
    switch (entry(slot).instruction) {
      case Instruction::multiply: return varies(0) && varies(1);
      case Instruction::divide: return varies(1);
      case Instruction::square:
      case Instruction::power:
      case Instruction::steady_power:
      case Instruction::varying_power:
      case Instruction::function: return true;
      default: return false;
    }
  }

  void find_evaluated() {
    std::vector<bool> is_needed(origins_.size(), false);
    for (const Slot slot : found_.operations) is_needed[slot] = true;
    for (auto slot = order_.rbegin(); slot != order_.rend(); ++slot)
      if (is_needed[*slot])
        for_each_needed(*slot, [&](Slot argument) { is_needed[argument] = true; });
    for (const Slot slot : order_)
      if (is_needed[slot]) found_.evaluated.push_back(slot);
  }

  const SeriesSchedule& schedule_;
  const Tape& tape_;
  std::vector<Origin> origins_;
  std::vector<Slot> order_, pending_;
  StateOperations found_;
};

}  // namespace

StateOperations state_operations(const SeriesSchedule& schedule) { return Search(schedule).run(); }

double resolution(const TapeEntry& entry, double exponent, double size, double largest) {
  constexpr double part = 0.5;            // of a size
  constexpr double part_of_growth = 1.0 / 8;  // of the argument of exp
  constexpr double hardly = 0.5;          // of the largest argument: powers are small below
  switch (entry.instruction) {
    case Instruction::power:
    case Instruction::steady_power:
      return (exponent > 0.0 ? std::max(size, hardly * largest) : size) /
             std::max(std::abs(exponent), 1.0 / part);
    case Instruction::divide: return part * size;
    case Instruction::varying_power: return std::max(1.0, part_of_growth * size);
    case Instruction::function: break;
    default: return std::numeric_limits<double>::infinity();
  }
  switch (entry.op) {
    case expr::Op::tanh:
    case expr::Op::atan:
    case expr::Op::erf:
    case expr::Op::asinh: return std::max(1.0, part * size);
    case expr::Op::log:
    case expr::Op::atan2: return part * size;
    case expr::Op::exp:
    case expr::Op::sinh:
    case expr::Op::cosh: return std::max(1.0, part_of_growth * size);
    default: return 1.0;
  }
}

}  // namespace daedal::taylor
