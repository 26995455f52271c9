// The text as a tree, before names mean anything; parser.cpp has what makes it grow.
//
// Expressions live in one flat vector and refer to their children by index, and a + b - c is one
// node with three children: a chain of a million terms is neither deep to build nor deep to
// destroy. Real depth (parentheses, calls, subscripts) is limited by the parser.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "lang/lexer.hpp"

namespace daedal::lang {

using Symbol = base::Id<struct SymbolTag>;      // a name, interned
using TermId = base::Id<struct SyntaxTermTag>;  // an expression of the tree

class SymbolTable {
 public:
  Symbol intern(std::string_view text);
  // Not set if the text names nothing.
  Symbol find(std::string_view text) const {
    const auto found = ids_.find(std::string(text));
    return found == ids_.end() ? Symbol() : found->second;
  }
  const std::string& name(Symbol symbol) const { return names_[symbol.index()]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, Symbol> ids_;
};

enum class Form : std::uint8_t {
  bad,         // reported already; what depends on it stays silent
  number,      // number, is_integer
  boolean,     // number is 0 or 1
  string,      // symbol
  name,        // symbol; children are the subscripts
  call,        // symbol; children are the arguments
  reduction,   // symbol(child 0 for children 1..): sum(e for i in 1:n)
  braces,      // {children}
  braces_for,  // {child 0 for children 1..}
  iterator,    // symbol in child 0
  range,       // first:last or first:step:last
  whole,       // the : of x[:]
  last,        // the end of x[end]
  sum,         // children with + - .+ .-
  product,     // children with * / .* ./
  power,       // child 0 ^ child 1
  negate,
  compare,  // child 0 op child 1
  logical_and,
  logical_or,
  logical_not,
  if_then,  // condition, value, condition, value, ..., value of else
};

enum class Operator : std::uint8_t {
  none,
  plus,
  minus,
  times,
  divide,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal
};

struct Term {
  Form form = Form::bad;
  bool is_integer = false;   // number: written without point and exponent
  bool elementwise = false;  // power: .^
  Position position;
  Symbol symbol;
  std::uint32_t first_child = 0;
  std::uint32_t num_children = 0;
  double number = 0.0;
};

struct Child {
  TermId term;
  Operator op =
      Operator::none;        // before this child, in sum and product; the first has plus or times
  bool elementwise = false;  // written with a point: .+ .- .* ./
};

struct Modifier {
  Symbol name;
  Position position;
  bool each = false;
  TermId value;
};

enum class Variability : std::uint8_t { variable, parameter, constant };
enum class Type : std::uint8_t { real, integer, boolean };

struct Declaration {
  Symbol name;
  Position position;
  Variability variability = Variability::variable;
  Type type = Type::real;
  bool is_output = false;    // a variable that no equation contains: reported, not solved for
  bool is_discrete = false;  // a variable that changes at events only
  bool bad = false;          // reported already; declared only so that its uses stay silent
  std::vector<TermId> dimensions;
  std::vector<Modifier> modifiers;
  TermId binding;  // may be unset
  std::string description;

  // Boolean taut = lambda > 0; the name stands for the expression.
  bool is_alias() const { return is_discrete && binding.is_set(); }
};

enum class StatementKind : std::uint8_t {
  equation,    // left = right; in a when, an assignment to a discrete variable
  constraint,  // of a Lagrangian: left = right
  force,       // of a Lagrangian: left = right
  choice,      // if: the body holds its branches
  event,       // when: the body holds its branches
  branch,      // of an if or when: left is the condition, not set for else
  reinit,      // in a when: reinit(left, right)
  terminate,   // in a when: left is the message
};

// One statement of an equation or lagrangian section, or a for loop over statements.
struct Statement {
  StatementKind kind = StatementKind::equation;
  Position position;
  Symbol label;                   // of an equation, constraint or when; may be unset
  TermId left, right;             // not of a loop
  std::vector<TermId> iterators;  // loop only, outermost first
  std::vector<Statement> body;    // of a loop, if, when or branch

  bool is_loop() const { return !iterators.empty(); }
};

// All lagrangian sections of the model together.
struct LagrangianSection {
  bool is_present = false;
  Position position;
  std::vector<TermId> coordinates;
  std::vector<TermId> functions;     // one, if the model is right
  std::vector<TermId> dissipations;  // one or none
  bool allows_redundant = false;
  std::vector<Statement> statements;
};

// name = value of an annotation.
struct Setting {
  std::string name;
  Position position;
  TermId value;
};

// line(points, color = "red"): what an animation shows.
struct ShapeEntry {
  std::string kind;
  Position position;
  TermId points;
  std::vector<Setting> settings;
};

struct Ast {
  std::string name;
  std::string description;
  Position position;
  std::vector<Declaration> declarations;
  std::vector<Statement> equations;
  std::vector<Statement> initial_equations;
  bool has_whens = false;  // among the equations, perhaps in a loop
  LagrangianSection lagrangian;
  std::vector<Setting> experiment;
  std::vector<ShapeEntry> drawing;

  SymbolTable symbols;
  std::vector<Term> terms;
  std::vector<Child> children;

  const Term& operator[](TermId id) const { return terms[id.index()]; }
  std::span<const Child> children_of(const Term& term) const {
    return std::span(children).subspan(term.first_child, term.num_children);
  }
  TermId child(const Term& term, std::size_t k) const {
    return children[term.first_child + k].term;
  }
  const std::string& name_of(Symbol symbol) const { return symbols.name(symbol); }

  TermId add(Term term, std::span<const Child> its_children = {});
};

}  // namespace daedal::lang
