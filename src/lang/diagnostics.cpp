#include "lang/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedal::lang {
namespace {

constexpr std::size_t max_shown = 20;
constexpr std::size_t max_kept = 1000;
constexpr std::size_t excerpt_width = 100;  // characters, about a terminal line

bool continues_character(char ch) { return (static_cast<unsigned char>(ch) & 0xC0U) == 0x80U; }

std::string_view line_at(std::string_view text, std::uint32_t line) {
  std::size_t start = 0;
  for (std::uint32_t k = 1; k < line; ++k) {
    const std::size_t newline = text.find('\n', start);
    if (newline == std::string_view::npos) return {};
    start = newline + 1;
  }
  std::string_view found = text.substr(start, text.find('\n', start) - start);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

// Byte offsets of the characters of a line, and its size at the end.
std::vector<std::size_t> character_starts(std::string_view line) {
  std::vector<std::size_t> starts;
  for (std::size_t k = 0; k < line.size(); ++k)
    if (!continues_character(line[k])) starts.push_back(k);
  starts.push_back(line.size());
  return starts;
}

}  // namespace

std::string excerpt_of(std::string_view text, Position position) {
  if (position.line == 0 || position.column == 0) return {};
  const std::string_view line = line_at(text, position.line);
  const std::vector<std::size_t> starts = character_starts(line);
  const std::size_t num_characters = starts.size() - 1;
  const std::size_t caret = std::min<std::size_t>(position.column - 1, num_characters);
  std::size_t first = 0;
  if (num_characters > excerpt_width && caret > excerpt_width / 2)
    first = std::min(caret - excerpt_width / 2, num_characters - excerpt_width);
  const std::size_t last = std::min(num_characters, first + excerpt_width);
  std::string shown(line.substr(starts[first], starts[last] - starts[first]));
  std::string below;
  for (std::size_t k = first; k < caret; ++k) below += line[starts[k]] == '\t' ? '\t' : ' ';
  const bool cut_left = first > 0, cut_right = last < num_characters;
  return fmt::format("{}{}{}\n{}{}^", cut_left ? "..." : "", shown, cut_right ? "..." : "",
                     cut_left ? "   " : "", below);
}

void Diagnostics::report(Finding finding) {
  if (is_silent()) return;
  ++num_reports_;
  const std::uint64_t spot =
      (static_cast<std::uint64_t>(finding.position.line) << 32U) | finding.position.column;
  if (found_.size() >= max_kept) return;
  if (seen_.emplace(spot, finding.id).second) found_.push_back(std::move(finding));
}

std::string Diagnostics::place(Position position) const {
  if (position.line == 0) return source_.file;
  return fmt::format("{}:{}:{}", source_.file, position.line, position.column);
}

Problem Diagnostics::problem_of(const Finding& finding) const {
  return {.id = std::string(finding.id),
          .what = finding.what,
          .where = place(finding.position),
          .why = finding.why,
          .todo = finding.todo,
          .excerpt = excerpt_of(source_.text, finding.position)};
}

void Diagnostics::throw_if_any() const {
  if (found_.empty()) return;
  std::vector<Finding> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.position.line, a.position.column) <
           std::pair(b.position.line, b.position.column);
  });
  const std::size_t num_shown = std::min(sorted.size(), max_shown);
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < num_shown; ++k) problems.push_back(problem_of(sorted[k]));
  if (num_shown < sorted.size())
    problems.push_back(
        {.id = "E-LNG-015",
         .what = fmt::format("and {}{} more problems", sorted.size() < max_kept ? "" : "at least ",
                             sorted.size() - num_shown),
         .where = source_.file,
         .why = fmt::format("only the first {} are shown", max_shown),
         .todo = "mend the ones above first; later ones often follow from them"});
  throw Error(std::move(problems));
}

}  // namespace daedal::lang
