#include <fmt/format.h>

#include "base/near_miss.hpp"
#include "lang/recursive_descent.hpp"

namespace daedal::lang {

std::vector<Statement>& Parser::current_statements() {
  if (section_ == Section::lagrangian) return ast_.lagrangian.statements;
  return section_ == Section::initial_equations ? ast_.initial_equations : ast_.equations;
}

void Parser::parse_statement(std::vector<Statement>& into) {
  if (num_whens_ > 0)
    parse_when_statement(into);
  else if (section_ == Section::lagrangian)
    parse_lagrangian_item(into);
  else
    parse_equation_item(into);
}

// One statement; leaves the cursor after its ';'.
void Parser::parse_equation_item(std::vector<Statement>& into) {
  const Nesting nesting(*this);
  equation_depth_ = -1;
  const Token& token = peek();
  if (token.is("for")) return parse_for(into);
  if (token.is("if")) return parse_if_equation(into);
  if (token.is("when")) return parse_when_equation(into, {}, token.position);
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
    if (at("when")) return parse_when_equation(into, statement.label, statement.position);
    if (at("if") || at("for")) {
      report(peek().position, fmt::format("a name cannot stand before '{}'", peek().text),
             "names belong to single equations",
             at("if") ? "name the equations inside"
                      : "name the equation inside; in a loop it gets the index: name[1], name[2], "
                        "...");
      return at("if") ? parse_if_equation(into) : parse_for(into);
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
  if (num_whens_ > 0)
    return report(sign.position, fmt::format("a 'when' uses '=', not '{}'", sign.text),
                  sign.text == ":=" ? "':=' assigns in an algorithm"
                                    : "'==' compares two values in a condition",
                  "write variable = value");
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
    if (name == "reinit" || name == "terminate") {
      report(term.position, fmt::format("'{}' stands outside a 'when'", name),
             "it says what happens at an event, and 'when' says at which",
             fmt::format("write: when condition then {}(...); end when;", name), "E-LNG-019");
      if (at(";")) return;
    } else if (name == "assert") {
      report(term.position, "'assert' is outside the language",
             "models are equations, and what happens at events",
             "write: when not (condition) then terminate(\"message\"); end when;", "E-LNG-006");
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
TermId Parser::parse_condition() {
  const Position position = peek().position;
  const std::size_t mark = pending_.size();
  equation_depth_ = -1;
  try {
    const TermId condition = parse_expression();
    if (accept("then")) return condition;
    const Token& found = peek();
    report(found.position, fmt::format("expected 'then', found {}", description_of(found)),
           "what follows stands between 'then' and the next 'else', 'elsewhen' or 'end'",
           "write 'then' after the condition");
    std::size_t ahead = 0;
    while (!peek(ahead).is(";") && !peek(ahead).is("then") &&
           peek(ahead).kind != TokenKind::end_of_file)
      ++ahead;
    if (!peek(ahead).is("then")) return condition;  // forgotten: the first statement follows
    throw SyntaxError();
  } catch (const SyntaxError&) {
    rethrow_if_too_deep();
    pending_.resize(mark);
    skip_to("then");
    accept("then");
    return ast_.add(term_at(Form::bad, position));
  }
}

// After the word that opens it.
void Parser::parse_branch(Statement& owner, bool has_condition) {
  Statement branch;
  branch.kind = StatementKind::branch;
  branch.position = previous().position;
  if (has_condition) branch.left = parse_condition();
  parse_block(branch.body, {"else", "elseif", "elsewhen"});
  owner.body.push_back(std::move(branch));
}

// Branches where there cannot be any: read, and left out.
void Parser::skip_branches(std::string_view why) {
  Statement dropped;
  while (at("else") || at("elseif") || at("elsewhen")) {
    const Token& word = take();
    report(word.position, fmt::format("'{}' has no meaning here", word.text), std::string(why),
           "remove it, or look for a missing 'end' above");
    parse_branch(dropped, word.text != "else");
  }
}

// if c then equations {elseif d then equations} [else equations] end if;
void Parser::parse_if_equation(std::vector<Statement>& into) {
  const Token& opening = peek();
  Statement choice;
  choice.kind = StatementKind::choice;
  choice.position = opening.position;
  {
    const Counted inside(num_ifs_);
    do {
      take();
      parse_branch(choice, true);
    } while (at("elseif"));
    if (accept("else")) parse_branch(choice, false);
    skip_branches("an 'if' is: if c then ... elseif d then ... else ... end if;");
  }
  into.push_back(std::move(choice));
  parse_block_end("if", opening);
}

// ---------------------------------------------------------------------------------------------------------------------
// Events

// False and reported if this is no place for a when.
bool Parser::has_place_for_when() {
  const Position position = peek().position;
  const auto refuse = [&](std::string_view where, std::string why, std::string todo) {
    report(position, fmt::format("a 'when' {}", where), std::move(why), std::move(todo),
           "E-LNG-019");
    return false;
  };
  if (num_whens_ > 0)
    return refuse("inside a 'when'", "an event has no events inside",
                  "join the conditions with 'and', or write two 'when' clauses");
  if (num_ifs_ > 0)
    return refuse("inside an 'if'", "events are watched at all times",
                  "move it out, and put the condition of the 'if' into it: when c and d then");
  if (section_ == Section::initial_equations)
    return refuse("among the initial equations", "these hold at the start only",
                  "move it to the equation section");
  if (section_ == Section::lagrangian)
    return refuse("in the lagrangian section", "events belong to the equations",
                  "move it to an equation section");
  return true;
}

// when c then actions {elsewhen d then actions} end when;
void Parser::parse_when_equation(std::vector<Statement>& into, Symbol label, Position position) {
  const Token& opening = peek();
  const bool is_in_place = has_place_for_when();
  Statement when;
  when.kind = StatementKind::event;
  when.label = label;
  when.position = position;
  {
    const Counted inside(num_whens_);
    do {
      take();
      parse_branch(when, true);
    } while (at("elsewhen"));
    skip_branches("a 'when' is: when c then ... elsewhen d then ... end when;");
  }
  if (is_in_place) {
    ast_.has_whens = true;
    into.push_back(std::move(when));
  }
  parse_block_end("when", opening);
}

// What may happen at an event: reinit(x, e);  d = e;  terminate("...");  for loops over these.
void Parser::parse_when_statement(std::vector<Statement>& into) {
  const Nesting nesting(*this);
  equation_depth_ = -1;
  if (at_kind(TokenKind::identifier) && peek(1).is(":")) {
    report(peek().position, "a name cannot stand inside 'when'",
           "names belong to equations, and to a 'when' as a whole", "write the name before 'when'");
    take();
    take();
  }
  if (at("for")) return parse_for(into);
  if (at("when")) return parse_when_equation(into, {}, peek().position);
  if (at("if")) {
    report_outside(peek(), "an 'if' inside a 'when'",
                   "choose the value: reinit(x, if c then a else b), or write two 'when' clauses");
    std::vector<Statement> dropped;
    return parse_if_equation(dropped);
  }
  if (parse_unsupported_equation()) return;
  const bool is_call = peek(1).is("(");
  if (is_call && (peek().is_identifier("reinit") || peek().is_identifier("terminate")))
    return parse_action(into);
  parse_equation(into);
}

// reinit(x, e);   terminate("message");
void Parser::parse_action(std::vector<Statement>& into) {
  Statement action;
  action.position = peek().position;
  const std::string name(peek().text);
  const TermId call = parse_name();
  const Term term = ast_[call];
  const bool is_reinit = name == "reinit";
  action.kind = is_reinit ? StatementKind::reinit : StatementKind::terminate;
  const std::size_t num_wanted = is_reinit ? 2 : 1;
  if (term.form != Form::call || term.num_children != num_wanted) {
    report(action.position, fmt::format("'{}' has the wrong number of arguments", name),
           fmt::format("it takes {}, but {} {} given", num_wanted, term.num_children,
                       term.num_children == 1 ? "is" : "are"),
           is_reinit ? "write reinit(x, value)" : "write terminate(\"message\")", "E-LNG-014");
  } else {
    action.left = ast_.child(term, 0);
    if (is_reinit) action.right = ast_.child(term, 1);
    into.push_back(std::move(action));
  }
  parse_comment();
  expect_semicolon(fmt::format("'{}'", name));
}

}  // namespace daedal::lang
