// Options by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/near_miss.hpp"
#include "settings/option_table.hpp"

namespace daedal {
namespace settings {
namespace {

std::string type_in_words(OptionType type) {
  switch (type) {
    case OptionType::flag: return "true or false";
    case OptionType::whole_number: return "an integer";
    case OptionType::number: return "a number";
    case OptionType::numbers: return "a list of numbers";
    case OptionType::file: return "the name of a file";
    case OptionType::choice: break;
  }
  return "a word";
}

bool is_called(const OptionInfo& info, std::string_view name) {
  return info.name == name || (!info.short_name.empty() && info.short_name == name);
}

// Throws E-OPT-007.
template <typename Options>
const OptionRow<Options>& row_of(std::string_view name) {
  const auto& rows = option_rows<Options>();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& row) { return is_called(row.info, name); });
  if (found != rows.end()) return *found;
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.info.name);
  const std::string hint = base::did_you_mean(name, names);
  throw Error({.id = "E-OPT-007",
               .what = fmt::format("there is no option '{}'", name),
               .where = fmt::format("option {}", name),
               .why = fmt::format("the options are: {}", fmt::join(names, ", ")),
               .todo = hint.empty() ? "leave it out" : hint});
}

std::string text_of_number(double value) {
  return std::isinf(value) ? "none" : fmt::format("{}", value);
}

std::string text_of_times(std::span<const double> values) {
  constexpr std::size_t most = 3;
  if (values.empty()) return "none";
  return fmt::format("{}{}", fmt::join(values.first(std::min(values.size(), most)), ","),
                     values.size() > most ? ",..." : "");
}

}  // namespace

std::string range_in_words(const OptionBounds& bounds, OptionType type) {
  const bool has_least = std::isfinite(bounds.least), has_most = std::isfinite(bounds.most);
  if (!has_least) return "";
  if (bounds.is_least_excluded)
    return fmt::format("above {}{}", bounds.least,
                       has_most ? fmt::format(" and at most {}", bounds.most) : "");
  if (!has_most) return fmt::format("{} or more", bounds.least);
  return fmt::format("{}from {} to {}", type == OptionType::number ? "a number " : "", bounds.least,
                     bounds.most);
}

Error wrong_type(const OptionInfo& info, const OptionValue& value) {
  return Error(
      {.id = "E-OPT-007",
       .what = fmt::format("the option {} does not take {}", info.name, settings::text_of(value)),
       .where = fmt::format("option {}", info.name),
       .why = fmt::format("it takes {}", type_in_words(info.type)),
       .todo = fmt::format("give {}", type_in_words(info.type))});
}

Error too_large(const OptionInfo& info, const OptionValue& value) {
  return Error(
      {.id = "E-OPT-001",
       .what = fmt::format("the option {} is {}", info.name, settings::text_of(value)),
       .where = fmt::format("option {}", info.name),
       .why = "no value of it is that large",
       .todo = info.takes.empty() ? "give a smaller value" : fmt::format("give {}", info.takes)});
}

std::optional<double> number_in(const OptionValue& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const long* number = std::get_if<long>(&value)) return static_cast<double>(*number);
  return std::nullopt;
}

std::string text_of(const OptionValue& value) {
  struct Text {
    std::string operator()(std::monostate) const { return "left to the program"; }
    std::string operator()(bool flag) const { return flag ? "yes" : "no"; }
    std::string operator()(long number) const {
      return number == std::numeric_limits<long>::max() ? "none" : fmt::format("{}", number);
    }
    std::string operator()(double number) const { return text_of_number(number); }
    std::string operator()(const std::string& text) const { return text.empty() ? "none" : text; }
    std::string operator()(const std::vector<double>& times) const { return text_of_times(times); }
  };
  return std::visit(Text(), value);
}

}  // namespace settings

const std::vector<OptionInfo>& options() {
  static const std::vector<OptionInfo> all = [] {
    std::vector<OptionInfo> infos;
    for (const auto& row : settings::option_rows<SolveOptions>()) infos.push_back(row.info);
    for (const auto& row : settings::option_rows<EnsembleOptions>()) infos.push_back(row.info);
    return infos;
  }();
  return all;
}

const OptionInfo* find_option(std::string_view name) {
  const auto found = std::find_if(options().begin(), options().end(), [&](const OptionInfo& info) {
    return settings::is_called(info, name);
  });
  return found == options().end() ? nullptr : &*found;
}

OptionValue get_option(const SolveOptions& options, std::string_view name) {
  return settings::row_of<SolveOptions>(name).get(options);
}

OptionValue get_option(const EnsembleOptions& options, std::string_view name) {
  return settings::row_of<EnsembleOptions>(name).get(options);
}

void set_option(SolveOptions& options, std::string_view name, const OptionValue& value) {
  settings::row_of<SolveOptions>(name).set(options, value);
}

void set_option(EnsembleOptions& options, std::string_view name, const OptionValue& value) {
  settings::row_of<EnsembleOptions>(name).set(options, value);
}

std::string to_string(OptionGroup group) {
  switch (group) {
    case OptionGroup::run: return "run";
    case OptionGroup::method: return "method";
    case OptionGroup::bdf: return "bdf";
    case OptionGroup::resources: return "resources";
    case OptionGroup::checkpoints: return "checkpoints";
    case OptionGroup::ensemble: break;
  }
  return "ensemble";
}

std::string to_string(OptionType type) {
  switch (type) {
    case OptionType::flag: return "flag";
    case OptionType::whole_number: return "whole number";
    case OptionType::number: return "number";
    case OptionType::numbers: return "numbers";
    case OptionType::file: return "file";
    case OptionType::choice: break;
  }
  return "choice";
}

}  // namespace daedal
