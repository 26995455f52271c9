// An ensemble as people read it in a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "base/wording.hpp"
#include "report/ensemble_result.hpp"
#include "report/table.hpp"

namespace daedal::report {
namespace {

constexpr std::size_t most_parameters = 6;  // columns
constexpr std::size_t most_first = 10;      // rows, if there are too many to show all

std::string number(double value) { return fmt::format("{:.15g}", value); }

// The members to show, in order.
std::vector<std::size_t> shown_members(const EnsembleResult& result) {
  const std::size_t count = result.solutions.size();
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < count && shown.size() < most_rows; ++k)
    if (count <= most_rows || k < most_first || !result.solutions[k].ok()) shown.push_back(k);
  return shown;
}

bool is_verified(const EnsembleResult& result) {
  return std::any_of(result.solutions.begin(), result.solutions.end(),
                     [](const Solution& s) { return s.verification().has_value(); });
}

Row row_of(const EnsembleResult& result, std::size_t member, std::size_t num_parameters) {
  const Solution& s = result.solutions[member];
  Row row = {std::to_string(member + 1)};
  for (std::size_t j = 0; j < num_parameters; ++j) row.push_back(number(result.values[member][j]));
  row.insert(row.end(),
             {to_string(s.status()), number(s.t()), std::to_string(s.statistics().steps)});
  if (is_verified(result))
    row.push_back(s.verification() ? fmt::format("{:.1e}", s.verification()->error) : "");
  return row;
}

std::string table(const EnsembleResult& result) {
  const std::size_t num_parameters = std::min(result.parameters.size(), most_parameters);
  std::vector<Row> rows = {{"member"}};
  rows[0].insert(rows[0].end(), result.parameters.begin(),
                 result.parameters.begin() + static_cast<std::ptrdiff_t>(num_parameters));
  rows[0].insert(rows[0].end(), {"status", "t", "steps"});
  if (is_verified(result)) rows[0].push_back("error");
  for (const std::size_t member : shown_members(result))
    rows.push_back(row_of(result, member, num_parameters));
  return aligned(rows);
}

// What the table leaves out.
std::string rest(const EnsembleResult& result) {
  const std::vector<std::size_t> shown = shown_members(result);
  const std::size_t num_left_out = result.solutions.size() - shown.size();
  std::string text;
  if (num_left_out > 0) {
    const auto num_ok_shown = static_cast<std::size_t>(std::count_if(
        shown.begin(), shown.end(), [&](std::size_t k) { return result.solutions[k].ok(); }));
    text += fmt::format("  ... and {} more, {} of them ok (--json lists all)\n", num_left_out,
                        result.num_ok() - num_ok_shown);
  }
  if (result.parameters.size() > most_parameters)
    text += fmt::format("  ({} of {} parameters; --json has all)\n", most_parameters,
                        result.parameters.size());
  return text;
}

}  // namespace

std::size_t EnsembleResult::num_ok() const {
  return static_cast<std::size_t>(
      std::count_if(solutions.begin(), solutions.end(), [](const Solution& s) { return s.ok(); }));
}

std::string headline(const EnsembleResult& result) {
  long num_steps = 0;
  int order = 0;
  std::string end = "the end";
  for (const Solution& s : result.solutions) {
    num_steps += s.statistics().steps;
    order = std::max(order, s.order());
    if (s.ok()) end = "t = " + number(s.t());
  }
  const std::string work =
      fmt::format("{}, {} of order {}, tolerance {:g}",
                  base::plural(static_cast<std::size_t>(num_steps), "step"),
                  result.solutions.empty() ? "taylor" : result.solutions.front().method(), order,
                  result.solutions.empty() ? 0.0 : result.solutions.front().tolerance());
  return fmt::format("{} of {} reached {}: {}\n", result.num_ok(),
                     base::plural(result.solutions.size(), "member"), end, work);
}

std::string to_text(const EnsembleResult& result) {
  return headline(result) + "\n" + table(result) + rest(result);
}

}  // namespace daedal::report
