// Objects keyed by the names of variables.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/errors_json.hpp"

namespace daedal::report {

// {names[0]: values[0], ...}, as far as both go. Names differ, so each is appended unseen: looking
// every key up, as operator[] does, would make large models quadratic.
template <typename Value>
Json named(const std::vector<std::string>& names, const std::vector<Value>& values) {
  Json::object_t object;
  const std::size_t count = std::min(names.size(), values.size());
  object.reserve(count);
  for (std::size_t j = 0; j < count; ++j) object.push_back({names[j], Json(values[j])});
  return Json(std::move(object));
}

}  // namespace daedal::report
