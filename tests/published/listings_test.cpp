// The five listings of Pryce, Nedialkov, Tan and Li (2018), from the printed function to its
// solution, against the references of the same problems written in other ways.
#include "problems/printed_listings/listings.hpp"

#include <cmath>

#include "published/digits.hpp"

namespace daedal::test {
namespace {

using namespace problems::printed;

// The final values, in the order of z, beside the references of these names.
void expect_reference(const Solution& solution, const std::string& problem,
                      const std::vector<std::string>& names) {
  ASSERT_TRUE(solution.ok()) << solution.problems().front().text();
  const Json& values = variant(problem).facts.at("references").at(0).at("values");
  for (std::size_t j = 0; j < names.size(); ++j) {
    const double reference = number(values.at(names[j]));
    EXPECT_NEAR(solution.final()[j], reference, 1e-10 * std::max(1.0, std::abs(reference)))
        << names[j];
  }
}

TEST(PrintedListings, figure_1_swings_as_the_pendulum_does) {
  Model model = make_model("Pendulum", 3, figure_1<Expression>);
  model.set_start("z[0]", 10.0);
  model.fix_start("z[1]", 0.0);
  model.fix_start("der(z[1])", 1.0);
  expect_reference(solve(model, {.to = 10.0, .tolerance = 1e-13}), "pendulum",
                   {"x", "y", "lambda"});
}

TEST(PrintedListings, figure_2_swings_as_figure_1_does) {
  double p[] = {2.0, 9.81, 10.0};
  const Model model = make_model(
      "Pendulum", 3, figure_2<Expression>, p,
      {.unknowns = {{.start = {10.0}}, {.start = {0.0, 1.0}, .fixed = {true, true}}, {}}});
  expect_reference(solve(model, {.to = 10.0, .tolerance = 1e-13}), "pendulum",
                   {"x", "y", "lambda"});
}

TEST(PrintedListings, figure_4_moves_as_the_chain_of_two_rods_does) {
  constexpr int n = 2;
  double p[] = {n, 5.0, 2.0, 9.8, 2.0, 10.0};
  const VariableOptions rest = {.start = {0.0, 0.0}, .fixed = {true, true}};
  const Model model = make_model("Chain", 3 * n + 1, figure_4<Expression>, p,
                                 {.unknowns = {{.start = {4.0, 0.0}, .fixed = {true, true}},
                                               {.start = {2.0}},
                                               {.start = {0.0}},
                                               rest,
                                               rest,
                                               {},
                                               {}}});
  expect_reference(solve(model, {.to = 5.0, .tolerance = 1e-13}), "spring_mass_pendulum",
                   {"x0", "x[1]", "x[2]", "y[1]", "y[2]"});
}

TEST(PrintedListings, figure_6_needs_the_force_that_follows_by_hand) {
  double p[] = {1.0, 9.8, 10.0, 5.0, std::sqrt(0.98)};
  Model model = make_model("Controlled", 4, figure_6<Expression>, p);
  model.set_start("z[1]", 10.0);
  const Solution solution = solve(model, {.to = 10.0, .tolerance = 1e-13});
  expect_reference(solution, "controlled_pendulum", {"x", "y"});
  const Json& values = variant("controlled_pendulum").facts.at("references").at(0).at("values");
  EXPECT_NEAR(solution.final()[3], number(values.at("u")), 1e-10);
}

TEST(PrintedListings, the_appendix_moves_as_the_outer_planets_do) {
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
  Model model = make_model("Planets", 15, appendix<Expression>, p);
  const Json& start = variant("outer_planets").facts.at("start").at("values");
  std::vector<std::string> names;
  for (int j = 0; j < 15; ++j) {
    names.push_back("y[" + std::to_string(j / 3 + 1) + "," + std::to_string(j % 3 + 1) + "]");
    for (int order = 0; order < 2; ++order)
      model.fix_start(model::derivative_name("z[" + std::to_string(j) + "]", order),
                      number(start.at(model::derivative_name(names.back(), order))));
  }
  expect_reference(solve(model, {.to = 20.0, .tolerance = 1e-13}), "outer_planets", names);
}

// (const T*)param reads parameters that are set from run to run: the period of small swings.
template <typename T>
void swing(T /*t*/, const T* z, T* f, void* param) {
  const T* p = static_cast<const T*>(param);
  f[0] = Diff(z[0], 2) + p[0] / p[1] * z[0];
}

TEST(PortedParameters, are_set_from_run_to_run) {
  Model model = make_model("Swing", 1, swing<Expression>, {{"g", 9.81}, {"L", 1.0}},
                           {.variables = {"x"}, .unknowns = {{.start = {1.0, 0.0}}}});
  for (const double length : {1.0, 2.5}) {
    model.set_parameter("L", length);
    const Solution solution = solve(model, {.to = 3.0, .tolerance = 1e-12});
    EXPECT_NEAR(solution("x", 3.0), std::cos(std::sqrt(9.81 / length) * 3.0), 1e-10);
  }
}

}  // namespace
}  // namespace daedal::test
