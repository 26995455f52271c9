#include <array>
#include <string>
#include <vector>

#include "problems/detest_c5/planets.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {
namespace {

using namespace planets;
using Vector = std::array<Expression, 3>;

Expression length_cubed(const Vector& a) { return pow(sqr(a[0]) + sqr(a[1]) + sqr(a[2]), 1.5); }

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

}  // namespace

Model detest_c5() {
  Model model("OuterPlanets", "DETEST C5: five body problem");
  const auto k2 = model.parameter("k2", 2.95912208286);
  const auto m0 = model.parameter("m0", 1.00000597682);
  std::vector<Expression> m;
  for (int j = 0; j < num_planets; ++j)
    m.push_back(model.parameter("m[" + std::to_string(j + 1) + "]", masses[j]));
  std::vector<Vector> y(num_planets);
  for (int j = 0; j < num_planets; ++j)
    for (int i = 0; i < 3; ++i)
      y[j][i] = model.variable(element("y", j, i), {.start = {start[j][i][0], start[j][i][1]}});

  for (int j = 0; j < num_planets; ++j) {
    for (int i = 0; i < 3; ++i) {
      Expression sum = -(m0 + m[j]) * y[j][i] / length_cubed(y[j]);
      for (int k = 0; k < num_planets; ++k)
        if (k != j)
          sum += m[k] *
                 ((y[k][i] - y[j][i]) / length_cubed(y[k] - y[j]) - y[k][i] / length_cubed(y[k]));
      model.equation(der(y[j][i], 2) == k2 * sum);
    }
  }
  model.set_experiment({.start_time = 0, .stop_time = 20, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems
