// Arithmetic on scalars: numbers that are known are computed at once, the rest becomes nodes of the
// graph. A result that is not finite stays an operation of the graph, where its value and its place
// are seen.
#pragma once

#include <span>
#include <vector>

#include "lang/value.hpp"

namespace daedal::lang {

class ScalarAlgebra {
 public:
  explicit ScalarAlgebra(expr::Graph& graph) : graph_(graph) {}

  NodeId node_of(const Scalar& a) const { return a.is_known ? graph_.constant(a.number) : a.node; }

  Scalar negate(const Scalar& a) const;
  Scalar multiply(const Scalar& a, const Scalar& b) const;
  Scalar divide(const Scalar& a, const Scalar& b) const;  // b is not a known 0
  Scalar power(const Scalar& base, const Scalar& exponent) const;
  Scalar unary(expr::Op op, const Scalar& a) const;
  Scalar binary(expr::Op op, const Scalar& a, const Scalar& b) const;  // atan2, min, max
  Scalar log10(const Scalar& a) const;
  Scalar der(const Scalar& a, int order) const;
  Scalar sum(std::span<const Scalar> terms) const;
  Scalar product(std::span<const Scalar> factors) const;

  // Conditions: Booleans, which are numbers 1 and 0 in the graph.
  Scalar relation(Operator op, const Scalar& a, const Scalar& b) const;  // of numbers
  Scalar boolean_relation(Operator op, const Scalar& a, const Scalar& b) const;
  Scalar negation(const Scalar& a) const;
  Scalar conjunction(std::span<const Scalar> parts) const;
  Scalar disjunction(std::span<const Scalar> parts) const;
  // Both branches numbers, or both Booleans.
  Scalar select(const Scalar& condition, const Scalar& then, const Scalar& otherwise) const;

 private:
  Scalar sign_of_difference(expr::Op op, const Scalar& a, const Scalar& b) const;

  expr::Graph& graph_;
};

// A sum that is collected term by term, so that a million terms become one node.
class SumOfScalars {
 public:
  void add(double sign, const Scalar& term);
  Scalar finish(expr::Graph& graph) const;

 private:
  double constant_ = 0.0;
  bool is_integer_ = true;
  std::vector<double> coefficients_;
  std::vector<NodeId> nodes_;
};

// A product that is collected factor by factor.
class ProductOfScalars {
 public:
  void multiply(const Scalar& factor);
  void divide(expr::Graph& graph, const Scalar& divisor);  // not a known 0
  Scalar finish(expr::Graph& graph);

 private:
  double factor_ = 1.0;
  bool is_integer_ = true;
  std::vector<NodeId> nodes_;
};

}  // namespace daedal::lang
