// Rules C3 and C4 against difference quotients.
#include "init/tangent_series.hpp"

#include <gtest/gtest.h>

#include <map>

namespace daedal::init {
namespace {

constexpr int order = 3;

// f(x, x', y', t) with products, functions and a quotient.
struct Example {
  expr::Graph graph;
  NodeId x = graph.add_unknown("x"), y = graph.add_unknown("y"), root;

  Example() {
    const NodeId dx = graph.diff(x, 1), dy = graph.diff(y, 1);
    const NodeId sine = graph.unary(expr::Op::sin, graph.multiply(x, dy));
    root = graph.add(graph.multiply(sine, dx), graph.divide(dy, graph.add(x, graph.time())));
  }
};

using Coefficients = std::map<std::pair<int, int>, double>;  // of (unknown, order)

taylor::SeriesPoint point(const Coefficients& coefficients) {
  return {.time = 0.3, .parameters = {}, .derivative = [&coefficients](expr::UnknownId j, int m) {
            const auto found = coefficients.find({static_cast<int>(j.index()), m});
            return found == coefficients.end() ? 0.0 : found->second * falling_factorial(m, m);
          }};
}

Coefficients some_point() {
  Coefficients coefficients;
  for (int m = 0; m <= order + 1; ++m) {
    coefficients[{0, m}] = 1.2 / (m + 1);
    coefficients[{1, m}] = 0.7 / (m * m + 1);
  }
  return coefficients;
}

Coefficients gradient(Example& e, const std::vector<Partial>& partials, const Coefficients& at,
                      int m) {
  std::vector<NodeId> nodes = {e.root};
  for (const Partial& partial : partials) nodes.push_back(partial.value);
  SeriesOf series(e.graph, nodes, order);
  series.run(point(at));
  Coefficients sums;
  visit_gradient(partials, series, m, [&](int unknown, int p, double value) {
    sums[{unknown, p}] += value;
  });
  return sums;
}

double residual(Example& e, const Coefficients& at, int m) {
  const NodeId roots[] = {e.root};
  SeriesOf series(e.graph, roots, order);
  series.run(point(at));
  return series.coefficient(e.root, m);
}

constexpr double step = 1e-5, error = 1e-8;  // truncation step^2 times third derivatives of size 10

TEST(TangentSeries, gradients_of_coefficients_are_shifted_partials) {
  Example e;
  const NodeId roots[] = {e.root};
  const auto partials = partials_of(e.graph, roots)[0];
  EXPECT_EQ(partials.size(), 3U);
  const Coefficients at = some_point();
  for (int m = 0; m <= order; ++m) {
    Coefficients sums = gradient(e, partials, at, m);
    for (const auto& [place, value] : at) {
      Coefficients up = at, down = at;
      up[place] += step;
      down[place] -= step;
      const double quotient = (residual(e, up, m) - residual(e, down, m)) / (2 * step);
      EXPECT_NEAR(sums[place], quotient, error) << m << ": " << place.first << "," << place.second;
    }
  }
}

TEST(TangentSeries, hessians_of_coefficients_are_twice_shifted_second_partials) {
  Example e;
  const NodeId roots[] = {e.root};
  const auto partials = partials_of(e.graph, roots);
  const auto second = second_partials_of(e.graph, partials)[0];
  std::vector<NodeId> nodes;
  for (const SecondPartial& partial : second) nodes.push_back(partial.value);
  SeriesOf series(e.graph, nodes, order);
  const Coefficients at = some_point();
  series.run(point(at));
  for (int m = 0; m <= order; ++m) {
    std::map<std::pair<int, int>, Coefficients> sums;
    visit_hessian(second, series, m, [&](int j, int p, int k, int r, double value) {
      sums[{j, p}][{k, r}] += value;
    });
    for (const auto& [place, unused] : at) {
      Coefficients up = at, down = at;
      up[place] += step;
      down[place] -= step;
      Coefficients right = gradient(e, partials[0], up, m),
                   left = gradient(e, partials[0], down, m);
      for (const auto& [other, unused_too] : at)
        EXPECT_NEAR(sums[place][other], (right[other] - left[other]) / (2 * step), 10 * error);
    }
  }
}

}  // namespace
}  // namespace daedal::init
