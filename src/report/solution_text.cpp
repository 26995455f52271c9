// A solution as people read it in a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/wording.hpp"
#include "daedal/solution.hpp"
#include "report/solution_headline.hpp"
#include "report/table.hpp"

namespace daedal {
namespace {

using report::aligned;
using report::most_rows;
using report::rest_of;
using report::Row;

constexpr std::size_t most_columns = 6;  // of the table of times asked for

// All digits that a double is sure to hold.
std::string number(double value) {
  return fmt::format("{:.15g}", value == 0.0 ? 0.0 : value);  // no -0
}

std::string statistics(const Solution& s) {
  const Statistics& n = s.statistics();
  if (n.steps == 0) return "";
  const std::string condition =
      n.max_condition > 0.0 ? fmt::format(", condition up to {:.2g}", n.max_condition) : "";
  return fmt::format("steps between {:.3g} and {:.3g}, {} rejected; constraints hold to {:.2g}{}\n",
                     n.smallest_step, n.largest_step, n.rejected, n.constraint_residual, condition);
}

std::string verification(const Solution& s) {
  if (!s.verification()) return "";
  const Verification& v = *s.verification();
  const std::string reached =
      v.status == Status::ok ? ""
                             : fmt::format(" up to t = {} ({})", number(v.t), to_string(v.status));
  return fmt::format(
      "solved again with tolerance {:g}{}: values differ by {:.2g} at most, {} at t = {}\n",
      v.tolerance, reached, v.error, v.variable, number(v.error_at));
}

std::string conversion(const Solution& s) {
  if (!s.method_reason().empty()) return s.method_reason() + "\n";
  if (!s.converted()) return "";
  const std::string residual = s.statistics().steps == 0
                                   ? ""
                                   : fmt::format("; the equations as written hold to {:.2g}",
                                                 s.statistics().original_residual);
  return "structural analysis fails on the model as written: an equivalent one was solved" +
         residual + "\n";
}

std::string final_values(const Solution& s) {
  if (s.final().empty()) return "";
  return report::titled("values at t = " + number(s.t()), s.variables(), s.final(), number);
}

std::string final_outputs(const Solution& s) {
  if (s.final_outputs().empty()) return "";
  const auto num_discretes = static_cast<std::size_t>(s.num_discretes());
  const std::span names(s.outputs());
  const std::span values(s.final_outputs());
  const std::string at = " at t = " + number(s.t());
  return report::titled("discrete variables" + at, names.first(num_discretes), values, number) +
         report::titled("outputs" + at, names.subspan(num_discretes), values.subspan(num_discretes),
                        number);
}

// Discrete variables and outputs have their columns; variables what is left.
std::string samples(const Solution& s) {
  if (s.at().empty()) return "";
  const std::size_t num_outputs = std::min(s.outputs().size(), most_columns / 2);
  const std::size_t num_variables = std::min(s.variables().size(), most_columns - num_outputs);
  const auto append = [](Row& row, const auto& items, std::size_t count, const auto& text_of) {
    for (std::size_t k = 0; k < std::min(count, items.size()); ++k)
      row.push_back(text_of(items[k]));
  };
  const auto name = [](const std::string& text) { return text; };
  std::vector<Row> rows = {{"t"}};
  append(rows[0], s.variables(), num_variables, name);
  append(rows[0], s.outputs(), num_outputs, name);
  for (std::size_t k = 0; k < std::min(s.at().size(), most_rows); ++k) {
    rows.push_back({number(s.at()[k].t)});
    append(rows.back(), s.at()[k].values, num_variables, number);
    append(rows.back(), s.at()[k].outputs, num_outputs, number);
  }
  std::string text = "\nat the times asked for\n" + aligned(rows) + rest_of(s.at().size());
  if (s.variables().size() > num_variables)
    text += fmt::format("  ({} of {} variables; -o and --json have all)\n", num_variables,
                        s.variables().size());
  return text;
}

std::string jumps_of(const Event& event) {
  std::string text;
  for (const Jump& jump : event.jumps)
    text += fmt::format("{}{}: {:.6g} -> {:.6g}", text.empty() ? "" : ", ", jump.name,
                        jump.before + 0.0, jump.after + 0.0);  // + 0.0: no "-0"
  return text;
}

std::string events(const Solution& s) {
  if (s.events().empty()) return "";
  std::vector<Row> rows = {{"t", "event", "", "mode", "jumps"}};
  for (std::size_t k = 0; k < std::min(s.events().size(), most_rows); ++k) {
    const Event& event = s.events()[k];
    rows.push_back({number(event.t), event.name, to_string(event.kind), std::to_string(event.mode),
                    jumps_of(event)});
  }
  return fmt::format("\n{}\n{}{}", base::plural(s.events().size(), "event"), aligned(rows),
                     rest_of(s.events().size()));
}

std::string modes(const Solution& s) {
  if (s.num_modes() <= 1) return "";
  std::vector<Row> rows = {{"mode", "entries", "time", "index", "where"}};
  for (std::size_t k = 0; k < std::min(s.modes().size(), most_rows); ++k) {
    const ModeMet& mode = s.modes()[k];
    rows.push_back({std::to_string(k + 1), std::to_string(mode.entries),
                    fmt::format("{:.6g}", mode.time), std::to_string(mode.structural_index),
                    base::listed(mode.conditions)});
  }
  const auto count = static_cast<std::size_t>(s.num_modes());
  return fmt::format("\n{}\n{}{}", base::plural(count, "mode"), aligned(rows), rest_of(count));
}

std::string state_vectors(const Solution& s) {
  if (s.state_vectors().empty()) return "";
  std::vector<Row> rows = {{"entries", "time", "state vector"}};
  for (std::size_t k = 0; k < std::min(s.state_vectors().size(), most_rows); ++k) {
    const StateVector& vector = s.state_vectors()[k];
    rows.push_back({std::to_string(vector.entries), fmt::format("{:.6g}", vector.time),
                    vector.items.empty() ? "none" : base::listed(vector.items)});
  }
  return fmt::format("\n{}, {}\n{}{}", base::plural(s.state_vectors().size(), "state vector"),
                     s.statistics().switches == 1
                         ? "1 switch"
                         : fmt::format("{} switches", s.statistics().switches),
                     aligned(rows), rest_of(s.state_vectors().size()));
}

std::string singularities(const Solution& s) {
  std::string text = s.singularities().empty() ? "" : "\nsingular points on the way\n";
  for (std::size_t k = 0; k < std::min(s.singularities().size(), most_rows); ++k) {
    const Singularity& point = s.singularities()[k];
    text += fmt::format("  t = {}  {{{}}}: {}\n", number(point.t), point.block, point.why);
  }
  return text + rest_of(s.singularities().size());
}

}  // namespace

namespace report {

std::string headline(const Solution& s) {
  const std::string work =
      fmt::format("{}, {} of order {}, tolerance {:g}",
                  base::plural(static_cast<std::size_t>(s.statistics().steps), "step"), s.method(),
                  s.order(), s.tolerance());
  if (s.ok()) return fmt::format("reached t = {}: {}\n", number(s.t()), work);
  return fmt::format("ended early at t = {} ({}): {}\n", number(s.t()), to_string(s.status()),
                     work);
}

}  // namespace report

std::string to_text(const Solution& solution) {
  if (!solution.start().ok())  // there are no values to tell
    return fmt::format("no run: there is no consistent start at t = {} ({})\n",
                       number(solution.start().t), to_string(solution.start().status));
  return report::headline(solution) + statistics(solution) + verification(solution) +
         conversion(solution) + singularities(solution) + events(solution) + modes(solution) +
         state_vectors(solution) + samples(solution) + final_values(solution) +
         final_outputs(solution);
}

}  // namespace daedal
