// Taylor coefficients to order 40: of every elementary function against a closed form of its own,
// and of identities between functions for arguments that are series themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "expr/graph.hpp"
#include "taylor/interpreter.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {
namespace {

using expr::Graph;
using expr::Op;
using expr::UnknownId;
using Coefficients = std::vector<double>;

constexpr int order = 40;
constexpr double pi = std::numbers::pi;

// Coefficients of `root`; those of the unknowns are given, not multiplied by factorials.
Coefficients series_of(Graph& graph, NodeId root, double t,
                       const std::vector<Coefficients>& unknowns = {}) {
  const Tape tape(graph, {&root, 1}, order);
  Interpreter interpreter(tape);
  interpreter.run({.time = t, .parameters = {}, .derivative = [&](UnknownId id, int k) {
                     return unknowns[id.index()][static_cast<std::size_t>(k)] * std::tgamma(k + 1);
                   }});
  Coefficients coefficients;
  for (int k = 0; k <= order; ++k) coefficients.push_back(interpreter.coefficient(root, k));
  return coefficients;
}

// ---------------------------------------------------------------------------------------------------------------------
// Closed forms of f(t0 + s), coefficient k. In long double, so that the reference has digits to
// spare.

using Real = long double;

Real binomial(Real r, int k) {
  Real result = 1;
  for (int j = 0; j < k; ++j) result *= (r - static_cast<Real>(j)) / static_cast<Real>(j + 1);
  return result;
}

Real factorial_of(int k) { return std::tgamma(static_cast<Real>(k + 1)); }

// f^(k)/k! = P_k(f) where f' = 1 + sign f^2, so that P_{k+1} = P_k' (1 + sign x^2) / (k+1).
Real by_derivative_polynomials(Real f, Real sign, int k) {
  std::vector<Real> p = {0, 1};
  for (int n = 1; n <= k; ++n) {
    std::vector<Real> next(p.size() + 1, 0);
    for (std::size_t j = 1; j < p.size(); ++j) {
      const Real slope = static_cast<Real>(j) * p[j] / static_cast<Real>(n);
      next[j - 1] += slope;
      next[j + 1] += sign * slope;
    }
    p = next;
  }
  Real value = 0;
  for (std::size_t j = p.size(); j-- > 0;) value = value * f + p[j];
  return value;
}

// Coefficient k of ((t + s)^2 + a)^(-1/2), by the generating function of the Legendre polynomials:
// (t^2 + a)^(-1/2 - k/2) P_k(-t/sqrt(t^2 + a)).
Real inverse_root(Real t, Real a, int k) {
  const Real square = t * t + a;
  const Real x = -t / std::sqrt(square);
  Real before = 0, now = 1;  // Bonnet's recursion; |x| > 1 for acosh
  for (int n = 0; n < k; ++n) {
    const Real next = (static_cast<Real>(2 * n + 1) * x * now - static_cast<Real>(n) * before) /
                      static_cast<Real>(n + 1);
    before = now;
    now = next;
  }
  return now * std::pow(square, static_cast<Real>(-0.5L - 0.5L * k));
}

// asin at 0: s + s^3/6 + ..., coefficient of s^(2n+1) is (2n)!/(4^n n!^2 (2n+1)).
Real asin_at_zero(int k) {
  if (k % 2 == 0) return 0;
  const int n = (k - 1) / 2;
  return factorial_of(2 * n) /
         (std::pow(4.0L, n) * factorial_of(n) * factorial_of(n) * static_cast<Real>(k));
}

// (2/sqrt(pi)) (-1)^(k-1) H_{k-1}(t) exp(-t^2)/k!
Real erf_coefficient(Real t, int k) {
  if (k == 0) return std::erf(t);
  Real before = 0, now = 1;
  for (int n = 0; n < k - 1; ++n) {
    const Real next = 2 * t * now - 2 * static_cast<Real>(n) * before;
    before = now;
    now = next;
  }
  return (k % 2 == 1 ? 1 : -1) * 2 / std::sqrt(std::numbers::pi_v<Real>) * now * std::exp(-t * t) /
         factorial_of(k);
}

struct Closed {
  std::string name;
  double t;  // where it is expanded; its series converges for |s| < 1/4 at least
  std::function<NodeId(Graph&, NodeId time)> build;
  std::function<Real(Real t, int k)> coefficient;
};

Closed unary(Op op, double t, const std::function<Real(Real t, int k)>& coefficient) {
  return {std::string(expr::name_of(op)), t,
          [op](Graph& g, NodeId time) { return g.unary(op, time); }, coefficient};
}

std::vector<Closed> closed_forms() {
  const auto turned = [](Real t, int k) {
    return t + static_cast<Real>(k % 4) * std::numbers::pi_v<Real> / 2;
  };
  return {
      unary(Op::exp, 0.7, [](Real t, int k) { return std::exp(t) / factorial_of(k); }),
      unary(Op::log, 0.7,
            [](Real t, int k) {
              return k == 0 ? std::log(t)
                            : -std::pow(-t, -static_cast<Real>(k)) / static_cast<Real>(k);
            }),
      unary(Op::sin, 0.7, [=](Real t, int k) { return std::sin(turned(t, k)) / factorial_of(k); }),
      unary(Op::cos, 0.7, [=](Real t, int k) { return std::cos(turned(t, k)) / factorial_of(k); }),
      unary(Op::tan, 0.7,
            [](Real t, int k) { return by_derivative_polynomials(std::tan(t), 1, k); }),
      unary(Op::asin, 0.0, [](Real, int k) { return asin_at_zero(k); }),
      unary(Op::acos, 0.0,
            [](Real, int k) {
              return (k == 0 ? std::numbers::pi_v<Real> / 2 : 0) - asin_at_zero(k);
            }),
      // (k-1)! cos(a)^k sin(k (a + pi/2)) with a = atan t
      unary(Op::atan, 0.7,
            [](Real t, int k) {
              const Real a = std::atan(t);
              if (k == 0) return a;
              return std::pow(std::cos(a), static_cast<Real>(k)) *
                     std::sin(static_cast<Real>(k) * (a + std::numbers::pi_v<Real> / 2)) /
                     static_cast<Real>(k);
            }),
      unary(Op::sinh, 0.7,
            [](Real t, int k) {
              return (k % 2 == 0 ? std::sinh(t) : std::cosh(t)) / factorial_of(k);
            }),
      unary(Op::cosh, 0.7,
            [](Real t, int k) {
              return (k % 2 == 0 ? std::cosh(t) : std::sinh(t)) / factorial_of(k);
            }),
      unary(Op::tanh, 0.7,
            [](Real t, int k) { return by_derivative_polynomials(std::tanh(t), -1, k); }),
      unary(Op::asinh, 0.7,
            [](Real t, int k) {
              return k == 0 ? std::asinh(t) : inverse_root(t, 1, k - 1) / static_cast<Real>(k);
            }),
      unary(Op::acosh, 1.7,
            [](Real t, int k) {
              return k == 0 ? std::acosh(t) : inverse_root(t, -1, k - 1) / static_cast<Real>(k);
            }),
      unary(Op::atanh, 0.3,
            [](Real t, int k) {
              if (k == 0) return std::atanh(t);
              return (std::pow(1 - t, -static_cast<Real>(k)) -
                      std::pow(-1 - t, -static_cast<Real>(k))) /
                     static_cast<Real>(2 * k);
            }),
      unary(Op::erf, 0.7, erf_coefficient),
      unary(Op::abs, -0.7,
            [](Real t, int k) { return k == 0 ? -t : static_cast<Real>(k == 1 ? -1 : 0); }),
      unary(Op::sign, -0.7, [](Real, int k) { return static_cast<Real>(k == 0 ? -1 : 0); }),
      // the angle of e^(t/2) (cos(2t + 1), sin(2t + 1))
      {"atan2", 0.3,
       [](Graph& g, NodeId t) {
         const NodeId angle = g.add(g.scale(2, t), g.constant(1));
         const NodeId radius = g.unary(Op::exp, g.scale(0.5, t));
         return g.binary(Op::atan2, g.multiply(radius, g.unary(Op::sin, angle)),
                         g.multiply(radius, g.unary(Op::cos, angle)));
       },
       [](Real t, int k) { return k == 0 ? 2 * t + 1 : static_cast<Real>(k == 1 ? 2 : 0); }},
      {"min", 0.3, [](Graph& g, NodeId t) { return g.binary(Op::min, t, g.unary(Op::exp, t)); },
       [](Real t, int k) { return k == 0 ? t : static_cast<Real>(k == 1 ? 1 : 0); }},
      {"max", 0.3, [](Graph& g, NodeId t) { return g.binary(Op::max, t, g.unary(Op::exp, t)); },
       [](Real t, int k) { return std::exp(t) / factorial_of(k); }},
      {"power", 0.7, [](Graph& g, NodeId t) { return g.power(t, -2.5); },
       [](Real t, int k) {
         return binomial(-2.5L, k) * std::pow(t, static_cast<Real>(-2.5L - static_cast<Real>(k)));
       }},
      // (e^t)^t = e^(t^2) = e^(t0^2) e^(2 t0 s) e^(s^2)
      {"pow", 0.7, [](Graph& g, NodeId t) { return g.pow(g.unary(Op::exp, t), t); },
       [](Real t, int k) {
         Real sum = 0;
         for (int j = 0; 2 * j <= k; ++j)
           sum += std::pow(2 * t, static_cast<Real>(k - 2 * j)) /
                  (factorial_of(j) * factorial_of(k - 2 * j));
         return sum * std::exp(t * t);
       }},
      {"quotient", 0.7,
       [](Graph& g, NodeId t) { return g.divide(g.unary(Op::sin, t), g.unary(Op::exp, t)); },
       // the imaginary part of e^((i-1) t): e^(-t) sin(t + 3 pi k/4) 2^(k/2)
       [](Real t, int k) {
         return std::exp(-t) * std::pow(2.0L, static_cast<Real>(k) / 2) *
                std::sin(t + static_cast<Real>(3 * (k % 8)) * std::numbers::pi_v<Real> / 4) /
                factorial_of(k);
       }},
      {"product", 0.7,
       [](Graph& g, NodeId t) { return g.multiply(g.unary(Op::sin, t), g.unary(Op::cos, t)); },
       [=](Real t, int k) {
         return std::pow(2.0L, k) * std::sin(turned(2 * t, k)) / 2 / factorial_of(k);
       }},
      {"affine", 0.7,
       [](Graph& g, NodeId t) { return g.add(g.scale(3, g.unary(Op::exp, t)), g.constant(-2)); },
       [](Real t, int k) { return 3 * std::exp(t) / factorial_of(k) - (k == 0 ? 2 : 0); }},
      {"diff", 0.7, [](Graph& g, NodeId t) { return g.diff(g.unary(Op::sin, g.scale(2, t)), 3); },
       [=](Real t, int k) {
         return std::pow(2.0L, k + 3) * std::sin(turned(2 * t, k + 3)) / factorial_of(k);
       }},
  };
}

void PrintTo(const Closed& closed, std::ostream* stream) { *stream << closed.name; }

class ClosedSeries : public testing::TestWithParam<Closed> {};

INSTANTIATE_TEST_SUITE_P(, ClosedSeries, testing::ValuesIn(closed_forms()),
                         [](const auto& test) { return test.param.name; });

// The error of coefficient k is judged as that of the term s^k at s = 1/4, well inside every circle
// of convergence: relative to the largest term there, 40 sums of 40 products may round by 1e-14.
TEST_P(ClosedSeries, agrees_to_order_40) {
  Graph g;
  const Coefficients series = series_of(g, GetParam().build(g, g.time()), GetParam().t);
  constexpr double s = 0.25;
  double largest = 0.0;
  for (int k = 0; k <= order; ++k) {
    const auto exact = static_cast<double>(GetParam().coefficient(GetParam().t, k));
    largest = std::max(largest, std::abs(exact) * std::pow(s, k));
    EXPECT_NEAR(series[static_cast<std::size_t>(k)] * std::pow(s, k), exact * std::pow(s, k),
                1e-14 * largest)
        << "coefficient " << k;
    // and by itself, to ten digits, so that small coefficients count as well
    EXPECT_NEAR(series[static_cast<std::size_t>(k)], exact,
                1e-10 * std::abs(exact) + 1e-15 * largest)
        << "coefficient " << k;
  }
}

// Whoever adds a function finds out here that its series needs a closed form.
TEST(ElementaryFunctions, have_a_closed_series_each) {
  std::set<std::string> tested;
  for (const Closed& closed : closed_forms()) tested.insert(closed.name);
  for (int op = static_cast<int>(Op::affine); op <= static_cast<int>(Op::max); ++op) {
    switch (static_cast<Op>(op)) {
      case Op::affine: EXPECT_TRUE(tested.contains("affine")); break;
      case Op::product: EXPECT_TRUE(tested.contains("product")); break;
      case Op::quotient: EXPECT_TRUE(tested.contains("quotient")); break;
      case Op::power: EXPECT_TRUE(tested.contains("power")); break;
      case Op::pow: EXPECT_TRUE(tested.contains("pow")); break;
      default:
        EXPECT_TRUE(tested.contains(std::string(expr::name_of(static_cast<Op>(op)))))
            << expr::name_of(static_cast<Op>(op));
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Identities

struct Identity {
  std::string name;
  std::function<NodeId(Graph&, NodeId u, NodeId v)> left, right;
  double u = 0.4;  // u(0); |u - u(0)| < 0.3 in the unit circle
};

// v(0); |v - v(0)| < 0.3 in the unit circle.
constexpr double v_at_zero = 1.3;

NodeId square(Graph& g, NodeId u) { return g.power(u, 2); }

std::vector<Identity> identities() {
  const auto same = [](Graph&, NodeId u, NodeId) { return u; };
  const auto one = [](Graph& g, NodeId, NodeId) { return g.constant(1); };
  const auto of = [](Op outer, Op inner) {
    return [=](Graph& g, NodeId u, NodeId) { return g.unary(outer, g.unary(inner, u)); };
  };
  const auto ratio = [](Op above, Op below) {
    return
        [=](Graph& g, NodeId u, NodeId) { return g.divide(g.unary(above, u), g.unary(below, u)); };
  };
  const auto f = [](Op op) { return [=](Graph& g, NodeId u, NodeId) { return g.unary(op, u); }; };
  // d/dt f(u) against g(u) u'
  const auto rate_of = [](Op op) {
    return [=](Graph& g, NodeId u, NodeId) { return g.diff(g.unary(op, u), 1); };
  };
  return {
      {"sin2_plus_cos2_is_1",
       [](Graph& g, NodeId u, NodeId) {
         return g.add(square(g, g.unary(Op::sin, u)), square(g, g.unary(Op::cos, u)));
       },
       one},
      {"cosh2_minus_sinh2_is_1",
       [](Graph& g, NodeId u, NodeId) {
         return g.subtract(square(g, g.unary(Op::cosh, u)), square(g, g.unary(Op::sinh, u)));
       },
       one},
      {"exp_of_log", of(Op::exp, Op::log), same},
      {"log_of_exp", of(Op::log, Op::exp), same},
      {"tan_is_sin_over_cos", f(Op::tan), ratio(Op::sin, Op::cos)},
      {"tanh_is_sinh_over_cosh", f(Op::tanh), ratio(Op::sinh, Op::cosh)},
      {"asin_of_sin", of(Op::asin, Op::sin), same},
      {"sin_of_asin", of(Op::sin, Op::asin), same},
      {"acos_of_cos", of(Op::acos, Op::cos), same},
      {"cos_of_acos", of(Op::cos, Op::acos), same},
      {"asin_plus_acos_is_half_pi",
       [](Graph& g, NodeId u, NodeId) { return g.add(g.unary(Op::asin, u), g.unary(Op::acos, u)); },
       [](Graph& g, NodeId, NodeId) { return g.constant(pi / 2); }},
      {"atan_of_tan", of(Op::atan, Op::tan), same},
      {"tan_of_atan", of(Op::tan, Op::atan), same},
      {"asinh_of_sinh", of(Op::asinh, Op::sinh), same},
      {"sinh_of_asinh", of(Op::sinh, Op::asinh), same},
      {"acosh_of_cosh", of(Op::acosh, Op::cosh), same, 0.8},
      {"cosh_of_acosh", of(Op::cosh, Op::acosh), same, 1.6},
      {"atanh_of_tanh", of(Op::atanh, Op::tanh), same},
      {"tanh_of_atanh", of(Op::tanh, Op::atanh), same},
      {"asinh_is_log_of_u_plus_root", f(Op::asinh),
       [](Graph& g, NodeId u, NodeId) {
         return g.unary(Op::log, g.add(u, g.power(g.add(square(g, u), g.constant(1)), 0.5)));
       }},
      {"atan2_of_sin_and_cos_is_the_angle",
       [](Graph& g, NodeId u, NodeId v) {
         return g.binary(Op::atan2, g.multiply(v, g.unary(Op::sin, u)),
                         g.multiply(v, g.unary(Op::cos, u)));
       },
       same},
      {"atan2_in_the_third_quadrant_is_atan_minus_pi",
       [](Graph& g, NodeId u, NodeId v) { return g.binary(Op::atan2, g.negate(u), g.negate(v)); },
       [](Graph& g, NodeId u, NodeId v) {
         return g.subtract(g.unary(Op::atan, g.divide(u, v)), g.constant(pi));
       }},
      {"erf_has_the_gaussian_as_rate", rate_of(Op::erf),
       [](Graph& g, NodeId u, NodeId) {
         return g.scale(2 / std::sqrt(pi),
                        g.multiply(g.unary(Op::exp, g.negate(square(g, u))), g.diff(u, 1)));
       }},
      {"log_has_the_reciprocal_as_rate", rate_of(Op::log),
       [](Graph& g, NodeId u, NodeId) { return g.divide(g.diff(u, 1), u); }},
      {"powers_multiply",  // (u^1.7)^0.6 = u^1.02
       [](Graph& g, NodeId u, NodeId) { return g.power(g.power(u, 1.7), 0.6); },
       [](Graph& g, NodeId u, NodeId) { return g.power(u, 1.02); }},
      {"exponents_add",
       [](Graph& g, NodeId u, NodeId) { return g.multiply(g.power(u, 1.7), g.power(u, -0.7)); },
       same},
      {"root_squared", [](Graph& g, NodeId u, NodeId) { return square(g, g.power(u, 0.5)); }, same},
      {"root_of_square", [](Graph& g, NodeId u, NodeId) { return g.power(square(g, u), 0.5); },
       same},
      {"cube_is_a_product", [](Graph& g, NodeId u, NodeId) { return g.power(u, 3); },
       [](Graph& g, NodeId u, NodeId v) {
         return g.divide(g.multiply(square(g, u), g.multiply(u, v)), v);
       }},
      {"integer_power_is_the_general_one",
       [](Graph& g, NodeId u, NodeId) { return g.power(u, 13); },
       [](Graph& g, NodeId u, NodeId) {
         return g.unary(Op::exp, g.scale(13, g.unary(Op::log, u)));
       },
       0.9},
      {"varying_power_is_exp_of_v_log_u", [](Graph& g, NodeId u, NodeId v) { return g.pow(u, v); },
       [](Graph& g, NodeId u, NodeId v) {
         return g.unary(Op::exp, g.multiply(v, g.unary(Op::log, u)));
       }},
      {"varying_exponents_add",
       [](Graph& g, NodeId u, NodeId v) { return g.multiply(g.pow(u, v), g.pow(u, g.negate(v))); },
       one},
      {"quotient_times_divisor",
       [](Graph& g, NodeId u, NodeId v) { return g.multiply(g.divide(u, v), v); }, same},
      {"abs_of_a_negative",
       [](Graph& g, NodeId u, NodeId) { return g.unary(Op::abs, g.subtract(u, g.constant(5))); },
       [](Graph& g, NodeId u, NodeId) { return g.subtract(g.constant(5), u); }},
      {"sign_times_abs",
       [](Graph& g, NodeId u, NodeId) {
         const NodeId w = g.subtract(u, g.constant(5));
         return g.multiply(g.unary(Op::sign, w), g.unary(Op::abs, w));
       },
       [](Graph& g, NodeId u, NodeId) { return g.subtract(u, g.constant(5)); }},
      {"min_plus_max_is_the_sum",
       [](Graph& g, NodeId u, NodeId v) {
         return g.add(g.binary(Op::min, u, v), g.binary(Op::max, u, v));
       },
       [](Graph& g, NodeId u, NodeId v) { return g.add(u, v); }},
      {"product_rule", [](Graph& g, NodeId u, NodeId v) { return g.diff(g.multiply(u, v), 2); },
       [](Graph& g, NodeId u, NodeId v) {
         return g.add(
             g.add(g.multiply(g.diff(u, 2), v), g.scale(2, g.multiply(g.diff(u, 1), g.diff(v, 1)))),
             g.multiply(u, g.diff(v, 2)));
       }},
  };
}

// w_k = a_k 2^-k with sum of |a_k 2^-k| <= 0.3: analytic, and |w - w_0| <= 0.3 in the unit circle.
// `gap` leaves coefficients out, as in even functions.
Coefficients random_series(double at_zero, unsigned seed, int gap) {
  std::mt19937 random(seed);
  Coefficients coefficients(order + 6, 0.0);
  coefficients[0] = at_zero;
  for (int k = 1; k < order + 6; ++k) {
    const double a = 2.0 * static_cast<double>(random()) / 4294967295.0 - 1.0;
    if (k % gap == 0) coefficients[static_cast<std::size_t>(k)] = 0.3 * a * std::pow(0.5, k);
  }
  return coefficients;
}

void PrintTo(const Identity& identity, std::ostream* stream) { *stream << identity.name; }

class SeriesIdentity : public testing::TestWithParam<Identity> {};

INSTANTIATE_TEST_SUITE_P(, SeriesIdentity, testing::ValuesIn(identities()),
                         [](const auto& test) { return test.param.name; });

// No function here exceeds 50 in the unit circle, so no coefficient does (Cauchy's estimate), and
// rounding stays below 40 * 40 * 50 * 1.1e-16 = 9e-12 were all of it to add up. It does not: a
// ninth of that is asserted.
TEST_P(SeriesIdentity, holds_to_order_40) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    for (const int gap : {1, 2}) {
      Graph g;
      const NodeId u = g.add_unknown("u"), v = g.add_unknown("v");
      const std::vector<Coefficients> given = {random_series(GetParam().u, seed, gap),
                                               random_series(v_at_zero, seed + 100, 1)};
      const Coefficients left = series_of(g, GetParam().left(g, u, v), 0.0, given);
      const Coefficients right = series_of(g, GetParam().right(g, u, v), 0.0, given);
      for (std::size_t k = 0; k <= order; ++k)
        EXPECT_NEAR(left[k], right[k], 1e-12)
            << "coefficient " << k << ", series " << seed << ", every " << gap;
    }
  }
}

}  // namespace
}  // namespace daedal::taylor
