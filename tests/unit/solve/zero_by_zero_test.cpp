// Quotients that are 0/0 on the way and have a limit there: a run passes them at every tolerance
// (docs/theory/taylor-method.md, Edges of domains).
#include <gtest/gtest.h>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

Model written(const std::string& body) {
  return parse_model("model Trial\n" + body + "end Trial;\n");
}

// Si(1) + Si(2), the integral of sin(x)/x from -1 to 2 [Abramowitz and Stegun, table 5.1].
TEST(ZeroByZero, the_sine_integral_goes_through_zero_at_every_tolerance) {
  for (const double tolerance : {1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    const Solution s = solve(written("Real x(start=-1, fixed=true), y(start=0, fixed=true);\n"
                                     "equation\nder(x) = 1;\nder(y) = sin(x)/x;\n"),
                             {.to = 3.0, .tolerance = tolerance});
    ASSERT_TRUE(s.ok()) << tolerance;
    EXPECT_NEAR(s("y", 3.0), 0.946083070367183015 + 1.605412976802694849, 20 * tolerance);
  }
}

// (x + r)/x looks like 0/0 from far away, and is a pole however small r is.
TEST(ZeroByZero, a_pole_next_to_a_zero_is_none) {
  for (const double r : {1e-2, 1e-6, 1e-10}) {
    Model m("Pole");
    const Expression x = m.variable("x", {.start = {-1.0}, .fixed = {true}});
    const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
    m.equation(der(x) == Expression(1.0));
    m.equation(der(y) == (x + r) / x);
    const Solution s = solve(m, {.to = 2.0});
    EXPECT_EQ(s.status(), Status::left_domain) << r;
    EXPECT_NEAR(s.t(), 1.0, 1e-9) << r;
  }
}

// The membrane of Hodgkin and Huxley from rest, with a current that makes it fire: its gates have
// rates that are 0/0 at -55 and -40 mV, which it passes up and down. The values are from RK4 with
// 40000 steps, the limits in the place of 0/0, extrapolated.
TEST(ZeroByZero, a_nerve_fires_at_every_tolerance) {
  const Model membrane = written(R"(
    Real v(start=-65, fixed=true), m, h, n, am, bm, ah, bh, an, bn;
    equation
    am = 0.1*(v + 40)/(1 - exp(-(v + 40)/10));
    bm = 4*exp(-(v + 65)/18);
    ah = 0.07*exp(-(v + 65)/20);
    bh = 1/(1 + exp(-(v + 35)/10));
    an = 0.01*(v + 55)/(1 - exp(-(v + 55)/10));
    bn = 0.125*exp(-(v + 65)/80);
    der(v) = 10 - 120*m^3*h*(v - 50) - 36*n^4*(v + 77) - 0.3*(v + 54.387);
    der(m) = am*(1 - m) - bm*m;
    der(h) = ah*(1 - h) - bh*h;
    der(n) = an*(1 - n) - bn*n;
    initial equation
    der(m) = 0;
    der(h) = 0;
    der(n) = 0;
  )");
  for (const char* method : {"auto", "dd-erk", "dd-ida", "bdf"})
    for (const double tolerance : {1e-6, 1e-8, 1e-9, 1e-10, 1e-11}) {
      if (tolerance < 1e-8 && method != std::string("auto")) continue;
      const Solution s = solve(membrane, {.to = 20.0, .tolerance = tolerance, .method = method});
      ASSERT_TRUE(s.ok()) << method << " " << tolerance;
      EXPECT_NEAR(s("v", 20.0), -74.64332140331, 2e3 * tolerance) << method;
      EXPECT_NEAR(s("n", 20.0), 0.64931974212471, 1e3 * tolerance) << method;
    }
}

}  // namespace
}  // namespace daedal
