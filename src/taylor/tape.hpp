// A graph lowered to a linear program on Taylor series: one instruction per slot, arguments before
// users (the partner of a function rule excepted, which is needed at lower orders only).
//
// Diff makes a slot lag: coefficient m of d^k u/dt^k needs coefficient m+k of u. In sweep s
// the coefficient s - lag of every slot is computed, so that one loop over sweeps and slots
// evaluates everything in a valid order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::taylor {

using expr::NodeId;

enum class Instruction : std::uint8_t {
  constant,   // number
  parameter,  // index: ParameterId
  time,
  unknown,        // index: UnknownId
  derivative,     // index: UnknownId, number: order; an unknown's derivative is given, not computed
  shift,          // d^k/dt^k, k = index
  affine,         // number + sum coefficients * factors * arguments; factors are slots or none
  multiply,       // argument 0 * argument 1
  square,         // argument 0 squared
  divide,         // argument 0 / argument 1
  power,          // argument 0 ^ number
  steady_power,   // argument 0 ^ argument 1, the exponent independent of time
  varying_power,  // argument 2 ^ argument 3 = exp(argument 0), argument 1 = the slot itself
  function,       // f(argument 0), argument 1 = slot of f'(argument 0); op says which f
  piecewise,      // abs, sign, min, max: one branch of its arguments, chosen by their values
};

struct TapeEntry {
  Instruction instruction;
  expr::Op op = expr::Op::constant;  // function, piecewise
  NodeId source;                     // graph node that this slot computes, or a part of
  std::uint32_t index = 0;
  std::uint32_t first_argument = 0;
  std::uint32_t num_arguments = 0;
  std::uint32_t first_coefficient = 0;
  int lag = 0;    // of differentiation below this slot
  int order = 0;  // highest coefficient needed
  double number = 0.0;
};

// What the derivative of an unknown is: a leaf whose values are given, or a shift of the unknown's
// own series.
enum class Derivatives { given, shifted };

// Whether sums of scaled sums become one (linear_forms.hpp). Then some nodes have no slot.
enum class LinearParts { as_recorded, drawn_together };

inline constexpr std::uint32_t no_slot = 0xffffffffU;

// The program itself. arguments, coefficients and factors are pools; an entry has a range of each.
struct TapeData {
  std::vector<TapeEntry> entries;
  std::vector<std::uint32_t> arguments;
  std::vector<double> coefficients;
  std::vector<std::uint32_t> factors;  // matching the coefficients: constant slots or no_slot
};

class Tape {
 public:
  // Lowers what `roots` need, each up to its own `order` (0: values only). May add partner nodes to
  // the graph.
  Tape(expr::Graph& graph, std::span<const NodeId> roots, int order, Derivatives derivatives,
       LinearParts linear_parts);
  Tape(expr::Graph& graph, std::span<const NodeId> roots, int order);

  std::span<const TapeEntry> entries() const { return data_.entries; }
  std::span<const std::uint32_t> arguments(const TapeEntry& entry) const {
    return {data_.arguments.data() + entry.first_argument, entry.num_arguments};
  }
  std::span<const double> coefficients(const TapeEntry& entry) const {
    return {data_.coefficients.data() + entry.first_coefficient, entry.num_arguments};
  }
  std::span<const std::uint32_t> factors(const TapeEntry& entry) const {
    return {data_.factors.data() + entry.first_coefficient, entry.num_arguments};
  }
  // Is the a-th argument the series of a derivative, which the rule needs at lower orders only?
  static bool is_partner(const TapeEntry& entry, std::size_t a) {
    return (entry.instruction == Instruction::function && a % 2 == 1) ||
           (entry.instruction == Instruction::varying_power && a == 1);
  }
  // Calls visit(slot) for the arguments that are values.
  template <typename Visit>
  void for_each_value_argument(const TapeEntry& entry, Visit visit) const {
    const auto slots = arguments(entry);
    for (std::size_t a = 0; a < slots.size(); ++a)
      if (!is_partner(entry, a)) visit(slots[a]);
  }
  std::uint32_t slot(NodeId node) const { return slot_of_node_[node.index()]; }
  bool has_slot(NodeId node) const {
    return node.index() < slot_of_node_.size() && slot_of_node_[node.index()] != no_slot;
  }
  int num_sweeps() const { return num_sweeps_; }
  bool depends_on_time() const {
    return std::ranges::any_of(
        data_.entries, [](const auto& entry) { return entry.instruction == Instruction::time; });
  }

  // Puts slot order[k] into place k; number[] is the inverse. Afterwards users may stand before
  // their arguments, and only a schedule says what can be computed when.
  void renumber(std::span<const std::uint32_t> order, std::span<const std::uint32_t> number);

 private:
  friend class TapeBuilder;
  TapeData data_;
  std::vector<std::uint32_t> slot_of_node_;
  int num_sweeps_ = 0;
};

}  // namespace daedal::taylor
