#include "reduce/conversion/factored.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

// A sum with its first coefficient drawn out, so that 2*x + 2 and x + 1 are one factor.
Factored factors_of_sum(Graph& graph, NodeId sum) {
  const auto arguments = graph.arguments(sum);
  const auto coefficients = graph.coefficients(sum);
  const double leading = coefficients[0];
  std::vector<double> scaled;
  for (const double c : coefficients) scaled.push_back(c / leading);
  const std::vector<NodeId> terms(arguments.begin(), arguments.end());
  return {leading, {{graph.affine(graph.number(sum) / leading, scaled, terms), 1}}};
}

bool is_whole(double exponent) {
  return exponent == std::round(exponent) && std::abs(exponent) < 100;
}

// The factors of one node: itself, or what its operation multiplies.
std::vector<std::pair<NodeId, int>> parts_of(const Graph& graph, NodeId node) {
  const auto arguments = graph.arguments(node);
  switch (graph.op(node)) {
    case Op::product: {
      std::vector<std::pair<NodeId, int>> parts;
      for (const NodeId argument : arguments) parts.emplace_back(argument, 1);
      return parts;
    }
    case Op::quotient: return {{arguments[0], 1}, {arguments[1], -1}};
    case Op::power:
      if (is_whole(graph.number(node)))
        return {{arguments[0], static_cast<int>(graph.number(node))}};
      return {};
    default: return {};
  }
}

bool is_near_whole(double value) {
  return std::abs(value - std::round(value)) <= 1e-14 * std::abs(value) && std::abs(value) <= 1000;
}

// Divided by the smallest if all are whole then, else by the largest.
void make_numbers_simple(std::vector<Factored>& vector) {
  const auto precedes = [](const Factored& a, const Factored& b) {
    return std::abs(a.coefficient) < std::abs(b.coefficient);
  };
  const double smallest = std::min_element(vector.begin(), vector.end(), precedes)->coefficient;
  const bool are_whole = std::all_of(vector.begin(), vector.end(), [&](const Factored& entry) {
    return is_near_whole(entry.coefficient / smallest);
  });
  double divisor = std::abs(
      are_whole ? smallest : std::max_element(vector.begin(), vector.end(), precedes)->coefficient);
  if (vector.front().coefficient < 0.0) divisor = -divisor;
  for (Factored& entry : vector) {
    entry.coefficient /= divisor;
    if (is_near_whole(entry.coefficient)) entry.coefficient = std::round(entry.coefficient);
  }
}

}  // namespace

void Factored::multiply(const Factored& other, int power) {
  coefficient *= std::pow(other.coefficient, power);
  for (const auto& [factor, exponent] : other.exponents)
    if ((exponents[factor] += power * exponent) == 0) exponents.erase(factor);
}

Factored factors_of(Graph& graph, NodeId node) {
  Factored result;
  std::vector<std::pair<NodeId, int>> pending = {{node, 1}};
  while (!pending.empty()) {
    const auto [next, power] = pending.back();
    pending.pop_back();
    if (graph.is_constant(next)) {
      result.multiply({graph.number(next), {}}, power);
    } else if (graph.op(next) == Op::affine) {
      const bool is_multiple = graph.arguments(next).size() == 1 && graph.number(next) == 0.0;
      if (is_multiple) {
        result.multiply({graph.coefficients(next)[0], {}}, power);
        pending.emplace_back(graph.arguments(next)[0], power);
      } else {
        result.multiply(factors_of_sum(graph, next), power);
      }
    } else if (const auto parts = parts_of(graph, next); !parts.empty()) {
      for (const auto& [part, exponent] : parts) pending.emplace_back(part, power * exponent);
    } else {
      result.multiply({1.0, {{next, 1}}}, power);
    }
  }
  return result;
}

NodeId node_of(Graph& graph, const Factored& product) {
  std::vector<NodeId> above, below;
  for (const auto& [factor, exponent] : product.exponents)
    (exponent > 0 ? above : below).push_back(graph.power(factor, std::abs(exponent)));
  const NodeId numerator = above.empty() ? graph.constant(1.0) : graph.product(above);
  const NodeId quotient = below.empty() ? numerator : graph.divide(numerator, graph.product(below));
  return graph.scale(product.coefficient, quotient);
}

NodeId reduced_quotient(Graph& graph, NodeId a, NodeId b) {
  Factored result = factors_of(graph, a);
  result.multiply(factors_of(graph, b), -1);
  return node_of(graph, result);
}

void make_primitive(std::vector<Factored>& vector) {
  std::set<NodeId> factors;
  for (const Factored& entry : vector)
    for (const auto& [factor, exponent] : entry.exponents) factors.insert(factor);
  Factored common;
  for (const NodeId factor : factors) {
    int least = 1000;
    for (const Factored& entry : vector) {
      const auto found = entry.exponents.find(factor);
      least = std::min(least, found == entry.exponents.end() ? 0 : found->second);
    }
    if (least != 0) common.exponents[factor] = least;
  }
  for (Factored& entry : vector) entry.multiply(common, -1);
  make_numbers_simple(vector);
}

}  // namespace daedal::reduce
