#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "lang/lexer.hpp"
#include "lang/recursive_descent.hpp"

namespace daedal::lang {
namespace {

constexpr int max_depth = 200;  // far above what people write, safe on small stacks
constexpr double max_integer =
    9007199254740992.0;  // 2^53: larger whole numbers are not exact doubles

Operator comparison_of(const Token& token) {
  if (token.kind != TokenKind::punctuation) return Operator::none;
  if (token.text == "<") return Operator::less;
  if (token.text == "<=") return Operator::less_equal;
  if (token.text == ">") return Operator::greater;
  if (token.text == ">=") return Operator::greater_equal;
  if (token.text == "<>" || token.text == "!=") return Operator::not_equal;
  return Operator::none;
}

}  // namespace

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (parser_.depth_ >= max_depth) {
    parser_.is_too_deep_ = true;
    parser_.fail(
        parser_.peek().position, "the model is nested too deeply",
        fmt::format("parentheses, calls, subscripts, loops and ifs go {} levels deep here; "
                    "the limit is {}",
                    parser_.depth_ + 1, max_depth),
        "give parts of the expression to variables of their own", "E-LNG-010");
  }
  ++parser_.depth_;
}

Term Parser::term_at(Form form, Position position) const {
  Term term;
  term.form = form;
  term.position = position;
  return term;
}

// Takes the children that were pushed since `first_pending`.
TermId Parser::finish(Term term, std::size_t first_pending) {
  const TermId id = ast_.add(term, std::span(pending_).subspan(first_pending));
  pending_.resize(first_pending);
  return id;
}

TermId Parser::parse_expression() {
  const Nesting nesting(*this);
  return at("if") ? parse_if_expression() : parse_range();
}

// if c then a {elseif d then b} else e
TermId Parser::parse_if_expression() {
  const Position position = peek().position;
  const std::size_t mark = pending_.size();
  const auto add = [&] {
    const TermId part = parse_expression();
    pending_.push_back({part});
  };
  do {
    take();
    add();
    expect("then", "an 'if' expression is: if condition then a else b");
    add();
  } while (at("elseif"));
  expect("else", "an 'if' expression needs an 'else': it has a value in any case");
  add();
  return finish(term_at(Form::if_then, position), mark);
}

// operand { word operand }
TermId Parser::parse_chain(Form form, std::string_view word, TermId (Parser::*operand)()) {
  const Position position = peek().position;
  const TermId first = (this->*operand)();
  if (!at(word)) return first;
  const std::size_t mark = pending_.size();
  pending_.push_back({first});
  while (accept(word)) {
    const TermId next = (this->*operand)();
    pending_.push_back({next});
  }
  return finish(term_at(form, position), mark);
}

TermId Parser::parse_or() { return parse_chain(Form::logical_or, "or", &Parser::parse_and); }
TermId Parser::parse_and() { return parse_chain(Form::logical_and, "and", &Parser::parse_not); }

TermId Parser::parse_not() {
  const Position position = peek().position;
  bool negated = false, written = false;
  while (accept("not")) {
    negated = !negated;
    written = true;
  }
  const TermId operand = parse_relation();
  if (!written) return operand;
  const std::size_t mark = pending_.size();
  pending_.push_back({operand});
  Term term = term_at(Form::logical_not, position);
  term.number = negated ? 1.0 : 0.0;  // 0: an even number of nots, which only asks for a Boolean
  return finish(term, mark);
}

TermId Parser::parse_relation() {
  const TermId left = parse_sum();
  const bool equal = at("==") && depth_ != equation_depth_;
  const Operator op = equal ? Operator::equal : comparison_of(peek());
  if (op == Operator::none) return left;
  const Position position = take().position;
  const TermId right = parse_sum();
  const std::size_t mark = pending_.size();
  pending_.push_back({left});
  pending_.push_back({right, op});
  return finish(term_at(Form::compare, position), mark);
}

TermId Parser::parse_sum() {
  const Position position = peek().position;
  const auto at_sign = [&] { return at("+") || at("-") || at(".+") || at(".-"); };
  if (!at_sign()) {
    const TermId first = parse_product();
    if (!at_sign()) return first;
    const std::size_t mark = pending_.size();
    pending_.push_back({first, Operator::plus});
    while (at_sign()) {
      const Token& sign = take();
      const Operator op = sign.text.back() == '+' ? Operator::plus : Operator::minus;
      const bool elementwise = sign.text.size() == 2;
      const TermId next = parse_product();
      pending_.push_back({next, op, elementwise});
    }
    return finish(term_at(Form::sum, position), mark);
  }
  // A leading sign: -a + b is a sum whose first term has a minus.
  const std::size_t mark = pending_.size();
  do {
    bool negative = false;
    const bool elementwise = peek().text.size() == 2;
    while (at_sign()) negative ^= take().text.back() == '-';
    const TermId next = parse_product();
    pending_.push_back({next, negative ? Operator::minus : Operator::plus, elementwise});
  } while (at_sign());
  return finish(term_at(Form::sum, position), mark);
}

TermId Parser::parse_product() {
  const Position position = peek().position;
  const auto at_operator = [&] { return at("*") || at("/") || at(".*") || at("./"); };
  const TermId first = parse_factor();
  if (!at_operator()) return first;
  const std::size_t mark = pending_.size();
  pending_.push_back({first, Operator::times});
  while (at_operator()) {
    const Token& sign = take();
    const Operator op = sign.text.back() == '*' ? Operator::times : Operator::divide;
    const bool elementwise = sign.text.size() == 2;
    const TermId next = parse_factor();
    pending_.push_back({next, op, elementwise});
  }
  return finish(term_at(Form::product, position), mark);
}

// [signs] primary [^ [signs] primary]
TermId Parser::parse_factor() {
  const Position position = peek().position;
  bool negative = false;
  while (at("+") || at("-")) negative ^= take().text == "-";
  TermId result = parse_primary();
  if (at("^") || at(".^") || at("**")) {
    const Token& sign = take();
    if (sign.text == "**")
      report(sign.position, "'**' is not an operator", "the power operator is '^'",
             "write x^2 instead of x**2");
    const Position exponent_position = peek().position;
    bool negative_exponent = false;
    while (at("+") || at("-")) negative_exponent ^= take().text == "-";
    TermId exponent = parse_primary();
    if (negative_exponent) {
      pending_.push_back({exponent});
      exponent = finish(term_at(Form::negate, exponent_position), pending_.size() - 1);
    }
    if (at("^") || at(".^"))
      fail(peek().position, "a power of a power needs parentheses",
           "a^b^c can mean (a^b)^c or a^(b^c)", "put parentheses around the part you mean");
    const std::size_t mark = pending_.size();
    pending_.push_back({result});
    pending_.push_back({exponent});
    Term term = term_at(Form::power, position);
    term.elementwise = sign.text == ".^";
    result = finish(term, mark);
  }
  if (!negative) return result;
  pending_.push_back({result});
  return finish(term_at(Form::negate, position), pending_.size() - 1);
}

TermId Parser::parse_primary() {
  const Token& token = peek();
  if (token.kind == TokenKind::number) return parse_number();
  if (token.kind == TokenKind::identifier) return parse_name();
  if (token.kind == TokenKind::string) {
    Term term = term_at(Form::string, token.position);
    term.symbol = ast_.symbols.intern(take().text);
    return ast_.add(term);
  }
  if (token.is("true") || token.is("false")) {
    Term term = term_at(Form::boolean, token.position);
    term.number = take().text == "true" ? 1.0 : 0.0;
    return ast_.add(term);
  }
  if (token.is("(")) return parse_parenthesis();
  if (token.is("{")) return parse_braces();
  if (token.is("der") || (token.is("initial") && peek(1).is("("))) {
    const Symbol symbol = ast_.symbols.intern(take().text);
    if (!at("(")) fail_unexpected("'(' after 'der'", "write der(x) for the derivative of x");
    return parse_call(symbol, token.position);
  }
  if (token.is("end") && num_subscripts_ > 0) {
    return ast_.add(term_at(Form::last, take().position));
  }
  if (token.is("if")) {
    report(token.position, "an 'if' expression needs parentheses here",
           "its last part would swallow what follows", "write (if c then a else b)");
    return parse_expression();
  }
  if (token.is("[")) return skip_matrix();
  fail_unexpected("an expression");
}

// [a, b; c, d]
TermId Parser::skip_matrix() {
  const Position position = peek().position;
  report(position, "matrix brackets [a, b; c, d] are outside the language",
         "arrays are built with braces", "write {{a, b}, {c, d}}", "E-LNG-006");
  int brackets = 0;
  do {
    if (at_end_of_file() || at_section_start()) throw SyntaxError();
    const Token& token = take();
    if (token.is("[")) ++brackets;
    if (token.is("]")) --brackets;
  } while (brackets > 0);
  return ast_.add(term_at(Form::bad, position));
}

TermId Parser::parse_number() {
  const Token& token = take();
  Term term = term_at(Form::number, token.position);
  const auto [stop, trouble] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), term.number);
  if (trouble == std::errc::result_out_of_range) {
    report(token.position, fmt::format("the number {} is out of range", token.text.substr(0, 40)),
           "numbers are double precision: from about 2.2e-308 to 1.8e308 in size",
           "scale the quantity, or write 0 if you mean 0", "E-LNG-013");
    return ast_.add(term_at(Form::bad, token.position));
  }
  term.is_integer =
      token.text.find_first_of(".eE") == std::string_view::npos && term.number <= max_integer;
  const Token& next = peek();
  const bool glued = next.kind == TokenKind::identifier && next.text.data() == stop;
  if (glued)
    fail(next.position,
         fmt::format("an operator is missing between {} and '{}'", token.text, next.text),
         "a number and a name stand next to each other",
         fmt::format("write {}*{}", token.text, next.text));
  return ast_.add(term);
}

TermId Parser::parse_parenthesis() {
  const Token& opening = take();
  const TermId inner = parse_expression();
  if (at(","))
    fail(peek().position, "a list in parentheses is outside the language",
         "(a, b) = f(x) belongs to functions with several outputs, which full Modelica has",
         "write one equation per quantity", "E-LNG-006");
  expect_closing(")", opening);
  return inner;
}

TermId Parser::parse_name() {
  const Position position = peek().position;
  std::string dotted(take().text);
  while (at(".") && peek(1).kind == TokenKind::identifier) {
    take();
    dotted += '.';
    dotted += take().text;
  }
  Term term = term_at(Form::name, position);
  term.symbol = ast_.symbols.intern(dotted);
  if (at("(")) return parse_call(term.symbol, position);
  const std::size_t mark = pending_.size();
  if (at("[")) parse_subscripts();
  if (at("."))
    fail(peek().position,
         fmt::format("parts of a component ('{}.') are outside the language", dotted),
         "models are flat: there are no components with parts",
         "give every quantity a name of its own", "E-LNG-006");
  return finish(term, mark);
}

void Parser::parse_subscripts() {
  const Counted inside(num_subscripts_);
  const Token& opening = take();
  do {
    const TermId subscript = parse_subscript();
    pending_.push_back({subscript});
  } while (accept(","));
  expect_closing("]", opening);
}

TermId Parser::parse_subscript() {
  if (at(":")) return ast_.add(term_at(Form::whole, take().position));
  return parse_expression();
}

// a, a:b or a:step:b
TermId Parser::parse_range() {
  const Position position = peek().position;
  const TermId first = parse_or();
  if (!at(":")) return first;
  const std::size_t mark = pending_.size();
  pending_.push_back({first});
  while (accept(":")) {
    const TermId next = parse_or();
    pending_.push_back({next});
  }
  if (pending_.size() - mark > 3)
    fail(position, "a range has at most three parts", "a range is first:last or first:step:last",
         "remove the extra ':'");
  return finish(term_at(Form::range, position), mark);
}

TermId Parser::parse_iterator() {
  const Token& name = peek();
  Term term = term_at(Form::iterator, name.position);
  term.symbol = parse_identifier("the name of the loop variable");
  if (!at("in")) fail_unexpected("'in'", "write the range: for i in 1:n");
  take();
  const TermId range = parse_expression();
  const std::size_t mark = pending_.size();
  pending_.push_back({range});
  return finish(term, mark);
}

std::vector<TermId> Parser::parse_iterators() {
  std::vector<TermId> iterators;
  do {
    iterators.push_back(parse_iterator());
  } while (accept(","));
  return iterators;
}

TermId Parser::parse_call(Symbol symbol, Position position) {
  const Token& opening = take();
  Term term = term_at(Form::call, position);
  term.symbol = symbol;
  const std::size_t mark = pending_.size();
  if (accept(")")) return finish(term, mark);
  do {
    if (at_kind(TokenKind::identifier) && peek(1).is("="))
      fail(peek().position,
           fmt::format("the named argument '{}' is outside the language", peek().text),
           "functions take their arguments by place", "drop the name and the '='", "E-LNG-006");
    const TermId argument = parse_expression();
    pending_.push_back({argument});
  } while (accept(","));
  if (accept("for")) {
    if (pending_.size() - mark > 1)
      fail(previous().position, "'for' follows more than one argument",
           "a reduction is: sum(expression for i in 1:n)", "keep one expression before 'for'");
    term.form = Form::reduction;
    for (const TermId iterator : parse_iterators()) pending_.push_back({iterator});
  }
  expect_closing(")", opening);
  return finish(term, mark);
}

TermId Parser::parse_braces() {
  const Token& opening = take();
  Term term = term_at(Form::braces, opening.position);
  if (at("}"))
    fail(peek().position, "empty braces", "an array needs at least one element",
         "write zeros(0) for an empty array");
  const std::size_t mark = pending_.size();
  do {
    const TermId element = parse_expression();
    pending_.push_back({element});
  } while (accept(","));
  if (accept("for")) {
    if (pending_.size() - mark > 1)
      fail(previous().position, "'for' follows more than one element",
           "an array of this kind is: {expression for i in 1:n}",
           "keep one expression before 'for'");
    term.form = Form::braces_for;
    for (const TermId iterator : parse_iterators()) pending_.push_back({iterator});
  }
  expect_closing("}", opening);
  return finish(term, mark);
}

Symbol Parser::parse_identifier(std::string_view what) {
  const Token& token = peek();
  if (token.kind == TokenKind::keyword)
    fail(token.position, fmt::format("'{}' cannot be a name", token.text),
         "it is a reserved word of Modelica",
         fmt::format("choose another name, or put it in quotes: '{}'", token.text));
  if (token.kind != TokenKind::identifier) fail_unexpected(what);
  return ast_.symbols.intern(take().text);
}

}  // namespace daedal::lang
