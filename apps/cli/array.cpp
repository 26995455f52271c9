#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "daedal/array_analysis.hpp"

namespace daedal::cli {
namespace {

// G and J at the consistent point, entry by entry.
int print_array(const ArrayRequest& request, const Model& model) {
  const ArrayEvaluation report = evaluate_array(model, *request.array);
  fmt::print("{}", request.json ? to_json(report) + "\n" : to_text(report));
  print_findings(report.problems, !request.json);
  return report.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace

int array(const ArrayRequest& request) {
  const Model model = load_model(request.model, request.parameters);
  if (request.array.has_value()) return print_array(request, model);
  const ArrayAnalysis analysis = analyze_array(model, request.analysis);
  fmt::print("{}", request.json ? to_json(analysis) + "\n" : to_text(analysis));
  print_findings(analysis.problems, !request.json);
  return analysis.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
