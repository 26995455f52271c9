#include "reduce/array/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"

namespace daedal::reduce {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

constexpr std::size_t line_width = 110;

}  // namespace

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// Two question marks begin a trigraph, which may end in a backslash.
std::string c_comment(std::string_view text) {
  std::string result;
  for (const char c : base::printable(text)) {
    const char before = result.empty() ? ' ' : result.back();
    const bool is_marker =
        (before == '*' && c == '/') || (before == '/' && c == '*') || (before == '?' && c == '?');
    if (is_marker) result += ' ';
    result += c == '\n' || c == '\t' ? ' ' : c;
  }
  return result;
}

// A question mark is escaped because of trigraphs.
std::string c_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : base::printable(text)) {
    if (c == '"' || c == '\\' || c == '?') result += '\\';
    result += c == '\n' || c == '\t' ? ' ' : c;
  }
  return result + '"';
}

bool is_c_prefix(std::string_view name) {
  return !name.empty() && name.size() <= longest_c_prefix && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

std::string c_prefix(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (is_name_character(c))
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  if (result.empty() || !is_letter(result.front())) result = "model_" + result;
  return result.substr(0, longest_c_prefix);
}

std::string wrapped(const std::string& line) {
  const std::size_t indent = line.find_first_not_of(' ');
  std::string result;
  std::string_view rest = line;
  std::string lead;
  while (lead.size() + rest.size() > line_width) {
    std::size_t cut = rest.rfind(' ', line_width - lead.size());
    if (cut == std::string_view::npos || cut <= indent) cut = rest.find(' ', line_width);
    if (cut == std::string_view::npos) break;
    result += lead + std::string(rest.substr(0, cut)) + '\n';
    rest.remove_prefix(cut + 1);
    lead = std::string(indent + 4, ' ');
  }
  return result + lead + std::string(rest);
}

}  // namespace daedal::reduce
