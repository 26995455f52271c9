#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "daedal/analysis.hpp"

namespace daedal::cli {

int analyze(const AnalyzeRequest& request) {
  const Model model = load_model(request.model, request.parameters);
  const Analysis analysis = daedal::analyze(model);
  if (request.json)
    fmt::print("{}\n", to_json(analysis));
  else
    fmt::print("{}", to_text(analysis, request.equations));
  print_findings(analysis.diagnosis, !request.json);
  return analysis.status == AnalysisStatus::structurally_singular ? exit_wrong_input : exit_done;
}

}  // namespace daedal::cli
