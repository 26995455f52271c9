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

}  // namespace daedal::lang
