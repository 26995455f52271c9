#include "run/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/wording.hpp"
#include "plan/plan.hpp"

namespace daedal::run {
namespace {

// Rule V1: what is left of the error in the second run does not matter in the difference.
constexpr double part_of_tolerance = 0.1;
constexpr double part_of_step = 0.5;
// The part of the run that a step of the second run may cover: the golden section of a sixteenth,
// which no step of the first run is likely to share.
constexpr double longest_part_of_run = 0.6180339887498949 / 16;
// Rule V4: two digits lost.
constexpr double many_tolerances = 100.0;
constexpr double least_seconds = 1e-3;

// Where the two are farthest apart, and by how much.
struct Farthest {
  double error = 0.0, t = 0.0, first = 0.0, second = 0.0;
  std::size_t variable = 0;
};

// Rule V2. A value that is no number counts as far.
void look_at(const Sample& first, const Sample& second, const std::vector<double>& nominals,
             Farthest& farthest) {
  for (std::size_t j = 0; j < std::min(first.values.size(), second.values.size()); ++j) {
    const double x = first.values[j], y = second.values[j];
    const double error = std::abs(x - y) / (nominals[j] + std::abs(y));
    if (!(error <= farthest.error)) farthest = {error, first.t, x, y, j};
  }
}

Farthest farthest_apart(const solution::Record& first, const solution::Record& second,
                        const std::vector<double>& nominals) {
  Farthest farthest{.t = first.t};
  for (std::size_t k = 0; k < std::min(first.at.size(), second.at.size()); ++k)
    look_at(first.at[k], second.at[k], nominals, farthest);
  if (second.ok()) look_at({first.t, first.final}, {second.t, second.final}, nominals, farthest);
  return farthest;
}

// Rule V3: ends that say something of the solution, not of the machine or the user.
bool contradicts(const solution::Record& second) {
  switch (second.status) {
    case Status::ok:
    case Status::interrupted:
    case Status::too_many_steps:
    case Status::out_of_time:
    case Status::out_of_memory:
    case Status::tolerance_below_rounding: return false;
    default: return true;
  }
}

Problem ends_early(const settings::Settings& settings, const solution::Record& second) {
  return {.id = "W-ERR-001",
          .what = "a more accurate run does not reach the end",
          .where = fmt::format("verification of the method {}", second.method),
          .why = fmt::format(
              "with a tolerance of {:g} in place of {:g} it ends at t = {:.10g}: {}",
              second.tolerance, settings.tolerance, second.t,
              second.problems.empty() ? to_string(second.status) : second.problems.front().what),
          .todo = fmt::format("do not trust the result; ask for a tolerance of {:g} to see why",
                              second.tolerance)};
}

std::string compared_events(const solution::Record& first, const solution::Record& second) {
  if (first.events.size() == second.events.size()) return "";
  return fmt::format("; it met {}, the first {}", base::plural(second.events.size(), "event"),
                     first.events.size());
}

// The error follows the tolerance, so that one smaller by as much as it exceeds it should do.
Problem far_apart(const settings::Settings& settings, const solution::Record& second,
                  const solution::Record& first, const Farthest& farthest) {
  const double tolerances = farthest.error / settings.tolerance;
  const double wanted = std::pow(10.0, std::floor(std::log10(settings.tolerance / tolerances)));
  const auto num_digits = static_cast<std::size_t>(std::max(0.0, -std::log10(farthest.error)));
  const std::string digits = num_digits == 0 ? "no digit" : base::plural(num_digits, "digit");
  const std::string advice =
      wanted >= settings.smallest_tolerance
          ? fmt::format("ask for a tolerance of {:g} if you need the digits", wanted)
          : "no tolerance that double precision has gives all digits; shorten the run";
  return {.id = "W-ERR-001",
          .what = fmt::format("the error is about {:.3g} times the tolerance {:g}", tolerances,
                              settings.tolerance),
          .where = fmt::format("{} at t = {:.10g}", first.variables[farthest.variable], farthest.t),
          .why = fmt::format("a second run, with a tolerance of {:g}, gives {:.12g}, the first "
                             "{:.12g}{}: the model amplifies the errors of steps",
                             second.tolerance, farthest.second, farthest.first,
                             compared_events(first, second)),
          .todo = fmt::format("trust {}; {}", digits, advice)};
}

// The next one that the method has, or the one before it.
int another_order(const MethodInfo& method, int order) {
  const auto higher = std::ranges::upper_bound(method.orders, order);
  if (higher != method.orders.end()) return *higher;
  const auto same = std::ranges::lower_bound(method.orders, order);
  return same != method.orders.begin() ? *std::prev(same) : order;
}

}  // namespace

SolveOptions more_accurate(const SolveOptions& options, const settings::Settings& settings) {
  SolveOptions second = options;
  second.verify = false;
  second.keep_steps = false;
  second.on_sample = {};
  second.checkpoint = {};
  second.resume = {};
  const double smaller = part_of_tolerance * settings.tolerance;
  second.tolerance =
      smaller >= settings.smallest_tolerance ? smaller : settings.tolerance / part_of_tolerance;
  if (options.bdf.fixed_step) {
    second.bdf.fixed_step = part_of_step * *options.bdf.fixed_step;
  } else {
    if (options.order)
      second.order = another_order(info_of(options.method.value()), *options.order);
    second.max_step =
        std::min(options.max_step, longest_part_of_run * std::abs(settings.to - settings.from));
  }
  second.max_seconds =
      std::max(options.max_seconds - settings.seconds_since_start(), least_seconds);
  return second;
}

void compare(const model::ModelData& model, const settings::Settings& settings,
             const solution::Record& second, solution::Record& first) {
  if (!first.ok()) return;
  const std::vector<double> nominals = plan::nominals_of(model, first.parameters);
  const Farthest farthest = farthest_apart(first, second, nominals);
  first.verification = Verification{.status = second.status,
                                    .tolerance = second.tolerance,
                                    .t = second.t,
                                    .events = second.events.size(),
                                    .error = farthest.error,
                                    .variable = first.variables[farthest.variable],
                                    .error_at = farthest.t};
  if (contradicts(second)) first.warnings.push_back(ends_early(settings, second));
  if (!(farthest.error <= many_tolerances * settings.tolerance))
    first.warnings.push_back(far_apart(settings, second, first, farthest));
}

}  // namespace daedal::run
