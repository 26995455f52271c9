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

// |value - exact|/(1 + |exact|); infinite where it is not a number.
double error_of(Real value, Real exact) {
  const auto error = static_cast<double>(std::abs(value - exact) / (1 + std::abs(exact)));
  return std::isfinite(error) ? error : HUGE_VAL;
}

double largest_error(const Problem& problem, const Sample& sample) {
  double largest = 0.0;
  const std::vector<Series> exact = problem.exact(sample.t, 1);
  for (std::size_t j = 0; j < exact.size(); ++j)
    largest = std::max(largest, error_of(sample.values[j], exact[j][0]));
  return largest;
}

// The same for unknowns of chains that do not depend on states, whatever the start was.
double largest_error_of_chains(const Problem& problem, const Sample& sample) {
  double largest = 0.0;
  const std::vector<Series> exact = problem.exact_unknowns(sample.t, 1);
  const std::vector<Real> x(sample.values.begin(), sample.values.end());
  const std::vector<Real> z = problem.unknowns_at(x, sample.t);
  for (std::size_t j = 0; j < z.size(); ++j)
    if (problem.system().unknowns[j].response < 0)
      largest = std::max(largest, error_of(z[j], exact[j][0]));
  return largest;
}

// What the run says about values at t, beside its status: empty if nothing.
std::string reservation(const Solution& solution, double t) {
  for (const daedal::Problem& warning : solution.warnings())
    if (warning.id != "W-SNG-001") return warning.id;  // which is of what lies behind it only
  for (const Singularity& singularity : solution.singularities())
    if (singularity.t <= t) return "singular point on the way";
  return "";
}

// Takes the samples in turn: each is right, or comes with a reservation, or is wrong.
Outcome judge_samples(const Problem& problem, const Trial& trial, const Solution& solution,
                      Outcome outcome) {
  for (const Sample& sample : solution.at()) {
    const double error = trial.start == Start::off ? largest_error_of_chains(problem, sample)
                                                   : largest_error(problem, sample);
    outcome.achieved = std::max(outcome.achieved, error / trial.tolerance);
    if (outcome.verdict != Verdict::right || outcome.achieved <= outcome.fair) continue;
    outcome.words = reservation(solution, sample.t);
    outcome.verdict = outcome.words.empty() ? Verdict::wrong : Verdict::said;
    if (outcome.words.empty()) outcome.words = solution.ok() ? "error" : "error before the end";
  }
  return outcome;
}

Outcome judge_status(const Solution& solution, Outcome outcome) {
  if (solution.ok() || outcome.verdict == Verdict::wrong) return outcome;
  outcome.words = to_string(solution.status());
  // The exact solution satisfies all conditions: none contradicts another. That one of them is no
  // choice (S-ARR-002) may be true.
  const bool is_false = std::ranges::any_of(
      solution.problems(), [](const daedal::Problem& p) { return p.id == "S-INI-003"; });
  outcome.verdict = is_false ? Verdict::wrong : Verdict::said;
  return outcome;
}

// docs/guide/methods.md: bdf has two digits less of algebraic variables at index 3.
double documented_loss(const Problem& problem, const std::string& method) {
  return method == "bdf" ? std::pow(10.0, std::max(0, problem.choice().index - 1)) : 1.0;
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
                                          .tolerance = trial.tolerance,
                                          .method = trial.method,
                                          .kernel = "interpreter",
                                          .max_steps = step_limit,
                                          .at = problem.times(),
                                          .keep_steps = false});
  Outcome outcome;
  outcome.steps = solution.statistics().steps;
  outcome.seconds = solution.seconds().total;
  outcome.fair = safety * sensitivity_of(problem).growth * documented_loss(problem, trial.method);
  if (solution.start().ok() && !satisfies_equations(problem, solution.start())) {
    outcome.verdict = Verdict::wrong;
    outcome.words = "equations do not hold at the start";
    return outcome;
  }
  return judge_status(solution, judge_samples(problem, trial, solution, outcome));
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
  if (method == "array") return index <= 6 && first_order_size * (index + 1) <= 40;
  if (method == "completion") return index <= 4 && first_order_size * (index + 1) <= 25;
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
