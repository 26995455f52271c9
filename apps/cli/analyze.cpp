#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "daedal/analysis.hpp"
#include "report/analysis_json.hpp"

namespace daedal::cli {

int analyze(const AnalyzeRequest& request) {
  const Model model = load(request);
  ReportFile report_file(request.report);
  const Analysis analysis = daedal::analyze(model);
  report_file.write(model, analysis);
  if (request.json)
    print_json(with_problems(report::json_of(analysis), report_file.problems()));
  else
    print_result(to_text(analysis, request.equations) + report_file.message(),
                 analysis.status == AnalysisStatus::ok);
  print_findings(analysis.diagnosis, !request.json);
  if (!report_file.problems().empty()) {
    print_findings(report_file.problems(), true);
    return exit_wrong_input;
  }
  return analysis.status == AnalysisStatus::structurally_singular ? exit_wrong_input : exit_done;
}

}  // namespace daedal::cli
