// Built against the installed package: the builder form, and a ported function accepted unchanged.
#include <cstdio>
#include <daedal/daedal.hpp>
#include <daedal/port.hpp>

using namespace daedal::port;

template <typename T>
void fcn(T t, const T* z, T* f, void* param) {
  // z[0], z[1], z[2] are x, y, lambda.
  const double G = 9.81, L = 10.0;
  f[0] = Diff(z[0], 2) + z[0] * z[2];
  f[1] = Diff(z[1], 2) + z[1] * z[2] - G;
  f[2] = sqr(z[0]) + sqr(z[1]) - sqr(L);
  (void)t;
  (void)param;
}

// consumer KERNEL
int main(int, char** arguments) {
  daedal::Model model("Pendulum");
  const auto g = model.parameter("g", 9.81), L = model.parameter("L", 10.0);
  const auto x = model.variable("x", {.start = {10.0, 0.0}}), y = model.variable("y"),
             lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation("length", sqr(x) + sqr(y) == sqr(L));

  const daedal::Analysis built = daedal::analyze(model);
  const daedal::Analysis ported =
      daedal::analyze(make_model("Pendulum", 3, fcn<daedal::Expression>));
  std::printf("daedal %s: index %d, %d degrees of freedom\n", daedal::version(),
              built.structural_index, built.dof);
  const bool agree =
      built.c == ported.c && built.d == ported.d && built.structural_index == 3 && built.dof == 2;
  const daedal::Solution solution =
      daedal::solve(model, {.to = 1.0, .kernel = arguments[1], .use_cache = false});
  return agree && solution.ok() && solution.kernel() == arguments[1] ? 0 : 1;
}
