#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "commands.hpp"
#include "daedal/error.hpp"

namespace daedal::cli {
namespace {

bool parse_value(const std::string& text, double& value) {
  if (text == "true" || text == "false") {
    value = text == "true" ? 1.0 : 0.0;
    return true;
  }
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  return error == std::errc() && end == last && first != last;
}

}  // namespace

ParameterValues parse_parameters(const std::vector<std::string>& assignments) {
  ParameterValues values;
  std::vector<Problem> problems;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    double value = 0.0;
    const bool is_valid = equals != std::string::npos && equals > 0 && parse_value(assignment.substr(equals + 1), value);
    if (is_valid) {
      values[assignment.substr(0, equals)] = value;
      continue;
    }
    problems.push_back({.id = "E-CLI-003",
                        .what = fmt::format("'{}' is not a parameter setting", assignment),
                        .where = "option -p",
                        .why = "it must read name=value, the value a number or true or false",
                        .todo = "write for example -p g=9.81, or -p 'x[2]=1e-3' for an array element",
                        .excerpt = {}});
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return values;
}

}  // namespace daedal::cli
