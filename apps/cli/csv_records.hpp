// Text in columns, as RFC 4180 and spreadsheets write it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/diagnostics.hpp"

namespace daedal::cli {

struct CsvField {
  std::string text;  // without quotes, and without blanks around it
  lang::Position position;
};

using CsvRecord = std::vector<CsvField>;

// The records of a text, each of at least one field. Blank lines and lines that begin with # are
// skipped, and so is a byte order mark. A field in double quotes may hold commas, line ends and, as
// two, double quotes. Reports quotes that are not closed, or not followed by a comma or the line's
// end (E-MEM-004).
std::vector<CsvRecord> read_csv(std::string_view text, lang::Diagnostics& diagnostics);

}  // namespace daedal::cli
