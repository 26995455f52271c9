// The table of options: each stands in it once, with access to its field.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daedal/ensemble.hpp"
#include "daedal/error.hpp"
#include "daedal/option.hpp"
#include "daedal/solve.hpp"

namespace daedal::settings {

// Where neither the options nor the model say more.
inline constexpr double default_start = 0.0, default_duration = 1.0, default_tolerance = 1e-9;
inline constexpr double default_part_of_memory = 0.8;  // of the machine's

// An option of the struct Options, which is SolveOptions or EnsembleOptions.
template <typename Options>
struct OptionRow {
  OptionInfo info;
  std::function<OptionValue(const Options& options)> get;
  // Throws E-OPT-001 and E-OPT-007, as set_option() does.
  std::function<void(Options& options, const OptionValue& value)> set;
};

template <typename Options>
const std::vector<OptionRow<Options>>& option_rows();
template <>
const std::vector<OptionRow<SolveOptions>>& option_rows();
template <>
const std::vector<OptionRow<EnsembleOptions>>& option_rows();

// The number in the value, if it is one.
std::optional<double> number_in(const OptionValue& value);
// "0.05", "none" for a limit that is none, "left to the program" for what was not given.
std::string text_of(const OptionValue& value);
// "a number from -1e+30 to 1e+30", "from 0 to 3", "above 0 and at most 0.1", "0 or more"; empty for
// bounds that exclude nothing.
std::string range_in_words(const OptionBounds& bounds, OptionType type);
// E-OPT-007, and E-OPT-001 for a whole number that the field does not hold.
Error wrong_type(const OptionInfo& info, const OptionValue& value);
Error too_large(const OptionInfo& info, const OptionValue& value);

}  // namespace daedal::settings
