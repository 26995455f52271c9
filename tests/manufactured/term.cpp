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

Term substitute(const Term& term, const Replacement& replacement) {
  std::unordered_map<const Node*, Term> known;
  return substituted(term, replacement, known);
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
  const auto visit = [&](const Node& node, const std::vector<Series>& a) -> Series {
    switch (node.op) {
      case Op::number: return constant(node.value, static_cast<int>(time.size()));
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
    }
    return {};
  };
  return walk(term, known, visit);
}

}  // namespace daedal::manufactured
