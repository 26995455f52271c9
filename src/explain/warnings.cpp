#include "explain/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/wording.hpp"
#include "daedal/method.hpp"

namespace daedal::explain {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// A step rounds a few times; errors of many steps, now up, now down, add up like a random walk
// (docs/theory/taylor-method.md, Rounding). Those of a multistep method stay in its history and go
// into the steps that follow: they just add up.
constexpr double roundings = 4.0;
// The operations of a single step round as often as this.
constexpr double fewest_steps = 100.0;

double expected_rounding(const solution::Record& solution) {
  const double steps = std::max(static_cast<double>(solution.statistics.steps), fewest_steps);
  const bool is_multistep = find_method(solution.method)->is_multistep;
  return roundings * epsilon * (is_multistep ? steps : std::sqrt(steps));
}

double digits(double error) { return std::floor(-std::log10(error)); }

std::string after_steps(const solution::Record& solution) {
  return fmt::format(
      "method {}, after {}", solution.method,
      base::plural(static_cast<std::size_t>(solution.statistics.steps), "accepted step"));
}

Problem tolerance_below_rounding(const solution::Record& solution) {
  const double rounding = expected_rounding(solution);
  return {.id = "W-TOL-001",
          .what = fmt::format("the tolerance {:g} is below what double precision can give",
                              solution.tolerance),
          .where = "option tolerance",
          .why = fmt::format(
              "rounding errors, a few units in the last place each, add up to about "
              "{:.1e} of every value within {}",
              rounding, base::plural(static_cast<std::size_t>(solution.statistics.steps), "step")),
          .todo = fmt::format("expect {} digits at most, fewer where the model amplifies errors; "
                              "ask for {:.0e} or more",
                              digits(rounding), std::pow(10.0, std::ceil(std::log10(rounding))))};
}

Problem rounding_above_tolerance(const solution::Record& solution) {
  const double noise = solution.statistics.rounding * solution.tolerance;
  return {
      .id = "W-TOL-002",
      .what = fmt::format("rounding errors are larger than the tolerance {:g}", solution.tolerance),
      .where = after_steps(solution),
      .why = fmt::format("values found at the ends of steps differ by up to {:.1e} from those "
                         "predicted, and shorter steps do not help",
                         noise),
      .todo = fmt::format("expect {} digits of the values most concerned, usually those of "
                          "multipliers and high derivatives; scale the model, or ask for {:.0e}",
                          std::max(digits(noise), 0.0), noise)};
}

Problem drift(const solution::Record& solution) {
  const double residual = solution.statistics.constraint_residual;
  return {.id = "W-DRF-001",
          .what = "the values have drifted off the equations",
          .where = after_steps(solution),
          .why = fmt::format("a constraint or hidden constraint was off by {:.1e}, which is {:.3g} "
                             "times the tolerance {:g}",
                             residual, residual / solution.tolerance, solution.tolerance),
          .todo =
              "trust no more digits than this leaves; use the method taylor or array, which keep "
              "to the constraints, or a smaller tolerance"};
}

// Two solutions meet at such a point, or pass each other so closely that series do not tell which
// is which (docs/theory/taylor-method.md, Passing a singular point).
Problem passed_singular_points(const solution::Record& solution) {
  const Singularity& first = solution.singularities.front();
  const std::size_t others = solution.singularities.size() - 1;
  const std::string rest =
      others == 0 ? "" : fmt::format(", and {} more", base::plural(others, "singular point"));
  return {
      .id = "W-SNG-001",
      .what = fmt::format("the run has passed a singular point at t = {:.10g}{}", first.t, rest),
      .where = fmt::format("{{{}}}, method {}", first.block, solution.method),
      .why = fmt::format("{}. Solutions may meet or nearly meet there; the smooth "
                         "continuation was taken",
                         first.why),
      .todo =
          "make sure that this is the one you want, by a look at the values behind that "
          "time, or end the run before it"};
}

double amplified_rounding(const solution::Record& solution) {
  return epsilon * solution.statistics.max_condition;
}

Problem ill_conditioned(const solution::Record& solution) {
  return {.id = "W-CND-001",
          .what = "the equations are so ill-conditioned that the tolerance may not be kept",
          .where = after_steps(solution),
          .why = fmt::format("the derivative array has a condition number of up to {:.1e}: a "
                             "rounding error may grow to {:.1e}, more than the tolerance {:g}",
                             solution.statistics.max_condition, amplified_rounding(solution),
                             solution.tolerance),
          .todo =
              "trust no more digits than that leaves, and none near singular points; scale the "
              "model, or write it so that structural analysis succeeds"};
}

}  // namespace

void add_warnings(const settings::Settings& settings, solution::Record& solution) {
  if (solution.statistics.steps == 0) return;
  if (settings.tolerance < expected_rounding(solution))
    solution.warnings.push_back(tolerance_below_rounding(solution));
  if (solution.statistics.rounding > 1.0)
    solution.warnings.push_back(rounding_above_tolerance(solution));
  if (solution.statistics.constraint_residual >
      std::max(settings.tolerance, expected_rounding(solution)))
    solution.warnings.push_back(drift(solution));
  if (!solution.singularities.empty() && solution.status != Status::singular_point)
    solution.warnings.push_back(passed_singular_points(solution));
  if (find_method(solution.method)->method == Method::array &&
      amplified_rounding(solution) > settings.tolerance)
    solution.warnings.push_back(ill_conditioned(solution));
}

}  // namespace daedal::explain
