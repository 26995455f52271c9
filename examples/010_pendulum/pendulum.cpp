// Lesson 1: write the equations as they are, ask what they are, and follow their solution.
#include <cstdio>
#include <daedal/daedal.hpp>

int main() {
  daedal::Model model("Pendulum");
  auto g = model.parameter("g", 9.81), L = model.parameter("L", 10.0);
  auto x = model.variable("x", {.start = {10, 0}});
  auto y = model.variable("y", {.start = {0, 1}, .fixed = {true, true}});
  auto lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation("length", sqr(x) + sqr(y) == sqr(L));

  daedal::Analysis a = daedal::analyze(model);
  std::printf("structural index %d, %d degrees of freedom; give", a.structural_index, a.dof);
  for (const auto& name : a.initial_values) std::printf(" %s", name.c_str());
  std::printf("\n");

  daedal::Solution motion = daedal::solve(model, {.to = 10.0, .tolerance = 1e-12});
  for (const auto& problem : motion.problems()) std::printf("%s", problem.text().c_str());
  if (!motion.ok()) return 1;
  std::printf("lambda, of which nothing was said, starts at %.6f\n", motion("lambda", 0.0));

  // Any variable or derivative, at any time of the run.
  for (double t : {2.5, 5.0, 7.5, 10.0})
    std::printf("t = %4.1f  x = %9.6f  der(x) = %9.6f  y = %8.6f  lambda = %8.6f\n", t,
                motion("x", t), motion("x", t, 1), motion("y", t), motion("lambda", t));
}
