// Bytes are a program that records an expression; what simplifying, collecting terms and drawing
// linear parts together make of it must have the same value.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "expr/collect_terms.hpp"
#include "expr/evaluate.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "expr/write_out.hpp"
#include "fuzz/enclosure.hpp"
#include "fuzz/expect.hpp"
#include "taylor/interpreter.hpp"

namespace daedal::fuzz {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

// Some coefficients cancel up to rounding (0.1 + 0.2 - 0.3), some exactly.
constexpr std::array<double, 16> numbers = {0,    1, -1,   2,   -2,  0.5,  0.1, 0.2,
                                            -0.3, 3, 1e-3, 1e3, 1.5, -0.5, 7,   1e8};
constexpr std::array<double, 12> exponents = {2, 3, -1, 0.5, -2, 1.5, -0.5, 4, -3, 1.0 / 3, 0, 1};
constexpr int num_unknowns = 4;
constexpr int num_parameters = 2;
constexpr std::size_t max_operations = 60;

struct Recorded {
  NodeId node;
  Enclosure value;
};

class Recorder {
 public:
  Recorder(Graph& graph, std::span<const std::uint8_t> program) : graph_(graph), rest_(program) {}

  // The last result, or nothing if the program is empty.
  Recorded run() {
    add_leaves();
    for (std::size_t k = 0; k < max_operations && !rest_.empty(); ++k)
      pool_.push_back(operate(next()));
    return pool_.back();
  }

  expr::Point point() const {
    return {
        .time = time_, .parameters = parameters_, .unknown = [this](expr::UnknownId id, int order) {
          return unknowns_[id.index()][static_cast<std::size_t>(std::min(order, 2))];
        }};
  }

 private:
  std::uint8_t next() {
    if (rest_.empty()) return 0;
    const std::uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    return byte;
  }
  double next_number() { return numbers[next() % numbers.size()]; }
  // Small numbers, so that differences of them can be exact or cancel.
  double next_value() { return (static_cast<int>(next()) - 128) / 64.0; }
  // Counted from the end: programs stay meaningful when something is put in before.
  const Recorded& pick() { return pool_[pool_.size() - 1 - next() % pool_.size()]; }

  void add_leaves() {
    time_ = next_value();
    pool_.push_back({graph_.time(), Enclosure::of(time_)});
    for (double& parameter : parameters_) {
      parameter = next_value();
      pool_.push_back({graph_.add_parameter("p"), Enclosure::of(parameter)});
    }
    for (std::array<double, 3>& unknown : unknowns_) {
      for (double& value : unknown) value = next_value();
      const NodeId node = graph_.add_unknown("x");
      for (int order = 0; order < 3; ++order)
        pool_.push_back({order == 0 ? node : graph_.diff(node, order),
                         Enclosure::of(unknown[static_cast<std::size_t>(order)])});
    }
  }

  static constexpr std::array<Op, 19> functions = {
      Op::exp,  Op::log,  Op::sin,  Op::cos,      Op::tan,        Op::asin,  Op::acos,
      Op::atan, Op::sinh, Op::cosh, Op::tanh,     Op::asinh,      Op::acosh, Op::atanh,
      Op::erf,  Op::abs,  Op::sign, Op::positive, Op::nonnegative};

  Recorded operate(std::uint8_t code) {
    switch (code % 16) {
      case 0: return constant(next_number());
      case 1: return sum(pick(), 1, pick());
      case 2: return sum(pick(), -1, pick());
      case 3: return product(pick(), pick());
      case 4: return quotient(pick(), pick());
      case 5: return scaled(next_number(), pick());
      case 6: return raised(pick(), exponents[next() % exponents.size()]);
      case 7: return general_power(pick(), pick());
      case 8: return negated(pick());
      case 9:
      case 10: return function(functions[next() % functions.size()], pick());
      case 11: return binary(next(), pick(), pick());
      case 12: return choice(pick(), pick(), pick());
      case 13: return affine();
      case 14: return many_factors();
      default: return condition(pick(), pick());
    }
  }

  Recorded constant(double value) { return {graph_.constant(value), Enclosure::of(value)}; }
  Recorded sum(const Recorded& a, double sign, const Recorded& b) {
    return {sign > 0 ? graph_.add(a.node, b.node) : graph_.subtract(a.node, b.node),
            a.value + Enclosure::of(sign) * b.value};
  }
  Recorded product(const Recorded& a, const Recorded& b) {
    return {graph_.multiply(a.node, b.node), a.value * b.value};
  }
  Recorded quotient(const Recorded& a, const Recorded& b) {
    return {graph_.divide(a.node, b.node), a.value * reciprocal(b.value)};
  }
  Recorded scaled(double factor, const Recorded& a) {
    return {graph_.scale(factor, a.node), Enclosure::of(factor) * a.value};
  }
  Recorded negated(const Recorded& a) {
    return {graph_.negate(a.node), Enclosure::of(-1) * a.value};
  }
  Recorded raised(const Recorded& a, double exponent) {
    const Enclosure value = exponent == 0 ? Enclosure::of(1) : power(a.value, exponent);
    return {graph_.power(a.node, exponent), value};
  }
  Recorded general_power(const Recorded& a, const Recorded& b) {
    return {graph_.pow(a.node, b.node), pow(a.value, b.value)};
  }
  Recorded function(Op op, const Recorded& a) {
    return {graph_.unary(op, a.node), unary(op, a.value)};
  }
  Recorded binary(std::uint8_t code, const Recorded& a, const Recorded& b) {
    switch (code % 3) {
      case 0: return {graph_.binary(Op::atan2, a.node, b.node), atan2(a.value, b.value)};
      case 1: return {graph_.binary(Op::min, a.node, b.node), minimum(a.value, b.value)};
      default: return {graph_.binary(Op::max, a.node, b.node), maximum(a.value, b.value)};
    }
  }
  // A condition is a relation, or a product of such.
  Recorded condition(const Recorded& a, const Recorded& b) {
    const Recorded first = function(Op::positive, a), second = function(Op::nonnegative, b);
    return product(first, second);
  }
  Recorded choice(const Recorded& test, const Recorded& then, const Recorded& otherwise) {
    const Recorded holds = function(Op::positive, test);
    return {graph_.select(holds.node, then.node, otherwise.node),
            select(holds.value, then.value, otherwise.value)};
  }
  Recorded affine() {
    const double first = next_number();
    Enclosure value = Enclosure::of(first);
    std::vector<double> coefficients;
    std::vector<NodeId> arguments;
    for (int k = next() % 6; k > 0; --k) {
      const Recorded& term = pick();
      coefficients.push_back(next_number());
      arguments.push_back(term.node);
      value = value + Enclosure::of(coefficients.back()) * term.value;
    }
    return {graph_.affine(first, coefficients, arguments), value};
  }
  Recorded many_factors() {
    std::vector<NodeId> arguments;
    Enclosure value = Enclosure::of(1);
    for (int k = next() % 5; k >= 0; --k) {
      const Recorded& factor = pick();
      arguments.push_back(factor.node);
      value = value * factor.value;
    }
    return {graph_.product(arguments), value};
  }

  Graph& graph_;
  std::span<const std::uint8_t> rest_;
  std::vector<Recorded> pool_;
  double time_ = 0;
  std::array<double, num_parameters> parameters_ = {};
  std::array<std::array<double, 3>, num_unknowns> unknowns_ = {};
};

// The values of all nodes below a root.
class GraphEnclosure {
 public:
  GraphEnclosure(const Graph& graph, const expr::Point& point) : graph_(graph), point_(point) {}

  Enclosure of(NodeId root) {
    values_.clear();
    for (std::size_t k = 0; k <= root.index(); ++k) values_.push_back(value_of(NodeId(k)));
    return values_.back();
  }

 private:
  Enclosure argument(NodeId node, std::size_t k) const {
    return values_[graph_.arguments(node)[k].index()];
  }

  Enclosure value_of(NodeId node) const {
    const Op op = graph_.op(node);
    switch (op) {
      case Op::constant:
        return widened(graph_.number(node), graph_.number(node), std::abs(graph_.number(node)));
      case Op::parameter: return Enclosure::of(point_.parameters[graph_.parameter(node).index()]);
      case Op::time: return Enclosure::of(point_.time);
      case Op::unknown: return Enclosure::of(point_.unknown(graph_.unknown(node), 0));
      case Op::diff: return derivative(node);
      case Op::affine: return affine(node);
      case Op::product: return product(node);
      case Op::quotient: return argument(node, 0) * reciprocal(argument(node, 1));
      case Op::power: return power(argument(node, 0), graph_.number(node));
      case Op::pow: return pow(argument(node, 0), argument(node, 1));
      case Op::atan2: return atan2(argument(node, 0), argument(node, 1));
      case Op::min: return minimum(argument(node, 0), argument(node, 1));
      case Op::max: return maximum(argument(node, 0), argument(node, 1));
      case Op::select: return select(argument(node, 0), argument(node, 1), argument(node, 2));
      default: return unary(op, argument(node, 0));
    }
  }
  Enclosure derivative(NodeId node) const {
    const NodeId inner = graph_.arguments(node)[0];
    if (graph_.op(inner) != Op::unknown) return Enclosure::unknown();
    return Enclosure::of(point_.unknown(graph_.unknown(inner), graph_.order(node)));
  }
  Enclosure affine(NodeId node) const {
    const double number = graph_.number(node);
    Enclosure sum = widened(number, number, std::abs(number));
    const auto coefficients = graph_.coefficients(node);
    for (std::size_t k = 0; k < coefficients.size(); ++k)
      sum = sum + Enclosure::of(coefficients[k]) * argument(node, k);
    return sum;
  }
  Enclosure product(NodeId node) const {
    Enclosure result = Enclosure::of(1);
    for (std::size_t k = 0; k < graph_.arguments(node).size(); ++k)
      result = result * argument(node, k);
    return result;
  }

  const Graph& graph_;
  const expr::Point& point_;
  std::vector<Enclosure> values_;
};

std::string text_of(const char* who, const Graph& graph, NodeId root, double value,
                    const Enclosure& expected) {
  char figures[160];
  std::snprintf(figures, sizeof figures, " = %.17g, expected within [%.17g, %.17g]: ", value,
                expected.low, expected.high);
  return who + std::string(figures) + expr::to_text(graph, root, 2000);
}

// One form of the expression: its own enclosure meets the expected one, and its value lies in it.
void expect_same(const char* who, const Graph& graph, NodeId root, const expr::Point& point,
                 const Enclosure& expected) {
  const double value = expr::Evaluator(graph).value(root, point);
  if (!expected.is_known()) return;
  const Enclosure own = GraphEnclosure(graph, point).of(root);
  if (!own.is_known()) return;
  if (!own.meets(expected) || !own.contains(value))
    fail(text_of(who, graph, root, value, expected));
}

bool has_conditions(const Graph& graph) {
  for (std::size_t k = 0; k < graph.size(); ++k)
    if (graph.op(NodeId(k)) >= Op::positive) return true;
  return false;
}

// Series of a graph without conditions, which modes decide.
void expect_same_series(Graph& graph, NodeId root, const expr::Point& point,
                        const Enclosure& expected) {
  if (has_conditions(graph)) return;
  const taylor::Tape tape(graph, {&root, 1}, 0, taylor::Derivatives::given,
                          taylor::LinearParts::drawn_together);
  taylor::Interpreter interpreter(tape);
  interpreter.run({point.time, point.parameters, point.unknown});
  const double value = interpreter.coefficient(root);
  const Enclosure own = GraphEnclosure(graph, point).of(root);
  if (!expected.is_known() || !own.is_known()) return;
  const Enclosure either = hull_of({own.low, own.high, expected.low, expected.high}, own.magnitude);
  if (!either.contains(value)) fail(text_of("linear forms", graph, root, value, expected));
}

void check(std::span<const std::uint8_t> program) {
  Graph graph;
  Recorder recorder(graph, program);
  const Recorded made = recorder.run();
  const expr::Point point = recorder.point();
  expect_same("recorded", graph, made.node, point, made.value);
  expr::Simplified simplified = expr::simplify(graph, {&made.node, 1});
  expect_same("simplified", *simplified.graph, simplified.roots[0], point, made.value);
  for (const bool multiplies_out : {false, true}) {
    const expr::Simplified collected = expr::collect_terms(graph, {&made.node, 1}, multiplies_out);
    expect_same(multiplies_out ? "multiplied out" : "collected", *collected.graph,
                collected.roots[0], point, made.value);
  }
  expect_same_series(*simplified.graph, simplified.roots[0], point, made.value);
}

}  // namespace
}  // namespace daedal::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  daedal::fuzz::check({bytes, size});
  return 0;
}
