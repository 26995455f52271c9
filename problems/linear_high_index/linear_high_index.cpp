#include "problems/problems.hpp"

namespace daedal::problems {
namespace {

constexpr Experiment ten_seconds = {.start_time = 0, .stop_time = 10, .tolerance = 1e-9};

}  // namespace

Model linear_1() {
  Model model("Linear1", "linear, index 3");
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2");
  const auto x3 = model.variable("x3");
  const auto t = model.time();
  model.equation(der(x2) + x1 == sin(t));
  model.equation(der(x3) + x2 == sin(t));
  model.equation(x3 == cos(t));
  model.set_experiment(ten_seconds);
  return model;
}

Model linear_2() {
  Model model("Linear2", "linear, index 6");
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2");
  const auto x3 = model.variable("x3");
  const auto x4 = model.variable("x4");
  const auto x5 = model.variable("x5");
  const auto x6 = model.variable("x6");
  const auto t = model.time();
  model.equation(der(x6) + x5 == sin(t));
  model.equation(der(x5) + x4 == sin(t));
  model.equation(der(x4) + x3 == sin(t));
  model.equation(der(x3) + x2 == sin(t));
  model.equation(der(x2) + x1 == sin(t));
  model.equation(x6 == cos(t));
  model.set_experiment(ten_seconds);
  return model;
}

Model linear_3() {
  Model model("Linear3", "linear, index 4, hidden from structural analysis");
  const VariableOptions zero = {.start = {0}};
  const auto x1 = model.variable("x1", zero);
  const auto x2 = model.variable("x2", zero);
  const auto x3 = model.variable("x3", zero);
  const auto x4 = model.variable("x4", zero);
  const auto x5 = model.variable("x5", zero);
  const auto x6 = model.variable("x6", zero);
  const auto t = model.time();
  model.equation(der(x1) == cos(t) - x2 + x3);
  model.equation(der(x2) == cos(t) - x3 + x4);
  model.equation(der(x3) == cos(t) - x4 + x5);
  model.equation(der(x4) == cos(t) - x5 + x6);
  model.equation(der(x5) == cos(t) + sin(t) - x6);
  model.equation(x1 + x2 + x3 + x4 + x5 == 5 * sin(t));
  model.set_experiment(ten_seconds);
  return model;
}

Model linear_4() {
  Model model("Linear4", "linear, structural index 3, index 1");
  const VariableOptions zero = {.start = {0}, .fixed = {true}};
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2", zero);
  const auto x3 = model.variable("x3");
  const auto x4 = model.variable("x4", zero);
  const auto x5 = model.variable("x5");
  const auto t = model.time();
  model.equation(der(x2) + der(x3) + x1 == cos(t));
  model.equation(der(x2) + der(x3) + x2 == cos(t));
  model.equation(der(x4) + der(x5) + x3 == cos(t));
  model.equation(der(x4) + der(x5) + x4 == cos(t));
  model.equation(x5 == cos(t));
  model.set_experiment(ten_seconds);
  return model;
}

Model linear_5() {
  Model model("Linear5", "linear, hidden from structural analysis");
  const auto y1 = model.variable("y1");
  const auto y2 = model.variable("y2");
  model.equation(der(y1) + der(y2) + 2 * y2 == 0);
  model.equation(y1 + y2 == sqr(model.time()));
  model.set_experiment(ten_seconds);
  return model;
}

Model linear_chain(int n) {
  Model model("Chain", "chain of n - 1 differentiators");
  const auto x = model.variables("x", n);
  const auto t = model.time();
  for (int i = n - 1; i >= 1; --i) model.equation(der(x[i]) + x[i - 1] == sin(t));
  model.equation(x[n - 1] == cos(t));
  model.set_experiment(ten_seconds);
  return model;
}

}  // namespace daedal::problems
