// Lesson 7: ask the equations themselves. Where structural analysis fails, the derivative array
// still tells the index, the freedoms, and where a solution is no longer determined.
#include <cmath>
#include <cstdio>
#include <daedal/array_analysis.hpp>
#include <daedal/daedal.hpp>

namespace {

// Without the sign of a zero that is not exact.
double rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

}  // namespace

int main() {
  // A pendulum in order one; the guess is not on the circle.
  daedal::Model model("Pendulum");
  auto x = model.variable("x", {.start = {0.5}}), y = model.variable("y", {.start = {0.5}});
  auto vx = model.variable("vx", {.start = {0}}), vy = model.variable("vy", {.start = {0}});
  auto lambda = model.variable("lambda", {.start = {0}});
  model.equation(der(x) == vx);
  model.equation(der(y) == vy);
  model.equation(der(vx) == 2 * lambda * x);
  model.equation(der(vy) == 2 * lambda * y - 1);
  model.equation(sqr(x) + sqr(y) == 1);

  const daedal::ArrayAnalysis a = daedal::analyze_array(model);
  std::printf("index %d, %d degrees of freedom\n", a.index, a.dof);
  std::printf("Pi: what may be prescribed\n");
  for (std::size_t i = 0; i < a.variables.size(); ++i) {
    std::printf("  %-6s", a.variables[i].c_str());
    for (const double entry : a.Pi[i]) std::printf(" %5.2f", rounded(entry));
    std::printf("   start %.4f\n", rounded(a.values[i][0]));
  }

  const daedal::Solution s =
      daedal::solve(model, {.to = 3.0, .tolerance = 1e-9, .method = "array"});
  std::printf("by %s to t = %.0f: x = %.6f, y = %.6f\n", s.method().c_str(), s.t(), s.final("x"),
              s.final("y"));
}
