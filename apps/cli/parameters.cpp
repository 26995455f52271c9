#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "commands.hpp"
#include "daedal/error.hpp"

namespace daedal::cli {
namespace {

// Empty if the text is a value, which is then written; else why it is none.
std::string parse_value(const std::string& text, double& value) {
  if (text.empty()) return "there is no value after '='";
  if (text == "true" || text == "false") {
    value = text == "true" ? 1.0 : 0.0;
    return "";
  }
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range && end == last)
    return fmt::format("'{}' is beyond double precision (2.2e-308 to 1.8e308)", text);
  if (error != std::errc() || end != last)
    return fmt::format("'{}' is neither a number nor true or false", text);
  return "";
}

// Adds "g=9.81" to the values; empty if that went well, else why not.
std::string parse_setting(const std::string& setting, ParameterValues& values) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) return "there is no '=' in it";
  if (equals == 0) return "there is no name before '='";
  double value = 0.0;
  std::string why = parse_value(setting.substr(equals + 1), value);
  if (why.empty()) values[setting.substr(0, equals)] = value;
  return why;
}

}  // namespace

ParameterValues parse_parameters(const std::vector<std::string>& settings) {
  ParameterValues values;
  std::vector<Problem> problems;
  for (const std::string& setting : settings) {
    const std::string why = parse_setting(setting, values);
    if (why.empty()) continue;
    problems.push_back(
        {.id = "E-CLI-003",
         .what = fmt::format("'{}' is not a parameter setting", setting),
         .where = "-p " + setting,
         .why = why,
         .todo = "write name=value: -p g=9.81, or -p 'x[2]=1e-3' for an array element"});
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return values;
}

}  // namespace daedal::cli
