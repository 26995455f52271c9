#include "run/run_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/wording.hpp"

namespace daedal::run {
namespace {

constexpr double megabyte = 1e6;

// Asking the system takes as long as a few hundred operations: of small models not after every
// step.
bool is_memory_due(const Solution& solution) {
  constexpr long rarely = 256, operations = 4096;
  const long num_variables = std::max<long>(1, static_cast<long>(solution.variables.size()));
  return solution.statistics.steps % std::clamp(operations / num_variables, 1L, rarely) == 0;
}

std::string after_steps(long num_steps) {
  return num_steps == 0 ? "before the first step" : "after " + base::plural(num_steps, "step");
}

explain::StopReason explain_time_limit(const settings::Settings& settings,
                                       const SolveOptions& options, double t, long num_steps) {
  return {Status::out_of_time,
          {.id = "S-LIM-001",
           .what = fmt::format("the time allowed was over at t = {}", t),
           .where = fmt::format("option max_seconds, {}", after_steps(num_steps)),
           .why = fmt::format("the run has taken {:.3g} of {} s; t was to reach {}",
                              settings.seconds_since_start(), options.max_seconds, settings.to),
           .todo = "raise max_seconds, end the run earlier, or ask for a larger tolerance"}};
}

explain::StopReason explain_memory_limit(const settings::Settings& settings,
                                         const SolveOptions& options, double t, long num_steps,
                                         double resident) {
  const bool keeps_steps = options.keep_steps && num_steps > 0;
  return {Status::out_of_memory,
          {.id = "S-LIM-002",
           .what = fmt::format("the memory allowed was used up at t = {}", t),
           .where = fmt::format("option max_memory, {}", after_steps(num_steps)),
           .why = fmt::format("the process holds {:.0f} MB; the limit is {:.0f} MB{}",
                              resident / megabyte, settings.max_memory / megabyte,
                              options.max_memory ? "" : ", 80 % of the machine's"),
           .todo = keeps_steps ? "keep fewer steps: leave out plots and reports of the whole run, "
                                 "write rows to a file, end the run earlier, or raise max_memory"
                               : "make the model smaller, or raise max_memory"}};
}

}  // namespace

std::optional<explain::StopReason> reached_limit(const settings::Settings& settings,
                                                 const SolveOptions& options, double t,
                                                 const Solution& solution) {
  const long num_steps = solution.statistics.steps;
  if (num_steps >= options.max_steps) return explain::explain_step_limit(t, num_steps);
  if (std::isfinite(options.max_seconds) && settings.seconds_since_start() >= options.max_seconds)
    return explain_time_limit(settings, options, t, num_steps);
  if (!std::isfinite(settings.max_memory) || !is_memory_due(solution)) return {};
  const std::uint64_t resident = base::resident_memory_beyond(settings.max_memory);
  if (resident == 0) return {};
  return explain_memory_limit(settings, options, t, num_steps, static_cast<double>(resident));
}

}  // namespace daedal::run
