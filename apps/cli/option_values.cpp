#include "cli/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/near_miss.hpp"

namespace daedal::cli {
namespace {

// Empty if the text is a number, which is then written; else why it is none. nan and inf are
// numbers here.
std::string parse_number(const std::string& text, double& value) {
  const char* first = text.data() + (text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range && end == last)
    return fmt::format("'{}' is beyond double precision (2.2e-308 to 1.8e308)", text);
  if (error != std::errc() || end != last) return fmt::format("'{}' is not a number", text);
  return "";
}

std::string parse_finite(const std::string& text, double& value) {
  if (text.empty()) return "it is empty";
  std::string why = parse_number(text, value);
  return why.empty() && !std::isfinite(value) ? fmt::format("'{}' is not finite", text) : why;
}

std::string parse_whole(const std::string& text, int& value) {
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last) return "";
  if (text.empty()) return "it is empty";
  return error == std::errc::result_out_of_range ? fmt::format("'{}' is too large", text)
                                                 : fmt::format("'{}' is not a whole number", text);
}

using ParseNumber = std::string (*)(const std::string&, double&);

// Adds "g=9.81" to the values; empty if that went well, else why not.
std::string parse_setting(const std::string& setting, ParseNumber parse,
                          std::map<std::string, double>& values) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) return "there is no '=' in it";
  if (equals == 0) return "there is no name before '='";
  double value = 0.0;
  if (equals + 1 == setting.size()) return "there is no value after '='";
  std::string why = parse(setting.substr(equals + 1), value);
  if (why.empty()) values[setting.substr(0, equals)] = value;
  return why;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char ch : text) {
    if (ch == ',')
      parts.emplace_back();
    else
      parts.back() += ch;
  }
  return parts;
}

}  // namespace

std::string parse_parameter_value(const std::string& text, double& value) {
  if (text.empty()) return "there is no value";
  if (text == "true" || text == "false") {
    value = text == "true" ? 1.0 : 0.0;
    return "";
  }
  const std::string why = parse_number(text, value);
  return why.ends_with("is not a number")
             ? fmt::format("'{}' is neither a number nor true or false", text)
             : why;
}

void OptionReader::refuse(const GivenOption& option, const std::string& why,
                          const std::string& hint) {
  const std::string& given = option.texts.back();
  add({.id = "E-CLI-009",
       .what = fmt::format("'{}' is not a value of {}", given, option.name),
       .where = fmt::format("{} {}", option.name, given.empty() ? "''" : given),
       .why = why,
       .todo = fmt::format("{}{}{} takes {}", hint, hint.empty() ? "" : " ", option.name,
                           option.takes)});
}

std::optional<double> OptionReader::number(const GivenOption& option) {
  if (option.texts.empty()) return {};
  double value = 0.0;
  const std::string why = parse_finite(option.texts.back(), value);
  if (why.empty()) return value;
  refuse(option, why);
  return {};
}

std::optional<double> OptionReader::positive_number(const GivenOption& option) {
  const std::optional<double> value = number(option);
  if (!value || *value > 0.0) return value;
  refuse(option, "it is not greater than 0");
  return {};
}

std::optional<int> OptionReader::whole_number(const GivenOption& option) {
  if (option.texts.empty()) return {};
  int value = 0;
  const std::string why = parse_whole(option.texts.back(), value);
  if (why.empty()) return value;
  refuse(option, why);
  return {};
}

std::optional<int> OptionReader::positive_whole_number(const GivenOption& option) {
  const std::optional<int> value = whole_number(option);
  if (!value || *value > 0) return value;
  refuse(option, "it is not greater than 0");
  return {};
}

template <typename Number>
std::vector<Number> OptionReader::list(const GivenOption& option,
                                       std::string (*parse)(const std::string&, Number&)) {
  std::vector<Number> values;
  if (option.texts.empty()) return values;
  const std::vector<std::string> parts = split_at_commas(option.texts.back());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Number value = 0;
    const std::string why = parse(parts[k], value);
    if (why.empty())
      values.push_back(value);
    else
      refuse(option, fmt::format("number {} of {} in the list: {}", k + 1, parts.size(), why));
  }
  return values;
}

std::vector<double> OptionReader::numbers(const GivenOption& option) {
  return list(option, parse_finite);
}

std::vector<int> OptionReader::whole_numbers(const GivenOption& option) {
  return list(option, parse_whole);
}

std::string OptionReader::text(const GivenOption& option, std::string otherwise) {
  if (option.texts.empty()) return otherwise;
  if (option.texts.back().empty()) refuse(option, "it is empty");
  return option.texts.back();
}

std::string OptionReader::choice(const GivenOption& option, std::string otherwise) {
  if (option.texts.empty()) return otherwise;
  const std::string& given = option.texts.back();
  if (std::find(option.choices.begin(), option.choices.end(), given) == option.choices.end())
    refuse(option, given.empty() ? "it is empty" : "it is none of the words that it takes",
           base::did_you_mean(given, option.choices));
  return given;
}

ParameterValues OptionReader::parameters(const std::vector<std::string>& settings) {
  ParameterValues values;
  for (const std::string& setting : settings) {
    const std::string why = parse_setting(setting, parse_parameter_value, values);
    if (why.empty()) continue;
    add({.id = "E-CLI-003",
         .what = fmt::format("'{}' is not a parameter setting", setting),
         .where = "-p " + setting,
         .why = why,
         .todo = "write name=value: -p g=9.81, or -p 'x[2]=1e-3' for an array element"});
  }
  return values;
}

std::map<std::string, double> OptionReader::point(const GivenOption& option) {
  std::map<std::string, double> values;
  for (const std::string& setting : option.texts)
    if (const std::string why = parse_setting(setting, parse_finite, values); !why.empty())
      add({.id = "E-CLI-009",
           .what = fmt::format("'{}' is not a value of {}", setting, option.name),
           .where = fmt::format("{} {}", option.name, setting.empty() ? "''" : setting),
           .why = why,
           .todo = fmt::format("{} takes {}", option.name, option.takes)});
  return values;
}

void OptionReader::finish() {
  if (!problems_.empty()) throw Error(std::exchange(problems_, {}));
}

}  // namespace daedal::cli
