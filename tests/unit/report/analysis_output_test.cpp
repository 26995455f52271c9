// What `daedal analyze` prints, from C++: the stable JSON keys, and text that stays readable at any
// size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "daedal/analysis.hpp"

namespace daedal {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Model hidden_constraint() {
  Model m("Hidden");
  const auto y1 = m.variable("y1"), y2 = m.variable("y2");
  m.equation("flow", der(y1) + der(y2) + 2 * y2 == 0);
  m.equation("level", y1 + y2 == sqr(m.time()));
  return m;
}

TEST(AnalysisJson, has_every_key_that_scripts_depend_on) {
  Model m("Spring");
  const auto x = m.variable("x");
  m.equation(der(x, 2) == -x);
  const json j = json::parse(to_json(analyze(m)));
  for (const char* key :
       {"model", "status", "size", "variables", "equations", "signature", "transversal", "c", "d",
        "structural_index", "dof", "quasilinear", "initial_values", "blocks", "graph", "diagnosis"})
    EXPECT_TRUE(j.contains(key)) << key;
  EXPECT_EQ(j["signature"], json::parse("[[0, 0, 2]]"));
  EXPECT_EQ(j["blocks"][0]["variables"], json::parse(R"(["x"])"));
  EXPECT_EQ(j["blocks"][0]["index"], 0);
  EXPECT_EQ(j["blocks"][0]["linear"], true);
  EXPECT_TRUE(j["graph"].contains("nodes_recorded"));
  EXPECT_TRUE(j["graph"].contains("nodes"));
}

TEST(AnalysisJson, index_and_freedom_are_null_when_structural_analysis_fails) {
  const json j = json::parse(to_json(analyze(hidden_constraint())));
  EXPECT_EQ(j["status"], "structural-analysis-fails");
  EXPECT_TRUE(j["structural_index"].is_null());
  EXPECT_TRUE(j["dof"].is_null());
  EXPECT_EQ(j["c"], json::parse("[0, 1]"));
  EXPECT_TRUE(j["diagnosis"][0].contains("who"));
  EXPECT_TRUE(j["diagnosis"][0].contains("why"));
  EXPECT_TRUE(j["diagnosis"][0].contains("do"));
  EXPECT_FALSE(j.contains("errors"));
}

TEST(AnalysisJson, a_structurally_singular_model_has_errors_and_no_offsets) {
  Model m("Singular");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation("one", x == 1);
  m.equation("two", x == 2 + 0 * y);
  const json j = json::parse(to_json(analyze(m)));
  EXPECT_EQ(j["status"], "structurally-singular");
  EXPECT_TRUE(j["c"].empty());
  EXPECT_EQ(j["errors"][0]["id"], "E-STR-001");
}

TEST(AnalysisJson, names_that_are_not_utf8_do_not_break_it) {
  Model m("Bad\xff");
  const auto x = m.variable("x\xfe\"");
  m.equation(der(x) == x);
  EXPECT_EQ(json::parse(to_json(analyze(m)))["size"], 1);
}

TEST(AnalysisText, of_a_large_model_is_short) {
  Model m("Large");
  const auto x = m.variables("x", 1000);
  for (const auto& variable : x) m.equation(der(variable) == -variable);
  const std::string text = to_text(analyze(m));
  EXPECT_LT(text.size(), 4000U);
  EXPECT_THAT(text, HasSubstr("1000 equations, 1000 unknowns"));
  EXPECT_THAT(text, HasSubstr("... and 980 more"));
}

TEST(AnalysisText, says_nothing_about_an_index_that_is_not_valid) {
  const std::string text = to_text(analyze(hidden_constraint()));
  EXPECT_THAT(text, HasSubstr("structural analysis fails"));
  EXPECT_THAT(text.substr(0, text.find("conversion:")), Not(HasSubstr("structural index")));
}

TEST(AnalysisText, shows_the_model_that_is_solved_instead) {
  const std::string text = to_text(analyze(hidden_constraint()));
  EXPECT_THAT(text, HasSubstr("conversion: `init` and `run` solve this model instead"));
  EXPECT_THAT(text, HasSubstr("linear combination"));
}

TEST(AnalysisJson, has_the_conversion_of_a_model_whose_analysis_fails) {
  const json j = json::parse(to_json(analyze(hidden_constraint())));
  EXPECT_EQ(j["conversion"]["succeeded"], true);
  EXPECT_EQ(j["conversion"]["steps"][0]["kind"], "linear combination");
  EXPECT_TRUE(j["structural_index"].is_null());
}

}  // namespace
}  // namespace daedal
