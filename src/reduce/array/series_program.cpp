#include "reduce/array/series_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "base/check.hpp"
#include "taylor/rules.hpp"

namespace daedal::reduce {

using expr::Op;
using taylor::Instruction;
using taylor::no_slot;
using taylor::TapeEntry;

namespace {

// Functions whose derivative is a function of their own value, or of each other's: computed
// together with it.
bool carries_partner(Op op) {
  switch (op) {
    case Op::exp:
    case Op::sin:
    case Op::cos:
    case Op::sinh:
    case Op::cosh:
    case Op::tan:
    case Op::tanh: return true;
    default: return false;
  }
}

Op mate_of(Op op) {
  switch (op) {
    case Op::sin: return Op::cos;
    case Op::cos: return Op::sin;
    case Op::sinh: return Op::cosh;
    case Op::cosh: return Op::sinh;
    default: return Op::constant;
  }
}

bool is_leaf(Instruction instruction) { return instruction <= Instruction::derivative; }

std::vector<NodeId> nodes_of(std::span<const SeriesProgram::Root> first,
                             std::span<const SeriesProgram::Root> other) {
  std::vector<NodeId> nodes;
  for (const auto& roots : {first, other})
    for (const SeriesProgram::Root& root : roots) nodes.push_back(root.node);
  return nodes;
}

constexpr std::uint32_t zero_position = 0;  // of a number that stays 0

}  // namespace

// Steps: which slots vary; how many coefficients of each are needed; an order in which each slot
// follows what it needs; places in the table; operations.
class SeriesProgramBuilder {
 public:
  using Root = SeriesProgram::Root;
  using Section = SeriesProgram::Section;
  using Slot = SeriesProgram::Slot;

  SeriesProgramBuilder(SeriesProgram& program, const expr::Graph& graph, Entries given)
      : p_(program),
        tape_(program.tape_),
        given_(given),
        num_unknowns_(static_cast<std::uint32_t>(graph.num_unknowns())),
        num_parameters_(graph.num_parameters()) {}

  void build(std::span<const Root> first, std::span<const Root> other) {
    p_.slots_.resize(tape_.entries().size());
    level_of_slot_.resize(p_.slots_.size(), 0);
    find_varying();
    find_mates();
    find_orders(first, other);
    p_.table_.push_back(0.0);
    for (const Root& root : first) emit_with_arguments(tape_.slot(root.node), Section::first);
    p_.num_first_ = p_.operations_.size();
    for (const Root& root : other) emit_with_arguments(tape_.slot(root.node), Section::other);
    mix_independent(0, p_.num_first_);
    mix_independent(p_.num_first_, p_.operations_.size());
    p_.parameters_.assign(num_parameters_, std::nan(""));
  }

 private:
  void find_varying() {
    for (std::uint32_t slot = 0; slot < p_.slots_.size(); ++slot) {
      const TapeEntry& entry = tape_.entries()[slot];
      DAEDAL_CHECK(entry.instruction != Instruction::shift);  // call expand_derivatives first
      bool varies = entry.instruction == Instruction::time ||
                    entry.instruction == Instruction::unknown ||
                    entry.instruction == Instruction::derivative;
      tape_.for_each_value_argument(
          entry, [&](std::uint32_t argument) { varies = varies || p_.slots_[argument].varies; });
      p_.slots_[slot].varies = varies;
    }
  }

  // The slot of cos(u) for that of sin(u), and so on; and that of sin(u) for tan(u) where both are
  // there: then a quotient is cheaper than another function.
  void find_mates() {
    mate_.assign(p_.slots_.size(), no_slot);
    sine_.assign(p_.slots_.size(), no_slot);
    std::map<std::pair<Op, std::uint32_t>, std::uint32_t> slot_of;
    for (std::uint32_t slot = 0; slot < p_.slots_.size(); ++slot) {
      const TapeEntry& entry = tape_.entries()[slot];
      if (entry.instruction != Instruction::function || mate_of(entry.op) == Op::constant) continue;
      const std::uint32_t argument = tape_.arguments(entry)[0];
      slot_of[{entry.op, argument}] = slot;
      const auto found = slot_of.find({mate_of(entry.op), argument});
      if (found == slot_of.end()) continue;
      mate_[slot] = found->second;
      mate_[found->second] = slot;
    }
    for (std::uint32_t slot = 0; slot < p_.slots_.size(); ++slot) {
      const TapeEntry& entry = tape_.entries()[slot];
      if (entry.instruction != Instruction::function || entry.op != Op::tan) continue;
      const auto found = slot_of.find({Op::sin, tape_.arguments(entry)[0]});
      if (found != slot_of.end() && p_.slots_[slot].varies) sine_[slot] = found->second;
    }
  }

  // The highest coefficient of its a-th argument that a slot needs for `order` of its own; -1 for
  // none.
  int needed(const TapeEntry& entry, std::size_t a, int order) const {
    switch (entry.instruction) {
      case Instruction::function:
        if (!tape_.is_partner(entry, a)) return order;
        return carries_partner(entry.op) ? -1 : order - 1;
      case Instruction::steady_power: return a == 1 ? 0 : order;
      case Instruction::varying_power:
        if (a >= 2) return 0;
        return a == 1 || order == 0 ? -1 : order;
      case Instruction::piecewise: return entry.op == Op::sign ? 0 : order;
      default: return order;
    }
  }

  // Calls visit(argument, order needed) for all that a slot needs.
  template <typename Visit>
  void for_each_need(std::uint32_t slot, Visit visit) const {
    const TapeEntry& entry = tape_.entries()[slot];
    const auto arguments = tape_.arguments(entry);
    const int order = p_.slots_[slot].order;
    if (const std::uint32_t sine = sine_[slot]; sine != no_slot) {
      visit(sine, order);
      visit(mate_[sine], order);
      return;
    }
    for (std::size_t a = 0; a < arguments.size(); ++a)
      if (const int wanted = needed(entry, a, order); wanted >= 0) visit(arguments[a], wanted);
    if (entry.instruction == Instruction::affine)
      for (const std::uint32_t factor : tape_.factors(entry))
        if (factor != no_slot) visit(factor, 0);
  }

  bool raise(std::uint32_t slot, int order) {
    Slot& raised = p_.slots_[slot];
    if (raised.order >= order) return false;
    raised.order = order;
    if (const std::uint32_t mate = mate_[slot]; order > 0 && raised.varies && mate != no_slot)
      raise(mate, order);
    return true;
  }

  // Orders flow from users to arguments. Partners and mates can stand after their users: then once
  // more.
  void find_orders(std::span<const Root> first, std::span<const Root> other) {
    for (const auto& roots : {first, other})
      for (const Root& root : roots) raise(tape_.slot(root.node), root.order);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t slot = static_cast<std::uint32_t>(p_.slots_.size()); slot-- > 0;) {
        if (p_.slots_[slot].order < 0) continue;
        for_each_need(slot, [&](std::uint32_t argument, int order) {
          changed = raise(argument, order) || changed;
        });
      }
    }
  }

  // Depth first, with a stack of our own: a slot is left when all that it needs has been.
  void emit_with_arguments(std::uint32_t root, Section section) {
    std::vector<std::pair<std::uint32_t, bool>> open = {{root, false}};
    while (!open.empty()) {
      const auto [slot, is_ready] = open.back();
      open.pop_back();
      if (p_.slots_[slot].section != Section::none) continue;
      if (is_ready) {
        emit(slot, section);
        continue;
      }
      open.push_back({slot, true});
      for_each_need(slot, [&](std::uint32_t argument, int) { open.push_back({argument, false}); });
    }
  }

  // Steady series are padded with zeros up to what users read of them.
  std::uint32_t place(int order) {
    const auto position = static_cast<std::uint32_t>(p_.table_.size());
    p_.table_.resize(p_.table_.size() + order + 1, 0.0);
    return position;
  }

  void emit(std::uint32_t slot, Section section) {
    Slot& s = p_.slots_[slot];
    s.section = s.varies ? section : Section::steady;
    s.position = place(s.order);
    const TapeEntry& entry = tape_.entries()[slot];
    if (is_leaf(entry.instruction))
      emit_leaf(entry, s);
    else if (s.varies)
      push_operation(slot);
    else
      p_.steady_operations_.push_back(operation(slot, 1));
  }

  void push_operation(std::uint32_t slot) {
    int level = 0;
    for_each_need(slot, [&](std::uint32_t argument, int) {
      level = std::max(level, level_of_slot_[argument] + 1);
    });
    level_of_slot_[slot] = level;
    levels_.push_back(level);
    p_.operations_.push_back(operation(slot, p_.slots_[slot].order + 1));
  }

  // Depth first, each operation waits for the one before it. Sorted by their distance from the
  // leaves, in windows that keep what belongs together in the cache, neighbours are independent,
  // and the processor overlaps them.
  void mix_independent(std::size_t first, std::size_t last) {
    constexpr std::size_t window = 128;
    for (; first < last; first += window) {
      const std::size_t end = std::min(first + window, last);
      std::vector<std::pair<int, Operation>> sorted;
      for (std::size_t k = first; k < end; ++k) sorted.push_back({levels_[k], p_.operations_[k]});
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t k = first; k < end; ++k) p_.operations_[k] = sorted[k - first].second;
    }
  }

  void emit_leaf(const TapeEntry& entry, const Slot& s) {
    switch (entry.instruction) {
      case Instruction::constant: p_.table_[s.position] = entry.number; break;
      case Instruction::parameter: p_.parameter_loads_.push_back({s.position, entry.index}); break;
      case Instruction::time:
        p_.time_positions_.push_back(s.position);
        if (s.order >= 1) p_.table_[s.position + 1] = 1.0;
        break;
      case Instruction::unknown: load(entry.index, 0, s); break;
      default: load(entry.index, static_cast<int>(entry.number), s); break;
    }
  }

  // (x^(q))_k = x^(q+k)/k! = (q+k)!/k! (x)_{q+k}
  void load(std::uint32_t unknown, int q, const Slot& s) {
    for (int k = 0; k <= s.order; ++k) {
      const double factor = given_ == Entries::derivatives ? 1.0 / taylor::factorial(k)
                                                           : taylor::rising_factorial(k, q);
      p_.loads_.push_back({s.position + static_cast<std::uint32_t>(k),
                           static_cast<std::uint32_t>(q + k) * num_unknowns_ + unknown, factor});
    }
  }

  Operation operation(std::uint32_t slot, int num_orders) {
    const TapeEntry& entry = tape_.entries()[slot];
    Operation operation;
    operation.num_orders = static_cast<std::uint32_t>(num_orders);
    operation.function = entry.op;
    operation.number = entry.number;
    operation.result[0] = p_.slots_[slot].position;
    const auto arguments = tape_.arguments(entry);
    if (entry.instruction == Instruction::affine)
      add_terms(entry, operation);
    else
      for (std::size_t a = 0; a < arguments.size(); ++a)
        operation.argument[a] = p_.slots_[arguments[a]].position;
    operation.kind = kind(slot, operation);
    operation.run = kernel_of(operation.kind, num_orders);
    return operation;
  }

  void add_terms(const TapeEntry& entry, Operation& operation) {
    operation.first_term = static_cast<std::uint32_t>(p_.terms_.size());
    operation.num_terms = entry.num_arguments;
    for (std::size_t a = 0; a < entry.num_arguments; ++a) {
      const double coefficient = tape_.coefficients(entry)[a];
      if (const std::uint32_t factor = tape_.factors(entry)[a]; factor != no_slot)
        p_.term_factors_.push_back({static_cast<std::uint32_t>(p_.terms_.size()),
                                    p_.slots_[factor].position, coefficient});
      p_.terms_.push_back({p_.slots_[tape_.arguments(entry)[a]].position, coefficient});
    }
  }

  bool is_steady_argument(const TapeEntry& entry, std::size_t a) const {
    return !p_.slots_[tape_.arguments(entry)[a]].varies;
  }

  // May arrange results and arguments as the kernel wants them.
  OperationKind kind(std::uint32_t slot, Operation& operation) {
    const TapeEntry& entry = tape_.entries()[slot];
    switch (entry.instruction) {
      case Instruction::affine:
        if (entry.num_arguments == 1) return OperationKind::scaled_sum;
        return entry.num_arguments == 2 ? OperationKind::sum_of_two : OperationKind::sum;
      case Instruction::multiply:
        if (is_steady_argument(entry, 1)) std::swap(operation.argument[0], operation.argument[1]);
        return is_steady_argument(entry, 0) || is_steady_argument(entry, 1)
                   ? OperationKind::scale
                   : OperationKind::multiply;
      case Instruction::square: return OperationKind::square;
      case Instruction::divide:
        return is_steady_argument(entry, 1) ? OperationKind::divide_by_steady
                                            : OperationKind::divide;
      case Instruction::power:
        if (entry.number == -1.0) return OperationKind::reciprocal;
        return entry.number == 0.5 ? OperationKind::square_root : OperationKind::power;
      case Instruction::steady_power: return OperationKind::steady_power;
      case Instruction::varying_power:
        operation.argument = {operation.argument[0], operation.argument[2], operation.argument[3]};
        return OperationKind::varying_power;
      case Instruction::piecewise: return piecewise_kind(entry.op);
      default: return function_kind(slot, operation);
    }
  }

  static OperationKind piecewise_kind(Op op) {
    switch (op) {
      case Op::abs: return OperationKind::absolute;
      case Op::sign: return OperationKind::sign;
      case Op::min: return OperationKind::minimum;
      default: return OperationKind::maximum;
    }
  }

  OperationKind function_kind(std::uint32_t slot, Operation& operation) {
    const Op op = tape_.entries()[slot].op;
    if (op == Op::atan2) return OperationKind::angle;
    if (const std::uint32_t sine = sine_[slot]; sine != no_slot) {
      operation.argument = {p_.slots_[sine].position, p_.slots_[mate_[sine]].position};
      return OperationKind::divide;
    }
    if (operation.num_orders == 1) return OperationKind::function;
    switch (op) {
      case Op::exp: return OperationKind::exponential;
      case Op::sin:
      case Op::cos: return pair_kind(slot, operation, OperationKind::sine_and_cosine);
      case Op::sinh:
      case Op::cosh: return pair_kind(slot, operation, OperationKind::hyperbolic_sine_and_cosine);
      case Op::tan: return with_partner(operation, OperationKind::tangent);
      case Op::tanh: return with_partner(operation, OperationKind::hyperbolic_tangent);
      default: return OperationKind::function;
    }
  }

  // Both slots get their series at once.
  OperationKind pair_kind(std::uint32_t slot, Operation& operation, OperationKind kind) {
    const std::uint32_t mate = mate_[slot];
    DAEDAL_CHECK(mate != no_slot && p_.slots_[mate].order == p_.slots_[slot].order);
    Slot& other = p_.slots_[mate];
    other.section = p_.slots_[slot].section;
    level_of_slot_[mate] = level_of_slot_[slot];
    other.position = place(other.order);
    operation.result[1] = other.position;
    const Op op = tape_.entries()[slot].op;
    if (op == Op::cos || op == Op::cosh) std::swap(operation.result[0], operation.result[1]);
    return kind;
  }

  OperationKind with_partner(Operation& operation, OperationKind kind) {
    operation.result[1] = place(static_cast<int>(operation.num_orders) - 1);
    return kind;
  }

  SeriesProgram& p_;
  const taylor::Tape& tape_;
  Entries given_;
  std::uint32_t num_unknowns_;
  std::size_t num_parameters_;
  std::vector<std::uint32_t> mate_;  // by slot
  std::vector<std::uint32_t> sine_;  // by slot of a tangent
  std::vector<int> level_of_slot_;   // longest way from a leaf
  std::vector<int> levels_;          // by operation
};

SeriesProgram::SeriesProgram(expr::Graph& graph, std::span<const Root> first_roots,
                             std::span<const Root> other_roots, Entries given)
    : tape_(graph, nodes_of(first_roots, other_roots), 1, taylor::Derivatives::given,
            taylor::LinearParts::drawn_together) {
  SeriesProgramBuilder(*this, graph, given).build(first_roots, other_roots);
}

void SeriesProgram::run(const ArrayPoint& point, Part part) {
  run_steady(point.parameters);
  double* table = table_.data();
  for (const Load& load : loads_) table[load.position] = load.factor * point.values[load.column];
  for (const std::uint32_t position : time_positions_) table[position] = point.time;
  const SumTerm* terms = terms_.data();
  const std::size_t count = num_operations(part);
  for (std::size_t k = 0; k < count; ++k) operations_[k].run(operations_[k], table, terms);
  last_part_ = part;
}

void SeriesProgram::run_steady(std::span<const double> parameters) {
  DAEDAL_CHECK(parameters.size() == parameters_.size());
  const std::size_t num_parameter_bytes = parameters.size() * sizeof(double);
  const bool is_same =
      generation_ > 0 && (parameters.empty() || std::memcmp(parameters.data(), parameters_.data(),
                                                            num_parameter_bytes) == 0);
  if (is_same) return;
  std::copy(parameters.begin(), parameters.end(), parameters_.begin());
  for (const ParameterLoad& load : parameter_loads_) table_[load.position] = parameters[load.index];
  for (const Operation& operation : steady_operations_)
    operation.run(operation, table_.data(), terms_.data());
  for (const TermFactor& f : term_factors_) terms_[f.term].factor = f.number * table_[f.position];
  ++generation_;
}

std::uint32_t SeriesProgram::position(NodeId root, int k) const {
  const Slot& slot = slots_[tape_.slot(root)];
  if (k > 0 && !slot.varies) return zero_position;
  DAEDAL_CHECK(k <= slot.order);
  return slot.position + static_cast<std::uint32_t>(k);
}

bool SeriesProgram::has_run(const Slot& slot) const {
  if (slot.section == Section::other) return last_part_ == Part::all_roots;
  return slot.section != Section::none;
}

bool SeriesProgram::is_finite(const Slot& slot) const {
  const double* first = table_.data() + slot.position;
  return std::all_of(first, first + slot.order + 1,
                     [](double value) { return std::isfinite(value); });
}

std::vector<NodeId> SeriesProgram::undefined_operations() const {
  std::vector<NodeId> found;
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (!has_run(slots_[slot]) || is_finite(slots_[slot])) continue;
    const TapeEntry& entry = tape_.entries()[slot];
    bool is_first = true;
    tape_.for_each_value_argument(entry, [&](std::uint32_t argument) {
      is_first = is_first && (!has_run(slots_[argument]) || is_finite(slots_[argument]));
    });
    if (is_first) found.push_back(entry.source);
  }
  return found;
}

SeriesProgram::Listing SeriesProgram::listing() const {
  Listing listing{.extents = {},
                  .table = table_,
                  .loads = loads_,
                  .parameter_loads = parameter_loads_,
                  .time_positions = time_positions_,
                  .steady_operations = steady_operations_,
                  .operations = operations_,
                  .terms = terms_,
                  .term_factors = term_factors_};
  for (const Slot& slot : slots_)
    if (slot.section != Section::none)
      listing.extents.push_back(
          {slot.position, static_cast<std::uint32_t>(slot.order) + 1, slot.varies});
  for (const Operation& operation : operations_)  // partners that are no slots of their own
    if (operation.kind == OperationKind::tangent ||
        operation.kind == OperationKind::hyperbolic_tangent)
      listing.extents.push_back({operation.result[1], operation.num_orders, true});
  return listing;
}

std::size_t SeriesProgram::num_bytes() const {
  const auto bytes = [](const auto& vector) { return vector.size() * sizeof(vector[0]); };
  return bytes(loads_) + bytes(parameter_loads_) + bytes(steady_operations_) + bytes(operations_) +
         bytes(terms_) + bytes(term_factors_) + bytes(table_);
}

}  // namespace daedal::reduce
