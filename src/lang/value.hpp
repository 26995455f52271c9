// What an expression of the language evaluates to: a scalar or an array of scalars, each a number
// that is known now or a node of the model's graph.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expr/graph.hpp"
#include "lang/ast.hpp"

namespace daedal::lang {

using expr::NodeId;

struct Scalar {
  bool is_known = true;
  Type type = Type::real;
  double number = 0.0;  // if known
  NodeId node;          // if not

  static Scalar of_number(double number, Type type = Type::real) {
    return {true, type, number, {}};
  }
  static Scalar of_node(NodeId node, Type type = Type::real) { return {false, type, 0.0, node}; }
};

using Dimensions = std::vector<std::int64_t>;

struct ArrayValue {
  Dimensions dimensions;
  std::vector<Scalar> elements;  // last index fastest
};

// Bad values stand for something reported already: whatever is computed from them is bad too,
// silently.
class Value {
 public:
  Value() = default;                                         // bad
  Value(Scalar scalar) : is_bad_(false), scalar_(scalar) {}  // NOLINT(google-explicit-constructor)
  explicit Value(ArrayValue array)
      : is_bad_(false), array_(std::make_shared<const ArrayValue>(std::move(array))) {}

  bool is_bad() const { return is_bad_; }
  bool is_array() const { return array_ != nullptr; }
  const Scalar& scalar() const { return scalar_; }
  const ArrayValue& array() const { return *array_; }
  const Dimensions& dimensions() const;
  std::span<const Scalar> elements() const;  // a scalar is one element

 private:
  bool is_bad_ = true;
  Scalar scalar_;
  std::shared_ptr<const ArrayValue> array_;
};

// "a scalar", "an array of size 3", "an array of size 5 x 3"
std::string description_of(const Dimensions& dimensions);

// The number of elements; -1 if it is beyond any limit.
std::int64_t num_elements(const Dimensions& dimensions);

// "[2,3]" for the flat index of an element; "" for a scalar's.
std::string subscript_text(const Dimensions& dimensions, std::int64_t flat_index);

std::string_view name_of(Type type);

// Arithmetic on scalars: numbers that are known are computed at once, the rest becomes nodes of the
// graph. A result that is not finite stays an operation of the graph, where its value and its place
// are seen.
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
