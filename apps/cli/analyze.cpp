#include <fmt/format.h>

#include <cstdio>

#include "commands.hpp"
#include "daedal/analysis.hpp"

namespace daedal::cli {

int analyze(const AnalyzeRequest& request) {
  const Model model = load_model(request.model, parse_parameters(request.parameters));
  const Analysis analysis = daedal::analyze(model);
  if (request.json)
    fmt::print("{}\n", to_json(analysis));
  else
    fmt::print("{}", to_text(analysis, request.equations));
  std::fflush(stdout);
  if (!analysis.diagnosis.empty())
    fmt::print(stderr, "{}{}", request.json ? "" : "\n", Error(analysis.diagnosis).what());
  return analysis.status == AnalysisStatus::structurally_singular ? exit_wrong_input : exit_done;
}

}  // namespace daedal::cli
