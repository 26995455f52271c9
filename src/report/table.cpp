#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedal::report {
namespace {

// Bytes 10xxxxxx continue a character of UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char ch) {
    return (static_cast<unsigned char>(ch) & 0xC0U) != 0x80U;
  }));
}

std::vector<std::size_t> widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> result;
  for (const Row& row : rows) {
    result.resize(std::max(result.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) result[k] = std::max(result[k], width(row[k]));
  }
  return result;
}

}  // namespace

std::string aligned(const std::vector<Row>& rows) {
  const std::vector<std::size_t> columns = widths(rows);
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string padding(columns[k] - width(row[k]), ' ');
      line += k == 0 ? "  " + row[k] + padding : "  " + padding + row[k];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string rest_of(std::size_t wanted) {
  if (wanted <= most_rows) return "";
  return fmt::format("  ... and {} more (--json lists all)\n", wanted - most_rows);
}

std::string titled(const std::string& title, std::span<const std::string> names,
                   std::span<const double> values, std::string (*number)(double)) {
  if (names.empty()) return "";
  std::vector<Row> rows;
  for (std::size_t k = 0; k < std::min(names.size(), most_rows); ++k)
    rows.push_back({names[k], number(values[k])});
  return fmt::format("\n{}\n{}{}", title, aligned(rows), rest_of(names.size()));
}

}  // namespace daedal::report
