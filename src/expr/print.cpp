#include "expr/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "expr/condition.hpp"

namespace daedal::expr {
namespace {

// How tightly an expression binds; a part is bracketed where its place asks for more.
enum Precedence : int {
  choice = -4,
  disjunction = -3,
  conjunction = -2,
  relation = -1,
  sum = 0,
  term = 1,
  factor = 2,
  atom = 3
};

// A number that is written as a condition: relations, their products, and one minus those.
bool is_condition(const Graph& graph, NodeId node) {
  if (is_relation(graph.op(node))) return true;
  if (const NodeId inner = negated(graph, node); inner.is_set()) return is_condition(graph, inner);
  if (const NodeId inner = turned_conjunction(graph, node); inner.is_set())
    return is_condition(graph, inner);
  if (graph.op(node) != Op::product) return false;
  const auto arguments = graph.arguments(node);
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](NodeId factor) { return is_condition(graph, factor); });
}

// Writes with an explicit stack: a graph may be a million nodes deep.
class Printer {
 public:
  Printer(const Graph& graph, std::size_t limit) : graph_(graph), limit_(limit) {}

  std::string print(NodeId root) {
    push_node(root, choice);
    while (!stack_.empty() && out_.size() <= limit_) {
      Item item = std::move(stack_.back());
      stack_.pop_back();
      if (item.node.is_set())
        expand(item.node, item.precedence);
      else
        out_ += item.text;
    }
    if (out_.size() > limit_) {
      out_.resize(limit_);
      out_ += " ...";
    }
    return std::move(out_);
  }

 private:
  struct Item {
    NodeId node;
    int precedence = 0;
    std::string text;
  };

  void push_node(NodeId node, int precedence) { stack_.push_back({node, precedence, {}}); }
  void push_text(std::string text) { stack_.push_back({NodeId(), 0, std::move(text)}); }

  // Pushes items so that the first listed is written first.
  void push_all(std::vector<Item>&& items) {
    for (std::size_t k = items.size(); k-- > 0;) stack_.push_back(std::move(items[k]));
  }

  void expand(NodeId node, int wanted) {
    std::vector<Item> items;
    const int own = describe(node, items);
    if (own < wanted) {
      items.insert(items.begin(), {NodeId(), 0, "("});
      items.push_back({NodeId(), 0, ")"});
    }
    push_all(std::move(items));
  }

  // Appends the node's parts to `items` and returns how tightly they bind.
  int describe(NodeId node, std::vector<Item>& items) const {
    const auto arguments = graph_.arguments(node);
    if (is_condition(graph_, node)) return describe_condition(node, true, items);
    switch (graph_.op(node)) {
      case Op::constant:
        items.push_back({NodeId(), 0, fmt::format("{}", graph_.number(node))});
        return graph_.number(node) < 0 ? sum : atom;
      case Op::parameter:
        items.push_back({NodeId(), 0, graph_.name(graph_.parameter(node))});
        return atom;
      case Op::time: items.push_back({NodeId(), 0, "time"}); return atom;
      case Op::unknown:
        items.push_back({NodeId(), 0, graph_.name(graph_.unknown(node))});
        return atom;
      case Op::affine: return describe_affine(node, items);
      case Op::product: return describe_product(arguments, items);
      case Op::quotient:
        items.push_back({arguments[0], term, {}});
        items.push_back({NodeId(), 0, "/"});
        items.push_back({arguments[1], factor, {}});
        return term;
      case Op::power: return describe_power(node, items);
      case Op::pow:
        items.push_back({arguments[0], atom, {}});
        items.push_back({NodeId(), 0, "^"});
        items.push_back({arguments[1], atom, {}});
        return factor;
      case Op::select:
        items = {{NodeId(), 0, "if "},    {arguments[0], disjunction, {}},
                 {NodeId(), 0, " then "}, {arguments[1], choice, {}},
                 {NodeId(), 0, " else "}, {arguments[2], choice, {}}};
        return choice;
      default: return describe_call(node, items);
    }
  }

  // The condition, or its opposite.
  int describe_condition(NodeId node, bool holds, std::vector<Item>& items) const {
    const auto arguments = graph_.arguments(node);
    if (const NodeId inner = negated(graph_, node); inner.is_set())
      return describe_condition(inner, !holds, items);
    if (const NodeId inner = turned_conjunction(graph_, node); inner.is_set())
      return describe_condition(inner, holds, items);
    if (graph_.op(node) == Op::product) return describe_conjunction(arguments, holds, items);
    if (!is_relation(graph_.op(node))) {  // a discrete variable
      items.push_back({NodeId(), 0, holds ? "" : "not "});
      items.push_back({node, atom, {}});
      return relation;
    }
    describe_sides(arguments[0], graph_.op(node) == Op::positive, holds, items);
    return relation;
  }

  // a and b; not (not a and not b) is a or b.
  int describe_conjunction(std::span<const NodeId> parts, bool holds,
                           std::vector<Item>& items) const {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (k > 0) items.push_back({NodeId(), 0, holds ? " and " : " or "});
      std::vector<Item> inner;
      const bool is_nested = describe_condition(parts[k], holds, inner) < relation;
      if (is_nested) items.push_back({NodeId(), 0, "("});
      items.insert(items.end(), inner.begin(), inner.end());
      if (is_nested) items.push_back({NodeId(), 0, ")"});
    }
    return holds ? conjunction : disjunction;
  }

  // The terms of a relation: what varies with a plus sign, and with a minus sign; what does not,
  // and what is a number.
  struct Sides {
    std::vector<Item> plus, minus, plus_fixed, minus_fixed;
    double constant = 0.0;

    void turn() {
      std::swap(plus, minus);
      std::swap(plus_fixed, minus_fixed);
      constant = -constant;
    }
  };
  void collect_terms(NodeId node, double factor, Sides& sides) const {
    if (graph_.op(node) == Op::affine) {
      sides.constant += factor * graph_.number(node);
      const auto arguments = graph_.arguments(node);
      const auto coefficients = graph_.coefficients(node);
      for (std::size_t k = 0; k < arguments.size(); ++k)
        collect_terms(arguments[k], factor * coefficients[k], sides);
    } else if (graph_.varies(node)) {
      append_term(std::abs(factor), node, factor > 0 ? sides.plus : sides.minus);
    } else {
      append_term(std::abs(factor), node, factor > 0 ? sides.plus_fixed : sides.minus_fixed);
    }
  }

  // a - b > 0 is written a > b, with parameters and numbers on the right.
  void describe_sides(NodeId difference, bool is_strict, bool holds,
                      std::vector<Item>& items) const {
    Sides sides;
    collect_terms(difference, 1.0, sides);
    if (sides.plus.empty() && sides.minus.empty()) {  // of parameters alone
      std::swap(sides.plus, sides.plus_fixed);
      std::swap(sides.minus, sides.minus_fixed);
    }
    bool is_greater = holds;
    if (sides.plus.empty()) {
      sides.turn();
      is_greater = !is_greater;
    }
    const bool may_be_equal = is_strict != holds;
    items.insert(items.end(), sides.plus.begin(), sides.plus.end());
    items.push_back(
        {NodeId(), 0,
         is_greater ? (may_be_equal ? " >= " : " > ") : (may_be_equal ? " <= " : " < ")});
    const std::size_t begin = items.size();
    const auto append = [&](const std::vector<Item>& terms, const char* joint, const char* first) {
      if (terms.empty()) return;
      items.push_back({NodeId(), 0, items.size() == begin ? first : joint});
      items.insert(items.end(), terms.begin(), terms.end());
    };
    append(sides.minus, " + ", "");
    append(sides.minus_fixed, " + ", "");
    if (sides.plus_fixed.size() > 2) {
      append(sides.plus_fixed, " - (", "-(");
      items.push_back({NodeId(), 0, ")"});
    } else {
      append(sides.plus_fixed, " - ", "-");
    }
    const double number = sides.constant == 0.0 ? 0.0 : -sides.constant;
    if (items.size() == begin)
      items.push_back({NodeId(), 0, fmt::format("{}", number)});
    else if (number != 0.0)
      items.push_back(
          {NodeId(), 0, fmt::format("{}{}", number < 0 ? " - " : " + ", std::abs(number))});
  }

  // -(a - b) is written b - a.
  int describe_affine(NodeId node, std::vector<Item>& items) const {
    const NodeId inner = graph_.arguments(node)[0];
    const bool is_negated_sum = graph_.arguments(node).size() == 1 && graph_.number(node) == 0.0 &&
                                graph_.coefficients(node)[0] == -1.0 &&
                                graph_.op(inner) == Op::affine;
    return is_negated_sum ? describe_sum(inner, -1.0, items) : describe_sum(node, 1.0, items);
  }

  // sign * (c_0 + sum c_k v_k), a positive part first if there is one.
  int describe_sum(NodeId node, double sign, std::vector<Item>& items) const {
    const auto arguments = graph_.arguments(node);
    const auto coefficients = graph_.coefficients(node);
    const double constant = sign * graph_.number(node);
    const auto first = std::find_if(coefficients.begin(), coefficients.end(),
                                    [sign](double c) { return sign * c > 0; });
    const bool constant_first = first == coefficients.end() && constant > 0;
    const std::size_t start = first == coefficients.end() ? 0 : first - coefficients.begin();
    if (constant_first) items.push_back({NodeId(), 0, fmt::format("{}", constant)});
    for (std::size_t n = 0; n < arguments.size(); ++n) {
      const std::size_t k = n == 0 ? start : (n <= start ? n - 1 : n);
      append_term(sign * coefficients[k], arguments[k], items);
    }
    if (constant != 0.0 && !constant_first)
      items.push_back(
          {NodeId(), 0, fmt::format("{}{}", constant < 0 ? " - " : " + ", std::abs(constant))});
    return arguments.size() == 1 && constant == 0.0 && sign * coefficients[0] > 0 ? term : sum;
  }

  static void append_term(double coefficient, NodeId argument, std::vector<Item>& items) {
    const bool is_first = items.empty();
    const double size = std::abs(coefficient);
    const char* joint = is_first ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    items.push_back({NodeId(), 0, size == 1.0 ? joint : fmt::format("{}{}*", joint, size)});
    const bool may_be_sum = size == 1.0 && coefficient > 0 && is_first;
    items.push_back({argument, may_be_sum ? sum : term, {}});
  }

  static int describe_product(std::span<const NodeId> arguments, std::vector<Item>& items) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (k > 0) items.push_back({NodeId(), 0, "*"});
      items.push_back({arguments[k], k == 0 ? term : factor, {}});
    }
    return term;
  }

  int describe_power(NodeId node, std::vector<Item>& items) const {
    const double exponent = graph_.number(node);
    const NodeId base = graph_.arguments(node)[0];
    if (exponent == 0.5) {
      items = {{NodeId(), 0, "sqrt("}, {base, sum, {}}, {NodeId(), 0, ")"}};
      return atom;
    }
    if (exponent == -1.0) {
      items = {{NodeId(), 0, "1/"}, {base, factor, {}}};
      return term;
    }
    const std::string text =
        exponent < 0 ? fmt::format("^({})", exponent) : fmt::format("^{}", exponent);
    items = {{base, atom, {}}, {NodeId(), 0, text}};
    return factor;
  }

  int describe_call(NodeId node, std::vector<Item>& items) const {
    items.push_back({NodeId(), 0, fmt::format("{}(", name_of(graph_.op(node)))});
    const auto arguments = graph_.arguments(node);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (k > 0) items.push_back({NodeId(), 0, ", "});
      items.push_back({arguments[k], sum, {}});
    }
    const bool is_higher_derivative = graph_.op(node) == Op::diff && graph_.order(node) > 1;
    items.push_back(
        {NodeId(), 0, is_higher_derivative ? fmt::format(", {})", graph_.order(node)) : ")"});
    return atom;
  }

  const Graph& graph_;
  std::size_t limit_;
  std::string out_;
  std::vector<Item> stack_;
};

}  // namespace

std::string to_text(const Graph& graph, NodeId node, std::size_t limit) {
  return Printer(graph, limit).print(node);
}

}  // namespace daedal::expr
