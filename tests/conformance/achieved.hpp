// The digits that a method achieves on a problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "conformance/claims.hpp"
#include "published/digits.hpp"

namespace daedal::test {

struct Achieved {
  bool exists = true;        // this build has the method, and it takes such models
  std::string trouble = {};  // what went wrong, if something did
  double digits = -all_digits;
  long steps = 0;
  double seconds = 0.0;

  bool ok() const { return exists && trouble.empty(); }
};

// Instants up to time t at which something happened; those nearer than `resolution` are one.
inline std::vector<double> instants_until(const Solution& solution, double t, double resolution) {
  std::vector<double> instants;
  for (const Event& event : solution.events())
    if (event.t < t && (instants.empty() || event.t > instants.back() + resolution))
      instants.push_back(event.t);
  return instants;
}

// Each of the instants stored was met, and no other: digits of the worst. Of events that accumulate
// only the first are stored.
inline void compare_instants(const Json& facts, const Solution& solution, double end,
                             Achieved& result) {
  const std::vector<double> met = instants_until(solution, end, 10 * solution.tolerance() * end);
  std::vector<double> stored;
  for (const Json& event : facts.at("events"))
    if (number(event.at("t")) < end) stored.push_back(number(event.at("t")));
  const bool are_all = !facts.contains("zeno");
  if (met.size() < stored.size() || (are_all && met.size() != stored.size())) {
    result.trouble =
        std::to_string(met.size()) + " instants instead of " + std::to_string(stored.size());
    return;
  }
  for (std::size_t k = 0; k < stored.size(); ++k)
    result.digits = std::min(result.digits, digits_of(met[k] - stored[k], std::abs(end)));
}

// Is this what solve says of a method that this build has not, or that does not take the model?
inline bool is_refusal(const Error& error) {
  return std::all_of(error.problems().begin(), error.problems().end(),
                     [](const Problem& problem) { return problem.id == "E-OPT-002"; });
}

inline bool is_in_this_build(const Method& method) {
  Model model("Decay");
  const auto x = model.variable("x", {.start = {1.0}, .fixed = {true}});
  model.equation(der(x) == -x);
  try {
    solve(model, {.to = 1.0, .tolerance = method.tolerance, .method = method.name});
  } catch (const Error& error) {
    return !is_refusal(error);
  }
  return true;
}

inline Achieved achieve(const Row& row, const Method& method) {
  const Variant& problem = variant(row.problem);
  const Json& reference = problem.facts.at("references").at(0);
  const Model model = problem.cpp();
  const double end = number(reference.at("t"));
  Achieved result;
  try {
    const Solution solution = solve(
        model,
        {.to = end, .tolerance = method.tolerance, .method = method.name, .keep_steps = false});
    result.steps = solution.statistics().steps;
    result.seconds = solution.seconds().total;
    if (!solution.ok() || solution.t() != end) {
      result.trouble = to_string(solution.status());
      return result;
    }
    result.digits = final_digits(model, solution, reference);
    if (problem.is_hybrid()) compare_instants(problem.facts, solution, end, result);
  } catch (const Error& error) {
    result.exists = !is_refusal(error);
    result.trouble = error.problems().front().what;
  }
  return result;
}

}  // namespace daedal::test
