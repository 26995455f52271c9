// Functions that describe a system by its Lagrangian, as printed in Pryce, Nedialkov, Tan and Li
// (2018), compile unchanged and give the equations of the builder.
#include "daedal/port.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "daedal/lagrangian.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "model/model_data.hpp"
#include "unit/mechanics/residual.hpp"

using namespace daedal::port;  // what a ported file would say

// clang-format off
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"   // the printed functions leave t unused
#pragma GCC diagnostic ignored "-Wfloat-conversion"  // and take sizes from an array of numbers

#define SIZEOFQ 2
#define SIZEOFC 1

// Figure 2.
template <typename T>
void pendulum( T t, const T *z, T *f, void *param ) {
  vector< B<T> > q(SIZEOFQ), qp(SIZEOFQ), C(SIZEOFC);

  init_q_qp(z, q, qp);
  double *p = (double *)param;
  double m = p[0], g = p[1], l = p[2];
  B<T> x = q[0], y = q[1], xp = qp[0], yp = qp[1];
  B<T> L = 0.5 * m * (sqr(xp) + sqr(yp)) + m * g * y;
  C[0] = sqr(x) + sqr(y) - sqr(l);

  setupEquations(L, z, q, qp, C, f);
}

// Figure 6, with the operator that line 12 lost in print.
template <typename T>
void controlled( T t, const T *z, T *f, void *param ) {
  vector< B<T> > q(SIZEOFQ), qp(SIZEOFQ), C(SIZEOFC);
  init_q_qp(z, q, qp);
  double *p = (double *)param;
  double m = p[0], g = p[1], l = p[2],
    a = p[3], w = p[4];
  B<T> x = q[0], y = q[1], xp = qp[0], yp = qp[1];
  B<T> L = 0.5 * m * (sqr(xp) + sqr(yp)) + m * g * y;
  C[0] = sqr(x) + sqr(y) - sqr(l);
  setupEquations(L, z, q, qp, C, f);
  f[0] -= z[3];
  f[3] = z[0] - a * sin(w * t);
}

// Figure 4, in the fcn of Figure 2; the parts of q are pointers into it.
template <typename T>
void chain( T t, const T *z, T *f, void *param ) {
  double *par = (double *)param;
  int n = (int)par[0];
  double M = par[1], m = par[2], g = par[3], l = par[4], k = par[5];
  vector< B<T> > q(2*n+1), qp(2*n+1), C(n);
  init_q_qp(z, q, qp);
  B<T> x0 = q[0], *x = &q[1], *y = x+n, x0p = qp[0], *xp = &qp[1], *yp = xp+n;
  B<T> L;
  {
    B<T> KEsum = sqr(x0p) + sqr(xp[n-1]) + sqr(yp[n-1]) + x0p*xp[0];
    for (int i=0; i<n-1; i++)
      KEsum += 2*( sqr(xp[i]) + sqr(yp[i]) ) + xp[i]*xp[i+1] + yp[i]*yp[i+1];
    B<T> KE = 0.5*M*sqr(x0p) + m/6*KEsum;

    B<T> PEsum = 0.5*y[n-1];
    for (int i=0; i<n-1; i++) PEsum += y[i];
    B<T> PE = 0.5*k*sqr(x0) + m*g*PEsum;

    L = KE - PE;
  }
  C[0] = sqr(x[0]-x0) + sqr(y[0]) - sqr(l);
  for (int i=1; i<n; i++)
    C[i] = sqr(x[i]-x[i-1]) + sqr(y[i]-y[i-1]) - sqr(l);
  setupEquations(L, z, q, qp, C, f);
}

// The appendix.
template <typename T>
void planets( T t, const T *z, T *f, void *pp ) {
  const double *param = (double *)pp;
  const int nMASS = param[0],
                 n = nMASS-1;
  const double
                 G = param[1];
  const double *m = param + 2,
         *mplanet = m+1;
                                           // the masses EXCLUDING the Sun
  const double Mtotal = (m + nMASS)[0]; // total mass, calculated in main program

  typedef Vector3D< B<T> > vec3;

  vector< B<T> > q(3*n), qp(3*n);
                                    // independent variables
  B<T> L;
                                     // for storing Lagrangian
  // { ... } ensures all intermediate variables go out of scope
  {
    init_q_qp(z,q,qp); // setup q, qp

    // Convert to a vector of 3D vectors.
    vector< vec3 > Q(n), Qp(n);
    for (int imass=0; imass<n; imass++) {
      Q[imass] = vec3( q [3*imass], q[3*imass+1], q [3*imass+2] );
      Qp[imass] = vec3( qp[3*imass], qp[3*imass+1], qp[3*imass+2] );
    }

    vector< vec3 > R(nMASS), Rp(nMASS);
    R[0] = Rp[0] = vec3(0,0,0);
    for (int imass=0; imass<n; imass++) {
      R [0] -= mplanet[imass]*Q [imass]; Rp[0] -= mplanet[imass]*Qp[imass];
    }
    R [0] /= Mtotal; Rp[0] /= Mtotal;

    // then set r_1, ..., r_n and their derivatives:
    for (int imass=1; imass<nMASS; imass++) {
      R [imass] = Q [imass-1] + R [0]; Rp[imass] = Qp[imass-1] + Rp[0];
    }

    // Compute KE and PE in terms of r and rp arrays
    B<T> KE = 0;
    for (int imass=0; imass<nMASS; imass++)
      KE += m[imass] * Rp[imass]*Rp[imass];
    KE *= 0.5;
    // Potential Energy (sum of all mass-to-mass PEs, -> -oo as bodies
    // become close)
    B<T> PE = 0;
    for (int imass=0; imass<nMASS; imass++)
      for (int jmass=imass+1; jmass<nMASS; jmass++)
        PE -= m[imass] * m[jmass] / norm(R[imass]-R[jmass]);
    PE = G*PE; // bring in gravitational constant
    L = KE - PE;
  }
  vector<B<T> > C; // dummy constraint variable

  setupEquations(L, z, q, qp, C, f);
}

#pragma GCC diagnostic pop
// clang-format on

namespace daedal {
namespace {

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
      make_model("Pendulum", 3, pendulum<Expression>, p, {.variables = {"x", "y", "lambda[1]"}});
  Model built("Pendulum");
  const auto x = built.variable("x"), y = built.variable("y");
  add_lagrangian(built, {.function = sqr(der(x)) + sqr(der(y)) + 2 * 9.8 * y,
                         .coordinates = {x, y},
                         .constraints = {sqr(x) + sqr(y) == sqr(10.0)}});
  EXPECT_EQ(simplified(ported).equations, simplified(built).equations);
}

TEST(Port, figure_6_of_Pryce_et_al_2018_gives_the_controlled_pendulum) {
  double p[] = {1.0, 9.8, 10.0, 5.0, 0.9};
  const Model ported = make_model("Controlled", 4, controlled<Expression>, p,
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
    const Model model = make_model("Chain", 3 * n + 1, chain<Expression>, p);
    EXPECT_LE(simplified(model).num_nodes, published / 2) << n;
  }
}

// The equations of the chain by hand: rod i acts on its end a, with b the other end, by
// m/6 (2 a'' + b''), half its weight and 2 lambda (a - b).
TEST(Port, figure_4_of_Pryce_et_al_2018_gives_the_equations_of_the_chain) {
  constexpr int n = 3;
  constexpr double M = 5, m = 2, g = 9.8, l = 2, k = 10;
  double p[] = {n, M, m, g, l, k};
  const Model model = make_model("Chain", 3 * n + 1, chain<Expression>, p);
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
  const Model model = make_model("Planets", 15, planets<Expression>, parameters.p);
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
  const Model model = make_model("Planets", 15, planets<Expression>, parameters.p);
  EXPECT_LE(simplified(model).num_nodes, 880U);
  RecordProperty("nodes", static_cast<int>(simplified(model).num_nodes));
}

}  // namespace
}  // namespace daedal
