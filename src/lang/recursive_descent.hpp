// The parser's inside: one class, a function per rule of the grammar in docs/reference/language.md.
// Its functions are spread over parser.cpp (model, sections, annotations), parse_declarations.cpp,
// parse_equations.cpp, parse_lagrangian.cpp and parse_expressions.cpp.
//
// Errors: report() notes a problem and goes on; fail() notes it and throws SyntaxError, which the
// loops over statements catch to start again at the next statement.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lang/ast.hpp"
#include "lang/diagnostics.hpp"
#include "lang/lexer.hpp"

namespace daedal::lang {

struct SyntaxError {};

class Parser {
 public:
  Parser(std::vector<Token> tokens, Diagnostics& diagnostics)
      : tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

  Ast run();

 private:
  enum class Section { declarations, equations, initial_equations, lagrangian };

  // Tokens.
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  const Token& previous() const { return tokens_[next_ > 0 ? next_ - 1 : 0]; }
  const Token& take() {
    const Token& token = peek();
    if (next_ + 1 < tokens_.size()) ++next_;
    return token;
  }
  bool at(std::string_view spelling) const { return peek().is(spelling); }
  bool at_kind(TokenKind kind) const { return peek().kind == kind; }
  bool at_end_of_file() const { return at_kind(TokenKind::end_of_file); }
  bool accept(std::string_view spelling) {
    if (!at(spelling)) return false;
    take();
    return true;
  }

  // Errors and recovery.
  void report(Position position, std::string what, std::string why, std::string todo,
              std::string_view id = "E-LNG-001");
  [[noreturn]] void fail(Position position, std::string what, std::string why, std::string todo,
                         std::string_view id = "E-LNG-001");
  [[noreturn]] void fail_unexpected(std::string_view expected, std::string todo = {});
  void report_outside(const Token& token, std::string_view construct, std::string todo = {});
  void expect(std::string_view spelling, std::string_view why);
  void expect_closing(std::string_view spelling, const Token& opening);
  void expect_semicolon(std::string_view after);
  bool at_section_start() const;
  bool at_block_end() const;
  void recover();
  void skip_past_semicolon();
  void skip_section();
  void skip_class();
  void skip_balanced(const Token& opening);

  // Model and sections.
  bool parse_header();
  bool accept_class_keyword();
  void parse_header_rest();
  void parse_sections();
  void parse_section_item();
  void parse_initial();
  bool parse_end();
  void parse_after_end();
  void parse_annotation(bool of_model);
  void parse_annotation_entries(bool of_model, const Token& opening);
  void parse_experiment();
  void parse_drawing();
  void parse_shape();
  std::string parse_comment();

  // Declarations.
  struct Prefix {
    Variability variability = Variability::variable;
    bool is_output = false;
    bool is_discrete = false;
    bool bad = false;
  };
  void parse_declaration_item();
  bool parse_unsupported_element();
  bool starts_equation() const;
  bool accept_misspelt_section();
  void parse_declaration();
  Prefix parse_prefixes();
  bool accept_misspelt_prefix(Prefix& prefix);
  Type parse_type(Prefix& prefix);
  void parse_component(const Prefix& prefix, Type type, const std::vector<TermId>& type_dimensions);
  std::vector<TermId> parse_dimensions();
  void parse_modifiers(Declaration& declaration);
  void parse_modifier(Declaration& declaration);

  // Equations.
  void parse_statement(std::vector<Statement>& into);
  void parse_equation_item(std::vector<Statement>& into);
  void parse_equation(std::vector<Statement>& into);
  void parse_equation_sides(Statement& statement);
  void parse_equals();
  void fail_without_equals(TermId left);
  void parse_for(std::vector<Statement>& into);
  void parse_for_header(Statement& loop);
  void parse_block(std::vector<Statement>& into, std::initializer_list<std::string_view> stops);
  void parse_block_end(std::string_view keyword, const Token& opening);
  void rethrow_if_too_deep();
  TermId parse_condition();
  void skip_to(std::string_view keyword);
  void parse_if_equation(std::vector<Statement>& into);
  void parse_when_equation(std::vector<Statement>& into, Symbol label, Position position);
  void parse_branch(Statement& owner, bool has_condition);
  void skip_branches(std::string_view why);
  bool has_place_for_when();
  void parse_when_statement(std::vector<Statement>& into);
  void parse_action(std::vector<Statement>& into);
  bool parse_unsupported_equation();
  std::vector<Statement>& current_statements();

  // The lagrangian section.
  bool is_lagrangian_start() const;
  bool at_word(std::string_view word) const;
  void begin_lagrangian();
  void parse_lagrangian_item(std::vector<Statement>& into);
  void parse_coordinates();
  void parse_redundant();
  void parse_scalar_function(std::vector<TermId>& into, std::string_view what);
  void parse_lagrangian_equation(std::vector<Statement>& into);
  void report_lagrangian_statement();

  // Expressions.
  TermId parse_expression();
  TermId parse_if_expression();
  TermId parse_or();
  TermId parse_and();
  TermId parse_not();
  TermId parse_relation();
  TermId parse_sum();
  TermId parse_product();
  TermId parse_factor();
  TermId parse_primary();
  TermId skip_matrix();
  TermId parse_number();
  TermId parse_name();
  TermId parse_call(Symbol symbol, Position position);
  TermId parse_braces();
  TermId parse_parenthesis();
  TermId parse_chain(Form form, std::string_view word, TermId (Parser::*operand)());
  std::vector<TermId> parse_iterators();
  TermId parse_iterator();
  TermId parse_range();
  TermId parse_subscript();
  void parse_subscripts();
  TermId finish(Term term, std::size_t first_pending);
  Term term_at(Form form, Position position) const;
  Symbol parse_identifier(std::string_view what);

  // Adds one to a counter while it lives.
  class Counted {
   public:
    explicit Counted(int& counter) : counter_(counter) { ++counter_; }
    ~Counted() { --counter_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    int& counter_;
  };

  // Counts nesting; fails with E-LNG-010 when it is too deep.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  std::vector<Token> tokens_;
  Diagnostics& diagnostics_;
  std::size_t next_ = 0;
  Ast ast_;
  Section section_ = Section::declarations;
  int depth_ = 0;
  int num_ifs_ = 0;         // inside if equations
  int num_whens_ = 0;       // inside the body of a when
  int num_subscripts_ = 0;  // inside [ ]: 'end' is the last index
  int equation_depth_ =
      -1;  // depth of the sides of the equation being read: there == is not a comparison
  bool is_too_deep_ = false;  // unwinding after E-LNG-010
  bool is_abandoned_ =
      false;  // out of nested loops after E-LNG-010: where to go on cannot be known
  std::vector<Child> pending_;  // children of the nodes being built, innermost last
};

// "'x'", "the number 3", "the end of the file"
std::string description_of(const Token& token);

}  // namespace daedal::lang
