// Fields of options as values, and rows of the table made from access to a field.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "daedal/error.hpp"
#include "settings/option_table.hpp"

namespace daedal::settings {

// "a number from -1e+30 to 1e+30", "from 0 to 3", "above 0 and at most 0.1", "0 or more"; empty for
// bounds that exclude nothing.
std::string range_in_words(const OptionBounds& bounds, OptionType type);
// E-OPT-007, and E-OPT-001 for a whole number that the field does not hold.
Error wrong_type(const OptionInfo& info, const OptionValue& value);
Error too_large(const OptionInfo& info, const OptionValue& value);

// From fields to values.

inline OptionValue value_of(bool field) { return field; }
inline OptionValue value_of(int field) { return static_cast<long>(field); }
inline OptionValue value_of(long field) { return field; }
inline OptionValue value_of(double field) { return field; }
inline OptionValue value_of(const std::string& field) { return field; }
inline OptionValue value_of(const std::vector<double>& field) { return field; }
template <typename Enum>
OptionValue value_of(const Choice<Enum>& field) {
  return field.name();
}
template <typename T>
OptionValue value_of(const std::optional<T>& field) {
  return field ? value_of(*field) : OptionValue();
}

// From values to fields; false for a value of another type.

template <typename T>
bool take(const OptionValue& value, T& field) {
  const T* given = std::get_if<T>(&value);
  if (given != nullptr) field = *given;
  return given != nullptr;
}
inline bool take(const OptionValue& value, double& field) {
  const std::optional<double> given = number_in(value);
  if (given) field = *given;
  return given.has_value();
}
// Throws std::out_of_range for a number that the field does not hold.
bool take(const OptionValue& value, int& field);
template <typename Enum>
bool take(const OptionValue& value, Choice<Enum>& field) {
  const std::string* given = std::get_if<std::string>(&value);
  if (given != nullptr) field = *given;
  return given != nullptr;
}
template <typename T>
bool take(const OptionValue& value, std::optional<T>& field) {
  T given = {};
  const bool is_taken = take(value, given);
  if (is_taken) field = given;
  return is_taken;
}

// `access` returns a reference to the field, of constant options and of others.
template <typename Options, typename Access>
OptionRow<Options> make_row(OptionInfo info, Access access) {
  const Options defaults = {};
  info.default_value = value_of(access(defaults));
  if (info.default_text.empty()) info.default_text = text_of(info.default_value);
  if (info.range.empty()) info.range = range_in_words(info.bounds, info.type);
  if (info.field.empty()) info.field = info.name;
  const auto get = [access](const Options& options) { return value_of(access(options)); };
  const auto set = [access, name = info.name](Options& options, const OptionValue& value) {
    try {
      if (std::holds_alternative<std::monostate>(value)) {
        const Options none = {};
        access(options) = access(none);
      } else if (!take(value, access(options))) {
        throw wrong_type(*find_option(name), value);
      }
    } catch (const std::out_of_range&) {
      throw too_large(*find_option(name), value);
    }
  };
  return {.info = std::move(info), .get = get, .set = set};
}

}  // namespace daedal::settings
