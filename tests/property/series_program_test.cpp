// A series program computes what the interpreter of tapes does, on random expressions of every
// operation, whatever orders its roots ask for.
#include "reduce/array/series_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "expr/partial.hpp"
#include "taylor/interpreter.hpp"
#include "taylor/rules.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::Op;

constexpr int num_unknowns = 3;
constexpr int highest_derivative = 2;  // in expressions
constexpr int highest_order = 10;      // of coefficients: beyond what is unrolled

class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {
    for (int j = 0; j < num_unknowns; ++j)
      unknowns_.push_back(graph.add_unknown("x" + std::to_string(j)));
    p_ = graph.add_parameter("p");
    q_ = graph.add_parameter("q");
  }

  Graph graph;

  int pick(int count) { return static_cast<int>(random_() % count); }
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  NodeId expression(int depth) {
    if (depth == 0) return leaf();
    const NodeId a = expression(depth - 1), b = expression(depth - 1);
    switch (pick(12)) {
      case 0: return graph.add(a, graph.scale(number(), b));
      case 1: return graph.multiply(a, b);
      case 2: return graph.divide(a, positive(b));
      case 3: return graph.power(positive(a), pick(2) == 0 ? 0.5 : -1.0);
      case 4: return graph.power(pick(2) == 0 ? positive(a) : a, 2 + pick(4));
      case 5: return graph.power(positive(a), 0.7 - 2 * pick(2));
      case 6: return graph.pow(positive(a), pick(2) == 0 ? p_ : b);
      case 7: return graph.binary(Op::atan2, a, positive(b));
      case 8: return graph.binary(pick(2) == 0 ? Op::min : Op::max, a, b);
      default: return function(a);
    }
  }

 private:
  NodeId leaf() {
    switch (pick(8)) {
      case 0: return graph.time();
      case 1: return p_;
      case 2: return graph.multiply(p_, graph.unary(Op::cos, q_));
      case 3: return graph.constant(number());
      default: {
        const NodeId x = unknowns_[pick(num_unknowns)];
        const int order = pick(highest_derivative + 1);
        return order == 0 ? x : graph.diff(x, order);
      }
    }
  }

  // 1.5 + sin(u)/2, between 1 and 2.
  NodeId positive(NodeId u) {
    return graph.add(graph.constant(1.5), graph.scale(0.5, graph.unary(Op::sin, u)));
  }

  // Arguments where the function is defined and its series tame.
  NodeId function(NodeId u) {
    constexpr Op all[] = {Op::exp,   Op::log,   Op::sin,  Op::cos,  Op::tan,  Op::asin,
                          Op::acos,  Op::atan,  Op::sinh, Op::cosh, Op::tanh, Op::asinh,
                          Op::acosh, Op::atanh, Op::erf,  Op::abs,  Op::sign};
    const Op op = all[pick(static_cast<int>(std::size(all)))];
    const NodeId bounded = graph.scale(0.5, graph.unary(Op::sin, u));
    if (op == Op::log || op == Op::acosh)
      return graph.unary(op, graph.add(graph.constant(2.0), bounded));
    return graph.unary(op, bounded);
  }

  std::mt19937 random_;
  std::vector<NodeId> unknowns_;
  NodeId p_, q_;
};

struct RandomPoint {
  double time = 0.3;
  std::vector<double> parameters = {0.8, -0.4};
  std::vector<double> derivatives;  // by order, then unknown

  explicit RandomPoint(RandomGraph& random) {
    for (int m = 0; m <= highest_order + highest_derivative; ++m)
      for (int j = 0; j < num_unknowns; ++j) derivatives.push_back(random.number());
  }
  // As coefficients.
  std::vector<double> coefficients() const {
    std::vector<double> result = derivatives;
    for (std::size_t k = 0; k < result.size(); ++k)
      result[k] /= taylor::factorial(static_cast<int>(k) / num_unknowns);
    return result;
  }
  taylor::SeriesPoint for_interpreter() const {
    return {time, parameters, [this](expr::UnknownId j, int m) {
              return derivatives[static_cast<std::size_t>(m) * num_unknowns + j.index()];
            }};
  }
};

void expect_same_series(const SeriesProgram& program, const taylor::Interpreter& interpreter,
                        const SeriesProgram::Root& root) {
  double size = 1.0;
  for (int k = 0; k <= root.order; ++k)
    size = std::max(size, std::abs(interpreter.coefficient(root.node, k)));
  for (int k = 0; k <= root.order; ++k) {
    const double found = program.table()[program.position(root.node, k)],
                 wanted = interpreter.coefficient(root.node, k);
    if (std::isfinite(wanted))  // 1e-12: rounding of a few hundred operations
      EXPECT_NEAR(found, wanted, 1e-12 * size) << "coefficient " << k << " of " << root.order;
    else  // towers of powers overflow now and then
      EXPECT_FALSE(std::isfinite(found));
  }
}

TEST(SeriesProgram, agrees_with_the_interpreter_on_random_expressions) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph random(seed);
    std::vector<SeriesProgram::Root> first, other;
    for (int k = 0; k < 3; ++k) {
      first.push_back({random.expression(3), random.pick(highest_order + 1)});
      other.push_back({random.expression(3), random.pick(highest_order + 1)});
    }
    const RandomPoint point(random);
    std::vector<NodeId> nodes;
    for (const auto& roots : {first, other})
      for (const auto& root : roots) nodes.push_back(root.node);
    const taylor::Tape tape(random.graph, nodes, highest_order);
    taylor::Interpreter interpreter(tape);
    interpreter.run(point.for_interpreter());

    SeriesProgram by_derivatives(random.graph, first, other, Entries::derivatives);
    by_derivatives.run({point.time, point.parameters, point.derivatives},
                       SeriesProgram::Part::first_roots);
    for (const auto& root : first) expect_same_series(by_derivatives, interpreter, root);
    by_derivatives.run({point.time, point.parameters, point.derivatives},
                       SeriesProgram::Part::all_roots);
    for (const auto& root : other) expect_same_series(by_derivatives, interpreter, root);

    const std::vector<double> coefficients = point.coefficients();
    SeriesProgram by_coefficients(random.graph, first, other, Entries::coefficients);
    by_coefficients.run({point.time, point.parameters, coefficients},
                        SeriesProgram::Part::all_roots);
    for (const auto& root : first) expect_same_series(by_coefficients, interpreter, root);
  }
}

TEST(SeriesProgram, follows_a_change_of_parameters) {
  RandomGraph random(1);
  Graph& g = random.graph;
  const NodeId p = g.node(expr::ParameterId(0)), x = g.node(expr::UnknownId(0));
  const NodeId factor = g.unary(Op::exp, p);
  const SeriesProgram::Root roots[] = {{g.multiply(factor, x), 1}, {factor, 1}};
  SeriesProgram program(g, roots, {}, Entries::derivatives);
  std::vector<double> parameters = {0.0, 0.0}, values = {2, 0, 0, 3, 0, 0};
  for (const double value : {0.0, 1.0, -2.0}) {
    parameters[0] = value;
    program.run({0.0, parameters, values}, SeriesProgram::Part::first_roots);
    EXPECT_DOUBLE_EQ(program.table()[program.position(roots[0].node, 0)], 2 * std::exp(value));
    EXPECT_DOUBLE_EQ(program.table()[program.position(roots[0].node, 1)], 3 * std::exp(value));
    EXPECT_DOUBLE_EQ(program.table()[program.position(factor, 0)], std::exp(value));
    EXPECT_EQ(program.table()[program.position(factor, 1)], 0.0);
  }
}

TEST(SeriesProgram, takes_tangents_from_sine_and_cosine_if_they_are_there) {
  RandomGraph random(1);
  Graph& g = random.graph;
  const NodeId x = g.node(expr::UnknownId(0));
  const SeriesProgram::Root roots[] = {{g.unary(Op::tan, x), 3}, {g.unary(Op::sin, x), 0}};
  const RandomPoint point(random);
  SeriesProgram program(g, roots, {}, Entries::derivatives);
  EXPECT_EQ(program.num_operations(SeriesProgram::Part::all_roots), 2U);
  program.run({point.time, point.parameters, point.derivatives}, SeriesProgram::Part::all_roots);
  const NodeId nodes[] = {roots[0].node};
  const taylor::Tape tape(g, nodes, 3);
  taylor::Interpreter interpreter(tape);
  interpreter.run(point.for_interpreter());
  expect_same_series(program, interpreter, roots[0]);
}

TEST(SeriesProgram, names_the_operation_that_is_not_defined_and_not_its_users) {
  RandomGraph random(1);
  Graph& g = random.graph;
  const NodeId x = g.node(expr::UnknownId(0));
  const NodeId root_of_x = g.power(x, 0.5);
  const SeriesProgram::Root first[] = {{g.unary(Op::exp, root_of_x), 1}};
  const SeriesProgram::Root other[] = {{g.unary(Op::log, x), 1}};
  SeriesProgram program(g, first, other, Entries::derivatives);
  const std::vector<double> parameters = {0, 0};
  const std::vector<double> outside = {-1, 0, 0, 1, 0, 0}, boundary = {0, 0, 0, 1, 0, 0},
                            inside = {1, 0, 0, 1, 0, 0};
  for (const auto& values : {outside, boundary}) {
    program.run({0.0, parameters, values}, SeriesProgram::Part::first_roots);
    EXPECT_EQ(program.undefined_operations(), std::vector<NodeId>{root_of_x});
    program.run({0.0, parameters, values}, SeriesProgram::Part::all_roots);
    EXPECT_EQ(program.undefined_operations().size(), 2U + (values[0] == 0.0 ? 1 : 0));
  }
  program.run({0.0, parameters, inside}, SeriesProgram::Part::all_roots);
  EXPECT_TRUE(program.undefined_operations().empty());
}

}  // namespace
}  // namespace daedal::reduce
