// Expressions as products of powers, so that quotients cancel: a*b/(a*c) is b/c.
#pragma once

#include <map>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::reduce {

// coefficient * product of factor^exponent, exponents whole numbers. Sums count as one factor, up
// to a number.
struct Factored {
  double coefficient = 1.0;
  std::map<expr::NodeId, int> exponents = {};  // none 0

  void multiply(const Factored& other, int power = 1);
};

Factored factors_of(expr::Graph& graph, expr::NodeId node);
expr::NodeId node_of(expr::Graph& graph, const Factored& product);

// a/b with common factors cancelled.
expr::NodeId reduced_quotient(expr::Graph& graph, expr::NodeId a, expr::NodeId b);

// Replaces the vector by a multiple of it without denominators and without common factors; numbers
// become whole where they are small.
void make_primitive(std::vector<Factored>& vector);

}  // namespace daedal::reduce
