#include <fmt/format.h>

#include <array>

#include "base/near_miss.hpp"
#include "lang/recursive_descent.hpp"

namespace daedal::lang {
namespace {

constexpr std::array<std::string_view, 10> class_words = {
    "block",    "class",   "connector", "function", "model",
    "operator", "package", "record",    "type",     "expandable"};

// Prefixes of full Modelica; the declaration after them is still read, so that its names are known.
constexpr std::array<std::string_view, 13> outside_prefixes = {
    "input", "flow",   "stream", "inner",    "outer",         "replaceable", "redeclare",
    "each",  "impure", "pure",   "external", "constrainedby", "partial"};

template <std::size_t n>
bool is_one_of(const Token& token, const std::array<std::string_view, n>& words) {
  for (const std::string_view word : words)
    if (token.is(word)) return true;
  return false;
}

bool is_basic_type(const Token& token) {
  return token.is_identifier("Real") || token.is_identifier("Integer") ||
         token.is_identifier("Boolean");
}

}  // namespace

void Parser::parse_declaration_item() {
  if (parse_unsupported_element()) return;
  if (accept_misspelt_section()) return;
  if (!starts_equation()) return parse_declaration();
  report(peek().position, "an equation stands among the declarations",
         fmt::format("no 'equation' was seen before {}", description_of(peek())),
         "write 'equation' on a line before the first equation");
  section_ = Section::equations;
}

bool Parser::parse_unsupported_element() {
  const Token& token = peek();
  if (token.is("extends") || token.is("import")) {
    report_outside(token, fmt::format("'{}'", token.text),
                   "write the declarations and equations out");
    skip_past_semicolon();
    return true;
  }
  if (token.is("encapsulated")) take();
  if (is_one_of(peek(), class_words)) {
    report_outside(token, fmt::format("a {} inside a model", peek().text),
                   "write the declarations and equations out in one model");
    skip_class();
    return true;
  }
  return false;
}

// Whether the next tokens can only be an equation.
bool Parser::starts_equation() const {
  const Token& token = peek();
  for (const std::string_view word :
       {"for", "if", "when", "connect", "der", "(", "-", "+", "{", "not"})
    if (token.is(word)) return true;
  if (token.kind == TokenKind::number) return true;
  if (token.kind != TokenKind::identifier || is_basic_type(token)) return false;
  for (const std::string_view sign : {"=", ":", ":=", "==", "(", "+", "-", "*", "/", "^"})
    if (peek(1).is(sign)) return true;
  if (!peek(1).is("[")) return false;
  std::size_t k = 2;  // x[1] = ... is an equation, Real[3] x a declaration
  while (!peek(k).is("]") && !peek(k).is(";") && peek(k).kind != TokenKind::end_of_file) ++k;
  return peek(k).is("]") && peek(k + 1).kind != TokenKind::identifier;
}

bool Parser::accept_misspelt_section() {
  const Token& token = peek();
  if (token.kind != TokenKind::identifier || is_basic_type(token)) return false;
  const std::vector<std::string> near =
      base::near_misses(token.text, {"equation", "initial", "protected", "public", "lagrangian"});
  if (near.empty()) return false;
  const bool before_equation = peek(1).is("equation");
  if (near.front() == "initial" && !before_equation) return false;
  report(token.position, fmt::format("'{}' is not a section", token.text),
         "sections are 'equation', 'initial equation', 'lagrangian', 'protected' and 'public'",
         fmt::format("did you mean '{}'?", near.front()));
  if (near.front() == "lagrangian") {
    begin_lagrangian();
    return true;
  }
  take();
  if (before_equation) take();
  if (near.front() == "equation") section_ = Section::equations;
  if (near.front() == "initial") section_ = Section::initial_equations;
  return true;
}

// [prefixes] type [dimensions] component {, component} ;
void Parser::parse_declaration() {
  const Position position = peek().position;
  Prefix prefix = parse_prefixes();
  if (prefix.is_discrete && prefix.variability != Variability::variable)
    report(position, "a declaration is 'discrete' and a parameter or constant at once",
           "discrete variables change at events, parameters and constants never do",
           "keep one of the two words");
  const Type type = parse_type(prefix);
  const std::vector<TermId> type_dimensions = at("[") ? parse_dimensions() : std::vector<TermId>{};
  do {
    parse_component(prefix, type, type_dimensions);
  } while (accept(","));
  expect_semicolon("the declaration");
}

Parser::Prefix Parser::parse_prefixes() {
  Prefix prefix;
  while (true) {
    const Token& token = peek();
    if (token.is("parameter")) {
      prefix.variability = Variability::parameter;
      take();
    } else if (token.is("constant")) {
      prefix.variability = Variability::constant;
      take();
    } else if (token.is("output")) {
      prefix.is_output = true;
      take();
    } else if (token.is("discrete")) {
      prefix.is_discrete = true;
      take();
    } else if (token.is("final")) {
      take();
    } else if (is_one_of(token, outside_prefixes)) {
      report_outside(token, fmt::format("the prefix '{}'", token.text), "remove it");
      take();
    } else if (!accept_misspelt_prefix(prefix)) {
      return prefix;
    }
  }
}

// paramter Real g = 9.81;
bool Parser::accept_misspelt_prefix(Prefix& prefix) {
  const Token& token = peek();
  if (token.kind != TokenKind::identifier || is_basic_type(token)) return false;
  const Token& next = peek(1);
  if (!is_basic_type(next) && !next.is("parameter") && !next.is("constant") && !next.is("final"))
    return false;
  const std::string hint = base::did_you_mean(token.text, {"parameter", "constant", "final"});
  report(token.position, fmt::format("'{}' is not a word that can start a declaration", token.text),
         "declarations start with parameter, constant or a type: Real, Integer, Boolean",
         hint.empty() ? "remove it" : hint);
  if (hint.find("parameter") != std::string::npos)
    prefix.variability = Variability::parameter;
  else if (hint.find("constant") != std::string::npos)
    prefix.variability = Variability::constant;
  else
    prefix.bad = true;
  take();
  return true;
}

Type Parser::parse_type(Prefix& prefix) {
  const Token& token = peek();
  if (token.kind != TokenKind::identifier)
    fail_unexpected(
        "a declaration",
        "declarations start with parameter, constant or a type: Real, Integer, Boolean");
  std::string name(take().text);
  while (at(".") && peek(1).kind == TokenKind::identifier) {
    take();
    name += '.';
    name += take().text;
  }
  if (name == "Real") return Type::real;
  if (name == "Integer") return Type::integer;
  if (name == "Boolean") return Type::boolean;
  prefix.bad = true;
  const std::string hint = base::did_you_mean(name, {"Real", "Integer", "Boolean"});
  if (!at_kind(TokenKind::identifier) && !at("[")) {
    next_ -= 1;
    fail_unexpected("a declaration",
                    hint.empty() ? "a declaration is, for example: Real x(start = 1);" : hint);
  }
  if (!hint.empty())
    report(token.position, fmt::format("'{}' is not a type", name),
           "the types are Real, Integer and Boolean", hint);
  else
    report_outside(token, fmt::format("the type '{}'", name),
                   "use Real, with unit = \"...\" if you like, Integer or Boolean");
  return Type::real;
}

std::vector<TermId> Parser::parse_dimensions() {
  const Token& opening = take();
  std::vector<TermId> dimensions;
  do {
    dimensions.push_back(parse_subscript());
  } while (accept(","));
  expect_closing("]", opening);
  return dimensions;
}

// name [dimensions] [(modifiers)] [= value] [comment]. Whatever goes wrong, the name is declared.
void Parser::parse_component(const Prefix& prefix, Type type,
                             const std::vector<TermId>& type_dimensions) {
  Declaration declaration;
  declaration.position = peek().position;
  declaration.variability = prefix.variability;
  declaration.type = type;
  declaration.bad = prefix.bad;
  declaration.name = parse_identifier("the name of what is declared");
  const bool is_variable = prefix.variability == Variability::variable;
  const std::size_t mark = pending_.size();
  try {
    if (at("[")) declaration.dimensions = parse_dimensions();
    declaration.dimensions.insert(declaration.dimensions.end(), type_dimensions.begin(),
                                  type_dimensions.end());
    if (at("(")) parse_modifiers(declaration);
    if (at("=") || at(":=") || at("==")) {
      parse_equals();
      declaration.binding = parse_expression();
      declaration.is_output = prefix.is_output && is_variable;
    }
    declaration.is_discrete =
        is_variable && !declaration.is_output && (prefix.is_discrete || type != Type::real);
    if (at("if")) {
      report_outside(peek(), "a conditional declaration", "declare it without 'if'");
      throw SyntaxError();
    }
    declaration.description = parse_comment();
  } catch (const SyntaxError&) {
    pending_.resize(mark);
    declaration.bad = true;
    ast_.declarations.push_back(std::move(declaration));
    throw;
  }
  ast_.declarations.push_back(std::move(declaration));
}

// ( modifier {, modifier} )
void Parser::parse_modifiers(Declaration& declaration) {
  const Token& opening = take();
  if (accept(")")) return;
  do {
    parse_modifier(declaration);
  } while (accept(","));
  expect_closing(")", opening);
}

// [each] [final] name = value
void Parser::parse_modifier(Declaration& declaration) {
  Modifier modifier;
  while (at("each") || at("final")) modifier.each |= take().text == "each";
  if (at("redeclare") || at("replaceable")) {
    report_outside(peek(), fmt::format("'{}'", peek().text), "remove it");
    throw SyntaxError();
  }
  modifier.position = peek().position;
  modifier.name = parse_identifier("the name of a modifier, such as start");
  if (at("(") || at(".")) {
    report_outside(peek(), "a modifier with parts", "modifiers are: name = value");
    throw SyntaxError();
  }
  if (!accept("="))
    fail_unexpected("'='", fmt::format("write {} = value", ast_.name_of(modifier.name)));
  modifier.value = parse_expression();
  declaration.modifiers.push_back(modifier);
}

}  // namespace daedal::lang
