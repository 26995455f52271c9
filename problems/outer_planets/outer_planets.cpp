#include <array>
#include <string>
#include <vector>

#include "daedal/lagrangian.hpp"
#include "daedal/vector.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {
namespace {

constexpr int num_planets = 5;

constexpr std::array<double, num_planets> masses = {0.000954786104043, 0.000285583733151,
                                                    0.0000437273164546, 0.0000517759138449,
                                                    0.00000277777777778};

// {position, velocity} of each coordinate of each planet
constexpr double start[num_planets][3][2] = {{{3.42947415189, -0.557160570446},
                                              {3.35386959711, 0.505696783289},
                                              {1.35494901715, 0.230578543901}},
                                             {{6.64145542550, -0.415570776342},
                                              {5.97156957878, 0.365682722812},
                                              {2.18231499728, 0.169143213293}},
                                             {{11.2630437207, -0.325325669158},
                                              {14.6952576794, 0.189706021964},
                                              {6.27960525067, 0.0877265322780}},
                                             {{-30.1552268759, -0.0240476254170},
                                              {1.65699966404, -0.287659532608},
                                              {1.43785752721, -0.117219543175}},
                                             {{-21.1238353380, -0.176860753121},
                                              {28.4465098142, -0.216393453025},
                                              {15.3882659679, -0.0148647893090}}};

std::string element(const std::string& name, int j, int i) {
  return name + "[" + std::to_string(j + 1) + "," + std::to_string(i + 1) + "]";
}

}  // namespace

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
