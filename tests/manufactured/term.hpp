// Expressions of manufactured problems: a tree that can be evaluated exactly, given to daedal as
// expressions, or written as text.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daedal/expression.hpp"
#include "manufactured/series.hpp"

namespace daedal::manufactured {

enum class Op {
  number,
  time,
  variable,
  add,
  multiply,
  divide,
  sine,
  cosine,
  exponential,
  hyperbolic_tangent,
  arc_tangent,
  power,       // of a positive argument; the exponent is a number
  derivative,  // of any order
  absolute,
  sign,
  minimum,
  maximum,
  // Conditions are 1 or 0.
  positive,     // a > 0
  nonnegative,  // a >= 0
  conjunction,
  disjunction,
  negation,
  choice,  // the second argument if the first, a condition, holds; else the third
};

struct Node;

class Term {
 public:
  Term(double value);  // NOLINT(google-explicit-constructor): 2*x must just work
  explicit Term(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  const Node& operator*() const { return *node_; }
  const Node* operator->() const { return node_.get(); }
  bool is(double value) const;

 private:
  std::shared_ptr<const Node> node_;
};

struct Node {
  Op op = Op::number;
  double value = 0.0;  // of a number; exponent
  int index = 0;       // of a variable; order of a derivative
  std::vector<Term> arguments = {};
};

Term time_term();
Term variable_term(int index);
Term derivative(const Term& a, int order);
Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term operator*(const Term& a, const Term& b);
Term operator/(const Term& a, const Term& b);
Term sin(const Term& a);
Term cos(const Term& a);
Term exp(const Term& a);
Term tanh(const Term& a);
Term atan(const Term& a);
Term power(const Term& a, double exponent);
Term abs(const Term& a);
Term sign(const Term& a);
Term min(const Term& a, const Term& b);
Term max(const Term& a, const Term& b);
// Conditions: only these may stand in the first argument of `choose`, and in `both` and so on.
Term positive(const Term& a);
Term nonnegative(const Term& a);
Term both(const Term& a, const Term& b);
Term either(const Term& a, const Term& b);
Term negated(const Term& a);
Term choose(const Term& condition, const Term& then, const Term& otherwise);

// What stands for the derivative of that order of a variable.
using Replacement = std::function<Term(int variable, int order)>;
// Derivatives in `term` must be of variables.
Term substitute(const Term& term, const Replacement& replacement);

// The same of several terms; what they share stays shared.
std::vector<Term> substitute(const std::vector<Term>& terms, const Replacement& replacement);

// Highest derivative that the evaluation of a term takes of its variables.
int depth(const Term& term);
Series evaluate(const Term& term, const std::vector<Series>& variables, const Series& time);
Expression to_expression(const Term& term, const std::vector<Expression>& variables,
                         const Expression& time);
std::string to_text(const Term& term, const std::vector<std::string>& names);

}  // namespace daedal::manufactured
