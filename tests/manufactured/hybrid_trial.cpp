#include "manufactured/hybrid_trial.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "daedal/solve.hpp"

namespace daedal::manufactured {
namespace {

constexpr double safety = 10.0;     // as in rule F9
constexpr long step_limit = 20000;  // more are not worth waiting for; the run says so

double error_of(Real value, Real exact) {
  const auto error = static_cast<double>(std::abs(value - exact) / (1 + std::abs(exact)));
  return std::isfinite(error) ? error : HUGE_VAL;
}

Outcome solve_and_judge(const HybridProblem& problem, const std::string& method, double tolerance) {
  const Model model = parse_model(problem.text, "manufactured.mo");
  const Solution solution = solve(model, {.from = problem.from,
                                          .to = problem.to,
                                          .tolerance = tolerance,
                                          .method = method,
                                          .kernel = "interpreter",
                                          .max_steps = step_limit,
                                          .at = problem.times,
                                          .keep_steps = false});
  Outcome outcome;
  outcome.steps = solution.statistics().steps;
  outcome.seconds = solution.seconds().total;
  outcome.fair = safety * problem.growth + problem.uncertainty / tolerance;
  for (std::size_t k = 0; k < solution.at().size(); ++k) {
    for (std::size_t j = 0; j < problem.exact[k].size(); ++j)
      outcome.achieved = std::max(
          outcome.achieved, error_of(solution.at()[k].values[j], problem.exact[k][j]) / tolerance);
    if (outcome.verdict != Verdict::right || outcome.achieved <= outcome.fair) continue;
    outcome.verdict = Verdict::wrong;
    for (const daedal::Problem& warning : solution.warnings()) {
      outcome.verdict = Verdict::said;
      outcome.words = warning.id;
    }
    if (outcome.words.empty()) outcome.words = solution.ok() ? "error" : "error before the end";
  }
  if (!solution.ok() && outcome.verdict != Verdict::wrong) {
    outcome.verdict = Verdict::said;
    outcome.words =
        solution.problems().empty() ? to_string(solution.status()) : solution.problems()[0].id;
  }
  return outcome;
}

}  // namespace

Outcome run(const HybridProblem& problem, const std::string& method, double tolerance) {
  try {
    return solve_and_judge(problem, method, tolerance);
  } catch (const Error& error) {
    return {Verdict::wrong, error.problems().front().id + " " + error.problems().front().what};
  } catch (const std::exception& error) {
    return {Verdict::wrong, error.what()};
  }
}

}  // namespace daedal::manufactured
