#include "problems/problems.hpp"

namespace daedal::problems {
namespace {

constexpr Experiment ten_seconds = {.start_time = 0, .stop_time = 10, .tolerance = 1e-9};

}  // namespace

Model causality_2() {
  Model model("Causality2", "DAE (2): x1 causes x2");
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2", {.start = {0}, .fixed = {true}});
  model.equation(x1 - sin(model.time()) == 0);
  model.equation(x1 - der(x2) == 0);
  model.set_experiment(ten_seconds);
  return model;
}

Model causality_3() {
  Model model("Causality3", "DAE (3): x2 causes x1");
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2");
  model.equation(x2 - sin(model.time()) == 0);
  model.equation(x1 - der(x2) == 0);
  model.set_experiment(ten_seconds);
  return model;
}

Model causality_4() {
  Model model("Causality4", "DAE (4): x1 and x2 coupled");
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2", {.start = {0}, .fixed = {true}});
  model.equation(x1 - x2 - sin(model.time()) == 0);
  model.equation(x1 - der(x2) == 0);
  model.set_experiment(ten_seconds);
  return model;
}

}  // namespace daedal::problems
