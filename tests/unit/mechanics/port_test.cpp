// Functions that describe a system by its Lagrangian, as printed in Pryce, Nedialkov, Tan and Li
// (2018), compile unchanged and give the equations of the builder.
#include "daedal/port.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "daedal/lagrangian.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "model/model_data.hpp"
#include "problems/printed_listings/listings.hpp"
#include "unit/mechanics/residual.hpp"

namespace daedal {
namespace {

using namespace problems::printed;

struct Texts {
  std::vector<std::string> equations;
  std::size_t num_nodes = 0;
};

Texts simplified(const Model& model) {
  std::vector<expr::NodeId> roots;
  for (const model::Equation& equation : model.data().equations) roots.push_back(equation.residual);
  const expr::Simplified result = expr::simplify(*model.data().graph, roots);
  Texts texts;
  texts.num_nodes = result.graph->size();
  for (const expr::NodeId root : result.roots)
    texts.equations.push_back(expr::to_text(*result.graph, root));
  return texts;
}

TEST(Port, figure_2_of_Pryce_et_al_2018_gives_the_pendulum) {
  double p[] = {2.0, 9.8, 10.0};
  const Model ported =
      make_model("Pendulum", 3, figure_2<Expression>, p, {.variables = {"x", "y", "lambda[1]"}});
  Model built("Pendulum");
  const auto x = built.variable("x"), y = built.variable("y");
  add_lagrangian(built, {.function = sqr(der(x)) + sqr(der(y)) + 2 * 9.8 * y,
                         .coordinates = {x, y},
                         .constraints = {sqr(x) + sqr(y) == sqr(10.0)}});
  EXPECT_EQ(simplified(ported).equations, simplified(built).equations);
}

TEST(Port, figure_6_of_Pryce_et_al_2018_gives_the_controlled_pendulum) {
  double p[] = {1.0, 9.8, 10.0, 5.0, 0.9};
  const Model ported = make_model("Controlled", 4, figure_6<Expression>, p,
                                  {.variables = {"x", "y", "lambda[1]", "u"}});
  const Texts texts = simplified(ported);
  EXPECT_EQ(texts.equations[0], "der(x, 2) - u + 2*x*lambda[1]");
  EXPECT_EQ(texts.equations[3], "x - 5*sin(0.9*time)");
}

// Table 2 of Pryce et al. 2018 counts the nodes of their graph, with common subexpressions
// eliminated. Ours: nodes of the simplified graph, names and numbers included.
TEST(Port, figure_4_of_Pryce_et_al_2018_has_no_more_nodes_than_table_2) {
  const std::pair<int, std::size_t> table[] = {{1, 120},   {2, 211},   {4, 415},   {6, 649},
                                               {8, 915},   {10, 1213}, {12, 1543}, {14, 1905},
                                               {16, 2299}, {18, 2725}, {20, 3183}};
  for (const auto& [n, published] : table) {
    double p[] = {static_cast<double>(n), 5, 2, 9.8, 2, 10};
    const Model model = make_model("Chain", 3 * n + 1, figure_4<Expression>, p);
    EXPECT_LE(simplified(model).num_nodes, published / 2) << n;
  }
}

// The equations of the chain by hand: rod i acts on its end a, with b the other end, by
// m/6 (2 a'' + b''), half its weight and 2 lambda (a - b).
TEST(Port, figure_4_of_Pryce_et_al_2018_gives_the_equations_of_the_chain) {
  constexpr int n = 3;
  constexpr double M = 5, m = 2, g = 9.8, l = 2, k = 10;
  double p[] = {n, M, m, g, l, k};
  const Model model = make_model("Chain", 3 * n + 1, figure_4<Expression>, p);
  const auto x = [](int i, int order) { return value_at_a_point(i, order); };
  const auto y = [](int i, int order) { return i == 0 ? 0.0 : value_at_a_point(n + i, order); };
  const auto lambda = [](int i) { return value_at_a_point(2 * n + i, 0); };
  const auto pull = [&](const auto& axis, int a, int b, int rod) {
    return m / 6 * (2 * axis(a, 2) + axis(b, 2)) + 2 * lambda(rod) * (axis(a, 0) - axis(b, 0));
  };
  EXPECT_NEAR(residual_at_a_point(model, 0), M * x(0, 2) + k * x(0, 0) + pull(x, 0, 1, 1), 1e-12);
  for (int i = 1; i <= n; ++i) {
    double along_x = pull(x, i, i - 1, i), along_y = pull(y, i, i - 1, i) + m * g / 2;
    if (i < n) {
      along_x += pull(x, i, i + 1, i + 1);
      along_y += pull(y, i, i + 1, i + 1) + m * g / 2;
    }
    EXPECT_NEAR(residual_at_a_point(model, i), along_x, 1e-12) << i;
    EXPECT_NEAR(residual_at_a_point(model, n + i), along_y, 1e-12) << i;
    const double dx = x(i, 0) - x(i - 1, 0), dy = y(i, 0) - y(i - 1, 0);
    EXPECT_NEAR(residual_at_a_point(model, 2 * n + i), dx * dx + dy * dy - l * l, 1e-12) << i;
  }
}

struct PlanetParameters {
  double p[9] = {6,
                 2.95912208286,
                 1.00000597682,
                 0.000954786104043,
                 0.000285583733151,
                 0.0000437273164546,
                 0.0000517759138449,
                 0.00000277777777778,
                 0};
  PlanetParameters() {
    for (int k = 2; k < 8; ++k) p[8] += p[k];
  }
};

// m_j (y_j'' - sum_k m_k y_k''/M) + G m_0 m_j y_j/|y_j|^3 + sum_k G m_j m_k (y_j - y_k)/|y_j -
// y_k|^3
TEST(Port, the_appendix_of_Pryce_et_al_2018_gives_the_equations_of_the_planets) {
  PlanetParameters parameters;
  const double* const p = parameters.p;
  const double G = p[1], sun = p[2], total = p[8];
  const double* const m = p + 3;
  const Model model = make_model("Planets", 15, appendix<Expression>, parameters.p);
  const auto y = [](int j, int i, int order) { return value_at_a_point(3 * j + i, order); };
  const auto cubed = [](const double(&r)[3]) {
    return std::pow(r[0] * r[0] + r[1] * r[1] + r[2] * r[2], 1.5);
  };
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 3; ++i) {
      double expected = m[j] * y(j, i, 2);
      expected += G * sun * m[j] * y(j, i, 0) / cubed({y(j, 0, 0), y(j, 1, 0), y(j, 2, 0)});
      for (int k = 0; k < 5; ++k) {
        expected -= m[j] * m[k] * y(k, i, 2) / total;
        if (k == j) continue;
        const double apart[3] = {y(j, 0, 0) - y(k, 0, 0), y(j, 1, 0) - y(k, 1, 0),
                                 y(j, 2, 0) - y(k, 2, 0)};
        expected += G * m[j] * m[k] * apart[i] / cubed(apart);
      }
      EXPECT_NEAR(residual_at_a_point(model, 3 * j + i), expected, 1e-15) << j << " " << i;
    }
  }
}

TEST(Port, the_planets_of_Pryce_et_al_2018_have_no_more_nodes_than_880) {
  PlanetParameters parameters;
  const Model model = make_model("Planets", 15, appendix<Expression>, parameters.p);
  EXPECT_LE(simplified(model).num_nodes, 880U);
  RecordProperty("nodes", static_cast<int>(simplified(model).num_nodes));
}

}  // namespace
}  // namespace daedal
