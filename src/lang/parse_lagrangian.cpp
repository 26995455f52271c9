// lagrangian
//   coordinates x, y;
//   function 0.5*m*(der(x)^2 + der(y)^2) - m*g*y;
//   length: constraint x^2 + y^2 = l^2;
//   force x = u;
//   dissipation 0.5*c*der(x)^2;
//   redundant constraints;
//
// The words are no keywords of the language: variables may have these names.
#include <fmt/format.h>

#include "base/near_miss.hpp"
#include "lang/recursive_descent.hpp"

namespace daedal::lang {

// A word that starts a statement here, not a name at the start of an expression.
bool Parser::at_word(std::string_view word) const {
  return peek().is_identifier(word) && !peek(1).is(":") && !peek(1).is("=");
}

void Parser::begin_lagrangian() {
  ast_.lagrangian.is_present = true;
  ast_.lagrangian.position = take().position;
  section_ = Section::lagrangian;
}

// One statement; leaves the cursor after its ';'.
void Parser::parse_lagrangian_item(std::vector<Statement>& into) {
  const Nesting nesting(*this);
  equation_depth_ = -1;
  if (at("for")) return parse_for(into);
  if (at("when")) return parse_when_equation(into, {}, peek().position);
  if (at("if")) {
    report_outside(peek(), "an 'if' around parts of a Lagrangian",
                   "choose inside the expression: (if c then a else b)");
    std::vector<Statement> dropped;
    return parse_if_equation(dropped);
  }
  if (at_word("coordinates")) return parse_coordinates();
  if (at("function"))
    return parse_scalar_function(ast_.lagrangian.functions, "the Lagrangian function");
  if (at_word("dissipation"))
    return parse_scalar_function(ast_.lagrangian.dissipations, "the dissipation");
  if (at_word("redundant")) return parse_redundant();
  parse_lagrangian_equation(into);
}

// redundant constraints;
void Parser::parse_redundant() {
  take();
  if (!peek().is_identifier("constraints")) fail_unexpected("'constraints' after 'redundant'");
  take();
  ast_.lagrangian.allows_redundant = true;
  parse_comment();
  expect_semicolon("'redundant constraints'");
}

// coordinates x, y[2:n];
void Parser::parse_coordinates() {
  take();
  do {
    ast_.lagrangian.coordinates.push_back(parse_expression());
  } while (accept(","));
  parse_comment();
  expect_semicolon("the coordinates");
}

// function e;   dissipation e;
void Parser::parse_scalar_function(std::vector<TermId>& into, std::string_view what) {
  const Token& word = take();
  if (!into.empty())
    report(word.position, fmt::format("{} is given twice", what),
           fmt::format("line {} has the first; all lagrangian sections of a model are one",
                       ast_[into.front()].position.line),
           "write one expression, the sum of both");
  into.push_back(parse_expression());
  parse_comment();
  expect_semicolon(what);
}

// [name:] constraint left = right;   constraint [name:] left = right;   force q = e;
void Parser::parse_lagrangian_equation(std::vector<Statement>& into) {
  Statement statement;
  statement.position = peek().position;
  const auto accept_label = [&] {
    if (statement.label.is_set() || !at_kind(TokenKind::identifier) || !peek(1).is(":")) return;
    statement.label = ast_.symbols.intern(take().text);
    take();
  };
  accept_label();
  if (at("when")) return parse_when_equation(into, statement.label, statement.position);
  if (at_word("constraint"))
    statement.kind = StatementKind::constraint;
  else if (at_word("force"))
    statement.kind = StatementKind::force;
  else
    return report_lagrangian_statement();
  take();
  accept_label();
  parse_equation_sides(statement);
  parse_comment();
  expect_semicolon(statement.kind == StatementKind::force ? "the force" : "the constraint");
  into.push_back(std::move(statement));
}

void Parser::report_lagrangian_statement() {
  const Token& found = peek();
  const std::vector<std::string> words = {"coordinates", "function",    "constraint",
                                          "force",       "dissipation", "redundant"};
  const std::string hint = found.kind == TokenKind::identifier
                               ? base::did_you_mean(std::string(found.text), words)
                               : std::string();
  fail(found.position,
       fmt::format("expected a statement of the Lagrangian, found {}", description_of(found)),
       "a lagrangian section has coordinates, function, constraint, force, dissipation, redundant "
       "constraints, and for loops over constraints and forces",
       hint.empty() ? "start the statement with one of these words, or begin an equation section"
                    : hint);
}

}  // namespace daedal::lang
