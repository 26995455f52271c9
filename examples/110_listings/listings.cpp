// Lesson 11: five functions that were printed for another solver, unchanged but for misprints, from
// their equations to their solutions: start values, what must hold, parameters.
#include "problems/printed_listings/listings.hpp"

#include <cmath>
#include <cstdio>
#include <daedal/daedal.hpp>

namespace {

using daedal::Expression;
using namespace daedal::problems::printed;

void print(const char* name, const daedal::Solution& solution, const std::vector<std::string>& of) {
  std::printf("%s, %s at t = %g:\n", name, solution.ok() ? "ok" : "ended early", solution.t());
  for (const std::string& variable : of)
    std::printf("  %-8s %14.10f\n", variable.c_str(), solution(variable, solution.t()));
}

// The user of such a function gives start values by index and order.
void equations_of_a_pendulum() {
  daedal::Model model = make_model("Pendulum", 3, figure_1<Expression>);
  model.set_start("z[0]", 10.0);
  model.set_start("z[1]", 0.0);
  model.fix_start("der(z[1])", 1.0);
  print("Figure 1", solve(model, {.to = 10.0, .tolerance = 1e-12}), {"z[0]", "z[1]", "z[2]"});
}

// Or all at once, beside names. Multipliers differ from those above by the factor m/2.
void pendulum_from_its_energies() {
  double p[] = {2.0, 9.81, 10.0};
  const daedal::Model model = make_model(
      "Pendulum", 3, figure_2<Expression>, p,
      {.variables = {"x", "y", "lambda"},
       .equations = {},
       .unknowns = {{.start = {10.0}}, {.start = {0.0, 1.0}, .fixed = {true, true}}, {}}});
  print("Figure 2", solve(model, {.to = 10.0, .tolerance = 1e-12}), {"x", "y", "lambda"});
}

// At rest with the slider at 4 and the rods stretched out to its left.
void chain_of_rods() {
  constexpr int n = 2;
  double p[] = {n, 5.0, 2.0, 9.8, 2.0, 10.0};
  daedal::Model model = make_model("Chain", 3 * n + 1, figure_4<Expression>, p);
  const auto at_rest = [&](int j, double place) {
    model.fix_start("z[" + std::to_string(j) + "]", place);
    model.fix_start("der(z[" + std::to_string(j) + "])", 0.0);
  };
  at_rest(0, 4.0);
  for (int i = 1; i <= n; ++i) at_rest(n + i, 0.0);
  for (int i = 1; i <= n; ++i) model.set_start("z[" + std::to_string(i) + "]", 4.0 - 2.0 * i);
  print("Figure 4", solve(model, {.to = 5.0, .tolerance = 1e-12}),
        {"z[0]", "z[1]", "z[2]", "z[3]", "z[4]"});
}

// The force u that makes the pendulum follow x = 5 sin(w t) from below: y is one of two roots, and
// a guess says which.
void controlled_pendulum() {
  double p[] = {1.0, 9.8, 10.0, 5.0, std::sqrt(0.98)};
  daedal::Model model = make_model("Controlled", 4, figure_6<Expression>, p,
                                   {.variables = {"x", "y", "lambda", "u"}});
  model.set_start("y", 10.0);
  print("Figure 6", solve(model, {.to = 10.0, .tolerance = 1e-12}), {"x", "y", "u"});
}

// DETEST C5: masses of the Sun and of Jupiter to Pluto, their places and velocities.
void outer_planets() {
  double p[] = {6,
                2.95912208286,
                1.00000597682,
                0.000954786104043,
                0.000285583733151,
                0.0000437273164546,
                0.0000517759138449,
                0.00000277777777778,
                0};
  for (int k = 2; k < 8; ++k) p[8] += p[k];
  daedal::Model model = make_model("Planets", 15, appendix<Expression>, p);
  const double start[15][2] = {
      {3.42947415189, -0.557160570446},  {3.35386959711, 0.505696783289},
      {1.35494901715, 0.230578543901},   {6.64145542550, -0.415570776342},
      {5.97156957878, 0.365682722812},   {2.18231499728, 0.169143213293},
      {11.2630437207, -0.325325669158},  {14.6952576794, 0.189706021964},
      {6.27960525067, 0.0877265322780},  {-30.1552268759, -0.0240476254170},
      {1.65699966404, -0.287659532608},  {1.43785752721, -0.117219543175},
      {-21.1238353380, -0.176860753121}, {28.4465098142, -0.216393453025},
      {15.3882659679, -0.0148647893090}};
  for (int j = 0; j < 15; ++j) {
    const std::string name = "z[" + std::to_string(j) + "]";
    model.fix_start(name, start[j][0]);
    model.fix_start("der(" + name + ")", start[j][1]);
  }
  print("Appendix", solve(model, {.to = 20.0, .tolerance = 1e-12}), {"z[0]", "z[1]", "z[2]"});
}

}  // namespace

int main() {
  equations_of_a_pendulum();
  pendulum_from_its_energies();
  chain_of_rods();
  controlled_pendulum();
  outer_planets();
}
