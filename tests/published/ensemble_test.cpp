#include "daedal/ensemble.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "daedal/error.hpp"
#include "problems/problems.hpp"

namespace daedal {
namespace {

std::vector<ParameterValues> lengths(int count) {
  std::vector<ParameterValues> members;
  for (int k = 0; k < count; ++k) members.push_back({{"L", 5.0 + 0.5 * k}});
  return members;
}

bool are_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// 11 members do not fill lanes of 1, 3, 4, 8 and 16 evenly.
TEST(Ensemble, gives_the_bits_of_single_runs_whatever_the_lanes_and_threads) {
  Model model = problems::pendulum();
  const std::vector<ParameterValues> members = lengths(11);
  const SolveOptions options{.to = 3.0, .tolerance = 1e-10, .at = {1.0, 2.5}};
  std::vector<Solution> single;
  for (const ParameterValues& member : members) {
    model.set_parameter("L", member.at("L"));
    single.push_back(solve(model, options));
    ASSERT_TRUE(single.back().ok());
  }
  for (const int lanes : {1, 3, 4, 8, 16})
    for (const int threads : {1, 2, 3}) {
      const auto all =
          solve_ensemble(model, members, options, {.lanes = lanes, .threads = threads});
      ASSERT_EQ(all.size(), members.size());
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_TRUE(are_same_bits(all[k].final(), single[k].final())) << lanes << " lanes, " << k;
        EXPECT_EQ(all[k].statistics().steps, single[k].statistics().steps);
        EXPECT_EQ(all[k].statistics().factorisations, single[k].statistics().factorisations);
        ASSERT_EQ(all[k].at().size(), 2U);
        EXPECT_TRUE(are_same_bits(all[k].at()[1].values, single[k].at()[1].values));
        EXPECT_EQ(all[k]("x", 1.25), single[k]("x", 1.25));
      }
    }
}

// Nonlinear in the highest derivatives: Newton at every step, in each lane as often as it needs.
TEST(Ensemble, iterates_each_lane_as_a_single_run_does) {
  const Model model = problems::shuttle();
  const std::vector<ParameterValues> members(5);
  const SolveOptions options{.tolerance = 1e-8};
  const Solution single = solve(model, options);
  ASSERT_TRUE(single.ok());
  const auto all = solve_ensemble(model, members, options, {.lanes = 4, .threads = 1});
  for (const Solution& member : all) {
    EXPECT_TRUE(are_same_bits(member.final(), single.final()));
    EXPECT_EQ(member.statistics().newton_iterations, single.statistics().newton_iterations);
  }
}

// x' = a x^2, x(0) = 1 has a pole at 1/a: members that end early leave the others alone.
TEST(Ensemble, tells_of_each_member_how_it_ended) {
  Model model("Poles");
  const auto a = model.parameter("a", 1.0);
  const auto x = model.variable("x", {.start = {1.0}, .fixed = {true}});
  model.equation(der(x) == a * sqr(x));
  const std::vector<ParameterValues> members = {
      {{"a", 0.1}}, {{"a", 2.0}}, {{"a", -1.0}}, {{"a", 4.0}}, {{"a", 0.5}}};
  const auto all = solve_ensemble(model, members, {.to = 1.0, .tolerance = 1e-11}, {.lanes = 2});
  EXPECT_NEAR(all[0].final()[0], 1 / 0.9, 1e-9);
  EXPECT_EQ(all[1].status(), Status::blow_up);
  EXPECT_NEAR(all[1].t(), 0.5, 1e-6);
  EXPECT_NEAR(all[2].final()[0], 0.5, 1e-9);
  EXPECT_EQ(all[3].status(), Status::blow_up);
  EXPECT_NEAR(all[4].final()[0], 2.0, 1e-9);
}

// x^2 = a has no solution for a < 0.
TEST(Ensemble, goes_on_without_members_that_have_no_start) {
  Model model("Root");
  const auto a = model.parameter("a", 1.0);
  const auto x = model.variable("x", {.start = {1.0}});
  const auto y = model.variable("y", {.start = {0.0}, .fixed = {true}});
  model.equation(sqr(x) == a);
  model.equation(der(y) == x);
  const std::vector<ParameterValues> members = {{{"a", 4.0}}, {{"a", -1.0}}, {{"a", 9.0}}};
  const auto all = solve_ensemble(model, members, {.to = 1.0});
  EXPECT_NEAR(all[0].final()[1], 2.0, 1e-8);
  EXPECT_FALSE(all[1].ok());
  EXPECT_FALSE(all[1].problems().empty());
  EXPECT_NEAR(all[2].final()[1], 3.0, 1e-8);
}

// A member's values can spoil what the model's own do not: nominals and starts computed from them.
TEST(Ensemble, refuses_members_whose_nominals_or_starts_make_no_sense) {
  Model model("Scaled");
  const auto a = model.parameter("a", 1.0);
  const auto x = model.variable("x", {.start = {1.0 / a}, .fixed = {true}, .nominal = a + 2.0});
  model.equation(der(x) == -x);
  const auto id_with = [&](double value) -> std::string {
    const std::vector<ParameterValues> members = {{{"a", 4.0}}, {{"a", value}}};
    try {
      (void)solve_ensemble(model, members);
    } catch (const Error& error) {
      return error.id();
    }
    return "none";
  };
  EXPECT_EQ(id_with(1.0), "none");
  EXPECT_EQ(id_with(-3.0), "E-MOD-010");
  EXPECT_EQ(id_with(0.0), "E-MOD-013");
}

TEST(Ensemble, of_nobody_is_empty) {
  EXPECT_TRUE(solve_ensemble(problems::pendulum(), {}).empty());
}

TEST(Ensemble, stops_the_member_whose_caller_asks_for_it) {
  int num_calls = 0;
  SolveOptions options{.to = 50.0};
  options.on_step = [&](const Progress&) { return ++num_calls < 20; };
  const auto all = solve_ensemble(problems::pendulum(), lengths(3), options, {.threads = 2});
  for (const Solution& member : all) EXPECT_EQ(member.status(), Status::interrupted);
}

TEST(Ensemble, refuses_parameters_and_options_that_make_no_sense) {
  const auto id_of = [](const std::vector<ParameterValues>& members,
                        const EnsembleOptions& ensemble) -> std::string {
    try {
      (void)solve_ensemble(problems::pendulum(), members, {}, ensemble);
    } catch (const Error& error) {
      return error.id();
    }
    return "none";
  };
  EXPECT_EQ(id_of({{{"length", 1.0}}}, {}), "E-MOD-007");
  EXPECT_EQ(id_of({{{"L", std::numeric_limits<double>::infinity()}}}, {}), "E-MOD-003");
  EXPECT_EQ(id_of(lengths(1), {.lanes = 0}), "E-OPT-001");
  EXPECT_EQ(id_of(lengths(1), {.threads = -1}), "E-OPT-001");
}

}  // namespace
}  // namespace daedal
