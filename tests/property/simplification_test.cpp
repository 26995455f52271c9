// Simplification never changes values: random expressions evaluated as recorded step by step in
// plain doubles, in the graph, and in the simplified graph.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "expr/evaluate.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"

namespace daedal::expr {
namespace {

// A value together with a bound of the rounding error that any order of evaluation may commit.
struct Rounded {
  double value = 0.0;
  double error = 0.0;
};

constexpr double eps = 1.2e-16;

Rounded with_rounding(double value, double propagated) {
  return {value, propagated + 4 * eps * std::abs(value)};
}

Rounded operator+(Rounded a, Rounded b) {
  // Cancelled coefficients may be dropped at rounding level, so the bound counts the terms, not
  // their sum.
  return {a.value + b.value, a.error + b.error + 4 * eps * (std::abs(a.value) + std::abs(b.value))};
}
Rounded operator*(Rounded a, Rounded b) {
  return with_rounding(a.value * b.value, a.error * std::abs(b.value) +
                                              b.error * std::abs(a.value) + a.error * b.error);
}

// z = f(a) with the slope bounded by differences around a: good for the smooth functions below.
template <typename F>
Rounded smooth(F f, Rounded a) {
  const double reach = a.error + 1e-9 * (1 + std::abs(a.value));
  const double slope =
      (std::abs(f(a.value + reach) - f(a.value)) + std::abs(f(a.value) - f(a.value - reach))) /
      reach;
  return with_rounding(f(a.value), a.error * (slope + 1));
}

struct Recorded {
  NodeId node;
  Rounded value;
};

class RandomExpression {
 public:
  RandomExpression(Graph& graph, std::mt19937& random) : graph_(graph), random_(random) {
    for (int k = 0; k < 4; ++k) {
      const double value = std::uniform_real_distribution<>(-2, 2)(random);
      values.push_back(value);
      pool_.push_back({graph.add_unknown("x" + std::to_string(k)), {value, 0}});
    }
    for (const double c : {1.0, 2.0, -1.0, 0.1, 0.2, -0.3, 0.5})
      pool_.push_back({graph.constant(c), {c, 0}});
  }

  Recorded grow(int num_operations) {
    for (int k = 0; k < num_operations; ++k) pool_.push_back(combine(pick(), pick()));
    return pool_.back();
  }

  std::vector<double> values;

 private:
  const Recorded& pick() {  // later results more often, so that expressions get deep
    const std::size_t n = pool_.size();
    const double r = std::uniform_real_distribution<>(0, 1)(random_);
    return pool_[std::min(n - 1, static_cast<std::size_t>(std::sqrt(r) * static_cast<double>(n)))];
  }

  Recorded combine(const Recorded& a, const Recorded& b) {
    switch (std::uniform_int_distribution<>(0, 17)(random_)) {
      case 0:
      case 1: return {graph_.add(a.node, b.node), a.value + b.value};
      case 2:
      case 3:
        return {graph_.subtract(a.node, b.node), a.value + Rounded{-b.value.value, b.value.error}};
      case 4:
      case 5: return bounded({graph_.multiply(a.node, b.node), a.value * b.value}, a);
      case 6: return bounded({graph_.power(a.node, 2), a.value * a.value}, a);
      case 7: return bounded({graph_.power(a.node, 3), a.value * a.value * a.value}, a);
      case 8:
        return {graph_.unary(Op::sin, a.node),
                smooth([](double u) { return std::sin(u); }, a.value)};
      case 9:
        return {graph_.unary(Op::cos, a.node),
                smooth([](double u) { return std::cos(u); }, a.value)};
      case 10: return quotient(a, b);
      default:
        return {graph_.unary(Op::tanh, a.node),
                smooth([](double u) { return std::tanh(u); }, a.value)};
    }
  }

  Recorded function(Op op, const Recorded& a) {
    return {graph_.unary(op, a.node),
            smooth([op](double u) { return apply_unary(op, u); }, a.value)};
  }

  Recorded root(const Recorded& a) {
    return {graph_.power(a.node, 0.5), smooth([](double u) { return std::sqrt(u); }, a.value)};
  }

  Recorded quotient(const Recorded& a, const Recorded& b) {
    if (std::abs(b.value.value) < 0.1)
      return a;  // stay away from poles: the bound above is first order
    const Rounded inverse =
        with_rounding(1 / b.value.value, b.value.error / (b.value.value * b.value.value) * 1.1);
    return bounded({graph_.divide(a.node, b.node), a.value * inverse}, a);
  }

  static Recorded bounded(const Recorded& result, const Recorded& fallback) {
    return std::abs(result.value.value) < 1e6 ? result : fallback;
  }

  Graph& graph_;
  std::mt19937& random_;
  std::vector<Recorded> pool_;
};

TEST(Simplification, never_changes_values_beyond_rounding) {
  std::mt19937 random(20261115);
  int num_checked = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Graph graph;
    RandomExpression expression(graph, random);
    const Recorded made = expression.grow(25);
    const Point point{.time = 0, .parameters = {}, .unknown = [&](UnknownId id, int) {
                        return expression.values[id.index()];
                      }};
    const Simplified after = simplify(graph, {&made.node, 1});
    const double recorded = Evaluator(graph).value(made.node, point);
    const double simplified = Evaluator(*after.graph).value(after.roots[0], point);
    if (made.value.error > 1e-6) continue;  // the bound itself has blown up: nothing can be said
    ++num_checked;
    ASSERT_NEAR(recorded, made.value.value, made.value.error) << to_text(graph, made.node, 2000);
    ASSERT_NEAR(simplified, made.value.value, made.value.error)
        << to_text(*after.graph, after.roots[0], 2000);
  }
  EXPECT_GT(num_checked, 15000);
}

TEST(Simplification, is_idempotent) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    Graph graph;
    const NodeId root = RandomExpression(graph, random).grow(25).node;
    const Simplified once = simplify(graph, {&root, 1});
    const Simplified twice = simplify(*once.graph, once.roots);
    const Simplified thrice = simplify(*twice.graph, twice.roots);
    EXPECT_EQ(to_text(*twice.graph, twice.roots[0], 5000),
              to_text(*thrice.graph, thrice.roots[0], 5000));
  }
}

}  // namespace
}  // namespace daedal::expr
