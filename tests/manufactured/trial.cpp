#include "manufactured/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "daedal/initialize.hpp"
#include "daedal/solve.hpp"
#include "manufactured/sensitivity.hpp"

namespace daedal::manufactured {
namespace {

constexpr double safety = 10.0;     // rule F9
constexpr long step_limit = 20000;  // more are not worth waiting for; the run says so

// Largest |x_j - exact|/(1 + |exact|) over the times of a run; infinite where it is not a number.
double largest_error(const Problem& problem, const Solution& solution) {
  double largest = 0.0;
  for (const Sample& sample : solution.at) {
    const std::vector<Series> exact = problem.exact(sample.t, 1);
    for (std::size_t j = 0; j < exact.size(); ++j) {
      const double error = static_cast<double>(std::abs(sample.values[j] - exact[j][0]) /
                                               (1 + std::abs(exact[j][0])));
      largest = std::isfinite(error) ? std::max(largest, error) : HUGE_VAL;
    }
  }
  return largest;
}

// The same for unknowns of chains that do not depend on states, whatever the start was.
double largest_error_of_chains(const Problem& problem, const Solution& solution) {
  double largest = 0.0;
  for (const Sample& sample : solution.at) {
    const std::vector<Series> exact = problem.exact_unknowns(sample.t, 1);
    const std::vector<Real> x(sample.values.begin(), sample.values.end());
    const std::vector<Real> z = problem.unknowns_at(x, sample.t);
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (problem.system().unknowns[j].response >= 0) continue;
      const double error =
          static_cast<double>(std::abs(z[j] - exact[j][0]) / (1 + std::abs(exact[j][0])));
      largest = std::isfinite(error) ? std::max(largest, error) : HUGE_VAL;
    }
  }
  return largest;
}

Outcome judge_end(const Solution& solution, Outcome outcome) {
  if (!solution.ok()) {
    outcome.words = to_string(solution.status);
    // The exact solution satisfies them.
    const bool is_false = solution.status == Status::conflicting_conditions;
    outcome.verdict = is_false ? Verdict::wrong : Verdict::said;
  } else if (outcome.achieved <= outcome.fair) {
    outcome.verdict = Verdict::right;
  } else if (solution.statistics.rounding > 1.0) {
    outcome.verdict = Verdict::said;
    outcome.words = "rounding above the tolerance";
  } else {
    outcome.verdict = Verdict::wrong;
    outcome.words = "error";
  }
  return outcome;
}

// Every equation holds at the start that was found.
bool satisfies_equations(const Problem& problem, const ConsistentPoint& point) {
  std::vector<Series> x;
  for (const std::vector<double>& values : point.values) {
    x.emplace_back();
    for (int k = 0; k <= problem.depth(); ++k) {
      if (k >= static_cast<int>(values.size())) return true;  // not all of them are told
      x.back().push_back(values[static_cast<std::size_t>(k)] / std::tgamma(k + 1.0L));
    }
  }
  for (const Real residual : problem.residuals(x, point.t))
    if (!(std::abs(residual) < 1e-6L)) return false;
  return true;
}

Outcome solve_and_judge(const Problem& problem, const Trial& trial) {
  const Model model = trial.through_text ? parse_model(problem.text(trial.start), "manufactured.mo")
                                         : problem.model(trial.start);
  const Solution solution = solve(model, {.from = problem.from(),
                                          .to = problem.to(),
                                          .tol = trial.tolerance,
                                          .method = trial.method,
                                          .kernel = "interpreter",
                                          .max_steps = step_limit,
                                          .at = problem.times(),
                                          .keep_steps = false});
  Outcome outcome;
  outcome.steps = solution.statistics.steps;
  outcome.seconds = solution.seconds.total;
  const double error = trial.start == Start::off ? largest_error_of_chains(problem, solution)
                                                 : largest_error(problem, solution);
  outcome.achieved = error / trial.tolerance;
  outcome.fair = safety * sensitivity_of(problem).growth;
  if (solution.start.ok() && !satisfies_equations(problem, solution.start)) {
    outcome.verdict = Verdict::wrong;
    outcome.words = "equations do not hold at the start";
    return outcome;
  }
  return judge_end(solution, outcome);
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {{"auto", 1e-10},      {"taylor", 1e-10}, {"array", 1e-10},
                                          {"completion", 1e-8}, {"dd-erk", 1e-10}, {"dd-ida", 1e-8},
                                          {"bdf", 1e-6}};
  return all;
}

bool claims(const std::string& method, const Problem& problem) {
  const int index = problem.choice().index;
  const int first_order_size = problem.size() * problem.choice().order;
  if (method == "array") return index <= 8 && first_order_size * (index + 1) <= 60;
  if (method == "completion") return index <= 5 && first_order_size * (index + 1) <= 40;
  if (method == "bdf") return index <= 3;
  return true;
}

double drawn_tolerance(std::uint64_t seed, const std::string& method) {
  constexpr double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
  const auto found = std::ranges::find(methods(), method, &Method::name);
  return std::max(tolerances[seed / 7 % 4], found->smallest_tolerance);
}

Outcome run(const Problem& problem, const Trial& trial) {
  try {
    return solve_and_judge(problem, trial);
  } catch (const Error& error) {
    const std::string& id = error.problems().front().id;
    const bool is_false =
        id.starts_with("E-STR") || id.starts_with("E-LNG") || id.starts_with("E-MOD");
    return {is_false ? Verdict::wrong : Verdict::said, id};
  } catch (const std::exception& error) {
    return {Verdict::wrong, error.what()};
  }
}

}  // namespace daedal::manufactured
