// What `daedal run` prints, from solutions made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "solution/access.hpp"

namespace daedal {
namespace {

using nlohmann::json;
using solution::Record;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const Record& record) { return to_text(SolutionAccess::solution_of(record)); }
std::string json_of(const Record& record) { return to_json(SolutionAccess::solution_of(record)); }

Record spring() {
  Record s;
  s.variables = {"x", "v[1]"};
  s.method = "taylor";
  s.order = 18;
  s.tolerance = 1e-9;
  s.t = 2.5;
  s.final = {0.1 + 0.2, -1.25};
  s.final_derivatives = {{1.0, 2.0}, {3.0}};
  s.at = {{.t = 1.0, .values = {0.5, 0.25}}, {.t = 2.0, .values = {0.75, 0.125}}};
  s.statistics = {.steps = 12,
                  .rejected = 2,
                  .factorisations = 14,
                  .newton_iterations = 5,
                  .smallest_step = 0.01,
                  .largest_step = 0.5,
                  .constraint_residual = 1e-16,
                  .max_condition = 3.5};
  s.seconds = {
      .analysis = 0.5, .compile = 0.0, .initialize = 0.25, .integrate = 1.0, .total = 1.75};
  return s;
}

Record ended_early() {
  Record s = spring();
  s.status = Status::step_floor;
  s.problems = {{.id = "S-INT-999", .what = "w", .where = "here", .why = "y", .todo = "d"}};
  return s;
}

TEST(SolutionText, of_a_run_that_did_not_begin_has_no_values) {
  Record s = ended_early();
  s.start.status = Status::no_consistent_point;
  s.start.t = 1.5;
  EXPECT_EQ(text_of(s), "no run: there is no consistent start at t = 1.5 (no-consistent-point)\n");
}

TEST(SolutionJson, has_every_key_that_scripts_depend_on) {
  const json j = json::parse(json_of(spring()));
  for (const char* key :
       {"status", "method", "order", "tolerance", "t", "steps", "rejected", "final",
        "final_derivatives", "at", "events", "modes", "zeno", "singularities",
        "constraint_residual", "max_condition", "converted", "seconds"})
    EXPECT_TRUE(j.contains(key)) << key;
  for (const char* key : {"analysis", "compile", "initialise", "integrate", "total"})
    EXPECT_TRUE(j["seconds"].contains(key)) << key;
  EXPECT_EQ(j["status"], "ok");
  EXPECT_EQ(j["steps"], 12);
  EXPECT_EQ(j["events"], json::array());
  EXPECT_EQ(j["modes"], 1);
  EXPECT_TRUE(j["zeno"].is_null());
  EXPECT_EQ(j["converted"], false);
  EXPECT_FALSE(j.contains("errors"));
}

TEST(SolutionJson, values_have_the_names_of_the_variables_and_all_their_digits) {
  const json j = json::parse(json_of(spring()));
  EXPECT_EQ(j["final"]["x"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(j["final_derivatives"], json::parse(R"({"x": [1.0, 2.0], "v[1]": [3.0]})"));
  EXPECT_EQ(j["at"][1], json::parse(R"({"t": 2.0, "values": {"x": 0.75, "v[1]": 0.125}})"));
}

TEST(SolutionJson, no_times_asked_for_is_an_empty_list) {
  EXPECT_EQ(json::parse(json_of(Record()))["at"], json::array());
}

TEST(SolutionJson, an_early_end_comes_with_errors_and_what_was_computed) {
  const json j = json::parse(json_of(ended_early()));
  EXPECT_EQ(j["status"], "step-floor");
  EXPECT_EQ(j["errors"][0]["id"], "S-INT-999");
  EXPECT_EQ(j["errors"][0]["do"], "d");
  EXPECT_EQ(j["final"]["v[1]"], -1.25);
}

TEST(SolutionJson, what_is_not_finite_is_null) {
  Record s = spring();
  s.final[0] = std::numeric_limits<double>::quiet_NaN();
  s.statistics.max_condition = std::numeric_limits<double>::infinity();
  const json j = json::parse(json_of(s));
  EXPECT_TRUE(j["final"]["x"].is_null());
  EXPECT_TRUE(j["max_condition"].is_null());
}

TEST(SolutionJson, singularities_say_when_where_and_why) {
  Record s = spring();
  s.singularities = {{.t = 1.5, .block = "x, v[1]", .why = "the determinant changed sign"}};
  const json point = {{"t", 1.5}, {"block", "x, v[1]"}, {"why", "the determinant changed sign"}};
  EXPECT_EQ(json::parse(json_of(s))["singularities"], json::array({point}));
}

TEST(SolutionJson, hostile_names_do_not_break_it) {
  Record s;
  s.variables = {"a\"b", "\xff"};
  s.final = {1.0, 2.0};
  s.method = "m\xfe";
  const json j = json::parse(json_of(s));
  EXPECT_EQ(j["final"]["a\"b"], 1.0);
  EXPECT_EQ(j["final"].size(), 2U);
}

TEST(SolutionText, says_how_far_it_came_and_at_what_cost) {
  EXPECT_THAT(text_of(spring()),
              HasSubstr("reached t = 2.5: 12 steps, taylor of order 18, tolerance 1e-09\n"
                        "steps between 0.01 and 0.5, 2 rejected; constraints hold to 1e-16, "
                        "condition up to 3.5\n"));
}

TEST(SolutionText, has_the_final_values_and_the_times_asked_for) {
  const std::string text = text_of(spring());
  EXPECT_THAT(text, HasSubstr("at the times asked for\n"
                              "  t     x   v[1]\n"
                              "  1   0.5   0.25\n"
                              "  2  0.75  0.125\n"));
  EXPECT_THAT(text, HasSubstr("values at t = 2.5\n"
                              "  x       0.3\n"
                              "  v[1]  -1.25\n"));
}

TEST(SolutionText, of_an_early_end_gives_the_status) {
  const std::string text = text_of(ended_early());
  EXPECT_THAT(text, HasSubstr("ended early at t = 2.5 (step-floor): 12 steps"));
  EXPECT_THAT(text, Not(HasSubstr("reached")));
}

TEST(SolutionText, without_steps_is_a_headline) {
  Record s;
  s.status = Status::no_consistent_point;
  s.method = "taylor";
  EXPECT_EQ(text_of(s),
            "ended early at t = 0 (no-consistent-point): 0 steps, taylor of order 0, tolerance "
            "0\n");
}

TEST(SolutionText, of_a_large_model_is_short) {
  Record s;
  for (int j = 0; j < 1000; ++j) s.variables.push_back("x[" + std::to_string(j + 1) + "]");
  s.final.assign(1000, 1.0 / 3.0);
  s.at.assign(1000, {.t = 1.0, .values = s.final});
  const std::string text = text_of(s);
  EXPECT_LT(text.size(), 8000U);
  EXPECT_THAT(text, HasSubstr("(6 of 1000 variables; -o and --json have all)\n"));
  EXPECT_THAT(text, HasSubstr("... and 970 more (--json lists all)\n"));
}

}  // namespace
}  // namespace daedal
