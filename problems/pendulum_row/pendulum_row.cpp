#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "problems/problems.hpp"

namespace daedal::problems {
namespace {

// What pulls a pendulum towards its neighbours: a function of x[k-1] - 2 x[k] + x[k+1], with free
// ends.
template <typename Coupling>
void add_row(Model& model, int num_pendula, const Expression& g, const Coupling& coupling) {
  const auto element = [](const char* name, int k) {
    return name + ("[" + std::to_string(k + 1) + "]");
  };
  std::vector<Expression> x, y, lam;
  for (int k = 0; k < num_pendula; ++k)
    x.push_back(model.variable(element("x", k),
                               {.start = {0.5 * std::sin(k + 1), 0}, .fixed = {true, true}}));
  for (int k = 0; k < num_pendula; ++k)
    y.push_back(model.variable(element("y", k),
                               {.start = {-std::sqrt(1 - std::pow(0.5 * std::sin(k + 1), 2)), 0}}));
  for (int k = 0; k < num_pendula; ++k) lam.push_back(model.variable(element("lam", k)));
  for (int k = 0; k < num_pendula; ++k) {
    const Expression& before = x[std::max(k - 1, 0)];
    const Expression& after = x[std::min(k + 1, num_pendula - 1)];
    model.equation(der(x[k], 2) + lam[k] * x[k] == coupling(before - 2 * x[k] + after));
    model.equation(der(y[k], 2) + lam[k] * y[k] == -g);
    model.equation(element("rod", k), sqr(x[k]) + sqr(y[k]) == 1);
  }
  model.set_experiment({.start_time = 0, .stop_time = 2, .tolerance = 1e-9});
}

}  // namespace

Model pendulum_row_springs(int num_pendula) {
  Model model("Springs", "pendula joined by springs");
  const auto g = model.parameter("g", 1.0);
  const auto s = model.parameter("s", 1.0);
  add_row(model, num_pendula, g, [&](const Expression& bend) { return s * bend; });
  return model;
}

Model pendulum_row_inerters(int num_pendula) {
  Model model("Inerters", "pendula joined by inerters");
  const auto g = model.parameter("g", 1.0);
  const auto b = model.parameter("b", 0.5);
  add_row(model, num_pendula, g, [&](const Expression& bend) { return b * der(bend, 2); });
  return model;
}

}  // namespace daedal::problems
