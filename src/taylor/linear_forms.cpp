#include "taylor/linear_forms.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace daedal::taylor {
namespace {

using Slot = std::uint32_t;

constexpr int no_form = -1;
// A longer sum is not merged into the sum that uses it, lest nested ones grow quadratically.
constexpr std::size_t longest_merged = 64;

// number * factor * what; what is a slot of the new tape, or a form not yet written to it.
struct Term {
  double number = 1.0;
  Slot factor = no_slot;
  Slot slot = no_slot;
  int form = no_form;
  bool is_used_once = false;

  bool is_plain() const { return number == 1.0 && factor == no_slot; }
};

// number + sum of terms, whose `what` are slots
struct Form {
  double number = 0.0;
  std::vector<Term> terms;
  NodeId source;
  Slot slot = no_slot;  // once written
};

class Fusion {
 public:
  Fusion(const TapeData& tape, std::span<const Slot> roots) : old_(tape), roots_(roots) {}

  LinearForms run() {
    count_uses();
    find_varying();
    terms_.resize(old_.entries.size());
    for (Slot slot = 0; slot < old_.entries.size(); ++slot) {
      terms_[slot] = convert(slot);
      terms_[slot].is_used_once = terms_[slot].is_used_once && num_uses_[slot] == 1;
    }
    resolve_partners();
    for (const Slot root : roots_) (void)written(root);
    LinearForms result{std::move(new_), std::vector<Slot>(old_.entries.size(), no_slot)};
    for (Slot slot = 0; slot < old_.entries.size(); ++slot)
      result.slot_of[slot] = slot_if_written(terms_[slot]);
    return result;
  }

 private:
  std::span<const Slot> arguments(const TapeEntry& entry) const {
    return {old_.arguments.data() + entry.first_argument, entry.num_arguments};
  }

  void count_uses() {
    num_uses_.assign(old_.entries.size(), 0);
    for (const Slot slot : old_.arguments) ++num_uses_[slot];
    for (const Slot slot : roots_) num_uses_[slot] += 2;  // a root is wanted for itself
  }

  void find_varying() {
    varies_.assign(old_.entries.size(), false);
    for (Slot slot = 0; slot < old_.entries.size(); ++slot) {
      const TapeEntry& entry = old_.entries[slot];
      bool varies = entry.instruction == Instruction::unknown ||
                    entry.instruction == Instruction::derivative ||
                    entry.instruction == Instruction::time;
      const auto slots = arguments(entry);
      for (std::size_t a = 0; a < slots.size(); ++a)
        varies = varies || (!Tape::is_partner(entry, a) && varies_[slots[a]]);
      varies_[slot] = varies;
    }
  }

  Term convert(Slot slot) {
    const TapeEntry& entry = old_.entries[slot];
    if (!varies_[slot]) return copy(slot);
    const auto slots = arguments(entry);
    switch (entry.instruction) {
      case Instruction::multiply:
        if (!varies_[slots[0]]) return scaled(terms_[slots[1]], written(slots[0]));
        if (!varies_[slots[1]]) return scaled(terms_[slots[0]], written(slots[1]));
        return multiplied(slot);
      case Instruction::square: return squared(slot);
      case Instruction::divide: return varies_[slots[0]] ? divided(slot) : copy(slot);
      case Instruction::affine: return sum(slot);
      default: return copy(slot);
    }
  }

  // A copy of the operation, on the copies of its arguments. Partners follow later.
  Term copy(Slot slot) {
    const TapeEntry& entry = old_.entries[slot];
    std::vector<Slot> slots;
    bool has_partners = false;
    for (std::size_t a = 0; a < entry.num_arguments; ++a) {
      const bool is_partner = Tape::is_partner(entry, a);
      has_partners = has_partners || is_partner;
      slots.push_back(is_partner ? no_slot : written(arguments(entry)[a]));
    }
    TapeEntry copied = entry;
    copied.first_coefficient = static_cast<std::uint32_t>(new_.coefficients.size());
    if (entry.instruction == Instruction::affine)
      for (std::size_t a = 0; a < entry.num_arguments; ++a) {
        new_.coefficients.push_back(old_.coefficients[entry.first_coefficient + a]);
        new_.factors.push_back(no_slot);
      }
    const Slot at = push(copied, slots);
    if (has_partners) with_partners_.push_back({slot, at});
    return {.slot = at};
  }

  Slot push(TapeEntry entry, std::span<const Slot> slots) {
    entry.first_argument = static_cast<std::uint32_t>(new_.arguments.size());
    entry.num_arguments = static_cast<std::uint32_t>(slots.size());
    new_.arguments.insert(new_.arguments.end(), slots.begin(), slots.end());
    new_.entries.push_back(entry);
    return static_cast<Slot>(new_.entries.size() - 1);
  }

  Slot shared(Instruction instruction, NodeId source, Slot a, Slot b) {
    const auto [place, is_new] = operations_.try_emplace({instruction, a, b}, no_slot);
    if (is_new) {
      const Slot slots[] = {a, b};
      const std::size_t count = instruction == Instruction::square ? 1 : 2;
      place->second =
          push({.instruction = instruction, .source = source}, std::span(slots).first(count));
    }
    return place->second;
  }

  // The product of two constant slots, either of which may be missing.
  Slot product(Slot a, Slot b, NodeId source) {
    if (a == no_slot) return b;
    if (b == no_slot) return a;
    return shared(Instruction::multiply, source, std::min(a, b), std::max(a, b));
  }

  NodeId source_of(Slot new_slot) const { return new_.entries[new_slot].source; }

  Term scaled(Term term, Slot constant) {
    term.factor = product(term.factor, constant, source_of(constant));
    return term;
  }

  Slot core(const Term& term) { return term.form == no_form ? term.slot : write(term.form); }

  Term multiplied(Slot slot) {
    const TapeEntry& entry = old_.entries[slot];
    const Term &a = terms_[arguments(entry)[0]], &b = terms_[arguments(entry)[1]];
    const Slot u = core(a), v = core(b);
    const Slot at =
        u == v ? shared(Instruction::square, entry.source, u, u)
               : shared(Instruction::multiply, entry.source, std::min(u, v), std::max(u, v));
    return {.number = a.number * b.number,
            .factor = product(a.factor, b.factor, entry.source),
            .slot = at};
  }

  Term squared(Slot slot) {
    const TapeEntry& entry = old_.entries[slot];
    const Term& a = terms_[arguments(entry)[0]];
    const Slot u = core(a);
    return {.number = a.number * a.number,
            .factor = product(a.factor, a.factor, entry.source),
            .slot = shared(Instruction::square, entry.source, u, u)};
  }

  // A constant numerator's factor is pulled out, the denominator is taken as it is.
  Term divided(Slot slot) {
    const TapeEntry& entry = old_.entries[slot];
    const Term& a = terms_[arguments(entry)[0]];
    const Slot denominator = arguments(entry)[1];
    if (!varies_[denominator]) return scaled(a, reciprocal(written(denominator), entry.source));
    const Slot at = shared(Instruction::divide, entry.source, core(a), written(denominator));
    return {.number = a.number, .factor = a.factor, .slot = at};
  }

  Slot reciprocal(Slot constant, NodeId source) {
    const auto [place, is_new] = reciprocals_.try_emplace(constant, no_slot);
    if (is_new)
      place->second = push({.instruction = Instruction::power, .source = source, .number = -1.0},
                           {&constant, 1});
    return place->second;
  }

  Term sum(Slot slot) {
    const TapeEntry& entry = old_.entries[slot];
    Form form{.number = entry.number, .terms = {}, .source = entry.source};
    for (std::size_t a = 0; a < entry.num_arguments; ++a)
      add(form, old_.coefficients[entry.first_coefficient + a], terms_[arguments(entry)[a]]);
    merge_like(form);
    if (form.number == 0.0 && form.terms.size() == 1) return form.terms[0];
    forms_.push_back(std::move(form));
    return {.form = static_cast<int>(forms_.size()) - 1, .is_used_once = true};
  }

  void add(Form& sum, double coefficient, Term term) {
    term.number *= coefficient;
    if (term.form != no_form && term.is_used_once && can_merge(term)) {
      const Form& inner = forms_[term.form];
      sum.number += term.number * inner.number;
      for (Term part : inner.terms) {
        part.number *= term.number;
        part.factor = product(part.factor, term.factor, sum.source);
        sum.terms.push_back(part);
      }
    } else {
      term.slot = core(term);
      term.form = no_form;
      sum.terms.push_back(term);
    }
  }

  bool can_merge(const Term& term) const {
    const Form& inner = forms_[term.form];
    return inner.slot == no_slot && inner.terms.size() <= longest_merged &&
           (inner.number == 0.0 || term.factor == no_slot);
  }

  static void merge_like(Form& form) {
    const auto key = [](const Term& t) { return std::tuple(t.slot, t.factor); };
    std::stable_sort(form.terms.begin(), form.terms.end(),
                     [&](const Term& a, const Term& b) { return key(a) < key(b); });
    std::vector<Term> merged;
    for (const Term& term : form.terms) {
      if (!merged.empty() && key(merged.back()) == key(term))
        merged.back().number += term.number;
      else
        merged.push_back(term);
    }
    form.terms = std::move(merged);
  }

  Slot write(int number) {
    if (forms_[number].slot != no_slot) return forms_[number].slot;
    Form& form = forms_[number];
    std::vector<Slot> slots;
    for (const Term& term : form.terms) slots.push_back(term.slot);
    return form.slot = push_sum(form.source, form.number, form.terms, slots);
  }

  Slot push_sum(NodeId source, double number, std::span<const Term> terms,
                std::span<const Slot> slots) {
    const auto first = static_cast<std::uint32_t>(new_.coefficients.size());
    for (const Term& term : terms) {
      new_.coefficients.push_back(term.number);
      new_.factors.push_back(term.factor);
    }
    return push({.instruction = Instruction::affine,
                 .source = source,
                 .first_coefficient = first,
                 .number = number},
                slots);
  }

  // The slot of an old slot's value.
  Slot written(Slot old) {
    const Term term = terms_[old];
    const Slot what = core(term);
    if (term.is_plain()) return what;
    const auto [place, is_new] = multiples_.try_emplace({term.number, term.factor, what}, no_slot);
    if (is_new) place->second = push_sum(old_.entries[old].source, 0.0, {&term, 1}, {&what, 1});
    return place->second;
  }

  Slot slot_if_written(const Term& term) const {
    const Slot what = term.form == no_form ? term.slot : forms_[term.form].slot;
    if (what == no_slot || term.is_plain()) return what;
    const auto found = multiples_.find({term.number, term.factor, what});
    return found == multiples_.end() ? no_slot : found->second;
  }

  void resolve_partners() {
    for (const auto& [old, at] : with_partners_) {
      const auto slots = arguments(old_.entries[old]);
      for (std::size_t a = 0; a < slots.size(); ++a)
        if (Tape::is_partner(old_.entries[old], a))
          new_.arguments[new_.entries[at].first_argument + a] =
              slots[a] == old ? at : written(slots[a]);
    }
  }

  struct Copied {
    Slot old, at;
  };

  const TapeData& old_;
  std::span<const Slot> roots_;
  std::vector<int> num_uses_;
  std::vector<bool> varies_;
  std::vector<Term> terms_;  // by old slot
  std::vector<Form> forms_;
  std::vector<Copied> with_partners_;
  std::map<std::tuple<Instruction, Slot, Slot>, Slot> operations_;
  std::map<std::tuple<double, Slot, Slot>, Slot> multiples_;
  std::map<Slot, Slot> reciprocals_;
  TapeData new_;
};

}  // namespace

LinearForms with_linear_forms(const TapeData& tape, std::span<const std::uint32_t> roots) {
  return Fusion(tape, roots).run();
}

}  // namespace daedal::taylor
