#include <string>
#include <vector>

#include "problems/problems.hpp"

namespace daedal::problems {

Model rod_chain(int num_rods) {
  Model model("RodChain", "chain of n rods hung from a slider on a spring");
  const auto g = model.parameter("g", 9.8);
  const auto l = model.parameter("l", 2.0);
  const auto M = model.parameter("M", 5.0);
  const auto m = model.parameter("m", 2.0);
  const auto k = model.parameter("k", 10.0);
  const auto x0 = model.variable("x0", {.start = {4, 0}, .fixed = {true, true}});
  std::vector<Expression> x = {x0}, y = {0.0};  // points 0 to n
  for (int i = 1; i <= num_rods; ++i)
    x.push_back(model.variable("x[" + std::to_string(i) + "]", {.start = {4 - l * i, 0}}));
  for (const Expression& height :
       model.variables("y", num_rods, {.start = {0, 0}, .fixed = {true, true}}))
    y.push_back(height);
  const auto lam = model.variables("lam", num_rods);

  // What a rod does to its end a along one axis; b is its other end.
  const auto inertia = [&](const Expression& a, const Expression& b) {
    return m / 6 * (2 * der(a, 2) + der(b, 2));
  };
  const auto pull = [&](int rod, const std::vector<Expression>& axis) {
    return 2 * lam[rod - 1] * (axis[rod] - axis[rod - 1]);
  };
  model.equation("slider", M * der(x0, 2) + inertia(x0, x[1]) + k * x0 - pull(1, x) == 0);
  for (int i = 1; i <= num_rods; ++i) {
    Expression along_x = inertia(x[i], x[i - 1]) + pull(i, x);
    Expression along_y = inertia(y[i], y[i - 1]) + m * g / 2 + pull(i, y);
    if (i < num_rods) {
      along_x += inertia(x[i], x[i + 1]) - pull(i + 1, x);
      along_y += inertia(y[i], y[i + 1]) + m * g / 2 - pull(i + 1, y);
    }
    model.equation(along_x == 0);
    model.equation(along_y == 0);
    model.equation(i == 1 ? "first_rod" : "rod[" + std::to_string(i) + "]",
                   sqr(x[i] - x[i - 1]) + sqr(y[i] - y[i - 1]) == sqr(l));
  }
  model.set_experiment({.start_time = 0, .stop_time = 100, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems
