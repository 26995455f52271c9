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
        factors_(schedule.offset.size(), 0),
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
  // Factors that are waves, in a product that its series shows; every series has terms to order 2.
  static constexpr int most_factors = 2;
  static constexpr int not_of_waves = 1000;
  enum class Kind : char { unknown_yet, constant, linear_in_time, of_time, of_solution };

  const TapeEntry& entry(Slot slot) const { return tape_.entries()[slot]; }

  // Whether the series may show less than what the operation does. Sums show what their terms
  // show. sin, cos and exp of what is linear in time move no farther than their terms together,
  // wherever they are (call them waves), and the terms of a product of few waves show it, too: one
  // of two has terms of order 2 at the latest, even where both factors vanish. A root moves no
  // farther, as a part of itself, than its argument, which is kept away from the edge of the
  // domain (integrate/taylor/domain_watch.hpp).
  bool may_hide_something(Slot slot) const {
    return entry(slot).instruction != Instruction::affine && factors_[slot] > most_factors;
  }
  // How many waves are multiplied in an operation on time; `not_of_waves` if it is anything else.
  int factors_of(Slot slot) const {
    const auto argument = [&](std::size_t a) { return tape_.arguments(entry(slot))[a]; };
    switch (entry(slot).instruction) {
      case Instruction::affine: return most_factors_of_arguments(slot);
      case Instruction::multiply:
        return std::min(factors_[argument(0)] + factors_[argument(1)], not_of_waves);
      case Instruction::square: return std::min(2 * factors_[argument(0)], not_of_waves);
      case Instruction::power:
        return entry(slot).number > 0.0 && entry(slot).number < 1.0 ? factors_[argument(0)]
                                                                    : not_of_waves;
      case Instruction::function:
        return is_entire(entry(slot).op) && kinds_[argument(0)] == Kind::linear_in_time
                   ? 1
                   : not_of_waves;
      default: return kinds_[slot] == Kind::linear_in_time ? 1 : not_of_waves;
    }
  }
  int most_factors_of_arguments(Slot slot) const {
    int most = 0;
    tape_.for_each_value_argument(
        entry(slot), [&](Slot argument) { most = std::max(most, factors_[argument]); });
    return most;
  }
  static bool is_entire(expr::Op op) {
    return op == expr::Op::sin || op == expr::Op::cos || op == expr::Op::exp;
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
      factors_[slot] = kinds_[slot] == Kind::constant ? 0 : factors_of(slot);
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
  std::vector<int> factors_;  // see factors_of(); 0 if constant
  std::vector<bool> is_used_;
  TimeFunctions found_;
};

}  // namespace

TimeFunctions time_functions(const SeriesSchedule& schedule) { return Search(schedule).run(); }

}  // namespace daedal::taylor
