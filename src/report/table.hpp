// Columns of text that line up.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace daedal::report {

using Row = std::vector<std::string>;

// One line a row, each indented by two blanks; the first column is aligned to the left, the others
// to the right. Rows may have different lengths. Widths count characters, not bytes of UTF-8.
std::string aligned(const std::vector<Row>& rows);

// How many rows of a table a terminal is shown; --json has them all.
inline constexpr std::size_t most_rows = 30;

// "  ... and 970 more (--json lists all)\n" if more than `most_rows` were wanted; else "".
std::string rest_of(std::size_t wanted);

// A title, and a row for each name with its value; "" without names.
std::string titled(const std::string& title, std::span<const std::string> names,
                   std::span<const double> values, std::string (*number)(double));

}  // namespace daedal::report
