// The whole analysis on small models: verdicts, diagnoses and what to give at the start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "daedal/analysis.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Analyze, gives_the_pendulum_index_3_and_two_degrees_of_freedom) {
  Model m("Pendulum");
  const auto x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda == 9.81);
  m.equation(sqr(x) + sqr(y) == 100);
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_THAT(a.c, ElementsAre(0, 0, 2));
  EXPECT_THAT(a.d, ElementsAre(2, 2, 0));
  EXPECT_EQ(a.structural_index, 3);
  EXPECT_EQ(a.dof, 2);
  EXPECT_TRUE(a.quasilinear);
  EXPECT_THAT(a.initial_values, ElementsAre("x", "der(x)", "y", "der(y)"));
}

TEST(Analyze, does_not_depend_on_the_order_of_equations_and_variables) {
  // The coupled pendula of any order of declaration have the same offsets, name by name.
  std::mt19937 random(3);
  std::map<std::string, int> first_c, first_d;
  for (int trial = 0; trial < 20; ++trial) {
    Model m("Pendula");
    std::vector<std::string> names = {"x1", "y1", "l1", "x2", "y2", "l2"};
    std::shuffle(names.begin(), names.end(), random);
    std::map<std::string, Expression> v;
    for (const std::string& name : names) v[name] = m.variable(name);
    std::vector<std::pair<std::string, Equality>> equations = {
        {"a1", der(v["x1"], 2) == -2 * v["l1"] * v["x1"]},
        {"b1", der(v["y1"], 2) == -2 * v["l1"] * v["y1"] - 1},
        {"c1", sqr(v["x1"]) + sqr(v["y1"]) == 1},
        {"a2", der(v["x2"], 2) == -2 * v["l2"] * v["x2"]},
        {"b2", der(v["y2"], 2) == -2 * v["l2"] * v["y2"] - 1},
        {"c2", sqr(v["x2"]) + sqr(v["y2"]) == sqr(1 + 0.1 * v["l1"])}};
    std::shuffle(equations.begin(), equations.end(), random);
    for (const auto& [name, equality] : equations) m.equation(name, equality);
    const Analysis a = analyze(m);
    std::map<std::string, int> c, d;
    for (int i = 0; i < 6; ++i) c[a.equations[i]] = a.c[i], d[a.variables[i]] = a.d[i];
    if (trial == 0) first_c = c, first_d = d;
    EXPECT_EQ(c, first_c);
    EXPECT_EQ(d, first_d);
    EXPECT_EQ(a.structural_index, 5);
  }
  EXPECT_EQ(first_c, (std::map<std::string, int>{
                         {"a1", 2}, {"b1", 2}, {"c1", 4}, {"a2", 0}, {"b2", 0}, {"c2", 2}}));
}

TEST(Analyze, asks_only_for_what_each_block_needs_alone) {
  // x drives y through three derivatives: all of them follow from x = sin t, so nothing but y need
  // be given.
  Model m("Driven");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation(x == sin(m.time()));
  m.equation(der(y) + y == der(x, 3));
  const Analysis a = analyze(m);
  EXPECT_THAT(a.d, ElementsAre(3, 1));
  EXPECT_THAT(a.initial_values, ElementsAre("y"));
  EXPECT_EQ(a.dof, 1);
}

TEST(Analyze, a_nonlinear_block_asks_for_a_guess_that_selects_the_branch) {
  Model m("Branch");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation("speed", sqr(der(x)) + sqr(y) == 1);
  m.equation("angle", sin(y) == 0.5 * x);
  const Analysis a = analyze(m);
  EXPECT_FALSE(a.quasilinear);
  EXPECT_THAT(a.initial_values, ElementsAre("x", "der(x)", "y"));
}

TEST(Analyze, linear_in_the_highest_derivative_is_quasilinear_whatever_else_is_nonlinear) {
  Model m("Quasilinear");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation(exp(x) * der(x, 2) + sin(der(x)) * y == 0);
  m.equation(der(x * y) * cos(x) + y * y == 1);
  EXPECT_TRUE(analyze(m).quasilinear);
}

TEST(Analyze, sees_through_differentiated_expressions_in_products) {
  // der(x*y)*z: x' and y' are below the highest derivatives of x and y, so the product is linear in
  // z.
  Model m("Products");
  const auto x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x, 2) == y);
  m.equation(der(y, 2) == x);
  m.equation(der(x * y) * z == 1);
  EXPECT_TRUE(analyze(m).quasilinear);
}

TEST(Analyze, a_hidden_constraint_fails_structurally_and_the_message_gives_the_combination) {
  Model m("Hidden");
  const auto y1 = m.variable("y1"), y2 = m.variable("y2");
  m.equation("flow", der(y1) + der(y2) + 2 * y2 == 0);
  m.equation("level", y1 + y2 == sqr(m.time()));
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  EXPECT_THAT(a.c, ElementsAre(0, 1));
  ASSERT_EQ(a.diagnosis.size(), 1U);
  EXPECT_EQ(a.diagnosis[0].id, "S-STR-001");
  EXPECT_THAT(a.diagnosis[0].what, HasSubstr("{y1, y2}"));
  EXPECT_THAT(a.diagnosis[0].where, HasSubstr("'flow'"));
  EXPECT_THAT(a.diagnosis[0].why, HasSubstr("'flow'"));
  EXPECT_THAT(a.diagnosis[0].why, HasSubstr("d/dt 'level'"));
}

TEST(Analyze, an_equation_that_repeats_another_is_named_as_such) {
  Model m("Circuit");
  const auto i = m.variable("i"), uR = m.variable("uR"), uC = m.variable("uC");
  const auto R = m.parameter("R", 100.0);
  m.equation("mesh", uR + uC == sin(m.time()));
  m.equation("resistor", uR == R * i);
  m.equation("capacitor", 2 * R * i == 2 * uR);  // meant: i = C*der(uC)
  const Analysis a = analyze(m);
  ASSERT_EQ(a.diagnosis.size(), 1U);
  EXPECT_THAT(a.diagnosis[0].why, HasSubstr("'capacitor' repeats 'resistor'"));
  EXPECT_THAT(a.diagnosis[0].todo, HasSubstr("repeats another"));
}

TEST(Analyze, only_the_singular_block_is_named) {
  Model m("TwoBlocks");
  const auto x = m.variable("x"), y1 = m.variable("y1"), y2 = m.variable("y2");
  m.equation("fine", der(x) == x);
  m.equation("flow", der(y1) + der(y2) + 2 * y2 == x);
  m.equation("level", y1 + y2 == 1);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.diagnosis.size(), 1U);
  EXPECT_THAT(a.diagnosis[0].where, Not(HasSubstr("fine")));
}

TEST(Analyze, a_parameter_value_that_makes_the_jacobian_singular_is_found) {
  Model m("Epsilon");
  const auto x = m.variable("x"), y = m.variable("y"), eps = m.parameter("eps", 0.1);
  m.equation(der(x) == y);
  m.equation("fast", eps * der(y) == -x - y);
  EXPECT_EQ(analyze(m).status, AnalysisStatus::ok);
  m.set_parameter("eps", 0.0);
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  EXPECT_THAT(a.diagnosis[0].where, HasSubstr("fast"));
  EXPECT_THAT(a.diagnosis[0].why, HasSubstr("another value of eps (now 0)"));
}

TEST(Analyze, a_singularity_at_the_start_time_alone_is_not_one) {
  Model m("Time");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation(m.time() * der(x) == x - 1);
  m.equation(sin(m.time()) * y + x == 1);
  EXPECT_EQ(analyze(m).status, AnalysisStatus::ok);
}

TEST(Analyze, steep_functions_do_not_make_a_regular_model_singular) {
  // A ladder of diodes without start values: at differences of a volt the exponentials reach 1e33.
  Model m("Diodes");
  const auto v = m.variables("v", 20);
  const auto current = [&](int k) { return 1e-14 * (exp((v[k] - v[k + 1]) / 0.026) - 1); };
  for (int k = 0; k < 20; ++k)
    m.equation(v[k] / 1e3 + (k < 19 ? current(k) : 0.0) - (k > 0 ? current(k - 1) : 0.0) ==
               sin(m.time()));
  EXPECT_EQ(analyze(m).status, AnalysisStatus::ok);

  // An Arrhenius law without a start temperature: exp(-1e4) is far below the smallest double.
  Model arrhenius("Arrhenius");
  const auto T = arrhenius.variable("T"), c = arrhenius.variable("c");
  arrhenius.equation(der(T) == 1);
  arrhenius.equation(1e10 * exp(-1e4 / T) * c == 1);
  EXPECT_EQ(analyze(arrhenius).status, AnalysisStatus::ok);
}

TEST(Analyze, powers_with_a_parameter_as_exponent_are_defined_for_negative_bases) {
  Model m("Power");
  const auto x = m.variable("x", {.start = {-2}}), p = m.parameter("p", 3.0);
  m.equation(der(pow(x, p)) == pow(-1 - sqr(x), p));
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_TRUE(a.diagnosis.empty());
}

TEST(Analyze, high_derivatives_do_not_overflow) {
  Model m("High");
  const auto x = m.variable("x");
  m.equation(sqr(der(x, 200)) == 1 + x);
  const Analysis a = analyze(m);
  EXPECT_TRUE(a.diagnosis.empty());
  EXPECT_EQ(a.dof, 200);
}

TEST(Analyze, an_equation_that_is_defined_nowhere_is_noticed_even_if_its_jacobian_is_constant) {
  Model m("Residual");
  const auto x = m.variable("x");
  m.equation(der(x) == log(-1 - sqr(m.time())));
  const Analysis a = analyze(m);
  ASSERT_EQ(a.diagnosis.size(), 1U);
  EXPECT_EQ(a.diagnosis[0].id, "S-STR-002");
}

// Derivatives that vanish by an identity come out as rounding noise, not as zeros.
TEST(Analyze, a_jacobian_that_vanishes_by_an_identity_is_singular) {
  const auto verdict = [](auto equation) {
    Model m("Identity");
    const auto x = m.variable("x"), y = m.variable("y");
    m.equation(der(x) == -x);
    m.equation(equation(x, y));
    return analyze(m).status;
  };
  using E = const Expression&;
  const auto fails = AnalysisStatus::structural_analysis_fails;
  EXPECT_EQ(verdict([](E, E y) { return sqr(sqrt(y)) == y; }), fails);
  EXPECT_EQ(verdict([](E x, E y) { return y * x / y == x; }), fails);
  EXPECT_EQ(verdict([](E x, E y) { return sqr(sin(y)) + sqr(cos(y)) == 1 + 0 * x; }), fails);
  EXPECT_EQ(verdict([](E x, E y) { return 1e8 * (exp(2 * y) - sqr(exp(y))) == x; }), fails);
  EXPECT_EQ(verdict([](E x, E y) { return 1e-12 * y == x; }), AnalysisStatus::ok);
  EXPECT_EQ(verdict([](E x, E y) { return exp(30 * y) == x; }), AnalysisStatus::ok);
}

TEST(Analyze, a_two_by_two_block_that_is_singular_by_an_identity_is_found) {
  // The rotation (cos s, -sin s; sin s, cos s) is regular; with its second row repeated from the
  // first by addition theorems it is not.
  Model m("Rotation");
  const auto x = m.variable("x"), y = m.variable("y"), s = m.variable("s");
  m.equation(der(s) == 1);
  m.equation(cos(2 * s) * der(x) - sin(2 * s) * der(y) == x);
  m.equation((sqr(cos(s)) - sqr(sin(s))) * der(x) - 2 * sin(s) * cos(s) * der(y) == y);
  EXPECT_EQ(analyze(m).status, AnalysisStatus::structural_analysis_fails);
}

TEST(Analyze, functions_are_evaluated_inside_their_domains) {
  // Every start guess is outside: log of a negative number, root, asin, acosh. The verdict must
  // still come.
  Model m("Domains");
  const auto x = m.variables("x", 4, {.start = {-3}});
  m.equation(der(x[0]) * log(x[0]) == 1);
  m.equation(der(x[1]) * sqrt(x[1]) == 1);
  m.equation(der(x[2]) * asin(x[2]) == 1);
  m.equation(der(x[3]) * acosh(x[3]) == 1);
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_TRUE(a.diagnosis.empty());
}

TEST(Analyze, says_so_when_an_operation_is_defined_nowhere) {
  Model m("Nowhere");
  const auto x = m.variable("x");
  m.equation(der(x) * log(-1 - sqr(x)) == 1);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.diagnosis.size(), 1U);
  EXPECT_EQ(a.diagnosis[0].id, "S-STR-002");
  EXPECT_THAT(a.diagnosis[0].why, HasSubstr("log("));
}

TEST(Analyze, one_equation_too_few_names_exactly_the_unknowns_that_lack_it) {
  Model m("TooFew");
  const auto x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation("sound", der(x) == x);
  m.equation("both", y + z == x);
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::structurally_singular);
  ASSERT_EQ(a.diagnosis.size(), 1U);
  EXPECT_EQ(a.diagnosis[0].id, "E-STR-002");
  EXPECT_THAT(a.diagnosis[0].what, HasSubstr("1 equation missing for the unknowns y, z"));
  EXPECT_THAT(a.diagnosis[0].why, HasSubstr("'both'"));
  EXPECT_THAT(a.diagnosis[0].why, Not(HasSubstr("sound")));
}

TEST(Analyze, one_equation_too_many_names_exactly_the_equations_that_compete) {
  Model m("TooMany");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation("first", x == 1);
  m.equation("second", x == cos(m.time()));
  m.equation("sound", der(y) == y);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.diagnosis.size(), 1U);
  EXPECT_EQ(a.diagnosis[0].id, "E-STR-001");
  EXPECT_THAT(a.diagnosis[0].where, HasSubstr("'first'"));
  EXPECT_THAT(a.diagnosis[0].where, HasSubstr("'second'"));
  EXPECT_THAT(a.diagnosis[0].where, Not(HasSubstr("sound")));
  EXPECT_THAT(a.diagnosis[0].what, HasSubstr("the unknown x"));
}

TEST(Analyze, two_equations_for_one_unknown_give_an_over_and_an_under_determined_part) {
  Model m("Square");
  const auto x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation("first", x == 1);
  m.equation("second", sqr(x) == 4);
  m.equation("rest", y + z == x);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.diagnosis.size(), 2U);
  EXPECT_THAT(a.diagnosis[0].what, HasSubstr("too many for the unknown x"));
  EXPECT_THAT(a.diagnosis[1].what, HasSubstr("missing for the unknowns y, z"));
}

TEST(AnalyzeErrors, E_MOD_008_orders_that_add_up_beyond_reason_name_variable_and_equation) {
  Model m("Nested");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation("tower", der(x * der(x * der(x, 900), 900), 900) == y);
  m.equation(y == 1);
  try {
    analyze(m);
    FAIL() << "2700 derivatives were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "E-MOD-008");
    EXPECT_THAT(error.problems()[0].what, HasSubstr("'x' is differentiated 2700 times"));
    EXPECT_THAT(error.problems()[0].where, HasSubstr("'tower'"));
  }
}

TEST(Analyze, what_cancels_does_not_occur_even_if_the_sum_is_shared) {
  Model m("Shared");
  const auto x = m.variable("x"), y = m.variable("y");
  const auto shared = der(x) + y;
  m.equation(shared - der(x) == 1);
  m.equation(shared + x - der(x) == 2);  // shared stays a node of its own: two sums use it
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_THAT(a.d, ElementsAre(0, 0));
  EXPECT_EQ(a.signature.size(), 3U);
}

TEST(Analyze, counts_nodes_before_and_after_sharing) {
  Model m("Counts");
  const auto x = m.variable("x");
  const auto slope = der(x);
  m.equation(slope == (x - 1) * (x - 1) + sqr(1 - x));  // 2 (x-1)^2
  const Analysis a = analyze(m);
  EXPECT_EQ(a.nodes_recorded,
            8U);           // der, three differences, product, square, sum, and left - right
  EXPECT_EQ(a.nodes, 5U);  // x, x', x-1, its square, the residual
}

}  // namespace
}  // namespace daedal
