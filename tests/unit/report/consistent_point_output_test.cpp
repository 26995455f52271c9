// What `daedal init` prints, from points made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "daedal/initialize.hpp"

namespace daedal {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

ConsistentPoint pendulum() {
  ConsistentPoint p;
  p.variables = {"x", "y", "lambda"};
  p.values = {{9.5, 0.25, -0.1}, {0.5, 1.0, 9.81}, {0.1 + 0.2}};
  p.start = {{.variable = 0, .order = 0, .value = 9.5, .given = 10.0},
             {.variable = 0, .order = 1, .value = 0.25, .undetermined = true},
             {.variable = 1, .order = 0, .value = 0.5, .given = 0.5, .fixed = true}};
  p.residual = 3e-16;
  p.distance = 0.5;
  p.index = 3;
  p.dof = 2;
  p.condition = 12.5;
  return p;
}

ConsistentPoint conflicting() {
  ConsistentPoint p = pendulum();
  p.status = Status::conflicting_conditions;
  p.conflicts = {{.conditions = {"x = 10 (fixed)", "initial equation 2"}, .free = "x = 10"}};
  p.problems = {{.id = "S-INI-999", .what = "w", .where = "here", .why = "y", .todo = "d"}};
  return p;
}

TEST(ConsistentPointJson, has_every_key_that_scripts_depend_on) {
  const json j = json::parse(to_json(pendulum()));
  for (const char* key : {"status", "t", "values", "residual", "distance", "index", "index_kind",
                          "dof", "condition", "conflicts"})
    EXPECT_TRUE(j.contains(key)) << key;
  EXPECT_EQ(j["status"], "ok");
  EXPECT_EQ(j["index_kind"], "structural");
  EXPECT_EQ(j["values"]["x"], json::parse("[9.5, 0.25, -0.1]"));
  EXPECT_EQ(j["values"]["lambda"].size(), 1U);
  EXPECT_TRUE(j["conflicts"].empty());
  EXPECT_FALSE(j.contains("errors"));
}

TEST(ConsistentPointJson, numbers_read_back_as_they_were) {
  const json j = json::parse(to_json(pendulum()));
  EXPECT_EQ(j["values"]["lambda"][0].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(j["residual"].get<double>(), 3e-16);
}

TEST(ConsistentPointJson, tells_what_moved_and_what_nothing_determines) {
  const json j = json::parse(to_json(pendulum()));
  EXPECT_EQ(j["start"][0], json::parse(R"({"name": "x", "order": 0, "value": 9.5, "given": 10.0,
                                           "moved": -0.5, "fixed": false, "undetermined": false,
                                           "follows": false})"));
  EXPECT_TRUE(j["start"][1]["given"].is_null());
  EXPECT_TRUE(j["start"][1]["moved"].is_null());
  EXPECT_EQ(j["start"][1]["undetermined"], true);
  EXPECT_EQ(j["start"][2]["fixed"], true);
}

TEST(ConsistentPointJson, conflicts_come_with_errors) {
  const json j = json::parse(to_json(conflicting()));
  EXPECT_EQ(j["status"], "conflicting-conditions");
  const json conflict = {{"conditions", {"x = 10 (fixed)", "initial equation 2"}},
                         {"free", "x = 10"}};
  EXPECT_EQ(j["conflicts"], json::array({conflict}));
  const json error = {
      {"id", "S-INI-999"}, {"what", "w"}, {"where", "here"}, {"why", "y"}, {"do", "d"}};
  EXPECT_EQ(j["errors"], json::array({error}));
}

TEST(ConsistentPointJson, what_is_not_finite_is_null) {
  ConsistentPoint p = pendulum();
  p.values[0][1] = nan_value;
  p.condition = std::numeric_limits<double>::infinity();
  const json j = json::parse(to_json(p));
  EXPECT_TRUE(j["values"]["x"][1].is_null());
  EXPECT_TRUE(j["condition"].is_null());
}

TEST(ConsistentPointJson, index_and_freedom_are_null_when_structural_analysis_fails) {
  ConsistentPoint p;
  p.status = Status::structural_analysis_fails;
  const json j = json::parse(to_json(p));
  EXPECT_TRUE(j["index"].is_null());
  EXPECT_TRUE(j["dof"].is_null());
  EXPECT_EQ(j["values"], json::object());
}

TEST(ConsistentPointJson, hostile_names_do_not_break_it) {
  ConsistentPoint p;
  p.variables = {"a\"b,\n", "\xff\xfe", "", "x[1,2]"};
  p.values = {{1.0}, {2.0}, {3.0}, {4.0}};
  const json j = json::parse(to_json(p));
  EXPECT_EQ(j["values"].size(), 4U);
  EXPECT_EQ(j["values"]["a\"b,\n"][0], 1.0);
  EXPECT_EQ(j["values"][""][0], 3.0);
}

TEST(ConsistentPointText, says_what_moved_and_by_how_much) {
  const std::string text = to_text(pendulum());
  EXPECT_THAT(text, HasSubstr("consistent point at t = 0: index 3 (structural), 2 degrees of "
                              "freedom\n"));
  EXPECT_THAT(text, HasSubstr("residual 3e-16, distance from the guesses 0.5, condition 12\n"));
  EXPECT_THAT(text, HasSubstr("1 guess moved\n"
                              "     guess  found  moved by\n"
                              "  x     10    9.5      -0.5\n"));
  EXPECT_THAT(text, HasSubstr("undetermined: der(x)\n"));
}

TEST(ConsistentPointText, has_a_column_for_each_derivative) {
  EXPECT_THAT(to_text(pendulum()), HasSubstr("values\n"
                                             "          value   der  der 2\n"
                                             "  x         9.5  0.25   -0.1\n"
                                             "  y         0.5     1   9.81\n"
                                             "  lambda    0.3\n"));
}

TEST(ConsistentPointText, rounding_is_no_move) {
  ConsistentPoint p = pendulum();
  p.start = {{.variable = 0, .order = 0, .value = 0.1 + 0.2, .given = 0.3}};
  EXPECT_THAT(to_text(p), HasSubstr("no guess moved\n"));
}

TEST(ConsistentPointText, names_the_conditions_in_conflict) {
  const std::string text = to_text(conflicting());
  EXPECT_THAT(text, HasSubstr("no consistent point at t = 0: conflicting-conditions; index 3"));
  EXPECT_THAT(text, HasSubstr("these conditions cannot hold together\n"
                              "  x = 10 (fixed)\n"
                              "  initial equation 2\n"
                              "free one: x = 10\n"));
  EXPECT_THAT(text, HasSubstr("values where the search ended\n"));
  EXPECT_THAT(text, Not(HasSubstr("undetermined")));
}

TEST(ConsistentPointText, of_a_large_model_is_short) {
  ConsistentPoint p;
  for (int j = 0; j < 1000; ++j) {
    p.variables.push_back("x[" + std::to_string(j + 1) + "]");
    p.values.emplace_back(40, 1.5);
    p.start.push_back({.variable = j, .order = 0, .value = 1.5, .given = 0.0});
  }
  const std::string text = to_text(p);
  EXPECT_LT(text.size(), 4000U);
  EXPECT_THAT(text, HasSubstr("... and 970 more (--json lists all)\n"));
}

TEST(ConsistentPointText, of_nothing_is_a_headline) {
  ConsistentPoint p;
  p.status = Status::structural_analysis_fails;
  EXPECT_EQ(to_text(p), "no consistent point at t = 0: structural-analysis-fails\n");
}

}  // namespace
}  // namespace daedal
