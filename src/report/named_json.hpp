// Objects keyed by the names of variables.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/errors_json.hpp"

namespace daedal::report {

// {names[0]: values[0], ...}, as far as both go. Names differ, so each is appended unseen: looking
// every key up, as operator[] does, would make large models quadratic.
template <typename Value>
Json named(std::span<const std::string> names, std::span<const Value> values) {
  Json::object_t object;
  const std::size_t count = std::min(names.size(), values.size());
  object.reserve(count);
  for (std::size_t j = 0; j < count; ++j) object.push_back({names[j], Json(values[j])});
  return Json(std::move(object));
}
template <typename Value>
Json named(const std::vector<std::string>& names, const std::vector<Value>& values) {
  return named(std::span<const std::string>(names), std::span<const Value>(values));
}

// What is reported beside the variables stands in one list, discrete variables first: these are
// added to an object of variables, and the others are one of their own.
template <typename Value>
struct Reported {
  std::span<const std::string> names;
  std::span<const Value> values;
  int num_discretes;

  void add_discretes_to(Json& object) const {
    for (std::size_t k = 0; k < std::min(split(), values.size()); ++k)
      object.get_ref<Json::object_t&>().push_back({names[k], Json(values[k])});
  }
  Json outputs() const {
    return named(names.subspan(split()), values.subspan(std::min(split(), values.size())));
  }

 private:
  std::size_t split() const { return static_cast<std::size_t>(num_discretes); }
};

}  // namespace daedal::report
