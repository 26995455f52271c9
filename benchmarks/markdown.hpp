// Tables in Markdown, in the shape that the documentation shows: tools/figures copies them there.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace daedal::benchmarks {

// A tolerance as people write it: 1e-4, where the library prints 1e-04.
inline std::string tolerance_text(double tol) {
  std::string text = fmt::format("{:.0e}", tol);
  const std::size_t sign = text.find("e-");
  if (sign != std::string::npos && text[sign + 2] == '0') text.erase(sign + 2, 1);
  return text;
}

// The head is printed at once and each row as soon as it is known, with blanks that make columns
// on a terminal, too.
class MarkdownTable {
 public:
  explicit MarkdownTable(const std::vector<std::string>& head) {
    constexpr std::size_t least_width = 7;
    std::string line = "|";
    for (const std::string& name : head) {
      widths_.push_back(std::max(least_width, name.size()));
      line += std::string(widths_.back() + 2, '-') + "|";
    }
    row(head);
    fmt::print("{}\n", line);
  }

  void row(const std::vector<std::string>& cells) const {
    std::string line = "|";
    for (std::size_t k = 0; k < cells.size(); ++k)
      line += fmt::format(" {:<{}} |", cells[k], widths_[k]);
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

 private:
  std::vector<std::size_t> widths_;
};

}  // namespace daedal::benchmarks
