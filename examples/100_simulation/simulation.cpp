// Lesson 10: a run that you drive yourself. A pendulum is kicked on its way: by hand, and by a
// model that says so. Then one prepared model swings a thousand times.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <daedal/daedal.hpp>

namespace {

daedal::Model pendulum(bool is_kicked) {
  daedal::Model model("Pendulum");
  auto g = model.parameter("g", 9.81), L = model.parameter("L", 10.0);
  auto x = model.variable("x", {.start = {0.6 * L, 0}, .fixed = {true, true}});
  auto y = model.variable("y", {.start = {0.8 * L}});
  auto lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation("length", sqr(x) + sqr(y) == sqr(L));
  if (is_kicked) model.when("kick", model.time() >= 5.0, {reinit(der(x), der(x) + 1.0)});
  return model;
}

// A change is what a `when` clause would do at that moment: der(x) is what was set, and der(y)
// follows, so that the rod keeps its length.
daedal::Solution kicked_by_hand(const daedal::SolveOptions& options) {
  daedal::Simulation swing(pendulum(false), options);
  while (swing.t() < 3.0) swing.step();
  swing.step_until(5.0);
  std::printf("before the kick  der(x) = %9.6f  der(y) = %9.6f\n", swing("der(x)"),
              swing("der(y)"));
  swing.set("der(x)", swing("der(x)") + 1.0);
  swing.finish();
  return swing.take_solution();
}

void kick(const daedal::SolveOptions& options) {
  const daedal::Solution by_hand = kicked_by_hand(options);
  const daedal::Solution by_when = daedal::solve(pendulum(true), options);
  std::printf("after the kick   der(x) = %9.6f  der(y) = %9.6f\n", by_hand("x", 5.0, 1),
              by_hand("y", 5.0, 1));
  double difference = 0.0;
  for (double t = 0.0; t <= 10.0; t += 0.1)
    for (const char* name : {"x", "y", "lambda"})
      difference = std::max(difference, std::abs(by_hand(name, t) - by_when(name, t)));
  std::printf("by hand          x(10) = %9.6f   y(10) = %9.6f\n", by_hand("x", 10),
              by_hand("y", 10));
  std::printf("by `when`        x(10) = %9.6f   y(10) = %9.6f\n", by_when("x", 10),
              by_when("y", 10));
  std::printf("difference       %.10f\n", difference);
}

// Lengths and starts are inputs of a run: structure, order, machine code stay.
void swing_often(const daedal::SolveOptions& options) {
  daedal::PreparedModel prepared(pendulum(false), options);
  double sum = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const double length = 5.0 + 0.01 * k;
    const daedal::Solution swing =
        prepared.solve({.parameters = {{"L", length}}, .fixed = {{"x", 0.3 * length}}});
    sum += swing("x", 10.0) / length;
  }
  std::printf("1000 swings      x(10)/L = %9.6f on average\n", sum / 1000);
  std::printf("analyses         %ld\n", prepared.num_analyses());
}

}  // namespace

int main() {
  const daedal::SolveOptions options{.to = 10.0, .tolerance = 1e-12};
  kick(options);
  swing_often(options);
}
