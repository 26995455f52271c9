// The stable JSON keys of `daedal ensemble --json` (docs/reference/json.md).
#include <algorithm>

#include "report/ensemble_result.hpp"
#include "report/named_json.hpp"
#include "report/solution_json.hpp"

namespace daedal::report {
namespace {

const char* status_of(const EnsembleResult& result) {
  if (result.num_ok() == result.solutions.size()) return "ok";
  const bool is_interrupted =
      std::any_of(result.solutions.begin(), result.solutions.end(),
                  [](const Solution& s) { return s.status() == Status::interrupted; });
  return is_interrupted ? "interrupted" : "members-failed";
}

Json totals_of(const EnsembleResult& result) {
  return {{"members", result.solutions.size()},
          {"ok", result.num_ok()},
          {"seconds", json_of(result.seconds)},
          {"lanes", result.options.lanes},
          {"threads", result.options.threads}};
}

std::string member_text(const EnsembleResult& result, std::size_t k) {
  Json json = {{"member", k + 1}, {"parameters", named(result.parameters, result.values[k])}};
  json.update(json_of(result.solutions[k]));
  return dump(json);
}

}  // namespace

// Member by member, because the tree of a large ensemble would need many times the memory of its
// text.
std::string to_json(const EnsembleResult& result, const std::vector<Problem>& problems) {
  std::string text = dump({{"status", status_of(result)}, {"totals", totals_of(result)}});
  text.back() = ',';  // was '}'
  text += "\"members\":[";
  for (std::size_t k = 0; k < result.solutions.size(); ++k) {
    if (k > 0) text += ',';
    text += member_text(result, k);
  }
  text += ']';
  if (!problems.empty()) text += ",\"errors\":" + dump(errors_of(problems));
  return text + '}';
}

}  // namespace daedal::report
