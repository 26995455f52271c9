// The table of options: each stands in it once, with access to its field.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daedal/ensemble.hpp"
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

}  // namespace daedal::settings
