// An analysis as people read it in a terminal.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/wording.hpp"
#include "daedal/analysis.hpp"

namespace daedal {
namespace {

using base::listed;
using base::plural;

constexpr int largest_shown_matrix = 24;  // wider ones do not fit a terminal
constexpr std::size_t most_blocks = 20;

std::string names_at(const std::vector<std::string>& names, const std::vector<int>& indices) {
  return listed(indices.size(), [&](std::size_t k) { return names[indices[k]]; });
}

std::string headline(const Analysis& a) {
  std::string text = fmt::format("{}: {}, {}", a.model, plural(a.equations.size(), "equation"),
                                 plural(a.variables.size(), "unknown"));
  switch (a.status) {
    case AnalysisStatus::ok:
      return text + fmt::format(", structural index {}, {}, {}\n", a.structural_index,
                                a.dof == 1 ? "1 degree of freedom"
                                           : fmt::format("{} degrees of freedom", a.dof),
                                a.quasilinear ? "quasilinear" : "not quasilinear");
    case AnalysisStatus::structurally_singular: return text + ", structurally singular\n";
    case AnalysisStatus::structural_analysis_fails:
      return text + ", structural analysis fails (index and degrees of freedom are not valid)\n";
  }
  return text;
}

std::string mode(const Analysis& a) {
  return a.conditions.empty() ? "" : "in the mode where " + listed(a.conditions) + "\n";
}

// Rows are equations, columns unknowns; * marks the transversal, c and d the offsets.
std::string matrix(const Analysis& a) {
  if (a.size() > largest_shown_matrix ||
      static_cast<int>(a.variables.size()) > largest_shown_matrix)
    return fmt::format("signature matrix: {} entries, too large to show here (--json lists them)\n",
                       a.signature.size());
  std::vector<std::vector<std::string>> cells(a.equations.size(),
                                              std::vector<std::string>(a.variables.size(), "."));
  for (const Occurrence& o : a.signature) {
    const bool is_matched = !a.transversal.empty() && a.transversal[o.equation] == o.variable;
    cells[o.equation][o.variable] = fmt::format("{}{}", o.order, is_matched ? "*" : "");
  }
  std::size_t label_width = 16;  // "signature matrix"
  for (const std::string& name : a.equations) label_width = std::max(label_width, name.size());
  std::string text = fmt::format("{:<{}}", "signature matrix", label_width);
  for (const std::string& name : a.variables) text += fmt::format("  {:<2}", name);
  const bool has_offsets = !a.c.empty();
  text += has_offsets ? "   c\n" : "\n";
  for (std::size_t i = 0; i < a.equations.size(); ++i) {
    text += fmt::format("{:<{}}", a.equations[i], label_width);
    for (std::size_t j = 0; j < a.variables.size(); ++j)
      text += fmt::format("  {:<{}}", cells[i][j], std::max<std::size_t>(2, a.variables[j].size()));
    text += has_offsets ? fmt::format("   {}\n", a.c[i]) : "\n";
  }
  if (!has_offsets) return text;
  text += fmt::format("{:>{}}", "d", label_width);
  for (std::size_t j = 0; j < a.variables.size(); ++j)
    text += fmt::format("  {:<{}}", a.d[j], std::max<std::size_t>(2, a.variables[j].size()));
  return text + "\n";
}

std::string blocks(const Analysis& a) {
  const bool is_valid = a.status == AnalysisStatus::ok;
  std::string text = fmt::format("{}, solved in this order:\n", plural(a.blocks.size(), "block"));
  for (std::size_t b = 0; b < std::min(a.blocks.size(), most_blocks); ++b) {
    const AnalysisBlock& block = a.blocks[b];
    const std::string index = is_valid ? fmt::format("index {}, ", block.index) : "";
    text += fmt::format(
        "{:>4}  {{{}}} from {}; {}{}\n", b + 1, names_at(a.variables, block.variables),
        names_at(a.equations, block.equations), index, block.linear ? "linear" : "nonlinear");
  }
  if (a.blocks.size() > most_blocks)
    text += fmt::format("      ... and {} more\n", a.blocks.size() - most_blocks);
  return text;
}

std::string equations(const Analysis& a) {
  std::string text = "equations:\n";
  for (std::size_t i = 0; i < a.equations.size(); ++i) {
    text += fmt::format("  {}: {}", a.equations[i], a.equation_texts[i]);
    if (!a.c.empty() && a.c[i] > 0)
      text += fmt::format("    (and its first {})", plural(a.c[i], "derivative"));
    text += '\n';
  }
  if (!a.outputs.empty()) text += "outputs:\n";
  for (std::size_t k = 0; k < a.outputs.size(); ++k)
    text += fmt::format("  {} = {}\n", a.outputs[k], a.output_texts[k]);
  return text;
}

// More values than degrees of freedom are guesses that the equations complete.
std::string to_give(const std::vector<std::string>& initial_values, int dof) {
  if (initial_values.empty()) return "give at the start: nothing\n";
  const bool has_more = static_cast<int>(initial_values.size()) > dof;
  return fmt::format("give at the start: {}{}\n", listed(initial_values),
                     has_more ? fmt::format("\n  (guesses will do: {} can be chosen, the equations "
                                            "fix the rest)",
                                            dof == 0 ? "none" : std::to_string(dof))
                              : "");
}

std::string start(const Analysis& a) {
  if (a.status == AnalysisStatus::ok) return to_give(a.initial_values, a.dof);
  if (a.conversion && a.conversion->succeeded)
    return to_give(a.conversion->initial_values, a.conversion->dof);
  return "give at the start: not known while structural analysis fails\n";
}

// "u = (1, 1) of (equation 1, equation 2)".
std::string null_vector(const ConversionStep& step) {
  return fmt::format("({}) of ({})", listed(step.factors), listed(step.members));
}

std::string step_text(const ConversionStep& step) {
  std::string text = fmt::format("  {} on block {{{}}} from {}: null vector {}\n", step.kind,
                                 listed(step.variables), listed(step.equations), null_vector(step));
  text += fmt::format(
      "    in place of {}{}:\n", listed(step.replaced),
      step.new_variables.empty() ? "" : fmt::format(", with new {}", listed(step.new_variables)));
  for (const std::string& equation : step.new_equations) text += "      " + equation + "\n";
  if (!step.holds_where.empty()) text += "    equivalent where " + step.holds_where + "\n";
  return text;
}

std::string true_index(const Analysis& a) {
  const bool is_told = a.numerical_index &&
                       (a.status != AnalysisStatus::ok || *a.numerical_index != a.structural_index);
  return is_told ? fmt::format("numerical index of the model as written: {}\n", *a.numerical_index)
                 : "";
}

std::string numbers(const std::vector<int>& values) {
  return listed(values.size(), [&](std::size_t k) { return std::to_string(values[k]); });
}

std::string conversion(const Analysis& a) {
  if (!a.conversion) return true_index(a);
  const Conversion& c = *a.conversion;
  std::string text = c.succeeded ? "conversion: `init` and `run` solve this model instead\n"
                                 : "conversion: not possible, " + c.reason + "\n";
  if (!c.fixed_parameters.empty())
    text += "  with the numbers " + listed(c.fixed_parameters) + " put in\n";
  for (const ConversionStep& step : c.steps) text += step_text(step);
  if (c.succeeded)
    text += fmt::format(
        "  then structural index {}, {}, c = ({}), d = ({})\n", c.structural_index,
        c.dof == 1 ? "1 degree of freedom" : fmt::format("{} degrees of freedom", c.dof),
        numbers(c.c), numbers(c.d));
  return text + true_index(a);
}

std::string trimmed(const std::string& text) {
  std::string result, line;
  for (const char ch : text) {
    if (ch != '\n') {
      line += ch;
      continue;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
    line.clear();
  }
  return result;
}

}  // namespace

std::string to_text(const Analysis& a, bool with_equations) {
  std::string text = headline(a) + mode(a) + "\n" + matrix(a) + "\n";
  if (with_equations) text += equations(a) + "\n";
  if (!a.c.empty()) {
    text += start(a) + "\n";
    text += blocks(a) + "\n";
  }
  if (const std::string made = conversion(a); !made.empty()) text += made + "\n";
  text += fmt::format("graph: {} written; {} after sharing, names and numbers included\n",
                      plural(a.nodes_recorded, "operation"), plural(a.nodes, "node"));
  return trimmed(text);
}

}  // namespace daedal
