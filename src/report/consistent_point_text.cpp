// A consistent point as people read it in a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/wording.hpp"
#include "daedal/initialize.hpp"
#include "model/model_data.hpp"
#include "report/table.hpp"

namespace daedal {
namespace {

using report::aligned;
using report::most_rows;
using report::rest_of;
using report::Row;

constexpr std::size_t most_columns = 4;  // the value and three derivatives fit a terminal

std::string number(double value) { return fmt::format("{:.10g}", value); }

std::string freedom(int dof) {
  return dof == 1 ? "1 degree of freedom" : fmt::format("{} degrees of freedom", dof);
}

std::string headline(const ConsistentPoint& p) {
  if (p.status == Status::structural_analysis_fails || p.index < 0)
    return fmt::format("no consistent point at t = {}: {}\n", number(p.t), to_string(p.status));
  const std::string structure =
      fmt::format("index {} ({}{}), {}", p.index, p.index_kind,
                  p.converted ? ", of the converted model" : "", freedom(p.dof));
  if (!p.ok())
    return fmt::format("no consistent point at t = {}: {}; {}\n", number(p.t), to_string(p.status),
                       structure);
  return fmt::format(
      "consistent point at t = {}: {}\n"
      "residual {:.2g}, distance from the guesses {:.6g}, condition {:.2g}\n",
      number(p.t), structure, p.residual, p.distance, p.condition);
}

// A row for each variable: its value and derivatives.
std::string values(const ConsistentPoint& p) {
  if (p.values.empty()) return "";
  std::size_t num_columns = 0;
  for (const auto& derivatives : p.values)
    num_columns = std::max(num_columns, std::min(derivatives.size(), most_columns));
  std::vector<Row> rows = {{""}};
  for (std::size_t k = 0; k < num_columns; ++k)
    rows[0].push_back(k == 0 ? "value" : k == 1 ? "der" : fmt::format("der {}", k));
  for (std::size_t j = 0; j < std::min(p.values.size(), most_rows); ++j) {
    rows.push_back({p.variables[j]});
    for (std::size_t k = 0; k < std::min(p.values[j].size(), most_columns); ++k)
      rows.back().push_back(number(p.values[j][k]));
  }
  const char* title = p.ok() ? "values" : "values where the search ended";
  return fmt::format("\n{}\n{}{}", title, aligned(rows), rest_of(p.values.size()));
}

std::string outputs(const ConsistentPoint& p) {
  if (!p.ok()) return "";
  const auto num_discretes = static_cast<std::size_t>(p.num_discretes);
  const std::span names(p.outputs);
  const std::span values(p.output_values);
  return report::titled("discrete variables", names.first(num_discretes), values, number) +
         report::titled("outputs", names.subspan(num_discretes), values.subspan(num_discretes),
                        number);
}

std::string name_of(const ConsistentPoint& p, const StartValue& s) {
  return model::derivative_name(p.variables[s.variable], s.order);
}

// More than rounding does.
bool has_moved(const StartValue& s) {
  return std::isfinite(s.given) && std::abs(s.moved()) > 1e-14 * std::max(1.0, std::abs(s.given));
}

// Guesses that moved, the farthest first.
std::vector<StartValue> moved_guesses(const ConsistentPoint& p) {
  std::vector<StartValue> result;
  for (const StartValue& s : p.start)
    if (has_moved(s)) result.push_back(s);
  std::stable_sort(result.begin(), result.end(), [](const StartValue& a, const StartValue& b) {
    return std::abs(a.moved()) > std::abs(b.moved());
  });
  return result;
}

std::string followers(const ConsistentPoint& p, const std::vector<StartValue>& guesses) {
  std::vector<std::string> names;
  for (const StartValue& s : guesses)
    if (s.follows) names.push_back(name_of(p, s));
  if (names.empty()) return "";
  return fmt::format(
      "  (determined by the other values, so that the guess only says where to begin: {})\n",
      base::listed(names));
}

std::string moved(const ConsistentPoint& p) {
  if (!p.ok()) return "";
  const std::vector<StartValue> guesses = moved_guesses(p);
  if (guesses.empty()) return "\nno guess moved\n";
  std::vector<Row> rows = {{"", "guess", "found", "moved by"}};
  for (std::size_t k = 0; k < std::min(guesses.size(), most_rows); ++k) {
    const StartValue& s = guesses[k];
    rows.push_back(
        {name_of(p, s), number(s.given), number(s.value), fmt::format("{:+.3g}", s.moved())});
  }
  return fmt::format("\n{} moved\n{}{}{}",
                     guesses.size() == 1 ? "1 guess" : fmt::format("{} guesses", guesses.size()),
                     aligned(rows), rest_of(guesses.size()), followers(p, guesses));
}

std::string undetermined(const ConsistentPoint& p) {
  std::vector<std::string> names;
  for (const StartValue& s : p.start)
    if (s.undetermined) names.push_back(name_of(p, s));
  if (!p.ok() || names.empty()) return "";
  return fmt::format(
      "\nundetermined: {}\n  (no guess, condition or equation tells; the smallest values were "
      "taken)\n",
      base::listed(names));
}

std::string mode(const ConsistentPoint& p) {
  return p.conditions.empty() ? "" : "\nin the mode where " + base::listed(p.conditions) + "\n";
}

std::string conflicts(const ConsistentPoint& p) {
  std::string text;
  for (const Conflict& c : p.conflicts) {
    text += "\nthese conditions cannot hold together\n";
    for (const std::string& condition : c.conditions) text += "  " + condition + "\n";
    text += "free one: " + c.free + "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const ConsistentPoint& point) {
  return headline(point) + values(point) + outputs(point) + moved(point) + undetermined(point) +
         mode(point) + conflicts(point);
}

}  // namespace daedal
