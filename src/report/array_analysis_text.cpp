// What a derivative array says, as people read it in a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "daedal/array_analysis.hpp"
#include "report/table.hpp"

namespace daedal {
namespace {

using base::plural;
using report::Row;

constexpr std::size_t largest_shown_matrix = 16;
constexpr std::size_t most_columns = 4;

std::string headline(const ArrayAnalysis& a) {
  if (a.index < 0)
    return fmt::format("{}: no numerical index was found at t = {:.10g}: {}\n", a.model, a.t,
                       to_string(a.status));
  return fmt::format("{}: numerical index {}, {} of freedom at t = {:.10g}\n", a.model, a.index,
                     plural(static_cast<std::size_t>(a.dof), "degree"), a.t);
}

std::string figures(const ArrayAnalysis& a) {
  if (a.index < 0) return "";
  const std::string condition =
      a.rank == 0 ? "condition not computed (too large)"
                  : fmt::format("condition {:.3g}, smallest singular value {:.2g}", a.condition,
                                a.smallest);
  return fmt::format(
      "in order one: {}; {} of them differentiated\n"
      "ranks: P {}, W1 {}, W2 {}, Pi {}, Pi_u {}; {}\n"
      "decisions on ranks clear to {:.0e}; residual {:.2g}, distance from the guesses {:.6g}\n"
      "{} of the solution determined by the array\n",
      plural(a.variables.size(), "variable"), a.rank_P, a.rank_P, a.rank_W1, a.rank_W2, a.dof,
      a.rank_Pi_u, condition, std::max(a.gap, 1e-16), a.residual, a.distance,
      plural(static_cast<std::size_t>(a.determined), "Taylor coefficient"));
}

std::string values(const ArrayAnalysis& a) {
  if (a.values.empty()) return "";
  std::vector<Row> rows = {{""}};
  std::size_t widest = 0;
  for (const auto& known : a.values)
    widest = std::max(widest, std::min(known.size(), most_columns));
  for (std::size_t k = 0; k < widest; ++k)
    rows[0].push_back(k == 0 ? "value" : k == 1 ? "der" : fmt::format("der {}", k));
  for (std::size_t j = 0; j < std::min(a.values.size(), report::most_rows); ++j) {
    rows.push_back({a.variables[j]});
    for (std::size_t k = 0; k < std::min(a.values[j].size(), most_columns); ++k)
      rows.back().push_back(fmt::format("{:.10g}", a.values[j][k]));
  }
  return fmt::format("\nvalues\n{}{}", report::aligned(rows), report::rest_of(a.values.size()));
}

std::string matrix(const char* title, const std::vector<std::string>& names,
                   const MatrixRows& matrix) {
  if (matrix.empty() || matrix.size() > largest_shown_matrix) return "";
  std::vector<Row> rows = {{""}};
  for (const std::string& name : names) rows[0].push_back(name);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    rows.push_back({names[i]});
    for (const double value : matrix[i])
      rows.back().push_back(std::abs(value) < 1e-9 ? "." : fmt::format("{:.4g}", value));
  }
  return fmt::format("\n{}\n{}", title, report::aligned(rows));
}

// Zeros are left out: higher derivatives are many and mostly not given.
std::string point_given(const ArrayEvaluation& e) {
  std::string text = "at the point that is given, which need not be consistent";
  std::size_t num_shown = 0;
  for (std::size_t c = 0; c < e.point.size() && num_shown < report::most_rows; ++c)
    if (e.point[c] != 0.0)
      text +=
          fmt::format("{} {} = {:.10g}", num_shown++ == 0 ? ":" : ",", e.columns[c], e.point[c]);
  if (num_shown == report::most_rows) return text + ", ...\n";
  return text + (num_shown == 0 ? ": 0\n" : "; all others are 0\n");
}

}  // namespace

std::string to_text(const ArrayAnalysis& a) {
  std::string text = headline(a) + figures(a) + values(a);
  if (a.index < 0) return text;
  text += matrix("Pi: what may be prescribed", a.variables, a.Pi);
  if (a.Pi_u != a.Pi)
    text += matrix("Pi_u: what is left when the conditions hold", a.variables, a.Pi_u);
  return text;
}

std::string to_text(const ArrayEvaluation& e) {
  std::string text =
      fmt::format("{}: derivative array of {} and {} at t = {:.10g}\n", e.model,
                  plural(e.rows.size(), "row"), plural(e.columns.size(), "column"), e.t);
  if (e.is_point_given) text += point_given(e);
  for (std::size_t row = 0; row < std::min(e.G.size(), report::most_rows); ++row) {
    text += fmt::format("\n{} = {:.10g}\n", e.rows[row], e.G[row]);
    for (int k = e.J.row_starts[row]; k < e.J.row_starts[row + 1]; ++k)
      text += fmt::format("  by {}: {:.10g}\n", e.columns[e.J.columns[k]], e.J.values[k]);
  }
  return text + report::rest_of(e.G.size());
}

}  // namespace daedal
