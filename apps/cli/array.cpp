#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "cli/output_file.hpp"
#include "daedal/array_analysis.hpp"

namespace daedal::cli {
namespace {

// G and J, entry by entry.
int print_array(const ArrayRequest& request, const Model& model) {
  const ArrayEvaluation report = request.point
                                     ? evaluate_array(model, *request.array, *request.point)
                                     : evaluate_array(model, *request.array);
  if (request.json)
    print_json(to_json(report));
  else
    print_result(to_text(report), report.ok());
  print_findings(report.problems, !request.json);
  return report.ok() ? exit_done : exit_numerical_trouble;
}

// Nothing is evaluated: a model without a consistent point has an array, too.
int write_source(const ArrayRequest& request, const Model& model) {
  OutputFile file(request.source);
  const DerivativeArray array(model, *request.array);
  file.write(array.source());
  if (request.source == "-") return exit_done;
  if (request.json)
    print_json(report::dump({{"model", model.name()},
                             {"source", request.source},
                             {"rows", array.row_names()},
                             {"columns", array.column_names()},
                             {"num_values", array.jacobian().values.size()}}));
  else
    print_result(fmt::format("{}: G with {} rows and J with {} values in {} columns, as C in {}\n",
                             model.name(), array.num_rows(), array.jacobian().values.size(),
                             array.num_columns(), request.source),
                 true);
  return exit_done;
}

}  // namespace

int array(const ArrayRequest& request) {
  const Model model = load(request);
  if (request.array && !request.source.empty()) return write_source(request, model);
  if (request.array) return print_array(request, model);
  const ArrayAnalysis analysis = analyze_array(model, request.analysis);
  if (request.json)
    print_json(to_json(analysis));
  else
    print_result(to_text(analysis), analysis.ok());
  print_findings(analysis.problems, !request.json);
  return analysis.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
