#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "daedal/initialize.hpp"

namespace daedal::cli {

int init(const InitRequest& request) {
  const Model model = load(request);
  const ConsistentPoint point = initialize(model, request.options);
  if (request.json)
    print_json(to_json(point));
  else
    print_result(to_text(point), point.ok());
  print_findings(point.problems, !request.json);
  return point.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
