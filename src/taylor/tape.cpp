#include "taylor/tape.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "taylor/linear_forms.hpp"

namespace daedal::taylor {

using expr::Graph;
using expr::Op;

namespace {

constexpr int largest_unrolled_exponent =
    1024;  // x^n by repeated squaring up to here, defined at x = 0 as well

bool is_small_integer(double value) {
  return value == std::floor(value) && std::abs(value) <= largest_unrolled_exponent;
}

}  // namespace

class TapeBuilder {
 public:
  TapeBuilder(Tape& tape, Graph& graph, Derivatives derivatives)
      : tape_(tape), graph_(graph), derivatives_(derivatives) {}

  void build(std::span<const NodeId> roots, int order, LinearParts linear_parts) {
    const std::vector<NodeId> needed = with_partners(roots);
    tape_.slot_of_node_.assign(graph_.size(), no_slot);
    for (const NodeId node : needed) tape_.slot_of_node_[node.index()] = lower(node);
    resolve_partners();
    if (linear_parts == LinearParts::drawn_together) fuse(roots);
    find_lags();
    find_orders(roots, order);
    tape_.slot_of_node_.resize(graph_.size(), no_slot);
  }

 private:
  // d/dt f(u) = f'(u) u': the function rule needs f'(u) as a series of its own. Adds those nodes
  // until none is missing.
  std::vector<NodeId> with_partners(std::span<const NodeId> roots) {
    std::vector<NodeId> all(roots.begin(), roots.end());
    partner_.clear();
    std::vector<NodeId> nodes;
    for (std::size_t before = 0;;) {
      nodes = expr::reachable(graph_, all);
      partner_.resize(graph_.size());
      for (const NodeId node : nodes) {
        if (!expr::is_unary_function(graph_.op(node)) || expr::is_piecewise(graph_.op(node)))
          continue;
        if (partner_[node.index()].is_set()) continue;
        const NodeId partner = partner_of(node);
        partner_.resize(graph_.size());
        partner_[node.index()] = partner;
        all.push_back(partner);
      }
      if (all.size() == before) return nodes;
      before = all.size();
    }
  }

  // f'(u). For tanh the one without cosh(u), which overflows where tanh is simply 1.
  NodeId partner_of(NodeId node) {
    if (graph_.op(node) != Op::tanh) return expr::local_partials(graph_, node)[0];
    return graph_.subtract(graph_.constant(1.0), graph_.power(node, 2.0));
  }

  std::uint32_t push(TapeEntry entry, std::span<const std::uint32_t> arguments) {
    entry.first_argument = static_cast<std::uint32_t>(tape_.data_.arguments.size());
    entry.num_arguments = static_cast<std::uint32_t>(arguments.size());
    tape_.data_.arguments.insert(tape_.data_.arguments.end(), arguments.begin(), arguments.end());
    tape_.data_.entries.push_back(entry);
    return static_cast<std::uint32_t>(tape_.data_.entries.size() - 1);
  }

  std::uint32_t push(Instruction instruction, NodeId source,
                     std::initializer_list<std::uint32_t> arguments) {
    return push({.instruction = instruction, .op = graph_.op(source), .source = source},
                {arguments.begin(), arguments.size()});
  }

  std::uint32_t argument_slot(NodeId node, std::size_t k) const {
    return tape_.slot_of_node_[graph_.arguments(node)[k].index()];
  }

  std::uint32_t lower(NodeId node) {
    switch (graph_.op(node)) {
      case Op::constant:
        return push(
            {.instruction = Instruction::constant, .source = node, .number = graph_.number(node)},
            {});
      case Op::parameter:
        return lower_leaf(Instruction::parameter, node, graph_.parameter(node).value);
      case Op::time: return lower_leaf(Instruction::time, node, 0);
      case Op::unknown: return lower_leaf(Instruction::unknown, node, graph_.unknown(node).value);
      case Op::diff: return lower_diff(node);
      case Op::affine: return lower_affine(node);
      case Op::product: return lower_product(node);
      case Op::quotient:
        return push(Instruction::divide, node, {argument_slot(node, 0), argument_slot(node, 1)});
      case Op::power: return lower_power(node);
      case Op::pow: return lower_pow(node);
      case Op::atan2: return lower_atan2(node);
      case Op::abs:
      case Op::sign: return push(Instruction::piecewise, node, {argument_slot(node, 0)});
      case Op::min:
      case Op::max:
        return push(Instruction::piecewise, node, {argument_slot(node, 0), argument_slot(node, 1)});
      default: return push(Instruction::function, node, {argument_slot(node, 0), no_slot});
    }
  }

  std::uint32_t lower_leaf(Instruction instruction, NodeId node, std::uint32_t index) {
    return push({.instruction = instruction, .source = node, .index = index}, {});
  }

  std::uint32_t lower_diff(NodeId node) {
    const NodeId inner = graph_.arguments(node)[0];
    if (graph_.op(inner) == Op::unknown && derivatives_ == Derivatives::given)
      return push({.instruction = Instruction::derivative,
                   .source = node,
                   .index = graph_.unknown(inner).value,
                   .number = static_cast<double>(graph_.order(node))},
                  {});
    const std::uint32_t argument = argument_slot(node, 0);
    return push({.instruction = Instruction::shift,
                 .source = node,
                 .index = static_cast<std::uint32_t>(graph_.order(node))},
                {&argument, 1});
  }

  std::uint32_t lower_affine(NodeId node) {
    std::vector<std::uint32_t> slots;
    for (std::size_t k = 0; k < graph_.arguments(node).size(); ++k)
      slots.push_back(argument_slot(node, k));
    const auto coefficients = graph_.coefficients(node);
    const auto first = static_cast<std::uint32_t>(tape_.data_.coefficients.size());
    tape_.data_.coefficients.insert(tape_.data_.coefficients.end(), coefficients.begin(),
                                    coefficients.end());
    tape_.data_.factors.resize(tape_.data_.coefficients.size(), no_slot);
    return push({.instruction = Instruction::affine,
                 .source = node,
                 .first_coefficient = first,
                 .number = graph_.number(node)},
                slots);
  }

  std::uint32_t lower_product(NodeId node) {
    std::uint32_t slot = argument_slot(node, 0);
    for (std::size_t k = 1; k < graph_.arguments(node).size(); ++k)
      slot = push(Instruction::multiply, node, {slot, argument_slot(node, k)});
    return slot;
  }

  std::uint32_t lower_power(NodeId node) {
    const double exponent = graph_.number(node);
    const std::uint32_t base = argument_slot(node, 0);
    if (!is_small_integer(exponent) || exponent < 0)
      return push({.instruction = Instruction::power, .source = node, .number = exponent},
                  {&base, 1});
    return lower_integer_power(node, base, static_cast<int>(exponent));
  }

  // x^n by squaring from the highest bit down.
  std::uint32_t lower_integer_power(NodeId node, std::uint32_t base, int exponent) {
    int bit = 1;
    while (2 * bit <= exponent) bit *= 2;
    std::uint32_t slot = base;
    for (bit /= 2; bit > 0; bit /= 2) {
      slot = push(Instruction::square, node, {slot});
      if ((exponent & bit) != 0) slot = push(Instruction::multiply, node, {slot, base});
    }
    return slot;
  }

  // u^v. With an exponent that does not vary, T-pow, defined for negative u and integer v, too.
  // Else exp(v log u): log u has the partner 1/u, exp is its own.
  std::uint32_t lower_pow(NodeId node) {
    const std::uint32_t base = argument_slot(node, 0), exponent = argument_slot(node, 1);
    if (!graph_.varies(graph_.arguments(node)[1]))
      return push(Instruction::steady_power, node, {base, exponent});
    const std::uint32_t reciprocal =
        push({.instruction = Instruction::power, .source = node, .number = -1.0}, {&base, 1});
    const std::uint32_t log_arguments[] = {base, reciprocal};
    const std::uint32_t log =
        push({.instruction = Instruction::function, .op = Op::log, .source = node}, log_arguments);
    const std::uint32_t product = push(Instruction::multiply, node, {exponent, log});
    const auto self = static_cast<std::uint32_t>(tape_.data_.entries.size());
    return push(Instruction::varying_power, node, {product, self, base, exponent});
  }

  // The angle w of (x, y): w' = (x y' - y x')/(x^2 + y^2), so w is the sum of two function-like
  // rules with partners x/r2 and -y/r2; interpreter.cpp adds both contributions.
  std::uint32_t lower_atan2(NodeId node) {
    const std::uint32_t y = argument_slot(node, 0), x = argument_slot(node, 1);
    const std::uint32_t y2 = push(Instruction::square, node, {y});
    const std::uint32_t x2 = push(Instruction::square, node, {x});
    const auto first = static_cast<std::uint32_t>(tape_.data_.coefficients.size());
    tape_.data_.coefficients.insert(tape_.data_.coefficients.end(), {1.0, 1.0});
    tape_.data_.factors.resize(tape_.data_.coefficients.size(), no_slot);
    const std::uint32_t squares[] = {x2, y2};
    const std::uint32_t r2 = push(
        {.instruction = Instruction::affine, .source = node, .first_coefficient = first}, squares);
    const std::uint32_t by_y = push(Instruction::divide, node, {x, r2});
    const std::uint32_t minus_by_x = push(Instruction::divide, node, {y, r2});
    return push(Instruction::function, node, {y, by_y, x, minus_by_x});
  }

  void fuse(std::span<const NodeId> roots) {
    std::vector<std::uint32_t> slots;
    for (const NodeId root : roots) slots.push_back(tape_.slot(root));
    LinearForms fused = with_linear_forms(tape_.data_, slots);
    tape_.data_ = std::move(fused.tape);
    for (std::uint32_t& slot : tape_.slot_of_node_)
      if (slot != no_slot) slot = fused.slot_of[slot];
  }

  void resolve_partners() {
    for (TapeEntry& entry : tape_.data_.entries) {
      if (entry.instruction != Instruction::function) continue;
      std::uint32_t& slot = tape_.data_.arguments[entry.first_argument + 1];
      if (slot == no_slot) slot = tape_.slot_of_node_[partner_[entry.source.index()].index()];
      DAEDAL_CHECK(slot != no_slot);
    }
  }

  // A partner lags exactly as its function does (both are functions of the same argument), so it is
  // passed over here.
  void find_lags() {
    for (TapeEntry& entry : tape_.data_.entries) {
      tape_.for_each_value_argument(entry, [&](std::uint32_t slot) {
        entry.lag = std::max(entry.lag, tape_.data_.entries[slot].lag);
      });
      if (entry.instruction == Instruction::shift) entry.lag += static_cast<int>(entry.index);
    }
  }

  // How many coefficients an entry needs of its a-th argument, if it is asked for `order` itself.
  static int needed(const TapeEntry& entry, std::size_t a) {
    switch (entry.instruction) {
      case Instruction::shift: return entry.order + static_cast<int>(entry.index);
      case Instruction::function: return a % 2 == 1 ? entry.order - 1 : entry.order;
      case Instruction::steady_power: return a == 1 ? 0 : entry.order;
      case Instruction::varying_power:  // its value comes from base and exponent themselves
        if (a >= 2) return 0;
        return entry.order == 0 ? -1 : entry.order - (a == 1 ? 1 : 0);
      default: return entry.order;
    }
  }

  bool raise(std::uint32_t slot, int order) {
    TapeEntry& entry = tape_.data_.entries[slot];
    if (entry.order >= order) return false;
    entry.order = order;
    return true;
  }

  // Orders flow from users to arguments; partners can stand after their users, so repeat until
  // nothing changes (at most as often as functions are nested in partners, which is once or twice).
  void find_orders(std::span<const NodeId> roots, int order) {
    std::vector<TapeEntry>& entries = tape_.data_.entries;
    for (TapeEntry& entry : entries) entry.order = -1;
    for (const NodeId root : roots) entries[tape_.slot(root)].order = order;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = entries.size(); k-- > 0;) {
        if (entries[k].order < 0) continue;
        const auto slots = tape_.arguments(entries[k]);
        if (entries[k].instruction == Instruction::affine)
          for (const std::uint32_t factor : tape_.factors(entries[k]))
            changed = (factor != no_slot && raise(factor, 0) && factor > k) || changed;
        for (std::size_t a = 0; a < slots.size(); ++a) {
          const int wanted = needed(entries[k], a);
          changed = (raise(slots[a], wanted) && slots[a] > k) || changed;
        }
      }
    }
    for (const TapeEntry& entry : entries)
      if (entry.order >= 0)
        tape_.num_sweeps_ = std::max(tape_.num_sweeps_, entry.order + entry.lag + 1);
  }

  Tape& tape_;
  Graph& graph_;
  Derivatives derivatives_;
  std::vector<NodeId> partner_;  // of function nodes
};

Tape::Tape(Graph& graph, std::span<const NodeId> roots, int order, Derivatives derivatives,
           LinearParts linear_parts) {
  TapeBuilder(*this, graph, derivatives).build(roots, order, linear_parts);
}

void Tape::renumber(std::span<const std::uint32_t> order, std::span<const std::uint32_t> number) {
  std::vector<TapeEntry> entries;
  for (const std::uint32_t slot : order) entries.push_back(data_.entries[slot]);
  data_.entries = std::move(entries);
  for (std::uint32_t& slot : data_.arguments) slot = number[slot];
  for (auto* slots : {&data_.factors, &slot_of_node_})
    for (std::uint32_t& slot : *slots)
      if (slot != no_slot) slot = number[slot];
}

}  // namespace daedal::taylor
