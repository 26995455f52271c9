#include "taylor/series_schedule.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/check.hpp"

namespace daedal::taylor {
namespace {

constexpr int unlimited = SeriesSchedule::unlimited;

Tape make_tape(const SeriesProblem& problem, const std::vector<JacobianEntry>& jacobian) {
  std::vector<NodeId> roots(problem.residuals.begin(), problem.residuals.end());
  for (const JacobianEntry& entry : jacobian) roots.push_back(entry.value);
  return Tape(problem.graph, roots, 0, Derivatives::shifted, LinearParts::drawn_together);
}

class Scheduler {
 public:
  Scheduler(const SeriesProblem& problem, const std::vector<JacobianEntry>& jacobian)
      : problem_(problem), jacobian_(jacobian), result_(make_tape(problem, jacobian)) {}

  SeriesSchedule run() {
    find_varying();
    find_offsets();
    find_highest();
    is_marked_.assign(num_slots(), false);
    describe_blocks();
    find_owners();
    group_blocks();
    find_finals();
    find_levels();
    find_uses();
    make_packs();
    renumber();
    return std::move(result_);
  }

 private:
  std::span<const TapeEntry> entries() const { return result_.tape.entries(); }
  std::size_t num_slots() const { return entries().size(); }

  template <typename Visit>
  void for_each_value_argument(Slot slot, Visit visit) const {
    result_.tape.for_each_value_argument(entries()[slot], visit);
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

  // Fine blocks one by one; those of size 1 are grouped later.
  void describe_blocks() {
    const structure::Structure& s = problem_.structure;
    result_.slot_of_unknown.resize(s.d.size());
    for (std::size_t j = 0; j < s.d.size(); ++j)
      result_.slot_of_unknown[j] = result_.tape.slot(problem_.graph.node(expr::UnknownId(j)));
    block_of_unknown_.resize(s.d.size());
    for (std::size_t b = 0; b < s.fine_blocks.size(); ++b) {
      for (const int j : s.fine_blocks[b].unknowns) block_of_unknown_[j] = static_cast<int>(b);
      result_.blocks.push_back({});
      append_fine_block(result_.blocks.back(), static_cast<int>(b));
    }
  }

  void append_fine_block(BlockSchedule& block, int b) const {
    const structure::Structure& s = problem_.structure;
    block.fine_blocks.push_back(b);
    block.lead = problem_.leads[b];
    block.is_linear = problem_.is_linear[b];
    block.is_diagonal = s.fine_blocks[b].equations.size() == 1;
    for (const int i : by_falling(s.fine_blocks[b].equations, s.c)) {
      block.equations.push_back(i);
      block.residual_slots.push_back(result_.tape.slot(problem_.residuals[i]));
    }
    for (const int j : by_falling(s.fine_blocks[b].unknowns, s.d)) {
      block.unknowns.push_back(j);
      block.unknown_slots.push_back(result_.slot_of_unknown[j]);
    }
  }

  // What has the same offset is treated together.
  static std::vector<int> by_falling(std::vector<int> indices, const std::vector<int>& offsets) {
    std::stable_sort(indices.begin(), indices.end(),
                     [&](int a, int b) { return offsets[a] > offsets[b]; });
    return indices;
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

  // Blocks in the order of their levels: a block stands above those whose newest unknowns it needs
  // at the same stage. Those of one linear equation, on one level and with one lead, are one group.
  void group_blocks() {
    const std::vector<int> level = block_levels();
    const auto num_fine = static_cast<int>(result_.blocks.size());
    std::vector<int> order(num_fine);
    for (int b = 0; b < num_fine; ++b) order[b] = b;
    const auto key = [&](int b) {
      const BlockSchedule& block = result_.blocks[b];
      const bool is_single = block.is_diagonal && block.is_linear;
      return std::tuple(level[b], !is_single, block.lead, is_single ? 0 : b);
    };
    const auto place = [&](int b) {  // inside a group, by falling offset
      return std::tuple(key(b), -problem_.structure.d[result_.blocks[b].unknowns[0]]);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
    std::vector<BlockSchedule> groups;
    std::vector<int> group_of(num_fine);
    for (int n = 0; n < num_fine; ++n) {
      if (n == 0 || key(order[n - 1]) != key(order[n])) groups.emplace_back();
      append_fine_block(groups.back(), order[n]);
      group_of[order[n]] = static_cast<int>(groups.size()) - 1;
    }
    result_.blocks = std::move(groups);
    for (int& block : block_of_unknown_) block = group_of[block];
    find_owners();
    place_jacobian();
  }

  // Blocks come in an order in which each needs those before it only. A slot's height is the number
  // of levels that must be solved before it can be computed.
  std::vector<int> block_levels() {
    std::vector<int> level(result_.blocks.size(), 0), height(num_slots(), 0);
    const std::vector<std::vector<Slot>> owned = slots_by_owner();
    for (std::size_t n = 0; n < owned.size(); ++n) {
      const int b = static_cast<int>(n);
      mark_below(result_.blocks[n].residual_slots, b);
      for (const Slot slot : owned[n])
        if (is_marked_[slot])
          for_each_value_argument(slot, [&](Slot argument) {
            if (is_tight(slot, argument) && owner_[argument] != b)
              level[n] = std::max(level[n], height[argument]);
          });
      for (const Slot slot : owned[n]) {
        is_marked_[slot] = false;
        if (entries()[slot].instruction == Instruction::unknown) height[slot] = level[n] + 1;
        for_each_value_argument(slot, [&](Slot argument) {
          if (is_tight(slot, argument)) height[slot] = std::max(height[slot], height[argument]);
        });
      }
    }
    return level;
  }

  std::vector<std::vector<Slot>> slots_by_owner() const {
    std::vector<std::vector<Slot>> owned(result_.blocks.size());
    for (Slot slot = 0; slot < num_slots(); ++slot)
      if (owner_[slot] >= 0) owned[owner_[slot]].push_back(slot);
    return owned;
  }

  void place_jacobian() {
    const std::size_t n = problem_.structure.d.size();
    std::vector<int> row(n), column(n);
    for (const BlockSchedule& block : result_.blocks)
      for (int k = 0; k < block.size(); ++k) {
        row[block.equations[k]] = k;
        column[block.unknowns[k]] = k;
      }
    for (const JacobianEntry& entry : jacobian_) {
      BlockSchedule& block = result_.blocks[block_of_unknown_[entry.unknown]];
      const Slot slot = result_.tape.slot(entry.value);
      block.places.push_back({row[entry.equation], column[entry.unknown], !varies_[slot]});
      block.jacobian_slots.push_back(slot);
      block.has_constant_jacobian = block.has_constant_jacobian && !varies_[slot];
    }
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

  // Users stand above what they need at the same stage: as low as possible, or as high as possible,
  // whichever brings more like operations together.
  void find_levels() {
    std::vector<int> low(num_slots(), 0), high(num_slots(), 0);
    for (Slot slot = 0; slot < num_slots(); ++slot)
      for_each_value_argument(slot, [&](Slot argument) {
        if (is_tight(slot, argument)) low[slot] = std::max(low[slot], low[argument] + 1);
      });
    for (Slot slot = static_cast<Slot>(num_slots()); slot-- > 0;)
      for_each_value_argument(slot, [&](Slot argument) {
        if (is_tight(slot, argument)) high[argument] = std::min(high[argument], high[slot] - 1);
      });
    level_ = num_kinds(low) <= num_kinds(high) ? std::move(low) : std::move(high);
  }

  std::size_t num_kinds(const std::vector<int>& level) const {
    std::set<std::tuple<int, int, Instruction, expr::Op, int>> kinds;
    for (Slot slot = 0; slot < num_slots(); ++slot)
      kinds.emplace(owner_[slot], level[slot], entries()[slot].instruction, entries()[slot].op,
                    result_.offset[slot]);
    return kinds.size();
  }

  bool is_series(Slot slot) const { return result_.highest[slot] == unlimited; }

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

  // How a slot takes part in the stages of its block.
  enum Use : unsigned {
    in_own = 1,
    in_shifted = 2,
    in_known = 4,
    in_completed = 8,
    in_after = 16,
    in_values_after = 32,
  };

  void find_uses() {
    uses_.assign(num_slots(), 0);
    owned_ = slots_by_owner();
    for (std::vector<Slot>& slots : owned_)
      std::erase_if(slots,
                    [&](Slot slot) { return entries()[slot].instruction == Instruction::unknown; });
    for (std::size_t b = 0; b < result_.blocks.size(); ++b) {
      find_uses_when_given(result_.blocks[b], static_cast<int>(b));
      find_uses_when_linear(result_.blocks[b], static_cast<int>(b));
    }
  }

  void unmark(int b) {
    for (const Slot slot : owned_[b]) is_marked_[slot] = false;
    for (const Slot slot : result_.blocks[b].unknown_slots) is_marked_[slot] = false;
  }

  void find_uses_when_given(const BlockSchedule& block, int b) {
    mark_below(block.residual_slots, b);
    mark_below(block.jacobian_slots, b);
    for (const Slot slot : owned_[b])
      if (is_marked_[slot]) uses_[slot] |= in_own;
    unmark(b);
  }

  void find_uses_when_linear(BlockSchedule& block, int b) {
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
        if (is_marked_[slot] || needs_final_[slot]) uses_[slot] |= in_shifted;
      } else if (is_marked_[slot]) {
        uses_[slot] |= needs_final_[slot] ? in_known | in_completed : in_known;
      } else if (needs_final_[slot]) {
        uses_[slot] |= is_series(slot) ? in_after : in_values_after;
      }
    }
    unmark(b);
  }

  // Cuts the slots into packs, like operations together after their tight arguments, and calls
  // visit(pack, number) for each.
  template <typename Visit>
  void cut_into_packs(std::vector<Slot>& slots, Visit visit) {
    const auto key = [&](Slot slot) {
      const TapeEntry& entry = entries()[slot];
      const double number = entry.instruction == Instruction::power ? entry.number : 0.0;
      return std::tuple(level_[slot], uses_[slot], entry.instruction, entry.op, shift(entry),
                        number, result_.offset[slot], result_.highest[slot]);
    };
    std::sort(slots.begin(), slots.end(),
              [&](Slot a, Slot b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
    for (std::size_t n = 0; n < slots.size(); ++n) {
      const Slot slot = slots[n];
      const TapeEntry& entry = entries()[slot];
      if (n > 0 && key(slots[n - 1]) == key(slot)) {
        ++result_.packs.back().count;
        continue;
      }
      result_.packs.push_back(
          {.instruction = entry.instruction,
           .op = entry.op,
           .number = entry.instruction == Instruction::power ? entry.number : 0.0,
           .shift = shift(entry),
           .offset = result_.offset[slot],
           .highest = result_.highest[slot],
           .first = slot,  // renumbered later
           .count = 1,
           .is_provisional = (uses_[slot] & (in_known | in_shifted)) != 0});
      visit(uses_[slot], static_cast<PackNumber>(result_.packs.size()) - 1);
    }
  }

  void make_packs() {
    for (Slot slot = 0; slot < num_slots(); ++slot)
      if (varies_[slot] && owner_[slot] < 0)
        (is_series(slot) ? unowned_ : unowned_values_).push_back(slot);
    cut_into_packs(unowned_, [&](unsigned, PackNumber pack) { result_.before.push_back(pack); });
    for (std::size_t b = 0; b < result_.blocks.size(); ++b)
      cut_into_packs(owned_[b], [&](unsigned uses, PackNumber pack) {
        BlockSchedule& block = result_.blocks[b];
        (uses & in_own ? block.own : block.rest).push_back(pack);
        if (uses & in_shifted) block.shifted.push_back(pack);
        if (uses & in_known) block.known.push_back(pack);
        if (uses & in_completed) block.completed.push_back(pack);
        if (uses & in_after) block.after.push_back(pack);
        if (uses & in_values_after) block.values_after.push_back(pack);
      });
    cut_into_packs(unowned_values_,
                   [&](unsigned, PackNumber pack) { result_.values_before.push_back(pack); });
  }

  std::vector<ResidualTerm> residual_terms(Slot residual, int b) const {
    const TapeEntry& entry = entries()[residual];
    if (entry.instruction != Instruction::affine) return {{residual, 1.0, no_slot}};
    std::vector<ResidualTerm> terms;
    const auto arguments = result_.tape.arguments(entry);
    const auto coefficients = result_.tape.coefficients(entry);
    const auto factors = result_.tape.factors(entry);
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const bool is_newest_unknown = is_tight(residual, arguments[a]) &&
                                     owner_[arguments[a]] == b &&
                                     (entries()[arguments[a]].instruction == Instruction::unknown ||
                                      is_shift_of_unknown(arguments[a], b));
      if (!is_newest_unknown) terms.push_back({arguments[a], coefficients[a], factors[a]});
    }
    return terms;
  }

  // Unknowns first, those with the highest local orders foremost; then packs in the order in which
  // they are used; constants last.
  void renumber() {
    std::vector<Slot> order = unknowns_by_local_order();
    order.insert(order.end(), unowned_.begin(), unowned_.end());
    for (const std::vector<Slot>& slots : owned_)
      order.insert(order.end(), slots.begin(), slots.end());
    for (const auto* slots : {&unowned_values_, &result_.constant})
      order.insert(order.end(), slots->begin(), slots->end());
    DAEDAL_CHECK(order.size() == num_slots());
    std::vector<Slot> number(num_slots());
    for (Slot k = 0; k < num_slots(); ++k) number[order[k]] = k;
    rename(order, number);
  }

  std::vector<Slot> unknowns_by_local_order() const {
    std::vector<Slot> slots;
    std::vector<int> local_order(num_slots(), 0);
    for (const BlockSchedule& block : result_.blocks)
      for (const Slot slot : block.unknown_slots) {
        local_order[slot] = result_.offset[slot] - block.lead;
        slots.push_back(slot);
      }
    std::stable_sort(slots.begin(), slots.end(),
                     [&](Slot a, Slot b) { return local_order[a] > local_order[b]; });
    return slots;
  }

  // order[k] is the old number of slot k, number[slot] the new number of an old slot.
  void rename(std::span<const Slot> order, std::span<const Slot> number) {
    const auto rename_all = [&](std::vector<Slot>& slots) {
      for (Slot& slot : slots) slot = number[slot];
    };
    for (auto* values : {&result_.offset, &result_.highest}) {
      std::vector<int> permuted;
      for (const Slot slot : order) permuted.push_back((*values)[slot]);
      *values = std::move(permuted);
    }
    rename_all(result_.constant);
    rename_all(result_.slot_of_unknown);
    for (Pack& pack : result_.packs) pack.first = number[pack.first];
    for (BlockSchedule& block : result_.blocks) {
      for (auto* slots : {&block.residual_slots, &block.unknown_slots, &block.jacobian_slots})
        rename_all(*slots);
      for (auto& terms : block.residual)
        for (ResidualTerm& term : terms) {
          term.slot = number[term.slot];
          if (term.factor != no_slot) term.factor = number[term.factor];
        }
    }
    result_.tape.renumber(order, number);
  }

  const SeriesProblem& problem_;
  const std::vector<JacobianEntry>& jacobian_;
  SeriesSchedule result_;
  std::vector<bool> varies_, is_of_time_alone_, needs_final_, is_marked_;
  std::vector<unsigned> uses_;
  std::vector<int> block_of_unknown_, owner_, level_;  // fine blocks at first, then groups
  std::vector<std::vector<Slot>> owned_;               // by group: slots other than unknowns
  std::vector<Slot> unowned_, unowned_values_;
};

}  // namespace

SeriesSchedule make_series_schedule(const SeriesProblem& problem) {
  const std::vector<JacobianEntry> jacobian = system_jacobian(
      problem.graph, problem.residuals, problem.structure, JacobianPart::diagonal_blocks);
  return Scheduler(problem, jacobian).run();
}

}  // namespace daedal::taylor
