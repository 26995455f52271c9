#include "problems/problems.hpp"

namespace daedal::problems {

Model two_tanks() {
  Model model("TwoTanks", "two tanks with overflow");
  const auto A1 = model.parameter("A1", 1.0);
  const auto A2 = model.parameter("A2", 2.0);
  const auto c1 = model.parameter("c1", 0.45);
  const auto c2 = model.parameter("c2", 0.3);
  const auto hmax = model.parameter("hmax", 1.0);
  const auto q = model.parameter("q", 0.5);
  const auto w = model.parameter("w", 0.6);
  const auto h1 = model.variable("h1", {.start = {0.5}, .fixed = {true}});
  const auto h2 = model.variable("h2", {.start = {0.25}, .fixed = {true}});
  const auto over = model.variable("over", {.start = {0}});
  model.equation(A1 * der(h1) == q * (1 + sin(w * model.time())) - c1 * sqrt(h1) - over);
  model.equation(A2 * der(h2) == over - c2 * sqrt(h2));
  model.equation("edge", 0 == if_else(hmax - h1 > over, over, hmax - h1));
  model.set_experiment({.start_time = 0, .stop_time = 30, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems
