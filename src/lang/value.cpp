#include "lang/value.hpp"

#include <fmt/format.h>

#include <limits>

namespace daedal::lang {

const Dimensions& Value::dimensions() const {
  static const Dimensions none;
  if (array_ != nullptr) return array_->dimensions;
  return none;
}

std::span<const Scalar> Value::elements() const {
  if (is_array()) return array_->elements;
  return {&scalar_, 1};
}

std::string description_of(const Dimensions& dimensions) {
  if (dimensions.empty()) return "a scalar";
  return fmt::format("an array of size {}", fmt::join(dimensions, " x "));
}

std::int64_t num_elements(const Dimensions& dimensions) {
  std::int64_t count = 1;
  bool is_empty = false;
  for (const std::int64_t size : dimensions) is_empty |= size == 0;
  if (is_empty) return 0;
  for (const std::int64_t size : dimensions) {
    if (count > std::numeric_limits<std::int64_t>::max() / size) return -1;
    count *= size;
  }
  return count;
}

std::string subscript_text(const Dimensions& dimensions, std::int64_t flat_index) {
  if (dimensions.empty()) return {};
  Dimensions index(dimensions.size());
  for (std::size_t k = dimensions.size(); k-- > 0;) {
    index[k] = flat_index % dimensions[k] + 1;
    flat_index /= dimensions[k];
  }
  return fmt::format("[{}]", fmt::join(index, ","));
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::integer: return "Integer";
    case Type::boolean: return "Boolean";
    default: return "Real";
  }
}

}  // namespace daedal::lang
