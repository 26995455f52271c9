#include "report/csv.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace daedal::report {
namespace {

constexpr std::size_t enough_bytes = std::size_t{1} << 16U;

std::string quoted_if_needed(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char ch : name) text += ch == '"' ? "\"\"" : std::string(1, ch);
  return text + '"';
}

}  // namespace

void CsvWriter::write_header(const std::vector<std::string>& names) {
  lines_ += 't';
  for (const std::string& name : names) lines_ += "," + quoted_if_needed(name);
  end_line();
}

void CsvWriter::write_row(double t, std::span<const double> values) {
  fmt::format_to(std::back_inserter(lines_), "{}", t);
  for (const double value : values) fmt::format_to(std::back_inserter(lines_), ",{}", value);
  ++num_rows_;
  end_line();
}

void CsvWriter::write_member_header(const std::vector<std::string>& names) {
  lines_ += "member,";
  write_header(names);
}

void CsvWriter::write_member_row(std::size_t member, double t, std::span<const double> values) {
  fmt::format_to(std::back_inserter(lines_), "{},", member);
  write_row(t, values);
}

void CsvWriter::flush() {
  if (lines_.empty()) return;
  const std::string lines = std::exchange(lines_, {});
  sink_(lines);
}

void CsvWriter::end_line() {
  lines_ += '\n';
  if (lines_.size() >= enough_bytes) flush();
}

}  // namespace daedal::report
