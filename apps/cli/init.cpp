#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "daedal/initialize.hpp"

namespace daedal::cli {

int init(const InitRequest& request) {
  const Model model = load_model(request.model, request.parameters);
  const ConsistentPoint point = initialize(model, request.options);
  if (request.json)
    fmt::print("{}\n", to_json(point));
  else
    fmt::print("{}", to_text(point));
  print_findings(point.problems, !request.json);
  return point.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
