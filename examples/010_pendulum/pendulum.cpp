// Lesson 1: write the equations as they are, and ask what they are.
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
}
