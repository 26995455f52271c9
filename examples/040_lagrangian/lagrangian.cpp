// Lesson 4: mechanics without equations of motion: write the energies and the constraints. Two
// masses on rods in space, one hung off the other.
#include <cmath>
#include <cstdio>
#include <daedal/daedal.hpp>
#include <daedal/lagrangian.hpp>
#include <daedal/vector.hpp>
#include <string>

namespace {

daedal::Vector3<daedal::Expression> point(daedal::Model& model, const std::string& name, double x,
                                          double speed) {
  auto across = model.variable(name + "x", {.start = {x, 0}, .fixed = {true, true}});
  auto along = model.variable(name + "y", {.start = {0, speed}, .fixed = {true, true}});
  auto height = model.variable(name + "z", {.start = {-x, 0}});
  return {across, along, height};
}

}  // namespace

int main() {
  daedal::Model model("TwoMasses");
  auto g = model.parameter("g", 9.81), m = model.parameter("m", 2.0), l = model.parameter("l", 1.0);
  auto a = point(model, "a", 0.6, 1.0), b = point(model, "b", 1.2, 0.5);

  auto kinetic = 0.5 * m * (sqr(der(a)) + sqr(der(b)));
  auto potential = m * g * (a.z + b.z);
  add_lagrangian(model,
                 {.function = kinetic - potential,
                  .coordinates = {a.x, a.y, a.z, b.x, b.y, b.z},
                  .constraints = {{"upper", sqr(a) == sqr(l)}, {"lower", sqr(b - a) == sqr(l)}}});

  daedal::Solution motion = daedal::solve(model, {.to = 10.0, .tolerance = 1e-12});
  for (const auto& problem : motion.problems()) std::printf("%s", problem.text().c_str());
  if (!motion.ok()) return 1;

  // The energy is an output of every Lagrangian model; multipliers are forces: 2 l lambda pulls.
  for (double t : {0.0, 2.5, 5.0, 10.0})
    std::printf("t = %4.1f  b at height %9.6f  upper rod pulls with %9.5f N  energy %.9f J\n", t,
                motion("bz", t), 2 * motion("upper", t), motion("energy", t));
}
