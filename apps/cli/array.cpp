#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "daedal/array_analysis.hpp"

namespace daedal::cli {
namespace {

// G and J at the consistent point, entry by entry.
int print_array(const ArrayRequest& request, const Model& model) {
  const ArrayEvaluation report = evaluate_array(model, *request.array);
  if (request.json)
    print_json(to_json(report));
  else
    print_result(to_text(report), report.ok());
  print_findings(report.problems, !request.json);
  return report.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace

int array(const ArrayRequest& request) {
  const Model model = load(request);
  if (request.array.has_value()) return print_array(request, model);
  const ArrayAnalysis analysis = analyze_array(model, request.analysis);
  if (request.json)
    print_json(to_json(analysis));
  else
    print_result(to_text(analysis), analysis.ok());
  print_findings(analysis.problems, !request.json);
  return analysis.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
