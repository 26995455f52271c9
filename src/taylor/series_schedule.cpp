#include "taylor/series_schedule.hpp"

#include <algorithm>
#include <tuple>

#include "base/check.hpp"

namespace daedal::taylor {
namespace {

constexpr int unlimited = SeriesSchedule::unlimited;

Tape make_tape(const SeriesProblem& problem, const std::vector<JacobianEntry>& jacobian) {
  std::vector<NodeId> roots(problem.residuals.begin(), problem.residuals.end());
  for (const JacobianEntry& entry : jacobian) roots.push_back(entry.value);
  return Tape(problem.graph, roots, 0, Derivatives::shifted);
}

class Scheduler {
 public:
  Scheduler(const SeriesProblem& problem, const std::vector<JacobianEntry>& jacobian)
      : problem_(problem), jacobian_(jacobian), result_(make_tape(problem, jacobian)) {}

  SeriesSchedule run() {
    find_varying();
    find_offsets();
    find_highest();
    describe_blocks();
    find_owners();
    find_finals();
    list_unowned();
    for (std::size_t b = 0; b < result_.blocks.size(); ++b) list_owned(static_cast<int>(b));
    renumber();
    return std::move(result_);
  }

 private:
  std::span<const TapeEntry> entries() const { return result_.tape.entries(); }
  std::size_t num_slots() const { return entries().size(); }

  template <typename Visit>
  void for_each_value_argument(Slot slot, Visit visit) const {
    const TapeEntry& entry = entries()[slot];
    const auto arguments = result_.tape.arguments(entry);
    for (std::size_t a = 0; a < arguments.size(); a += Tape::value_stride(entry))
      visit(arguments[a]);
  }

  static int shift(const TapeEntry& entry) {
    return entry.instruction == Instruction::shift ? static_cast<int>(entry.index) : 0;
  }

  void find_varying() {
    varies_.assign(num_slots(), false);
    for (Slot slot = 0; slot < num_slots(); ++slot) {
      const Instruction instruction = entries()[slot].instruction;
      bool varies = instruction == Instruction::unknown || instruction == Instruction::time;
      for_each_value_argument(slot, [&](Slot argument) { varies = varies || varies_[argument]; });
      varies_[slot] = varies;
      if (!varies) result_.constant.push_back(slot);
    }
  }

  // Slots of time alone can be computed at any stage: as early as a user may want them.
  void find_offsets() {
    std::vector<int>& offset = result_.offset;
    offset.assign(num_slots(), unlimited);
    for (Slot slot = 0; slot < num_slots(); ++slot) {
      const TapeEntry& entry = entries()[slot];
      if (entry.instruction == Instruction::unknown)
        offset[slot] = problem_.structure.d[entry.index];
      for_each_value_argument(
          slot, [&](Slot argument) { offset[slot] = std::min(offset[slot], offset[argument]); });
      if (offset[slot] != unlimited) offset[slot] -= shift(entry);
    }
    is_of_time_alone_.assign(num_slots(), false);
    for (Slot slot = 0; slot < num_slots(); ++slot) {
      is_of_time_alone_[slot] = varies_[slot] && offset[slot] == unlimited;
      if (offset[slot] == unlimited) offset[slot] = 0;
    }
    for (const JacobianEntry& entry : jacobian_) {
      const Slot slot = result_.tape.slot(entry.value);
      if (is_of_time_alone_[slot])
        offset[slot] = std::max(offset[slot], problem_.structure.c[entry.equation]);
    }
    raise_offsets_of_time();
    result_.first_stage = 0;
    for (const int value : offset) result_.first_stage = std::min(result_.first_stage, -value);
  }

  void raise_offsets_of_time() {
    std::vector<int>& offset = result_.offset;
    for (bool changed = true; changed;) {
      changed = false;
      for (Slot slot = static_cast<Slot>(num_slots()); slot-- > 0;) {
        const int wanted = offset[slot] + shift(entries()[slot]);
        for (const Slot argument : result_.tape.arguments(entries()[slot])) {
          if (!is_of_time_alone_[argument] || offset[argument] >= wanted) continue;
          offset[argument] = wanted;
          changed = changed || argument > slot;  // a partner
        }
      }
    }
  }

  // What residuals reach is a series without end; what only the Jacobian needs has values.
  void find_highest() {
    result_.highest.resize(num_slots());
    for (Slot slot = 0; slot < num_slots(); ++slot) result_.highest[slot] = entries()[slot].order;
    std::vector<Slot> work;
    const auto reach = [&](Slot slot) {
      if (result_.highest[slot] == unlimited) return;
      result_.highest[slot] = unlimited;
      work.push_back(slot);
    };
    for (const NodeId residual : problem_.residuals) reach(result_.tape.slot(residual));
    while (!work.empty()) {
      const Slot slot = work.back();
      work.pop_back();
      for (const Slot argument : result_.tape.arguments(entries()[slot])) reach(argument);
    }
  }

  bool is_tight(Slot user, Slot argument) const {
    return varies_[argument] &&
           result_.offset[argument] - shift(entries()[user]) == result_.offset[user];
  }

  void describe_blocks() {
    const structure::Structure& s = problem_.structure;
    result_.slot_of_unknown.resize(s.d.size());
    for (std::size_t j = 0; j < s.d.size(); ++j)
      result_.slot_of_unknown[j] = result_.tape.slot(problem_.graph.node(expr::UnknownId(j)));
    block_of_unknown_.resize(s.d.size());
    std::vector<int> place_in_block(2 * s.d.size());
    for (std::size_t b = 0; b < s.fine_blocks.size(); ++b) {
      BlockSchedule block;
      block.equations = s.fine_blocks[b].equations;
      block.unknowns = s.fine_blocks[b].unknowns;
      block.lead = problem_.leads[b];
      block.is_linear = problem_.is_linear[b];
      for (int k = 0; k < block.size(); ++k) {
        const int i = block.equations[k], j = block.unknowns[k];
        block.residual_slots.push_back(result_.tape.slot(problem_.residuals[i]));
        block.unknown_slots.push_back(result_.slot_of_unknown[j]);
        block_of_unknown_[j] = static_cast<int>(b);
        place_in_block[i] = k;
        place_in_block[s.d.size() + j] = k;
      }
      result_.blocks.push_back(std::move(block));
    }
    for (const JacobianEntry& entry : jacobian_) {
      BlockSchedule& block = result_.blocks[block_of_unknown_[entry.unknown]];
      const Slot slot = result_.tape.slot(entry.value);
      block.places.push_back(
          {place_in_block[entry.equation], place_in_block[s.d.size() + entry.unknown]});
      block.jacobian_slots.push_back(slot);
      block.has_constant_jacobian = block.has_constant_jacobian && !varies_[slot];
    }
  }

  void find_owners() {
    owner_.assign(num_slots(), -1);
    for (Slot slot = 0; slot < num_slots(); ++slot) {
      const TapeEntry& entry = entries()[slot];
      if (entry.instruction == Instruction::unknown) owner_[slot] = block_of_unknown_[entry.index];
      for_each_value_argument(slot, [&](Slot argument) {
        if (is_tight(slot, argument)) owner_[slot] = std::max(owner_[slot], owner_[argument]);
      });
    }
    for (std::size_t b = 0; b < result_.blocks.size(); ++b)
      for (const Slot slot : result_.blocks[b].residual_slots)
        DAEDAL_CHECK(owner_[slot] == static_cast<int>(b));
  }

  static bool is_linear_operation(const TapeEntry& entry) {
    return entry.instruction == Instruction::affine || entry.instruction == Instruction::shift;
  }

  // T-div and T-pow.
  static bool uses_own_coefficients(const TapeEntry& entry) {
    return entry.instruction == Instruction::divide || entry.instruction == Instruction::power ||
           entry.instruction == Instruction::steady_power;
  }

  // Whose coefficients are used again after the block is solved, and so must be completed:
  // arguments of nonlinear operations, what those are sums of, and what other blocks use. A
  // residual is used by nobody.
  void find_finals() {
    needs_final_.assign(num_slots(), false);
    for (Slot slot = 0; slot < num_slots(); ++slot) {
      if (is_linear_operation(entries()[slot])) continue;
      if (uses_own_coefficients(entries()[slot])) needs_final_[slot] = true;
      for (const Slot argument : result_.tape.arguments(entries()[slot]))
        needs_final_[argument] = true;
    }
    for (Slot slot = static_cast<Slot>(num_slots()); slot-- > 0;) {
      if (!is_linear_operation(entries()[slot])) continue;
      if (!is_series(slot)) needs_final_[slot] = true;
      for (const Slot argument : result_.tape.arguments(entries()[slot]))
        if (needs_final_[slot] || !is_tight(slot, argument) || owner_[argument] != owner_[slot])
          needs_final_[argument] = true;
    }
    for (const JacobianEntry& entry : jacobian_)
      needs_final_[result_.tape.slot(entry.value)] = true;
  }

  // Like nodes together, after their tight arguments.
  void sort_by_kind(std::vector<Slot>& slots) const {
    const auto key = [&](Slot slot) {
      const TapeEntry& entry = entries()[slot];
      return std::tuple(level_[slot], entry.instruction, entry.op, result_.offset[slot], slot);
    };
    std::sort(slots.begin(), slots.end(), [&](Slot a, Slot b) { return key(a) < key(b); });
  }

  void find_levels() {
    level_.assign(num_slots(), 0);
    for (Slot slot = 0; slot < num_slots(); ++slot)
      for_each_value_argument(slot, [&](Slot argument) {
        if (is_tight(slot, argument)) level_[slot] = std::max(level_[slot], level_[argument] + 1);
      });
  }

  bool is_series(Slot slot) const { return result_.highest[slot] == unlimited; }

  void list_unowned() {
    find_levels();
    owned_.resize(result_.blocks.size());
    for (Slot slot = 0; slot < num_slots(); ++slot) {
      if (!varies_[slot] || entries()[slot].instruction == Instruction::unknown) continue;
      std::vector<Slot>& unowned = is_series(slot) ? result_.before : result_.values_before;
      (owner_[slot] < 0 ? unowned : owned_[owner_[slot]]).push_back(slot);
    }
    sort_by_kind(result_.before);
    sort_by_kind(result_.values_before);
    for (std::vector<Slot>& slots : owned_) sort_by_kind(slots);
    is_marked_.assign(num_slots(), false);
  }

  // Marks what is tightly below `roots` and owned by block b.
  void mark_below(std::span<const Slot> roots, int b) {
    std::vector<Slot> work;
    const auto reach = [&](Slot slot) {
      if (is_marked_[slot] || owner_[slot] != b) return;
      is_marked_[slot] = true;
      work.push_back(slot);
    };
    for (const Slot root : roots) reach(root);
    while (!work.empty()) {
      const Slot slot = work.back();
      work.pop_back();
      for_each_value_argument(slot, [&](Slot argument) {
        if (is_tight(slot, argument)) reach(argument);
      });
    }
  }

  bool is_shift_of_unknown(Slot slot, int b) const {
    const TapeEntry& entry = entries()[slot];
    if (entry.instruction != Instruction::shift || owner_[slot] != b) return false;
    const Slot argument = result_.tape.arguments(entry)[0];
    return entries()[argument].instruction == Instruction::unknown;
  }

  void list_owned(int b) {
    BlockSchedule& block = result_.blocks[b];
    list_for_given(block, b);
    list_for_linear(block, b);
  }

  void unmark(int b) {
    for (const Slot slot : owned_[b]) is_marked_[slot] = false;
    for (const Slot slot : result_.blocks[b].unknown_slots) is_marked_[slot] = false;
  }

  void list_for_given(BlockSchedule& block, int b) {
    mark_below(block.residual_slots, b);
    mark_below(block.jacobian_slots, b);
    for (const Slot slot : owned_[b]) (is_marked_[slot] ? block.own : block.rest).push_back(slot);
    unmark(b);
  }

  void list_for_linear(BlockSchedule& block, int b) {
    std::vector<Slot> roots;
    for (const Slot slot : block.residual_slots) {
      block.residual.push_back(residual_terms(slot, b));
      block.residual_constant.push_back(
          entries()[slot].instruction == Instruction::affine ? entries()[slot].number : 0.0);
      for (const ResidualTerm& term : block.residual.back())
        if (term.slot == slot || is_tight(slot, term.slot)) roots.push_back(term.slot);
    }
    mark_below(roots, b);
    for (const Slot slot : owned_[b]) {
      if (is_shift_of_unknown(slot, b)) {
        block.shifted.push_back(slot);
      } else if (is_marked_[slot]) {
        block.known.push_back(slot);
        if (needs_final_[slot]) block.completed.push_back(slot);
      } else if (needs_final_[slot]) {
        (is_series(slot) ? block.after : block.values_after).push_back(slot);
      }
    }
    unmark(b);
  }

  std::vector<ResidualTerm> residual_terms(Slot residual, int b) const {
    const TapeEntry& entry = entries()[residual];
    if (entry.instruction != Instruction::affine) return {{residual, 1.0}};
    std::vector<ResidualTerm> terms;
    const auto arguments = result_.tape.arguments(entry);
    const auto factors = result_.tape.coefficients(entry);
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const bool is_newest_unknown = is_tight(residual, arguments[a]) &&
                                     owner_[arguments[a]] == b &&
                                     (entries()[arguments[a]].instruction == Instruction::unknown ||
                                      is_shift_of_unknown(arguments[a], b));
      if (!is_newest_unknown) terms.push_back({arguments[a], factors[a]});
    }
    return terms;
  }

  // Slots in the order in which they are used: like nodes together, and each block's together.
  void renumber() {
    std::vector<Slot> order;
    std::vector<bool> is_placed(num_slots(), false);
    const auto place = [&](std::span<const Slot> slots) {
      for (const Slot slot : slots) {
        if (!is_placed[slot]) order.push_back(slot);
        is_placed[slot] = true;
      }
    };
    place(result_.constant);
    place(result_.before);
    for (std::size_t b = 0; b < result_.blocks.size(); ++b) {
      place(result_.blocks[b].unknown_slots);
      place(owned_[b]);
    }
    place(result_.values_before);
    std::vector<Slot> rest;
    for (Slot slot = 0; slot < num_slots(); ++slot) rest.push_back(slot);
    place(rest);
    std::vector<Slot> number(num_slots());
    for (Slot k = 0; k < num_slots(); ++k) number[order[k]] = k;
    result_.tape.renumber(order, number);
    result_.renumber(order, number);
  }

  const SeriesProblem& problem_;
  const std::vector<JacobianEntry>& jacobian_;
  SeriesSchedule result_;
  std::vector<bool> varies_, is_of_time_alone_, needs_final_, is_marked_;
  std::vector<int> block_of_unknown_, owner_, level_;
  std::vector<std::vector<Slot>> owned_;  // by block: slots other than unknowns
};

}  // namespace

void SeriesSchedule::renumber(std::span<const Slot> order, std::span<const Slot> number) {
  const auto rename = [&](std::vector<Slot>& slots) {
    for (Slot& slot : slots) slot = number[slot];
  };
  const auto permute = [&](std::vector<int>& values) {
    std::vector<int> permuted;
    for (const Slot slot : order) permuted.push_back(values[slot]);
    values = std::move(permuted);
  };
  permute(offset);
  permute(highest);
  for (auto* slots : {&constant, &before, &values_before, &slot_of_unknown}) rename(*slots);
  for (BlockSchedule& block : blocks) {
    for (auto* slots : {&block.residual_slots, &block.unknown_slots, &block.jacobian_slots,
                        &block.own, &block.rest, &block.shifted, &block.known, &block.completed,
                        &block.after, &block.values_after})
      rename(*slots);
    for (auto& terms : block.residual)
      for (ResidualTerm& term : terms) term.slot = number[term.slot];
  }
}

SeriesSchedule make_series_schedule(const SeriesProblem& problem) {
  const std::vector<JacobianEntry> jacobian = system_jacobian(
      problem.graph, problem.residuals, problem.structure, JacobianPart::diagonal_blocks);
  return Scheduler(problem, jacobian).run();
}

}  // namespace daedal::taylor
