#include "manufactured/term.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace daedal::manufactured {
namespace {

Term make(Op op, std::vector<Term> arguments, double value = 0.0, int index = 0) {
  return Term(std::make_shared<const Node>(Node{op, value, index, std::move(arguments)}));
}

// Visits every node once, arguments first, and keeps what `visit` makes of it.
template <class Result, class Visit>
const Result& walk(const Term& term, std::unordered_map<const Node*, Result>& known,
                   const Visit& visit) {
  const Node* node = &*term;
  if (const auto found = known.find(node); found != known.end()) return found->second;
  std::vector<Result> arguments;
  for (const Term& argument : node->arguments) arguments.push_back(walk(argument, known, visit));
  return known.emplace(node, visit(*node, arguments)).first->second;
}

Term rebuilt(const Node& node, const std::vector<Term>& arguments) {
  switch (node.op) {
    case Op::add: return arguments[0] + arguments[1];
    case Op::multiply: return arguments[0] * arguments[1];
    case Op::derivative: return derivative(arguments[0], node.index);
    default: return make(node.op, arguments, node.value, node.index);
  }
}

Term substituted(const Term& term, const Replacement& replacement,
                 std::unordered_map<const Node*, Term>& known) {
  const Node* node = &*term;
  if (const auto found = known.find(node); found != known.end()) return found->second;
  Term result = term;
  if (node->op == Op::variable) {
    result = replacement(node->index, 0);
  } else if (node->op == Op::derivative) {
    result = replacement(node->arguments[0]->index, node->index);
  } else if (!node->arguments.empty()) {
    std::vector<Term> arguments;
    for (const Term& argument : node->arguments)
      arguments.push_back(substituted(argument, replacement, known));
    result = rebuilt(*node, arguments);
  }
  known.emplace(node, result);
  return result;
}

}  // namespace

Term::Term(double value)
    : node_(std::make_shared<const Node>(Node{.op = Op::number, .value = value})) {}
bool Term::is(double value) const { return node_->op == Op::number && node_->value == value; }

Term time_term() { return make(Op::time, {}); }
Term variable_term(int index) { return make(Op::variable, {}, 0.0, index); }
Term derivative(const Term& a, int order) {
  return order == 0 ? a : make(Op::derivative, {a}, 0.0, order);
}
Term operator+(const Term& a, const Term& b) {
  if (a.is(0.0)) return b;
  return b.is(0.0) ? a : make(Op::add, {a, b});
}
Term operator-(const Term& a, const Term& b) { return a + (-1.0) * b; }
Term operator*(const Term& a, const Term& b) {
  if (a.is(0.0) || b.is(0.0)) return 0.0;
  if (a.is(1.0)) return b;
  return b.is(1.0) ? a : make(Op::multiply, {a, b});
}
Term operator/(const Term& a, const Term& b) { return make(Op::divide, {a, b}); }
Term sin(const Term& a) { return make(Op::sine, {a}); }
Term cos(const Term& a) { return make(Op::cosine, {a}); }
Term exp(const Term& a) { return make(Op::exponential, {a}); }
Term tanh(const Term& a) { return make(Op::hyperbolic_tangent, {a}); }
Term atan(const Term& a) { return make(Op::arc_tangent, {a}); }
Term power(const Term& a, double exponent) { return make(Op::power, {a}, exponent); }
Term abs(const Term& a) { return make(Op::absolute, {a}); }
Term sign(const Term& a) { return make(Op::sign, {a}); }
Term min(const Term& a, const Term& b) { return make(Op::minimum, {a, b}); }
Term max(const Term& a, const Term& b) { return make(Op::maximum, {a, b}); }
Term positive(const Term& a) { return make(Op::positive, {a}); }
Term nonnegative(const Term& a) { return make(Op::nonnegative, {a}); }
Term both(const Term& a, const Term& b) { return make(Op::conjunction, {a, b}); }
Term either(const Term& a, const Term& b) { return make(Op::disjunction, {a, b}); }
Term negated(const Term& a) { return make(Op::negation, {a}); }
Term choose(const Term& condition, const Term& then, const Term& otherwise) {
  return make(Op::choice, {condition, then, otherwise});
}

Term substitute(const Term& term, const Replacement& replacement) {
  return substitute(std::vector<Term>{term}, replacement).front();
}

std::vector<Term> substitute(const std::vector<Term>& terms, const Replacement& replacement) {
  std::unordered_map<const Node*, Term> known;
  std::vector<Term> results;
  for (const Term& term : terms) results.push_back(substituted(term, replacement, known));
  return results;
}

int depth(const Term& term) {
  std::unordered_map<const Node*, int> known;
  return walk(term, known, [](const Node& node, const std::vector<int>& arguments) {
    const int deepest = arguments.empty() ? 0 : std::ranges::max(arguments);
    return deepest + (node.op == Op::derivative ? node.index : 0);
  });
}

Series evaluate(const Term& term, const std::vector<Series>& variables, const Series& time) {
  std::unordered_map<const Node*, Series> known;
  const int length = static_cast<int>(time.size());
  const auto truth = [&](bool holds) { return constant(holds ? 1 : 0, length); };
  const auto visit = [&](const Node& node, const std::vector<Series>& a) -> Series {
    switch (node.op) {
      case Op::number: return constant(node.value, length);
      case Op::time: return time;
      case Op::variable: return variables[static_cast<std::size_t>(node.index)];
      case Op::add: return add(a[0], a[1]);
      case Op::multiply: return multiply(a[0], a[1]);
      case Op::divide: return divide(a[0], a[1]);
      case Op::sine: return sin(a[0]);
      case Op::cosine: return cos(a[0]);
      case Op::exponential: return exp(a[0]);
      case Op::hyperbolic_tangent: return tanh(a[0]);
      case Op::arc_tangent: return atan(a[0]);
      case Op::power: return power(a[0], node.value);
      case Op::derivative: return derivative(a[0], node.index);
      case Op::absolute: return a[0][0] < 0 ? multiply(constant(-1, length), a[0]) : a[0];
      case Op::sign: return constant(a[0][0] > 0 ? 1 : a[0][0] < 0 ? -1 : 0, length);
      case Op::minimum: return a[0][0] < a[1][0] ? a[0] : a[1];
      case Op::maximum: return a[0][0] > a[1][0] ? a[0] : a[1];
      case Op::positive: return truth(a[0][0] > 0);
      case Op::nonnegative: return truth(a[0][0] >= 0);
      case Op::conjunction: return truth(a[0][0] != 0 && a[1][0] != 0);
      case Op::disjunction: return truth(a[0][0] != 0 || a[1][0] != 0);
      case Op::negation: return truth(a[0][0] == 0);
      case Op::choice: return a[0][0] != 0 ? a[1] : a[2];
    }
    return {};
  };
  return walk(term, known, visit);
}

Expression to_expression(const Term& term, const std::vector<Expression>& variables,
                         const Expression& time) {
  std::unordered_map<const Node*, Expression> known;
  const auto visit = [&](const Node& node, const std::vector<Expression>& a) -> Expression {
    switch (node.op) {
      case Op::number: return node.value;
      case Op::time: return time;
      case Op::variable: return variables[static_cast<std::size_t>(node.index)];
      case Op::add: return a[0] + a[1];
      case Op::multiply: return a[0] * a[1];
      case Op::divide: return a[0] / a[1];
      case Op::sine: return sin(a[0]);
      case Op::cosine: return cos(a[0]);
      case Op::exponential: return exp(a[0]);
      case Op::hyperbolic_tangent: return tanh(a[0]);
      case Op::arc_tangent: return atan(a[0]);
      case Op::power: return pow(a[0], node.value);
      case Op::derivative: return der(a[0], node.index);
      case Op::absolute: return abs(a[0]);
      case Op::sign: return sign(a[0]);
      case Op::minimum: return min(a[0], a[1]);
      case Op::maximum: return max(a[0], a[1]);
      case Op::positive: return (a[0] > 0.0).value();
      case Op::nonnegative: return (a[0] >= 0.0).value();
      case Op::conjunction: return (Condition(a[0]) && Condition(a[1])).value();
      case Op::disjunction: return (Condition(a[0]) || Condition(a[1])).value();
      case Op::negation: return (!Condition(a[0])).value();
      case Op::choice: return if_else(Condition(a[0]), a[1], a[2]);
    }
    return {};
  };
  return walk(term, known, visit);
}

std::string to_text(const Term& term, const std::vector<std::string>& names) {
  std::unordered_map<const Node*, std::string> known;
  const auto visit = [&](const Node& node, const std::vector<std::string>& a) -> std::string {
    switch (node.op) {
      case Op::number:
        return node.value < 0 ? fmt::format("({})", node.value) : fmt::format("{}", node.value);
      case Op::time: return "time";
      case Op::variable: return names[static_cast<std::size_t>(node.index)];
      case Op::add: return fmt::format("({} + {})", a[0], a[1]);
      case Op::multiply: return fmt::format("{}*{}", a[0], a[1]);
      case Op::divide: return fmt::format("({})/({})", a[0], a[1]);
      case Op::sine: return fmt::format("sin({})", a[0]);
      case Op::cosine: return fmt::format("cos({})", a[0]);
      case Op::exponential: return fmt::format("exp({})", a[0]);
      case Op::hyperbolic_tangent: return fmt::format("tanh({})", a[0]);
      case Op::arc_tangent: return fmt::format("atan({})", a[0]);
      case Op::power: return fmt::format("({})^({})", a[0], node.value);
      case Op::derivative:
        return node.index == 1 ? fmt::format("der({})", a[0])
                               : fmt::format("der({}, {})", a[0], node.index);
      case Op::absolute: return fmt::format("abs({})", a[0]);
      case Op::sign: return fmt::format("sign({})", a[0]);
      case Op::minimum: return fmt::format("min({}, {})", a[0], a[1]);
      case Op::maximum: return fmt::format("max({}, {})", a[0], a[1]);
      case Op::positive: return fmt::format("({} > 0)", a[0]);
      case Op::nonnegative: return fmt::format("({} >= 0)", a[0]);
      case Op::conjunction: return fmt::format("({} and {})", a[0], a[1]);
      case Op::disjunction: return fmt::format("({} or {})", a[0], a[1]);
      case Op::negation: return fmt::format("(not {})", a[0]);
      case Op::choice: return fmt::format("(if {} then {} else {})", a[0], a[1], a[2]);
    }
    return {};
  };
  return walk(term, known, visit);
}

}  // namespace daedal::manufactured
