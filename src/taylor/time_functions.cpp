#include "taylor/time_functions.hpp"

#include <algorithm>

namespace daedal::taylor {
namespace {

class Search {
 public:
  explicit Search(const SeriesSchedule& schedule)
      : schedule_(schedule),
        tape_(schedule.tape),
        kinds_(schedule.offset.size(), Kind::unknown_yet),
        is_used_(schedule.offset.size(), false) {
    for (const Slot slot : schedule.constant) kinds_[slot] = Kind::constant;
  }

  TimeFunctions run() {
    for (Slot slot = 0; slot < kinds_.size(); ++slot) visit(slot);
    for (Slot slot = 0; slot < kinds_.size(); ++slot)
      if (kinds_[slot] == Kind::of_solution)
        tape_.for_each_value_argument(entry(slot), [&](Slot argument) { use(argument); });
    for (const BlockSchedule& block : schedule_.blocks)
      for (const Slot residual : block.residual_slots) use(residual);
    find_bounded();
    return std::move(found_);
  }

 private:
  enum class Kind : char { unknown_yet, constant, linear_in_time, of_time, of_solution };

  const TapeEntry& entry(Slot slot) const { return tape_.entries()[slot]; }

  // Sums show what their terms show. sin, cos and exp of what is linear in time move no farther
  // than their terms together, wherever they are.
  bool may_hide_something(Slot slot) const {
    const expr::Op op = entry(slot).op;
    const bool is_wave = entry(slot).instruction == Instruction::function &&
                         (op == expr::Op::sin || op == expr::Op::cos || op == expr::Op::exp) &&
                         kinds_[tape_.arguments(entry(slot))[0]] == Kind::linear_in_time;
    return entry(slot).instruction != Instruction::affine && !is_wave;
  }
  bool is_series(Slot slot) const { return schedule_.highest[slot] == SeriesSchedule::unlimited; }
  // Arguments first, without recursion: tapes can be deep.
  void visit(Slot first) {
    std::vector<Slot> pending = {first};
    while (!pending.empty()) {
      const Slot slot = pending.back();
      const std::size_t num_pending = pending.size();
      if (kinds_[slot] == Kind::unknown_yet)
        tape_.for_each_value_argument(entry(slot), [&](Slot argument) {
          if (kinds_[argument] == Kind::unknown_yet) pending.push_back(argument);
        });
      if (pending.size() > num_pending) continue;
      pending.pop_back();
      if (kinds_[slot] != Kind::unknown_yet) continue;
      kinds_[slot] = kind_of(slot);
      if (kinds_[slot] == Kind::linear_in_time || kinds_[slot] == Kind::of_time)
        found_.evaluated.push_back(slot);
      if (kinds_[slot] == Kind::of_time && is_series(slot) && may_hide_something(slot))
        found_.operations.push_back(slot);
    }
  }

  Kind kind_of(Slot slot) const {
    switch (entry(slot).instruction) {
      case Instruction::time: return Kind::linear_in_time;
      case Instruction::constant:
      case Instruction::parameter: return Kind::constant;
      case Instruction::unknown:
      case Instruction::derivative:
      case Instruction::shift: return Kind::of_solution;
      default: break;
    }
    Kind largest = Kind::constant;
    tape_.for_each_value_argument(
        entry(slot), [&](Slot argument) { largest = std::max(largest, kinds_[argument]); });
    if (largest != Kind::linear_in_time || entry(slot).instruction == Instruction::affine)
      return largest;
    return Kind::of_time;
  }

  void find_bounded() {
    std::vector<bool> is_needed(kinds_.size(), false);
    for (const Slot slot : found_.operations) is_needed[slot] = true;
    for (auto slot = found_.evaluated.rbegin(); slot != found_.evaluated.rend(); ++slot)
      if (is_needed[*slot])
        tape_.for_each_value_argument(entry(*slot),
                                      [&](Slot argument) { is_needed[argument] = true; });
    for (const Slot slot : found_.evaluated)
      if (is_needed[slot]) found_.bounded.push_back(slot);
  }

  void use(Slot slot) {
    if (kinds_[slot] != Kind::of_time || !is_series(slot) || is_used_[slot]) return;
    is_used_[slot] = true;
    found_.functions.push_back(slot);
  }

  const SeriesSchedule& schedule_;
  const Tape& tape_;
  std::vector<Kind> kinds_;
  std::vector<bool> is_used_;
  TimeFunctions found_;
};

}  // namespace

TimeFunctions time_functions(const SeriesSchedule& schedule) { return Search(schedule).run(); }

}  // namespace daedal::taylor
