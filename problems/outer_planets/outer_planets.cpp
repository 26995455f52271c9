#include <string>
#include <vector>

#include "daedal/lagrangian.hpp"
#include "daedal/vector.hpp"
#include "problems/detest_c5/planets.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {

using namespace planets;

Model outer_planets() {
  Model model("LagrangianPlanets", "DETEST C5 from kinetic and potential energy");
  const auto k2 = model.parameter("k2", 2.95912208286);
  const auto m0 = model.parameter("m0", 1.00000597682);
  std::vector<Expression> m;
  for (int j = 0; j < num_planets; ++j)
    m.push_back(model.parameter("m[" + std::to_string(j + 1) + "]", masses[j]));
  std::vector<Vector3<Expression>> y;
  Lagrangian energies;
  for (int j = 0; j < num_planets; ++j) {
    for (int i = 0; i < 3; ++i)
      energies.coordinates.push_back(
          model.variable(element("y", j, i), {.start = {start[j][i][0], start[j][i][1]}}));
    const Expression* position = &energies.coordinates[3 * j];
    y.emplace_back(position[0], position[1], position[2]);
  }

  Vector3<Expression> momentum;
  Expression mass = m0, motion = 0.0, attraction = 0.0;
  for (int j = 0; j < num_planets; ++j) {
    momentum += m[j] * der(y[j]);
    mass += m[j];
    motion += m[j] * sqr(der(y[j]));
    attraction += m0 * m[j] / norm(y[j]);
    for (int k = j + 1; k < num_planets; ++k) attraction += m[j] * m[k] / norm(y[j] - y[k]);
  }
  energies.function = 0.5 * motion - 0.5 * sqr(momentum) / mass + k2 * attraction;
  add_lagrangian(model, energies);
  model.set_experiment({.start_time = 0, .stop_time = 20, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems
