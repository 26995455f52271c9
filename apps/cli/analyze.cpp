#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "daedal/analysis.hpp"

namespace daedal::cli {

int analyze(const AnalyzeRequest& request) {
  const Model model = load(request);
  ReportFile report(request.report);
  const Analysis analysis = daedal::analyze(model);
  report.write(model, analysis);
  if (request.json)
    fmt::print("{}\n", to_json(analysis));
  else
    print_result(to_text(analysis, request.equations) + report.message(),
                 analysis.status == AnalysisStatus::ok);
  print_findings(analysis.diagnosis, !request.json);
  return analysis.status == AnalysisStatus::structurally_singular ? exit_wrong_input : exit_done;
}

}  // namespace daedal::cli
