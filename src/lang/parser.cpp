#include "lang/parser.hpp"

#include <fmt/format.h>

#include "base/near_miss.hpp"
#include "lang/lexer.hpp"
#include "lang/recursive_descent.hpp"

namespace daedal::lang {

std::string description_of(const Token& token) {
  const std::string_view shown = token.text.substr(0, 40);
  switch (token.kind) {
    case TokenKind::end_of_file: return "the end of the text";
    case TokenKind::number: return fmt::format("the number {}", shown);
    case TokenKind::string: return "a string";
    case TokenKind::identifier:
      return shown.starts_with('\'') ? std::string(shown) : fmt::format("'{}'", shown);
    default: return fmt::format("'{}'", shown);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The tree grows

Symbol SymbolTable::intern(std::string_view text) {
  if (const auto found = ids_.find(std::string(text)); found != ids_.end()) return found->second;
  const Symbol symbol(names_.size());
  names_.emplace_back(text);
  ids_.emplace(names_.back(), symbol);
  return symbol;
}

TermId Ast::add(Term term, std::span<const Child> its_children) {
  term.first_child = static_cast<std::uint32_t>(children.size());
  term.num_children = static_cast<std::uint32_t>(its_children.size());
  children.insert(children.end(), its_children.begin(), its_children.end());
  terms.push_back(term);
  return TermId(terms.size() - 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors and recovery

void Parser::report(Position position, std::string what, std::string why, std::string todo,
                    std::string_view id) {
  diagnostics_.report(
      {std::string(id), position, std::move(what), std::move(why), std::move(todo)});
}

void Parser::fail(Position position, std::string what, std::string why, std::string todo,
                  std::string_view id) {
  report(position, std::move(what), std::move(why), std::move(todo), id);
  throw SyntaxError();
}

void Parser::fail_unexpected(std::string_view expected, std::string todo) {
  const Token& found = peek();
  const std::string why = next_ > 0 ? fmt::format("after {} comes {}", description_of(previous()),
                                                  description_of(found))
                                    : fmt::format("the text starts with {}", description_of(found));
  if (todo.empty() && found.kind == TokenKind::keyword)
    todo =
        fmt::format("'{}' is a reserved word of Modelica; check what stands before it", found.text);
  if (todo.empty()) todo = "complete or correct this statement";
  fail(found.position, fmt::format("expected {}, found {}", expected, description_of(found)), why,
       std::move(todo));
}

void Parser::report_outside(const Token& token, std::string_view construct, std::string todo) {
  report(token.position, fmt::format("{} is outside the language", construct),
         "daedal reads a subset of flat Modelica: declarations and equations of one model",
         std::move(todo), "E-LNG-006");
}

void Parser::expect(std::string_view spelling, std::string_view why) {
  if (accept(spelling)) return;
  const Token& found = peek();
  std::string todo = found.kind == TokenKind::identifier
                         ? base::did_you_mean(found.text, {std::string(spelling)})
                         : std::string();
  if (todo.empty()) todo = fmt::format("write '{}' here", spelling);
  fail(found.position, fmt::format("expected '{}', found {}", spelling, description_of(found)),
       std::string(why), std::move(todo));
}

void Parser::expect_closing(std::string_view spelling, const Token& opening) {
  if (accept(spelling)) return;
  const Token& found = peek();
  fail(found.position, fmt::format("expected '{}', found {}", spelling, description_of(found)),
       fmt::format("the '{}' of line {}, column {} is still open", opening.text,
                   opening.position.line, opening.position.column),
       fmt::format("close it with '{}', or put an operator or ',' here", spelling));
}

// A missing ';' at a line's end is noted there, and reading goes on with the next line as if it
// were there.
void Parser::expect_semicolon(std::string_view after) {
  if (accept(";")) return;
  const Token& last = previous();
  const Token& found = peek();
  if (found.position.line > last.position.line || at_end_of_file()) {
    Position position = last.position;
    const bool one_line = last.text.find('\n') == std::string_view::npos;
    if (one_line) position.column += static_cast<std::uint32_t>(last.text.size());
    if (one_line && last.kind == TokenKind::string) position.column += 2;
    return report(
        position, fmt::format("';' is missing after {}", after),
        fmt::format("the next thing is {} on line {}", description_of(found), found.position.line),
        "end it with ';'");
  }
  fail(found.position, fmt::format("expected ';' after {}, found {}", after, description_of(found)),
       fmt::format("{} could end after {}", after, description_of(last)),
       "put an operator or ';' here");
}

// The word is no keyword: variables may have this name.
bool Parser::is_lagrangian_start() const {
  return peek().is_identifier("lagrangian") &&
         (peek(1).kind == TokenKind::identifier || peek(1).is("function") || peek(1).is("for"));
}

bool Parser::at_section_start() const {
  const Token& token = peek();
  return token.is("equation") || token.is("protected") || token.is("public") ||
         token.is("algorithm") ||
         (token.is("initial") && (peek(1).is("equation") || peek(1).is("algorithm"))) ||
         is_lagrangian_start();
}

// 'end' that closes something, not the last index of x[end].
bool Parser::at_block_end() const {
  const Token& next = peek(1);
  return at("end") && (next.kind == TokenKind::identifier || next.kind == TokenKind::end_of_file ||
                       next.is("for") || next.is("if") || next.is("when") || next.is(";"));
}

void Parser::recover() {
  while (!at_end_of_file() && !at_section_start() && !at_block_end())
    if (take().is(";")) return;
}

void Parser::skip_past_semicolon() {
  while (!at_end_of_file())
    if (take().is(";")) return;
}

void Parser::skip_section() {
  while (!at_end_of_file() && !at_section_start()) {
    if (at("end") && peek(1).kind == TokenKind::identifier) return;
    take();
  }
}

// function f ... end f;
void Parser::skip_class() {
  std::string_view name;
  for (std::size_t k = 0; k < 4 && name.empty(); ++k)
    if (take().kind == TokenKind::identifier) name = previous().text;
  if (at("=")) return skip_past_semicolon();
  while (!at_end_of_file()) {
    const Token& token = take();
    if (token.is("end") && peek().kind == TokenKind::identifier && peek().text == name) {
      take();
      return expect_semicolon("the end of the inner class");
    }
  }
}

// After an opening parenthesis was taken: moves on until that which closes it is taken, too.
void Parser::skip_balanced(const Token& opening) {
  int parentheses = 1, brackets = 0;
  while (parentheses > 0) {
    if (at_end_of_file() || (at(";") && brackets == 0)) expect_closing(")", opening);
    const Token& token = take();
    if (token.is("(")) ++parentheses;
    if (token.is(")")) --parentheses;
    if (token.is("[")) ++brackets;
    if (token.is("]")) --brackets;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Model and sections

Ast Parser::run() {
  try {
    if (parse_header()) parse_sections();
  } catch (const SyntaxError&) {
    // Reported; nothing after it can be read.
  }
  return std::move(ast_);
}

// model Name ["description"]
bool Parser::parse_header() {
  while (at("within")) {
    report_outside(peek(), "'within'", "remove this line; a file has one model");
    skip_past_semicolon();
  }
  while (at("encapsulated") || at("partial") || at("final")) {
    report_outside(peek(), fmt::format("'{}' before a model", peek().text), "remove it");
    take();
  }
  if (!accept_class_keyword()) return false;
  if (at_kind(TokenKind::identifier)) {
    ast_.position = peek().position;
    ast_.name = take().text;
  } else {
    const Token& found = peek();
    report(found.position,
           fmt::format("expected the model's name, found {}", description_of(found)),
           "a model starts with: model Name", "give the model a name after 'model'");
  }
  parse_header_rest();
  return true;
}

bool Parser::accept_class_keyword() {
  const Token& token = peek();
  if (accept("model")) return true;
  if (token.is("block") || token.is("class")) {
    report_outside(token, fmt::format("a '{}'", token.text), "write 'model'");
    take();
    return true;
  }
  for (const std::string_view word :
       {"package", "function", "record", "connector", "type", "operator"})
    if (token.is(word)) {
      report_outside(token, fmt::format("a '{}'", word),
                     "a file has one model: model Name ... end Name;");
      return false;
    }
  const bool misspelt =
      token.kind == TokenKind::identifier && !base::near_misses(token.text, {"model"}).empty();
  report(token.position, fmt::format("expected 'model', found {}", description_of(token)),
         "a file has one model: model Name ... equation ... end Name;",
         misspelt ? "did you mean 'model'?" : "start with 'model' and a name");
  if (misspelt) take();
  return misspelt;
}

void Parser::parse_header_rest() {
  if (at("="))
    fail(peek().position, "a model defined by another is outside the language",
         "'model A = B' renames a class of full Modelica", "write the model out", "E-LNG-006");
  if (at_kind(TokenKind::string)) ast_.description = parse_comment();
  if (at(";")) {
    report(peek().position, "';' after the model's name", "the declarations follow without ';'",
           "remove the ';'");
    take();
  }
}

void Parser::parse_sections() {
  while (!at_end_of_file()) {
    if (at("end") && parse_end()) return;
    if (at_end_of_file()) break;
    const std::size_t before = next_;
    const Section section = section_;
    try {
      parse_section_item();
    } catch (const SyntaxError&) {
      if (is_abandoned_) return;
      pending_.clear();
      is_too_deep_ = false;
      recover();
    }
    if (next_ == before && section_ == section && !at("end")) take();
  }
  report(peek().position, fmt::format("'end {};' is missing", ast_.name),
         fmt::format("the model of line {} is not closed", ast_.position.line),
         fmt::format("write 'end {};' at its end", ast_.name));
}

void Parser::parse_section_item() {
  const Token& token = peek();
  if (accept("equation")) {
    section_ = Section::equations;
  } else if (token.is("initial") && !peek(1).is("(")) {
    parse_initial();
  } else if (accept("public") || accept("protected")) {
    section_ = Section::declarations;
  } else if (token.is("algorithm") || token.is("external")) {
    report_outside(token, fmt::format("'{}'", token.text),
                   "write equations instead of assignments");
    take();
    skip_section();
  } else if (token.is("annotation")) {
    parse_annotation(true);
    expect_semicolon("the annotation");
  } else if (is_lagrangian_start()) {
    begin_lagrangian();
  } else if (token.is(";")) {
    take();  // an empty statement is harmless
  } else if (section_ == Section::declarations) {
    parse_declaration_item();
  } else if (token.is("parameter") || token.is("constant") || token.is("discrete") ||
             token.is_identifier("Real") || token.is_identifier("Integer") ||
             token.is_identifier("Boolean")) {
    report(token.position, "a declaration stands among the equations",
           "declarations come before 'equation'", "move it up, before 'equation'");
    parse_declaration();
  } else {
    parse_statement(current_statements());
  }
}

void Parser::parse_initial() {
  const Token& token = take();
  if (accept("equation")) {
    section_ = Section::initial_equations;
  } else if (at("algorithm")) {
    report_outside(token, "'initial algorithm'", "write an 'initial equation' section");
    take();
    skip_section();
  } else {
    const Token& found = peek();
    const bool misspelt =
        found.kind == TokenKind::identifier && !base::near_misses(found.text, {"equation"}).empty();
    report(found.position, fmt::format("expected 'equation', found {}", description_of(found)),
           "the section's name is 'initial equation'", "write 'equation' after 'initial'");
    if (misspelt) take();
    section_ = Section::initial_equations;
  }
}

// end Name;   Returns false for the end of something else.
bool Parser::parse_end() {
  const Token& closing = take();
  if (at("for") || at("if") || at("when") || at("while")) {
    report(closing.position, fmt::format("'end {}' closes nothing", peek().text),
           fmt::format("no '{}' is open here", peek().text),
           "remove it, or look for a missing ';' above");
    recover();
    return false;
  }
  if (at_kind(TokenKind::identifier)) {
    const Token& name = take();
    if (name.text != ast_.name && !ast_.name.empty())
      report(name.position, fmt::format("'end {}' does not match 'model {}'", name.text, ast_.name),
             fmt::format("the model of line {} is called '{}'", ast_.position.line, ast_.name),
             fmt::format("write 'end {};'", ast_.name));
  } else {
    report(peek().position, "'end' needs the model's name",
           fmt::format("after 'end' comes {}", description_of(peek())),
           fmt::format("write 'end {};'", ast_.name));
  }
  try {
    expect_semicolon("the end of the model");
    parse_after_end();
  } catch (const SyntaxError&) {
    // Reported; the model itself is complete.
  }
  return true;
}

void Parser::parse_after_end() {
  if (at_end_of_file()) return;
  const Token& token = peek();
  if (token.is("model") || token.is("package") || token.is("function") || token.is("block") ||
      token.is("record") || token.is("class") || token.is("connector") || token.is("type") ||
      token.is("partial") || token.is("encapsulated"))
    return report_outside(token, "a second model or class in one file",
                          fmt::format("keep only the model '{}' in this file", ast_.name));
  report(token.position, "there is text after the end of the model",
         fmt::format("after 'end {};' comes {}", ast_.name, description_of(token)),
         "remove it, or move it into the model");
}

// annotation(...): only the experiment and the drawing of the model are read.
void Parser::parse_annotation(bool of_model) {
  take();
  if (!at("(")) fail_unexpected("'(' after 'annotation'");
  const Token& opening = take();
  parse_annotation_entries(of_model, opening);
}

void Parser::parse_annotation_entries(bool of_model, const Token& opening) {
  int parentheses = 1, brackets = 0;
  while (parentheses > 0) {
    if (at_end_of_file() || (at(";") && brackets == 0)) expect_closing(")", opening);
    if (of_model && parentheses == 1 && peek().is_identifier("experiment") && peek(1).is("(")) {
      parse_experiment();
      continue;
    }
    if (of_model && parentheses == 1 && peek().is_identifier("__daedal") && peek(1).is("(")) {
      parse_drawing();
      continue;
    }
    const Token& token = take();
    if (token.is("(")) ++parentheses;
    if (token.is(")")) --parentheses;
    if (token.is("[")) ++brackets;
    if (token.is("]")) --brackets;
  }
}

// experiment(StartTime = 0, StopTime = 1, Tolerance = 1e-9, ...)
void Parser::parse_experiment() {
  take();
  const Token& opening = take();
  if (accept(")")) return;
  do {
    const Token& name = peek();
    if (name.kind != TokenKind::identifier) fail_unexpected("a setting such as StopTime");
    take();
    if (accept("(")) {  // settings of other tools
      skip_balanced(previous());
      continue;
    }
    expect("=", "settings are: name = value");
    ast_.experiment.push_back({std::string(name.text), name.position, parse_expression()});
  } while (accept(","));
  expect_closing(")", opening);
}

// The drawing of a model: __daedal(draw = {line(...), circle(...)})
void Parser::parse_drawing() {
  take();
  const Token& opening = take();
  if (!peek().is_identifier("draw")) fail_unexpected("'draw', as in __daedal(draw = {...})");
  take();
  expect("=", "a drawing is: draw = {line(...), circle(...)}");
  if (!at("{")) fail_unexpected("'{', as in draw = {line(...), circle(...)}");
  const Token& brace = take();
  do parse_shape();
  while (accept(","));
  expect_closing("}", brace);
  expect_closing(")", opening);
}

// kind(points {, name = value})
void Parser::parse_shape() {
  if (!at_kind(TokenKind::identifier) || !peek(1).is("("))
    fail_unexpected("a shape such as line({{0, 0}, {x, y}})");
  const Token& kind = take();
  const Token& opening = take();
  ShapeEntry shape{std::string(kind.text), kind.position, parse_expression(), {}};
  while (accept(",")) {
    const Token& name = peek();
    if (name.kind != TokenKind::identifier) fail_unexpected("a setting such as color");
    take();
    expect("=", "settings are: name = value");
    shape.settings.push_back({std::string(name.text), name.position, parse_expression()});
  }
  expect_closing(")", opening);
  ast_.drawing.push_back(std::move(shape));
}

// ["string" {+ "string"}] [annotation(...)]
std::string Parser::parse_comment() {
  std::string text;
  if (at_kind(TokenKind::string)) {
    text = take().text;
    while (at("+") && peek(1).kind == TokenKind::string) {
      take();
      text += take().text;
    }
  }
  if (at("annotation")) parse_annotation(false);
  return text;
}

Ast parse(std::string_view text, Diagnostics& diagnostics) {
  return Parser(tokenize(text, diagnostics), diagnostics).run();
}

}  // namespace daedal::lang
