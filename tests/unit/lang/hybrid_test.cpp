// Conditions, if, when and discrete variables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "expr/evaluate.hpp"
#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Texts = std::vector<std::string>;
using Values = std::map<std::string, double>;

// Values of nodes for given values of time, variables and discrete variables; others are 0.
class NodeValues {
 public:
  NodeValues(const model::ModelData& model, Values given)
      : model_(model), given_(std::move(given)), parameters_(model.parameters.size(), 0.0) {
    for (std::size_t k = 0; k < parameters_.size(); ++k)
      parameters_[k] = given_[model.parameters[k].name];
  }

  double operator()(expr::NodeId node) {
    const expr::Point point{
        .time = given_["time"],
        .parameters = parameters_,
        .unknown = [this](expr::UnknownId id, int order) {
          const std::string& name = model_.variables[id.index()].name;
          return given_[name + std::string(static_cast<std::size_t>(order), '\'')];
        }};
    return expr::Evaluator(*model_.graph).value(node, point);
  }

 private:
  const model::ModelData& model_;
  Values given_;
  std::vector<double> parameters_;
};

// The right side of the only equation, y = ...
double right_side(std::string_view declarations, const std::string& expression, Values given) {
  const auto model =
      parsed(model_text(fmt::format("Real y; {}", declarations), "y = " + expression + ";"));
  return NodeValues(model, std::move(given))(model.equations.at(0).right);
}

// 1 if the condition holds.
double truth(std::string_view declarations, const std::string& condition, Values given) {
  return right_side(declarations, "if " + condition + " then 1 else 0", std::move(given));
}

Texts equations(std::string_view declarations, std::string_view text,
                const ParameterValues& values = {}) {
  return equation_texts(parsed(model_text(declarations, text), values));
}

// "name: condition" with " alt" and "; action" for each action.
Texts whens(const model::ModelData& model) {
  Texts texts;
  const auto text = [&](expr::NodeId node) { return expr::to_text(*model.graph, node); };
  for (const model::When& when : model.whens) {
    std::string line = when.name + ": " + text(when.condition);
    if (when.is_alternative) line += " alt";
    for (const model::Reinit& reinit : when.reinits)
      line += fmt::format("; {}^({}) := {}", model.variables[reinit.unknown.index()].name,
                          reinit.order, text(reinit.value));
    for (const model::Assignment& assignment : when.assignments)
      line += fmt::format("; {} := {}", model.parameters[assignment.variable.index()].name,
                          text(assignment.value));
    if (when.ends_run) line += "; ends: " + when.message;
    texts.push_back(line);
  }
  return texts;
}

Texts whens(std::string_view declarations, std::string_view text) {
  return whens(parsed(model_text(declarations, text)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Conditions

TEST(Conditions, relations_of_reals_are_signs_of_differences) {
  for (const double x : {-1.0, 0.0, 1.0}) {
    EXPECT_EQ(truth("Real x;", "x < 0", {{"x", x}}), x < 0);
    EXPECT_EQ(truth("Real x;", "x <= 0", {{"x", x}}), x <= 0);
    EXPECT_EQ(truth("Real x;", "x > 0", {{"x", x}}), x > 0);
    EXPECT_EQ(truth("Real x;", "x >= 0", {{"x", x}}), x >= 0);
    EXPECT_EQ(truth("Real x;", "2*x + 1 > time", {{"x", x}, {"time", 2}}), x > 0.5);
  }
  EXPECT_EQ(equations("Real x, y;", "y = if x > 1 then x else -x;"),
            (Texts{"y = if x > 1 then x else -x"}));
}

TEST(Conditions, logic_works_on_relations_discrete_variables_and_parameters) {
  const std::string declarations = "Real x; Boolean b; parameter Boolean q = true;";
  for (const double x : {0.0, 1.0})
    for (const double b : {0.0, 1.0})
      for (const double q : {0.0, 1.0}) {
        const Values at = {{"x", x}, {"b", b}, {"q", q}};
        const bool a = x > 0, c = b != 0, p = q != 0;
        EXPECT_EQ(truth(declarations, "x > 0 and b", at), a && c);
        EXPECT_EQ(truth(declarations, "x > 0 or b or q", at), a || c || p);
        EXPECT_EQ(truth(declarations, "not (x > 0 and not b) and q", at), !(a && !c) && p);
        EXPECT_EQ(truth(declarations, "(x > 0 and not b) and not b and x > 0", at), a && !c);
        EXPECT_EQ(truth(declarations, "not not b", at), c);
        EXPECT_EQ(truth(declarations, "not (b or q) or (b and q)", at), c == p);
        EXPECT_EQ(truth(declarations, "b == q", at), c == p);
        EXPECT_EQ(truth(declarations, "b <> (x > 0)", at), c != a);
        EXPECT_EQ(truth(declarations, "b < q", at), !c && p);
        EXPECT_EQ(truth(declarations, "b >= q", at), c || !p);
        EXPECT_EQ(truth(declarations, "b == true", at), c);
        EXPECT_EQ(truth(declarations, "if b then x > 0 else q", at), c ? a : p);
      }
  EXPECT_EQ(equations("Real x, y; Boolean b;", "y = if not not b and b then x else 1;"),
            (Texts{"y = if b then x else 1"}));
}

TEST(Conditions, integers_and_what_changes_at_events_only_may_be_compared_for_equality) {
  const std::string declarations =
      "Integer k; parameter Integer n = 2; parameter Real p = 1; discrete Real d;";
  for (const double k : {1.0, 2.0, 3.0}) {
    const Values at = {{"k", k}, {"n", 2}, {"p", k}, {"d", 2}};
    EXPECT_EQ(truth(declarations, "k == 2", at), k == 2);
    EXPECT_EQ(truth(declarations, "k <> n", at), k != 2);
    EXPECT_EQ(truth(declarations, "n == 2*k", at), k == 1);
    EXPECT_EQ(truth(declarations, "d == p", at), k == 2);
  }
}

TEST(Conditions, equality_of_reals_proposes_inequalities) {
  const Problem problem = only_problem(model_text("Real x, y;", "y = if\n x == 1 then 1 else 2;"));
  EXPECT_EQ(problem.id, "E-LNG-017");
  EXPECT_EQ(problem.where, "model.mo:5:4");
  EXPECT_THAT(problem.why, HasSubstr("an instant at most"));
  EXPECT_THAT(problem.todo, AllOf(HasSubstr(">="), HasSubstr("<=")));
  EXPECT_EQ(only_problem(model_text("Real x;", "x = 1; when time == 1 then end when;")).id,
            "E-LNG-017");
  EXPECT_EQ(only_problem(model_text("Real x;", "x = if der(x) <> 2 then 1 else 2;")).id,
            "E-LNG-017");
}

TEST(Conditions, must_be_booleans_and_booleans_are_no_numbers) {
  EXPECT_EQ(findings(model_text("Real x;", "x = if x then 1 else 2;")), (Texts{"E-LNG-009 4:8"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = if x > 1 and 2 then 1 else 2;")),
            (Texts{"E-LNG-009 4:18"}));
  EXPECT_EQ(findings(model_text("Real x; Boolean b;", "x = if b < 2 then 1 else 2;")),
            (Texts{"E-LNG-009 4:10"}));
  EXPECT_EQ(findings(model_text("Real x; Boolean b;", "x = 2*b;")), (Texts{"E-LNG-009 4:7"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = 1; when x then end when;")),
            (Texts{"E-LNG-009 4:13"}));
  EXPECT_EQ(findings(model_text("Real x[2], y;", "y = if x > 1 then 1 else 2;")),
            (Texts{"E-LNG-004 4:10"}));
}

// ---------------------------------------------------------------------------------------------------------------------
// if expressions

TEST(IfExpression, takes_the_first_branch_whose_condition_holds) {
  const std::string text = "if x > 2 then 1 elseif x > 1 then 2 elseif x > 0 then 3 else 4";
  for (const double x : {3.0, 2.0, 1.0, 0.0})
    EXPECT_EQ(right_side("Real x;", text, {{"x", x}}), 4 - x);
  EXPECT_EQ(
      right_side("Real x;", "2*(if x > 0 then if x > 1 then 5 else 6 else 7) + 1", {{"x", 2}}), 11);
}

TEST(IfExpression, with_a_known_condition_evaluates_the_chosen_branch_only) {
  EXPECT_EQ(equations("parameter Integer n = 2; Real x[n];",
                      "for i in 1:n loop x[i] = if i > 1 then x[i-1] else 1; end for;"),
            (Texts{"x[1] = 1", "x[2] = x[1]"}));
  EXPECT_EQ(equations("parameter Integer n = 2; Real x[n];",
                      "for i in 1:n loop x[i] = if i < n then x[i+1] else 1; end for;"),
            (Texts{"x[1] = x[2]", "x[2] = 1"}));
  EXPECT_EQ(equations("parameter Integer n = 2; Real x[n];",
                      "for i in 1:n loop x[i] = if i == 1 or x[i-1] > 0 then 1 else 2; end for;"),
            (Texts{"x[1] = 1", "x[2] = if x[1] > 0 then 1 else 2"}));
  EXPECT_EQ(equations("constant Boolean c = false; Real x;", "x = if c then x[7] else 1;"),
            (Texts{"x = 1"}));
}

TEST(IfExpression, of_parameters_stays_a_node_in_equations) {
  const auto model = parsed(model_text("parameter Real p = 1; parameter Boolean b = p > 2; Real x;",
                                       "x = if p > 0 and not b then 1 else 2;"));
  EXPECT_FALSE(find_parameter(model, "p")->structural);
  EXPECT_FALSE(find_parameter(model, "b")->structural);
  EXPECT_EQ(NodeValues(model, {{"p", 1}})(model.equations[0].right), 1);
  EXPECT_EQ(NodeValues(model, {{"p", -1}})(model.equations[0].right), 2);
}

TEST(IfExpression, may_stand_in_bindings_sizes_starts_outputs_and_initial_equations) {
  const auto model = parsed(
      "model M parameter Integer n = 3; parameter Real p = if n > 2 then 10 else 20; "
      "Real x[if n == 3 then 2 else 1](each start = if p > 5 then 1 else 2); Real y;"
      "output Real z = if y > 0 then y else 0; output Boolean up = y > 0;"
      "equation x = if y > 0 then {1, 2} else {y, 3}; der(y) = 1;"
      "initial equation y = if p > 5 then 1 else 2; end M;");
  EXPECT_EQ(value_of(model, "p"), 10);
  EXPECT_EQ(variable_names(model), (Texts{"x[1]", "x[2]", "y"}));
  EXPECT_EQ(equation_texts(model)[0], "x[1] = if y > 0 then 1 else y");
  EXPECT_EQ(start_text(model, "x[1]"), "if p > 5 then 1 else 2");
  EXPECT_EQ(expr::to_text(*model.graph, model.outputs[0].node), "if y > 0 then y else 0");
  EXPECT_EQ(expr::to_text(*model.graph, model.outputs[1].node), "y > 0");
  EXPECT_EQ(expr::to_text(*model.graph, model.initial_equations[0].right),
            "if p > 5 then 1 else 2");
  EXPECT_EQ(value_of(parsed(model_text("parameter Real a = 1; parameter Real p = if a > 2 then 3 "
                                       "else 4;"),
                            {{"a", 5}}),
                     "p"),
            3);
}

TEST(IfExpression, branches_agree_in_size_and_type) {
  EXPECT_EQ(findings(model_text("Real x[2], y;", "x = if y > 0 then x else 1;")),
            (Texts{"E-LNG-004 4:19"}));
  EXPECT_EQ(findings(model_text("Real y;", "y = if y > 0 then y > 1 else 1;")),
            (Texts{"E-LNG-009 4:21"}));
}

TEST(IfExpression, says_what_is_missing_in_it) {
  EXPECT_THAT(only_problem(model_text("Real x;", "x = if x > 1 then 1;")).what,
              HasSubstr("expected 'else'"));
  EXPECT_EQ(findings(model_text("Real x;", "x = if x > 1 1 else 2;\nx = q;")),
            (Texts{"E-LNG-001 4:14", "E-LNG-002 5:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = 2*if x > 1 then 1 else 2;")),
            (Texts{"E-LNG-001 4:7"}));
}

TEST(IfExpression, reports_mistakes_in_all_open_branches) {
  EXPECT_EQ(findings(model_text("Real x;", "x = if x > 1 then p elseif x > 0 then q else r;")),
            (Texts{"E-LNG-002 4:19", "E-LNG-002 4:39", "E-LNG-002 4:46"}));
}

// ---------------------------------------------------------------------------------------------------------------------
// if equations

TEST(IfEquation, pairs_the_equations_of_its_branches) {
  const auto model = parsed(model_text("Real x, y;",
                                       "if x > 1 then\n x = 1; b: y = 2*x;\nelseif x > 0 then\n a: "
                                       "x = 3; y = 4;\nelse\n x = 5; b: 6 = y;\nend if;"));
  ASSERT_EQ(model.equations.size(), 2U);
  EXPECT_EQ(equation_names(model), (Texts{"a", "b"}));
  EXPECT_EQ(equation_texts(model),
            (Texts{"x = if x > 1 then 1 else if x > 0 then 3 else 5",
                   "if x > 1 then y else if x > 0 then y else 6 = if x > 1 then 2*x else if x > 0 "
                   "then 4 else y"}));
  EXPECT_EQ(model.equations[0].place.line, 5U);
  EXPECT_EQ(NodeValues(model, {{"x", 3}, {"y", 7}})(model.equations[1].residual), 1);
  EXPECT_EQ(NodeValues(model, {{"x", 0.5}, {"y", 7}})(model.equations[1].residual), 3);
  EXPECT_EQ(NodeValues(model, {{"x", 0}, {"y", 7}})(model.equations[1].residual), -1);
}

TEST(IfEquation, holds_loops_arrays_and_other_ifs) {
  const auto model = parsed(model_text(
      "Real x[2], y;",
      "for k in 1:1 loop if y > 1 then for i in 1:2 loop a: x[i] = i; end for; else x = if y > 0 "
      "then {3, 4} else {5, 6}; end if; end for;\n"
      "if y > 2 then if y > 3 then y = 1; else y = 2; end if; else y = 3; end if;"));
  EXPECT_EQ(equation_texts(model), (Texts{"x[1] = if y > 1 then 1 else if y > 0 then 3 else 5",
                                          "x[2] = if y > 1 then 2 else if y > 0 then 4 else 6",
                                          "y = if y > 2 then if y > 3 then 1 else 2 else 3"}));
  EXPECT_EQ(equation_names(model), (Texts{"a[1,1]", "a[1,2]", ""}));
}

TEST(IfEquation, may_stand_among_the_initial_equations) {
  const auto model = parsed(
      "model M Real x; equation der(x) = 1; initial equation if x > 1 then x = 2; else x = 0.5; "
      "end "
      "if; end M;");
  EXPECT_EQ(expr::to_text(*model.graph, model.initial_equations.at(0).right),
            "if x > 1 then 2 else 0.5");
}

TEST(IfEquation, with_a_known_condition_is_its_branch) {
  EXPECT_EQ(equations("parameter Integer n = 2; Real x[n];",
                      "for i in 1:n loop if i > 1 then x[i] = x[i-1]; end if; end for; x[1] = 1;"),
            (Texts{"x[2] = x[1]", "x[1] = 1"}));
  EXPECT_EQ(equations("Real x, y;",
                      "if false then z = 1; elseif true then x = 1; y = 2; else x = "
                      "3; end if;"),
            (Texts{"x = 1", "y = 2"}));
}

TEST(IfEquation, of_parameters_is_open_if_the_counts_agree_and_decided_if_not) {
  const std::string declarations = "parameter Boolean b = false; Real x, y;";
  const auto open = parsed(model_text(declarations, "if b then x = 1; else x = 2; end if;"));
  EXPECT_FALSE(find_parameter(open, "b")->structural);
  EXPECT_EQ(equation_texts(open), (Texts{"x = if b then 1 else 2"}));
  const std::string uneven = "if b then x = 1; y = 2; else x = 3; end if;";
  const auto decided = parsed(model_text(declarations, uneven));
  EXPECT_TRUE(find_parameter(decided, "b")->structural);
  EXPECT_EQ(equation_texts(decided), (Texts{"x = 3"}));
  EXPECT_EQ(equations(declarations, uneven, {{"b", 1}}), (Texts{"x = 1", "y = 2"}));
  EXPECT_EQ(equations(declarations, "if not b then x = 1; end if;"), (Texts{"x = 1"}));
  EXPECT_EQ(equations(declarations, "if b then x = 1; end if;"), (Texts{}));
}

TEST(IfEquation, with_branches_of_different_length_names_counts_and_lines) {
  const Problem problem = only_problem(
      model_text("Real x[3], y;",
                 "if y > 0 then\n x = {1, 2, 3};\nelseif y > -1 then\n x = {1, 2, 3};\nelse\n "
                 "for i in 1:2 loop x[i] = i; end for;\nend if;"));
  EXPECT_EQ(problem.id, "E-LNG-018");
  EXPECT_EQ(problem.where, "model.mo:4:1");
  EXPECT_THAT(problem.why, AllOf(HasSubstr("3 equations"), HasSubstr("line 8 has 2 equations")));
}

TEST(IfEquation, without_else_is_an_error) {
  const Problem problem = only_problem(model_text("Real x;", "if x > 0 then x = 1; end if;"));
  EXPECT_EQ(problem.id, "E-LNG-018");
  EXPECT_EQ(problem.where, "model.mo:4:1");
  EXPECT_THAT(problem.what, HasSubstr("no 'else'"));
}

TEST(IfEquation, names_belong_to_single_equations_and_may_repeat_between_branches_only) {
  EXPECT_EQ(findings(model_text("Real x;", "a: if x > 0 then x = 1; else x = 2; end if;")),
            (Texts{"E-LNG-001 4:4"}));
  EXPECT_EQ(findings(model_text("Real x, y;",
                                "if x > 0 then a: x = 1;\na: y = 2; else x = 2; y = 1; end if;")),
            (Texts{"E-LNG-003 5:1"}));
  EXPECT_EQ(findings(model_text("Real x, y;",
                                "if x > 0 then a: x = 1; else a: x = 2; end if;\na: y = 2;")),
            (Texts{"E-LNG-003 5:1"}));
  EXPECT_TRUE(findings(model_text("Real x[2];",
                                  "for i in 1:2 loop if x[1] > 0 then a: x[i] = 1; "
                                  "else a: x[i] = 2; end if; end for;"))
                  .empty());
}

TEST(IfEquation, that_is_not_well_formed_is_told_and_the_rest_is_still_read) {
  EXPECT_EQ(findings(model_text("Real x;",
                                "if x > 0 then x = 1; else x = 2; else x = 3; end if;\nx "
                                "= q;")),
            (Texts{"E-LNG-001 4:34", "E-LNG-002 5:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "if x > then x = 1; else x = 2; end if;\nx = q;")),
            (Texts{"E-LNG-001 4:8", "E-LNG-002 5:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "if x > 0 then x = 1; else x = 2; end for;\nx = q;")),
            (Texts{"E-LNG-001 4:34", "E-LNG-002 5:5"}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Discrete variables

TEST(Discrete, variables_are_parameters_that_start_as_told) {
  const auto model = parsed(model_text(
      "discrete Real d(start = 2*p, unit = \"m\") \"depth\"; Boolean on(start = true, fixed = "
      "true); Integer k; Integer n[2](start = {3, 4}), m[2](each start = 5); parameter Real p = "
      "3;"));
  EXPECT_TRUE(model.variables.empty());
  const model::Parameter* d = find_parameter(model, "d");
  EXPECT_TRUE(d->is_discrete);
  EXPECT_EQ(d->type, model::ParameterType::real);
  EXPECT_EQ(d->unit, "m");
  EXPECT_EQ(d->description, "depth");
  EXPECT_EQ(d->place.line, 2U);
  EXPECT_EQ(value_of(model, "d"), 6);
  EXPECT_EQ(find_parameter(model, "on")->type, model::ParameterType::boolean);
  EXPECT_EQ(value_of(model, "on"), 1);
  EXPECT_EQ(find_parameter(model, "k")->type, model::ParameterType::integer);
  EXPECT_EQ(value_of(model, "k"), 0);
  EXPECT_EQ(value_of(model, "n[2]"), 4);
  EXPECT_EQ(value_of(model, "m[1]"), 5);
  EXPECT_FALSE(find_parameter(model, "p")->is_discrete);
}

TEST(Discrete, variables_may_stand_in_equations_and_conditions) {
  EXPECT_EQ(equations("Real x; discrete Real d; Integer k[2]; Boolean on;",
                      "der(x) = if on then d else k[2]*x;"),
            (Texts{"der(x) = if on then d else k[2]*x"}));
}

TEST(Discrete, variables_are_neither_known_nor_given_before_the_run) {
  EXPECT_EQ(findings(model_text("Integer k; Real x[k];")), (Texts{"E-LNG-011 2:19"}));
  EXPECT_EQ(findings(model_text("Integer k; parameter Real p = k;")), (Texts{"E-LNG-011 2:31"}));
  EXPECT_EQ(findings(model_text("Integer k;"), {{"k", 1}}), (Texts{"E-MOD-007 2:9"}));
}

TEST(Discrete, start_values_fit_size_and_type) {
  EXPECT_EQ(findings(model_text("Integer k(start = 1.5);")), (Texts{"E-LNG-009 2:19"}));
  EXPECT_EQ(findings(model_text("Boolean b(start = 1);")), (Texts{"E-LNG-009 2:19"}));
  EXPECT_EQ(findings(model_text("discrete Real d(start = true);")), (Texts{"E-LNG-009 2:25"}));
  EXPECT_EQ(findings(model_text("discrete Real d(start = {1, 0});")), (Texts{"E-LNG-004 2:25"}));
  EXPECT_EQ(findings(model_text("Integer k[2](start = {1, 2, 3});")), (Texts{"E-LNG-004 2:22"}));
  EXPECT_EQ(findings(model_text("Integer k(start = q);")), (Texts{"E-LNG-002 2:19"}));
  EXPECT_EQ(findings(model_text("discrete parameter Real p = 1;")), (Texts{"E-LNG-001 2:1"}));
}

TEST(Discrete, variables_are_not_defined_by_equations) {
  const Problem problem = only_problem(model_text("Boolean on; Real x;", "x = 1;\non = x > 0;"));
  EXPECT_EQ(problem.id, "E-LNG-020");
  EXPECT_EQ(problem.where, "model.mo:5:1");
  EXPECT_THAT(problem.todo, AllOf(HasSubstr("where it is used"), HasSubstr("when c then on = ")));
  EXPECT_EQ(only_problem(model_text("Integer k; Real x;", "x = 1; k = 2;")).id, "E-LNG-020");
  EXPECT_EQ(only_problem(model_text("Boolean on; Real x;", "x = 1; x > 0 = on;")).id, "E-LNG-020");
  EXPECT_EQ(
      only_problem("model M Integer k; Real x; equation x = 1; initial equation k = 2; end M;")
          .todo,
      "give its start value in the declaration: k(start = ...)");
  EXPECT_TRUE(findings(model_text("Integer k; Real x;", "x = k;")).empty());
}

TEST(Alias, stands_for_its_condition_wherever_it_is_used) {
  EXPECT_EQ(equations("Boolean taut = lambda > 0; Real lambda, x;", "x = if taut then 1 else 2;"),
            (Texts{"x = if lambda > 0 then 1 else 2"}));
  const auto model =
      parsed(model_text("Boolean a[2] = {x[i] > i for i in 1:2}; Boolean both = a[1] and a[2]; "
                        "Real x[2]; Integer k = "
                        "if both then 1 else 2;",
                        "x[1] = k; for i in 1:2 loop hit: when a[i] then end when; end for;"));
  EXPECT_TRUE(model.parameters.empty());
  EXPECT_EQ(equation_texts(model), (Texts{"x[1] = if x[1] > 1 and x[2] > 2 then 1 else 2"}));
  EXPECT_EQ(whens(model), (Texts{"hit[1]: x[1] > 1", "hit[2]: x[2] > 2"}));
}

TEST(Alias, in_loops_does_not_see_the_loop_variables) {
  EXPECT_EQ(findings(model_text("Boolean a = x > i; Real x;",
                                "for i in 1:1 loop x = if a then 1 else 2; end for;")),
            (Texts{"E-LNG-002 2:17"}));
}

TEST(Alias, may_use_multipliers_of_a_lagrangian) {
  const auto model = parsed(
      "model M Real x, y; Boolean taut = rod > 0; Real u; lagrangian coordinates x, y; function "
      "der(x)^2 + der(y)^2 - y; rod: constraint x^2 + y^2 = 1; force x = if taut then 1 else 0;"
      "equation u = if taut then 1 else 2; end M;");
  EXPECT_EQ(equation_texts(model).back(), "u = if rod > 0 then 1 else 2");
  EXPECT_EQ(
      findings("model M Real x, y; Boolean taut = rod > 0;\nlagrangian coordinates x, y;\n"
               "function if taut then der(x)^2 + der(y)^2 else 0;\nrod: constraint x^2 + y^2 = "
               "1; end M;"),
      (Texts{"E-LNG-011 3:13"}));
}

TEST(Alias, fits_its_declaration) {
  EXPECT_EQ(findings(model_text("Boolean a = 1; Real x;", "x = 1;")), (Texts{"E-LNG-009 2:13"}));
  EXPECT_EQ(findings(model_text("Integer a = x; Real x;", "x = 1;")), (Texts{"E-LNG-009 2:13"}));
  EXPECT_EQ(findings(model_text("Boolean a[2] = x > 1; Real x;", "x = 1;")),
            (Texts{"E-LNG-004 2:18"}));
  EXPECT_EQ(findings(model_text("Boolean a = not b, b = a; Real x;", "x = 1;")),
            (Texts{"E-LNG-011 2:9"}));
  EXPECT_EQ(findings(model_text("parameter Boolean p = a; Boolean a = x > 1; Real x;", "x = 1;")),
            (Texts{"E-LNG-011 2:23"}));
}

TEST(Alias, chains_are_long_without_recursion) {
  std::string declarations = "Real x; Boolean b0 = x > 1;";
  for (int k = 1; k < 20000; ++k) declarations += fmt::format("Boolean b{} = not b{};\n", k, k - 1);
  EXPECT_EQ(equations(declarations, "x = if b19998 then 1 else 2;"),
            (Texts{"x = if x > 1 then 1 else 2"}));
}

// ---------------------------------------------------------------------------------------------------------------------
// when

TEST(When, gives_new_values_to_variables_derivatives_and_discrete_variables) {
  const auto model = parsed(model_text(
      "Real h; Real x[2]; discrete Real d; Integer k; Boolean on;",
      "der(h, 2) = -1; x = {1, 2};\nbounce: when h < 0 then\n reinit(h, 0); reinit(der(h), "
      "-0.5*der(h)); reinit(der(h, 2), 1);\n reinit(x, 2*x); d = pre(d) + h; k = pre(k) + 1; on = "
      "h "
      "> 1; terminate(\"the end\");\nend when;"));
  ASSERT_EQ(model.whens.size(), 1U);
  const model::When& when = model.whens[0];
  EXPECT_EQ(when.name, "bounce");
  EXPECT_EQ(when.place.line, 5U);
  EXPECT_EQ(when.place.column, 1U);
  EXPECT_EQ(when.reinits.size(), 5U);
  EXPECT_EQ(when.reinits[1].place.line, 6U);
  EXPECT_EQ(when.assignments[0].place.line, 7U);
  EXPECT_EQ(NodeValues(model, {{"h", -1}})(when.condition), 1);
  EXPECT_EQ(NodeValues(model, {{"h", 0}})(when.condition), 0);
  EXPECT_EQ(
      whens(model)[0].substr(whens(model)[0].find(';')),
      "; h^(0) := 0; h^(1) := -0.5*der(h); h^(2) := 1; x[1]^(0) := 2*x[1]; x[2]^(0) := 2*x[2]; "
      "d := d + h; k := k + 1; on := h > 1; ends: the end");
  EXPECT_EQ(model.equations.size(), 3U);
}

TEST(When, may_be_empty_and_without_a_name) {
  EXPECT_EQ(whens("Real x;", "x = 1; when x > 1 then end when;"), (Texts{": x > 1"}));
}

TEST(When, elsewhen_gives_way_to_those_before_it) {
  EXPECT_EQ(whens("Real x;",
                  "x = 1; a: when x > 1 then reinit(x, 0); elsewhen x > 2 then "
                  "reinit(x, 1); elsewhen x > 3 then end when;"),
            (Texts{"a: x > 1; x^(0) := 0", "a (elsewhen): x > 2 alt; x^(0) := 1",
                   "a (elsewhen): x > 3 alt"}));
}

TEST(When, of_several_conditions_happens_at_each_with_the_same_actions) {
  EXPECT_EQ(whens("Real x;", "x = 1; when {x > 1, x > 2} then reinit(x, 0); end when;"),
            (Texts{": x > 1; x^(0) := 0", ": x > 2 alt; x^(0) := 0"}));
  EXPECT_EQ(whens("Real x[2];", "x = {1, 2}; when {x[i] > i for i in 1:2} then end when;"),
            (Texts{": x[1] > 1", ": x[2] > 2 alt"}));
}

TEST(When, in_loops_has_a_name_with_indices_and_loops_inside) {
  EXPECT_EQ(
      whens("Real x[2];",
            "for i in 1:2 loop x[i] = 1; a: when x[i] > i then for j in 1:2 "
            "loop reinit(x[j], i*x[j]); end for; elsewhen x[i] > 5 then end "
            "when; end for;"),
      (Texts{"a[1]: x[1] > 1; x[1]^(0) := x[1]; x[2]^(0) := x[2]", "a[1] (elsewhen): x[1] > 5 alt",
             "a[2]: x[2] > 2; x[1]^(0) := 2*x[1]; x[2]^(0) := 2*x[2]",
             "a[2] (elsewhen): x[2] > 5 alt"}));
}

TEST(When, values_may_choose) {
  EXPECT_EQ(whens("Real x;", "x = 1; when x > 1 then reinit(x, if x > 2 then 1 else 0); end when;"),
            (Texts{": x > 1; x^(0) := if x > 2 then 1 else 0"}));
}

TEST(When, pre_is_the_value_itself_at_events_and_of_discrete_variables) {
  EXPECT_EQ(whens("Real x; discrete Real d;",
                  "x = pre(d); when pre(d) > x then reinit(x, pre(x + 1)); end when;"),
            (Texts{": x < d; x^(0) := x + 1"}));
  const Problem problem = only_problem(model_text("Real x;", "x = pre(x);"));
  EXPECT_EQ(problem.id, "E-LNG-019");
  EXPECT_EQ(problem.where, "model.mo:4:5");
  EXPECT_EQ(
      findings(model_text("Real x; Boolean b;", "x = 1;\nwhen b and not pre(b) then end when;")),
      (Texts{"E-LNG-019 5:6"}));
}

TEST(When, changes_discrete_variables_and_unknowns_only) {
  const auto problem = [](std::string_view action) {
    const Problem found = only_problem(model_text(
        "Real x, y[2]; parameter Real p = 1; constant Real c = 1; discrete Real d; Boolean a = x > "
        "1; Boolean b; Integer k;",
        fmt::format("x = 1; y = {{1, 2}};\nwhen x > 0 then\n{}\nend when;", action)));
    EXPECT_THAT(found.where, HasSubstr("model.mo:6:")) << action;
    return found;
  };
  EXPECT_EQ(problem("x = 1;").id, "E-LNG-020");
  EXPECT_THAT(problem("x = 1;").todo, HasSubstr("reinit(x, value)"));
  EXPECT_THAT(problem("p = 1;").why, HasSubstr("do not change in a run"));
  EXPECT_THAT(problem("c = 1;").why, HasSubstr("do not change in a run"));
  EXPECT_THAT(problem("a = true;").why, HasSubstr("declaration"));
  EXPECT_THAT(problem("d + 1 = 2;").what, HasSubstr("not a discrete variable"));
  EXPECT_THAT(problem("der(x) = 2;").what, HasSubstr("not a discrete variable"));
  EXPECT_EQ(problem("q = 2;").id, "E-LNG-002");
  EXPECT_THAT(problem("reinit(d, 1);").todo, HasSubstr("write d = value"));
  EXPECT_EQ(problem("reinit(2*x, 1);").id, "E-LNG-020");
  EXPECT_EQ(problem("reinit(p, 1);").id, "E-LNG-020");
  EXPECT_EQ(problem("reinit(1, 1);").id, "E-LNG-020");
  EXPECT_EQ(problem("reinit(y, 1);").id, "E-LNG-004");
  EXPECT_EQ(problem("reinit(x, b);").id, "E-LNG-009");
  EXPECT_EQ(problem("reinit(x);").id, "E-LNG-014");
  EXPECT_EQ(problem("terminate(1);").id, "E-LNG-009");
  EXPECT_EQ(problem("terminate();").id, "E-LNG-014");
  EXPECT_EQ(problem("b = 1;").id, "E-LNG-009");
  EXPECT_EQ(problem("k = x;").id, "E-LNG-009");
  EXPECT_EQ(problem("d = b;").id, "E-LNG-009");
  EXPECT_THAT(problem("d = 1; d = 2;").what, HasSubstr("two values"));
  EXPECT_THAT(problem("reinit(x, 1); reinit(x, 2);").what, HasSubstr("two values"));
  EXPECT_EQ(problem("d == 1;").id, "E-LNG-001");
  EXPECT_EQ(problem("a: d = 1;").id, "E-LNG-001");
  EXPECT_EQ(problem("d;").id, "E-LNG-001");
  EXPECT_EQ(problem("if b then d = 1; end if;").id, "E-LNG-006");
  EXPECT_EQ(problem("assert(b, \"b\");").id, "E-LNG-006");
  EXPECT_EQ(problem("when b then d = 1; end when;").id, "E-LNG-019");
}

TEST(When, and_its_parts_have_their_places) {
  EXPECT_EQ(findings(model_text("Real x;", "x = 1;\nreinit(x, 1);\nterminate(\"now\");")),
            (Texts{"E-LNG-019 5:1", "E-LNG-019 6:1"}));
  EXPECT_EQ(findings(model_text("Real x;",
                                "if x > 0 then x = 1;\nwhen x > 1 then reinit(x, 0); end "
                                "when; else x = 2; end if;")),
            (Texts{"E-LNG-019 5:1"}));
  EXPECT_EQ(findings("model M Real x; equation x = 1; initial equation\nwhen x > 1 then end when;\n"
                     "lagrangian coordinates x; function der(x)^2;\nwhen x > 1 then reinit(x, 0); "
                     "end when;\na: when x > 1 then end when; end M;"),
            (Texts{"E-LNG-019 2:1", "E-LNG-019 4:1", "E-LNG-019 5:4"}));
  EXPECT_EQ(findings("model M Real x; lagrangian coordinates x; function der(x)^2;\nif x > 1 then "
                     "force x = 1; end if; end M;"),
            (Texts{"E-LNG-006 2:1"}));
}

TEST(When, that_is_not_well_formed_is_told_and_the_rest_is_still_read) {
  EXPECT_EQ(findings(model_text("Real x;",
                                "when x > 1 then reinit(x, 0); else reinit(x, 1); end "
                                "when;\nx = q;")),
            (Texts{"E-LNG-001 4:31", "E-LNG-002 5:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "when x > 1 reinit(x, 0); end when;\nx = q;")),
            (Texts{"E-LNG-001 4:12", "E-LNG-002 5:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "when x > 1 then reinit(x, 0)\nend when;\nx = q;")),
            (Texts{"E-LNG-001 4:29", "E-LNG-002 6:5"}));
  EXPECT_EQ(findings(model_text("Real x, y;", "x = y; a: y = 1;\na: when x > 1 then end when;")),
            (Texts{"E-LNG-003 5:1"}));
}

TEST(When, stops_at_the_first_turn_with_an_error) {
  EXPECT_EQ(findings(model_text("Real x[2];",
                                "x = {1, 2}; for i in 1:1000 loop when x[i] > 1 then "
                                "end when; end for;")),
            (Texts{"E-LNG-005 4:41"}));
}

// A graph pulls signs out of products; the condition that is shown is the one that was written.
TEST(When, conditions_are_shown_as_they_were_written) {
  for (const std::string condition :
       {"x < 0.5 or y > 2", "x <= 1.5 and y <= 0", "b and x <= 5", "b and x > 3 and y <= 1",
        "x < 1 or y < 2 or b", "x <= 1 or b and y <= 2"}) {
    const Texts texts = whens("Real x, y; Boolean b; Integer k;",
                              "x = time; y = time; when " + condition + " then k = 1; end when;");
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_THAT(texts[0], testing::Not(HasSubstr("+ 1"))) << condition;
    EXPECT_THAT(texts[0], testing::Not(HasSubstr("-("))) << condition;
  }
  EXPECT_EQ(whens("Real x, y; Integer k;",
                  "x = time; y = time; when x < 0.5 or y > 2 then k = 1; end when;"),
            (Texts{": x < 0.5 or y > 2; k := 1"}));
  EXPECT_EQ(
      whens("Real x; Boolean b; Integer k;", "x = time; when b and x <= 5 then k = 1; end when;"),
      (Texts{": b and x <= 5; k := 1"}));
}

TEST(Transparent, no_event_and_smooth_are_what_they_contain) {
  const auto written = [](const std::string& expression) {
    return equations("Real x, y; Real z[2]; parameter Integer p = 2;",
                     "x = time; y = " + expression + "; z = {1, 2};");
  };
  EXPECT_EQ(written("noEvent(if x > 0 then -sqrt(x) else 0)"),
            written("if x > 0 then -sqrt(x) else 0"));
  EXPECT_EQ(written("if noEvent(x > 0) and noEvent(x < 1) then 1 else 0"),
            written("if x > 0 and x < 1 then 1 else 0"));
  EXPECT_EQ(written("smooth(p - 1, noEvent(abs(x)))"), written("abs(x)"));
  EXPECT_EQ(written("sum(noEvent(z))"), written("sum(z)"));
  EXPECT_EQ(whens("Real x; Integer k;", "x = time; when noEvent(x > 1) then k = 1; end when;"),
            whens("Real x; Integer k;", "x = time; when x > 1 then k = 1; end when;"));
}

TEST(Transparent, the_order_of_smooth_is_a_whole_number_known_beforehand) {
  const auto finding = [](const std::string& expression) {
    return findings(model_text("Real x; parameter Real r = 0.5;", "x = " + expression + ";"));
  };
  EXPECT_EQ(finding("smooth(-1, time)"), (Texts{"E-LNG-011 4:12"}));
  EXPECT_EQ(finding("smooth(r, time)"), (Texts{"E-LNG-011 4:12"}));
  EXPECT_EQ(finding("smooth(x, time)"), (Texts{"E-LNG-011 4:12"}));
  EXPECT_EQ(finding("smooth(time)"), (Texts{"E-LNG-014 4:5"}));
  EXPECT_EQ(finding("noEvent(1, time)"), (Texts{"E-LNG-014 4:5"}));
}

TEST(When, words_of_full_modelica_get_advice) {
  const auto advice = [](std::string_view condition) {
    const Problem problem = only_problem(
        model_text("Real x;", fmt::format("x = 1; when {} then end when;", condition)));
    EXPECT_EQ(problem.id, "E-LNG-006") << condition;
    return problem.todo;
  };
  EXPECT_THAT(advice("edge(x > 1)"), HasSubstr("the condition itself"));
  EXPECT_THAT(advice("change(x)"), HasSubstr("two 'when' clauses"));
  EXPECT_THAT(advice("sample(0, 1)"), HasSubstr("when time >= next"));
  EXPECT_THAT(advice("initial()"), HasSubstr("initial equation"));
  EXPECT_THAT(advice("terminal()"), HasSubstr("solution"));
  EXPECT_THAT(advice("reinit(x, 1) > 1"), HasSubstr("in a 'when'"));
  EXPECT_THAT(only_problem(model_text("Real x;", "x = 1; assert(x > 1, \"low\");")).todo,
              HasSubstr("terminate"));
}

TEST(When, costs_of_unrolling_are_limited) {
  EXPECT_EQ(findings(model_text("Real x[10000];",
                                "for i in 1:10000 loop x[i] = 1; end for; when {x[i] > 1 for i in "
                                "1:10000} then for i in 1:10000 loop reinit(x[i], 1); end for; end "
                                "when;")),
            (Texts{"E-LNG-008 4:42"}));
  EXPECT_EQ(findings(model_text("Real x;",
                                "x = 1; when x > 1 then for i in 1:1000000000 loop "
                                "reinit(x, 1); end for; end when;"))
                .front(),
            "E-LNG-008 4:28");
}

}  // namespace
}  // namespace daedal::lang
