#include <string>
#include <vector>

#include "daedal/lagrangian.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {

Model spring_mass_pendulum(int num_rods) {
  Model model("SpringMassPendulum",
              "Lagrangian of the first kind: n rods hung from a slider on a spring");
  const auto g = model.parameter("g", 9.8);
  const auto l = model.parameter("l", 2.0);
  const auto M = model.parameter("M", 5.0);
  const auto m = model.parameter("m", 2.0);
  const auto k = model.parameter("k", 10.0);
  std::vector<Expression> x = {model.variable("x0", {.start = {4, 0}, .fixed = {true, true}})};
  std::vector<Expression> y = {0.0};  // points 0 to n
  for (int i = 1; i <= num_rods; ++i)
    x.push_back(model.variable("x[" + std::to_string(i) + "]", {.start = {4 - l * i, 0}}));
  for (const Expression& height :
       model.variables("y", num_rods, {.start = {0, 0}, .fixed = {true, true}}))
    y.push_back(height);

  Lagrangian energies{.function = 0.5 * M * sqr(der(x[0])) - 0.5 * k * sqr(x[0]), .coordinates = x};
  energies.coordinates.insert(energies.coordinates.end(), y.begin() + 1, y.end());
  for (int i = 1; i <= num_rods; ++i) {
    const auto motion = [&](const std::vector<Expression>& axis) {
      const Expression a = der(axis[i - 1]), b = der(axis[i]);
      return sqr(a) + a * b + sqr(b);
    };
    energies.function += m / 6 * (motion(x) + motion(y)) - m * g * (y[i - 1] + y[i]) / 2;
    energies.constraints.push_back({i == 1 ? "first_rod" : "rod[" + std::to_string(i) + "]",
                                    sqr(x[i] - x[i - 1]) + sqr(y[i] - y[i - 1]) == sqr(l)});
  }
  add_lagrangian(model, energies);
  model.set_experiment({.start_time = 0, .stop_time = 100, .tolerance = 1e-9});
  return model;
}

Model spring_mass_pendulum_angle() {
  Model model("SpringMassPendulumAngle",
              "Lagrangian of the second kind: one rod hung from a slider on a spring");
  const auto g = model.parameter("g", 9.8);
  const auto a = model.parameter("a", 1.0);
  const auto M = model.parameter("M", 5.0);
  const auto m = model.parameter("m", 2.0);
  const auto k = model.parameter("k", 10.0);
  const auto x = model.variable("x", {.start = {4, 0}, .fixed = {true, true}});
  const auto theta = model.variable("theta", {.start = {-asin(1.0), 0}, .fixed = {true, true}});
  add_lagrangian(
      model, {.function = 0.5 * (M + m) * sqr(der(x)) + m * a * der(x) * der(theta) * cos(theta) +
                          2.0 / 3.0 * m * sqr(a) * sqr(der(theta)) - 0.5 * k * sqr(x) -
                          m * g * a * (1 - cos(theta)),
              .coordinates = {x, theta}});
  model.set_experiment({.start_time = 0, .stop_time = 40, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems
