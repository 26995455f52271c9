#include "lang/parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

using testing::HasSubstr;
using Texts = std::vector<std::string>;

// The only equation of a model with variables a, b, c, x[3] and this text.
std::string equation(std::string_view text) {
  return equation_texts(parsed(model_text("Real a, b, c; Real x[3];", text))).front();
}

TEST(Grammar, power_binds_tighter_than_sign_and_product) {
  EXPECT_EQ(equation("-a^2*b = 0;"), equation("-((a^2)*b) = 0;"));
  EXPECT_EQ(equation("a^-2 = 0;"), equation("a^(-2) = 0;"));
}

TEST(Grammar, sums_and_quotients_associate_to_the_left) {
  EXPECT_EQ(equation("a - b - c = 0;"), "a - b - c = 0");
  EXPECT_EQ(equation("a/b/c = 0;"), equation("(a/b)/c = 0;"));
  EXPECT_EQ(equation("a/b*c = 0;"), equation("(a/b)*c = 0;"));
}

TEST(Grammar, signs_may_be_repeated_and_follow_operators) {
  EXPECT_EQ(equation("--a = 0;"), "a = 0");
  EXPECT_EQ(equation("a*-b = 0;"), equation("-(a*b) = 0;"));
}

TEST(Grammar, a_power_of_a_power_needs_parentheses) {
  EXPECT_THAT(only_problem(model_text("Real a;", "a^2^3 = 1;")).what, HasSubstr("parentheses"));
}

TEST(Grammar, whole_numbers_divide_as_reals) { EXPECT_EQ(equation("a = 1/4;"), "a = 0.25"); }

TEST(Grammar, der_of_order_k_is_der_k_times) {
  EXPECT_EQ(equation("der(der(a)) = 0;"), equation("der(a, 2) = 0;"));
  EXPECT_EQ(equation("der(a, 0) = 0;"), "a = 0");
}

TEST(Grammar, descriptions_annotations_and_visibility_words_are_accepted_anywhere) {
  const auto model = parsed(R"(model M "two " + "parts"
    public
    final parameter Real p(final unit = "kg", quantity = "Mass", displayUnit = "g", min = 0, max = 9) = 1
      "weight" annotation(Dialog(group = "a;b", tab = [1, 2; 3, 4]));
    protected
    Real x "position" annotation(Evaluate = true);
    annotation(Icon(graphics = {Line(points = {{0, 0}, {1, 1}})}));
  equation
    x = p "balance" annotation(Note(text = "x"));
  end M;)");
  EXPECT_EQ(model.description, "two parts");
  EXPECT_EQ(model.parameters[0].unit, "kg");
  EXPECT_EQ(model.parameters[0].description, "weight");
  EXPECT_EQ(model.variables[0].description, "position");
}

TEST(Grammar, sizes_may_stand_at_the_type) {
  EXPECT_EQ(variable_names(parsed(model_text("Real[2] x[1], y;",
                                             "for i in 1:2 loop y[i] = i; x[1,i] = i; end for;"))),
            (Texts{"x[1,1]", "x[1,2]", "y[1]", "y[2]"}));
}

TEST(Grammar, equation_sections_may_repeat_and_alternate) {
  const auto model = parsed(
      "model M Real x; equation x = 1; initial equation x = 2; equation x = 3; protected Real y; "
      "equation y = 0; end M;");
  EXPECT_EQ(equation_texts(model), (Texts{"x = 1", "x = 3", "y = 0"}));
  EXPECT_EQ(model.initial_equations.size(), 1U);
}

TEST(Grammar, the_end_must_name_the_model) {
  const Problem problem = only_problem("model Crane\n Real x;\nequation\n x = 1;\nend Crone;");
  EXPECT_EQ(problem.id, "E-LNG-001");
  EXPECT_EQ(problem.where, "model.mo:5:5");
  EXPECT_THAT(problem.what, HasSubstr("'end Crone' does not match 'model Crane'"));
}

TEST(Recovery, three_errors_in_one_file_are_three_problems_with_their_lines) {
  const auto found = findings(R"(model M
  parameter Real g = 9.81
  Real x, y;
equation
  der(x) = y + ;
  der(y) = lamda;
end M;
)");
  EXPECT_EQ(found, (Texts{"E-LNG-001 2:26", "E-LNG-001 5:16", "E-LNG-002 6:12"}));
}

TEST(Recovery, a_bad_declaration_still_declares_its_names) {
  EXPECT_EQ(
      findings(model_text("Real x(start = );\n SI.Length z;\n parameter Real p = *2;", "x = p*z;")),
      (Texts{"E-LNG-001 2:16", "E-LNG-006 3:2", "E-LNG-001 4:21"}));
}

TEST(Recovery, a_missing_semicolon_costs_one_problem) {
  EXPECT_EQ(findings(model_text("Real x, y;", "x = 1\ny = 2;")), (Texts{"E-LNG-001 4:6"}));
}

TEST(Recovery, a_missing_end_for_is_named_with_the_line_of_its_for) {
  const Problem problem = only_problem(model_text("Real x[2];", "for i in 1:2 loop\n x[i] = i;"));
  EXPECT_EQ(problem.where, "model.mo:6:1");
  EXPECT_THAT(problem.what, HasSubstr("'end for;' is missing"));
  EXPECT_THAT(problem.why, HasSubstr("line 4"));
}

TEST(Recovery, a_misspelt_loop_keyword_costs_one_problem) {
  const Problem problem =
      only_problem(model_text("Real x[2];", "for i in 1:2 lop\n x[i] = i;\nend for;"));
  EXPECT_THAT(problem.what, HasSubstr("expected 'loop', found 'lop'"));
}

TEST(Recovery, misspelt_words_get_suggestions) {
  EXPECT_THAT(only_problem("modle M Real x; equation x = 1; end M;").todo, HasSubstr("'model'"));
  EXPECT_THAT(only_problem("model M paramter Real p = 1; Real x; equation x = p; end M;").todo,
              HasSubstr("'parameter'"));
  EXPECT_THAT(only_problem("model M Rael x; equation x = 1; end M;").todo, HasSubstr("'Real'"));
  EXPECT_THAT(only_problem("model M Real x; equatoin x = 1; end M;").todo, HasSubstr("'equation'"));
  EXPECT_THAT(only_problem("model M Real x(strat = 1); equation x = 1; end M;").todo,
              HasSubstr("'start'"));
}

TEST(Recovery, a_missing_equation_keyword_costs_one_problem) {
  EXPECT_EQ(findings("model M\n Real x, y;\n x = 1;\n y = 2;\nend M;"), (Texts{"E-LNG-001 3:2"}));
}

TEST(Recovery, a_declaration_among_equations_is_reported_and_read) {
  EXPECT_EQ(findings(model_text("Real x;", "Real y;\nx = y;\ny = 1;")), (Texts{"E-LNG-001 4:1"}));
}

TEST(Recovery, a_missing_end_of_the_model_is_reported_at_the_end) {
  EXPECT_EQ(findings("model M\n Real x;\nequation\n x = 1;\n"), (Texts{"E-LNG-001 5:1"}));
}

TEST(Recovery, text_after_the_model_is_reported) {
  EXPECT_EQ(findings("model M\n Real x;\nequation\n x = 1;\nend M;\nx = 2;"),
            (Texts{"E-LNG-001 6:1"}));
  EXPECT_EQ(findings("model M\n Real x;\nequation\n x = 1;\nend M;\nmodel N end N;"),
            (Texts{"E-LNG-006 6:1"}));
}

TEST(Recovery, an_unknown_name_is_reported_once_however_often_it_is_used) {
  EXPECT_EQ(findings(model_text("Real x, y;", "x = q;\ny = q + 1;")), (Texts{"E-LNG-002 4:5"}));
}

TEST(Recovery, assignment_and_comparison_signs_get_advice) {
  EXPECT_THAT(only_problem(model_text("Real x;", "x := 1;")).what, HasSubstr("equations use '='"));
  EXPECT_THAT(only_problem(model_text("Real x;", "x == 1;")).what, HasSubstr("equations use '='"));
}

TEST(Recovery, of_many_problems_twenty_are_shown_and_the_rest_counted) {
  std::string equations;
  for (int k = 1; k <= 30; ++k) equations += fmt::format("x = q{};\n", k);
  const auto problems = problems_of(model_text("Real x;", equations));
  ASSERT_EQ(problems.size(), 21U);
  EXPECT_EQ(problems.back().id, "E-LNG-015");
  EXPECT_EQ(problems.back().what, "and 10 more problems");
}

TEST(Excerpt, shows_the_line_with_a_caret_below_the_column) {
  EXPECT_EQ(only_problem(model_text("Real x;", "\tx = 3*speed;")).excerpt,
            "\tx = 3*speed;\n\t      ^");
}

TEST(Excerpt, cuts_long_lines_around_the_column) {
  const std::string line = "x = " + std::string(5000, ' ') + "q;" + std::string(5000, ' ');
  const std::string excerpt = only_problem(model_text("Real x;", line)).excerpt;
  EXPECT_LT(excerpt.size(), 250U);
  EXPECT_EQ(excerpt[excerpt.find('\n') - 1], '.');
  EXPECT_EQ(excerpt[excerpt.find('q')], 'q');
}

}  // namespace
}  // namespace daedal::lang
