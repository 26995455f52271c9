// The type of options that take one value of an enumeration, given as a value or by its name.
//
//   options.method = daedal::Method::bdf;
//   options.method = "bdf";
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace daedal {

// The names of the values of Enum, in the order of the enumeration; the first is the default.
template <typename Enum>
const std::vector<std::string>& names_of();

// A copy of the name that lives as long as the program; the same pointer for equal names.
const std::string* kept_name(std::string_view name);

// A value of Enum, or a name that no value has: an unknown name is kept until solve() or
// initialize() refuses it together with all other options that are wrong. A choice points to the
// unknown name and owns nothing: where a default of an option owns memory, GCC 12 warns, wrongly
// and in users' code, that something is uninitialized.
template <typename Enum>
class Choice {
 public:
  Choice(Enum value = Enum{}) : value_(value) {}  // NOLINT(google-explicit-constructor)
  template <std::convertible_to<std::string_view> Text>
  Choice(const Text& name) {  // NOLINT(google-explicit-constructor): {.method = "bdf"} will do
    const std::string_view given = name;
    const std::vector<std::string>& names = names_of<Enum>();
    const auto found = std::find(names.begin(), names.end(), given);
    if (found == names.end())
      unknown_ = kept_name(given);
    else
      value_ = static_cast<Enum>(found - names.begin());
  }

  bool is_known() const { return unknown_ == nullptr; }
  // The value that was given; the default if the name is not known.
  Enum value() const { return value_; }
  const std::string& name() const {
    return is_known() ? names_of<Enum>()[static_cast<std::size_t>(value_)] : *unknown_;
  }

  friend bool operator==(const Choice&, const Choice&) = default;

 private:
  Enum value_ = Enum{};
  const std::string* unknown_ = nullptr;
};

}  // namespace daedal
