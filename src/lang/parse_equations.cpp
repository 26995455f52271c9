#include <fmt/format.h>

#include "base/near_miss.hpp"
#include "lang/recursive_descent.hpp"

namespace daedal::lang {

std::vector<Statement>& Parser::current_statements() {
  if (section_ == Section::lagrangian) return ast_.lagrangian.statements;
  return section_ == Section::initial_equations ? ast_.initial_equations : ast_.equations;
}

void Parser::parse_statement(std::vector<Statement>& into) {
  if (section_ == Section::lagrangian)
    parse_lagrangian_item(into);
  else
    parse_equation_item(into);
}

// One statement; leaves the cursor behind its ';'.
void Parser::parse_equation_item(std::vector<Statement>& into) {
  const Nesting nesting(*this);
  equation_depth_ = -1;
  const Token& token = peek();
  if (token.is("for")) return parse_for(into);
  if (token.is("if")) return parse_if_equation();
  if (token.is("when")) return parse_when_equation();
  if (parse_unsupported_equation()) return;
  parse_equation(into);
}

bool Parser::parse_unsupported_equation() {
  const Token& token = peek();
  if (token.is("connect")) {
    report_outside(token, "'connect'",
                   "write the equations of the connection: equal potentials, flows that sum to 0");
    skip_past_semicolon();
    return true;
  }
  if (token.is("import") || token.is("extends") || token.is("function")) {
    report_outside(token, fmt::format("'{}'", token.text), "write the equations themselves");
    skip_past_semicolon();
    return true;
  }
  if (token.is("while") || token.is("return") || token.is("break")) {
    report_outside(token, fmt::format("'{}'", token.text), "write equations instead of statements");
    skip_past_semicolon();
    return true;
  }
  return false;
}

void Parser::parse_equation(std::vector<Statement>& into) {
  Statement statement;
  statement.position = peek().position;
  if (at_kind(TokenKind::identifier) && peek(1).is(":")) {
    statement.label = ast_.symbols.intern(take().text);
    take();
    if (at("if")) return parse_if_equation();
    if (at("when")) return parse_when_equation();
    if (at("for")) {
      report(peek().position, "a name cannot stand before 'for'",
             "names belong to single equations",
             "name the equation inside; in a loop it gets the index: name[1], name[2], ...");
      return parse_for(into);
    }
    if (parse_unsupported_equation()) return;
  }
  parse_equation_sides(statement);
  into.push_back(std::move(statement));
  parse_comment();
  expect_semicolon("the equation");
}

void Parser::parse_equation_sides(Statement& statement) {
  equation_depth_ = depth_ + 1;
  statement.left = parse_expression();
  if (at("=") || at(":=") || at("==")) {
    parse_equals();
    statement.right = parse_expression();
  } else {
    fail_without_equals(statement.left);
    statement.left = statement.right = ast_.add(term_at(Form::bad, statement.position));
  }
  equation_depth_ = -1;
  if (at("=") || at("=="))
    fail(peek().position, "an equation has one '='", "here is a second one",
         "write two equations, one for each '='");
}

void Parser::parse_equals() {
  const Token& sign = take();
  if (sign.text == "=") return;
  report(sign.position, fmt::format("equations use '=', not '{}'", sign.text),
         sign.text == ":="
             ? "':=' assigns in an algorithm; an equation states that both sides are equal"
             : "'==' compares two values in a condition",
         "write left = right");
}

// left ;
void Parser::fail_without_equals(TermId left) {
  const Term& term = ast_[left];
  if (term.form == Form::call) {
    const std::string& name = ast_.name_of(term.symbol);
    if (name == "reinit") {
      if (num_unsupported_ == 0)
        report(term.position, "'reinit' is not supported yet",
               "it belongs to 'when', which comes later", "leave it out for now", "E-LNG-007");
      if (at(";")) return;
    } else if (name == "assert" || name == "terminate") {
      report(term.position, fmt::format("'{}' is outside the language", name),
             "models are equations; there are no statements with effects", "remove it",
             "E-LNG-006");
      if (at(";")) return;
    }
  }
  if (at(";"))
    fail(peek().position, "an equation needs '='", "here is one expression without a second side",
         "write left = right, for example ... = 0");
  fail_unexpected("'=' or an operator");
}

void Parser::parse_for(std::vector<Statement>& into) {
  const Token& opening = take();
  Statement loop;
  loop.position = opening.position;
  const std::size_t mark = pending_.size();
  try {
    parse_for_header(loop);
  } catch (const SyntaxError&) {
    rethrow_if_too_deep();
    pending_.resize(mark);
    skip_to("loop");
    accept("loop");
    loop.iterators.assign(1, ast_.add(term_at(Form::bad, opening.position)));
  }
  parse_block(loop.body, {});
  into.push_back(std::move(loop));
  parse_block_end("for", opening);
}

void Parser::parse_for_header(Statement& loop) {
  if (at_kind(TokenKind::identifier) && (peek(1).is("loop") || peek(1).is(",")))
    fail(peek(1).position, fmt::format("the loop variable '{}' has no range", peek().text),
         "ranges taken from the arrays that are indexed are outside the language",
         "write the range: for i in 1:n loop", "E-LNG-006");
  loop.iterators = parse_iterators();
  if (accept("loop")) return;
  const Token& found = peek();
  const bool misspelt = found.kind == TokenKind::identifier &&
                        !base::near_misses(found.text, {"loop"}).empty() && peek(1).text != "=";
  const bool word_of_another_language =
      found.is_identifier("do") || found.is("then") || found.is(":");
  report(found.position, fmt::format("expected 'loop', found {}", description_of(found)),
         "a loop is: for i in 1:n loop ... end for;", "write 'loop' after the range");
  if (misspelt || word_of_another_language) take();
}

// Statements up to 'end', one of `stops` or the next section.
void Parser::parse_block(std::vector<Statement>& into,
                         std::initializer_list<std::string_view> stops) {
  const auto at_stop = [&] {
    for (const std::string_view stop : stops)
      if (at(stop)) return true;
    return at("end") || at_section_start() || at_end_of_file();
  };
  while (!at_stop()) {
    const std::size_t before = next_;
    const std::size_t mark = pending_.size();
    try {
      parse_statement(into);
    } catch (const SyntaxError&) {
      rethrow_if_too_deep();
      pending_.resize(mark);
      recover();
    }
    if (next_ == before) take();
  }
}

// end for;
void Parser::parse_block_end(std::string_view keyword, const Token& opening) {
  const std::string closing = fmt::format("end {};", keyword);
  if (at("end") && peek(1).is(keyword)) {
    take();
    take();
    expect_semicolon(fmt::format("'end {}'", keyword));
    return;
  }
  const Token& found = peek();
  report(found.position, fmt::format("'{}' is missing", closing),
         fmt::format("the '{}' of line {} is still open at {}", keyword, opening.position.line,
                     description_of(found)),
         fmt::format("write '{}' where it ends", closing));
  const bool other_block = at("end") && peek(1).kind == TokenKind::keyword;
  if (other_block || (at("end") && peek(1).is(";"))) skip_past_semicolon();
}

// Inside a catch block of a loop's or condition's part.
void Parser::rethrow_if_too_deep() {
  if (!is_too_deep_) return;
  is_abandoned_ = true;
  throw SyntaxError();
}

void Parser::skip_to(std::string_view keyword) {
  while (!at(keyword) && !at(";") && !at_block_end() && !at_section_start() && !at_end_of_file())
    take();
}

// condition then
void Parser::parse_condition() {
  const std::size_t mark = pending_.size();
  try {
    parse_expression();
    expect("then", "the equations stand between 'then' and the next 'else', 'elsewhen' or 'end'");
  } catch (const SyntaxError&) {
    rethrow_if_too_deep();
    pending_.resize(mark);
    skip_to("then");
    accept("then");
  }
}

void Parser::parse_if_equation() {
  const Token& opening = take();
  report_not_yet(opening, "'if' equations");
  {
    const Counted inside(num_unsupported_);
    std::vector<Statement> dropped;
    do {
      parse_condition();
      parse_block(dropped, {"else", "elseif"});
    } while (accept("elseif"));
    if (accept("else")) parse_block(dropped, {});
  }
  parse_block_end("if", opening);
}

void Parser::parse_when_equation() {
  const Token& opening = take();
  report_not_yet(opening, "'when' equations");
  {
    const Counted inside(num_unsupported_);
    std::vector<Statement> dropped;
    do {
      parse_condition();
      parse_block(dropped, {"elsewhen"});
    } while (accept("elsewhen"));
  }
  parse_block_end("when", opening);
}

}  // namespace daedal::lang
