#include "settings/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/memory.hpp"
#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "daedal/method.hpp"
#include "hybrid/guards.hpp"

namespace daedal::settings {
namespace {

constexpr double default_tolerance = 1e-9;
constexpr double largest_tolerance = 0.1;
constexpr double megabyte = 1e6;
constexpr double part_of_machine = 0.8;  // of its memory, if nothing else was asked for
constexpr int highest_index = 3;         // of the forms that bdf integrates

// Of those that accept something.
template <typename Accepts>
std::vector<std::string> names_of_methods(Accepts accepts) {
  std::vector<std::string> names;
  for (const MethodInfo& info : methods())
    if (accepts(info)) names.push_back(info.name);
  return names;
}

// In bytes; without a limit where the system does not tell its memory.
double memory_allowed(const std::optional<double>& megabytes) {
  if (megabytes) return *megabytes * megabyte;
  const auto machine = static_cast<double>(base::memory_of_machine());
  return machine > 0.0 ? part_of_machine * machine : std::numeric_limits<double>::infinity();
}

class Checker {
 public:
  void out_of_range(const std::string& option, double value, const std::string& range) {
    problems_.push_back({.id = "E-OPT-001",
                         .what = fmt::format("the option {} is {}", option, value),
                         .where = fmt::format("option {}", option),
                         .why = fmt::format("{} must be {}", option, range),
                         .todo = fmt::format("give a value that is {}", range)});
  }

  void check_time(const std::string& option, double t) {
    constexpr double farthest = 1e30;  // powers of steps must not overflow
    if (!(std::abs(t) <= farthest))
      out_of_range(option, t, fmt::format("a number from {} to {}", -farthest, farthest));
  }

  // Steps are parts of the run, and times have only so many digits.
  void check_duration(double from, double to) {
    constexpr double fewest_units = 1000.0;
    const double largest = std::max(std::abs(from), std::abs(to));
    const double unit = std::nextafter(largest, HUGE_VAL) - largest;
    if (from == to || std::abs(to - from) >= fewest_units * unit) return;
    problems_.push_back(
        {.id = "E-OPT-001",
         .what = fmt::format("the run from t = {:.17g} to {:.17g} is too short", from, to),
         .where = "option to",
         .why = fmt::format("numbers of this size are {:.2g} apart, so that there are only {:.0f} "
                            "times in the run",
                            unit, std::abs(to - from) / unit),
         .todo = "let time begin at 0 in the model, or use another unit of time"});
  }

  void check_method(const std::string& method) {
    if (find_method(method) != nullptr) return;
    const std::vector<std::string> names = names_of_methods([](const auto&) { return true; });
    const std::string hint = base::did_you_mean(method, names);
    problems_.push_back({.id = "E-OPT-002",
                         .what = fmt::format("there is no method '{}'", method),
                         .where = "option method",
                         .why = fmt::format("this version has: {}", base::listed(names)),
                         .todo = hint.empty() ? "leave the option out, or write taylor" : hint});
  }

  void check_method_knows_modes(const std::string& method) {
    if (find_method(method) == nullptr || find_method(method)->accepts_modes) return;
    const auto names = names_of_methods([](const MethodInfo& info) { return info.accepts_modes; });
    problems_.push_back({.id = "E-OPT-002",
                         .what = fmt::format("the method '{}' does not follow modes", method),
                         .where = "option method",
                         .why = fmt::format("the model has events or branches; the methods that "
                                            "follow them are {}",
                                            base::listed(names)),
                         .todo = "leave the option out, or write one of these"});
  }

  void check_order(const std::string& method, int order) {
    const MethodInfo* info = find_method(method);
    if (info == nullptr) info = &methods().front();
    if (std::ranges::find(info->orders, order) == info->orders.end())
      out_of_range("order", order, info->orders_text);
  }

  // Options of one method only.
  void check_bdf(const SolveOptions& options, const Settings& settings) {
    if (options.index && (*options.index < 0 || *options.index > highest_index))
      out_of_range("index", *options.index, fmt::format("from 0 to {}", highest_index));
    const double duration = std::abs(settings.to - settings.from);
    if (options.fixed_step && !(*options.fixed_step > 0.0 && *options.fixed_step <= duration))
      out_of_range("fixed_step", *options.fixed_step,
                   fmt::format("above 0 and at most {}, the length of the run", duration));
    const std::vector<std::string> start_ups = {"series", "orders"};
    if (std::find(start_ups.begin(), start_ups.end(), options.start_up) == start_ups.end()) {
      const std::string hint = base::did_you_mean(options.start_up, start_ups);
      problems_.push_back({.id = "E-OPT-006",
                           .what = fmt::format("there is no start-up '{}'", options.start_up),
                           .where = "option start_up",
                           .why = "the values of start_up are: series, orders",
                           .todo = hint.empty() ? "leave the option out" : hint});
    }
    if (options.method == "bdf") return;
    if (options.index) belongs_to_bdf("index");
    if (options.fixed_step) belongs_to_bdf("fixed_step");
    if (options.start_up != "series") belongs_to_bdf("start_up");
  }
  void belongs_to_bdf(const std::string& option) {
    problems_.push_back({.id = "E-OPT-006",
                         .what = fmt::format("the option {} belongs to the method bdf", option),
                         .where = fmt::format("option {}", option),
                         .why = "no other method has forms of a chosen index or fixed steps",
                         .todo = "write method bdf, or leave the option out"});
  }

  void check_checkpoint(const SolveOptions& options) {
    if (!options.fixed_step || (options.checkpoint.file.empty() && options.resume.empty())) return;
    problems_.push_back({.id = "E-OPT-006",
                         .what = "runs with fixed_step keep no checkpoints",
                         .where = "option checkpoint",
                         .why = "a formula of several steps cannot begin again on the way without "
                                "another first step",
                         .todo = "leave one of the two options out"});
  }

  void check_kernel(const std::string& kernel) {
    static const std::vector<std::string> names = {"auto", "interpreter", "compiled"};
    if (std::find(names.begin(), names.end(), kernel) != names.end()) return;
    const std::string hint = base::did_you_mean(kernel, names);
    problems_.push_back({.id = "E-OPT-004",
                         .what = fmt::format("there is no kernel '{}'", kernel),
                         .where = "option kernel",
                         .why = "the kernels are: auto, interpreter, compiled",
                         .todo = hint.empty() ? "leave the option out" : hint});
  }

  void check_at(const Settings& settings, double time) {
    const auto [first, last] = std::minmax(settings.from, settings.to);
    if (first <= time && time <= last) return;
    problems_.push_back(
        {.id = "E-OPT-003",
         .what = fmt::format("the time {} is outside the run", time),
         .where = "option at",
         .why = fmt::format("the run goes from t = {} to t = {}", settings.from, settings.to),
         .todo = "leave this time out, or extend the run with from and to"});
  }

  void finish() const {
    if (!problems_.empty()) throw Error(problems_);
  }

 private:
  std::vector<Problem> problems_;
};

}  // namespace

Settings settings_of(const model::ModelData& model, const SolveOptions& options) {
  const Experiment& experiment = model.experiment;
  Settings settings;
  settings.from = options.from.value_or(experiment.start_time.value_or(0.0));
  settings.to = options.to.value_or(experiment.stop_time.value_or(settings.from + 1.0));
  settings.tolerance = options.tol.value_or(experiment.tolerance.value_or(default_tolerance));
  if (const MethodInfo* method = find_method(options.method))
    settings.smallest_tolerance = method->smallest_tolerance;
  settings.order = options.order;
  settings.max_step = options.max_step;
  settings.at = options.at;
  settings.anchor_every = options.anchor_every;
  settings.max_memory = memory_allowed(options.max_memory);

  Checker checker;
  checker.check_time("from", settings.from);
  checker.check_time("to", settings.to);
  checker.check_duration(settings.from, settings.to);
  if (!(settings.tolerance > 0.0 && settings.tolerance <= largest_tolerance))
    checker.out_of_range("tol", settings.tolerance,
                         fmt::format("above 0 and at most {}", largest_tolerance));
  if (settings.order) checker.check_order(options.method, *settings.order);
  checker.check_bdf(options, settings);
  if (!(settings.max_step > 0.0)) checker.out_of_range("max_step", settings.max_step, "above 0");
  if (options.max_steps < 0)
    checker.out_of_range("max_steps", static_cast<double>(options.max_steps), "0 or more");
  if (options.anchor_every && *options.anchor_every <= 0)
    checker.out_of_range("anchor_every", static_cast<double>(*options.anchor_every), "above 0");
  if (!(options.checkpoint.every >= 0.0))
    checker.out_of_range("checkpoint.every", options.checkpoint.every, "0 or more");
  checker.check_checkpoint(options);
  if (!(options.max_seconds > 0.0))
    checker.out_of_range("max_seconds", options.max_seconds, "above 0");
  if (!(options.max_memory.value_or(1.0) > 0.0))
    checker.out_of_range("max_memory", *options.max_memory, "above 0");
  checker.check_method(options.method);
  if (hybrid::is_hybrid(model)) checker.check_method_knows_modes(options.method);
  checker.check_kernel(options.kernel);
  for (const double time : settings.at) checker.check_at(settings, time);
  checker.finish();

  std::sort(settings.at.begin(), settings.at.end());
  if (settings.to < settings.from) std::reverse(settings.at.begin(), settings.at.end());
  return settings;
}

void check(const EnsembleOptions& options) {
  constexpr int most_lanes = 64, most_threads = 1024;
  Checker checker;
  if (options.lanes < 1 || options.lanes > most_lanes)
    checker.out_of_range("lanes", options.lanes, fmt::format("from 1 to {}", most_lanes));
  if (options.threads < 0 || options.threads > most_threads)
    checker.out_of_range("threads", options.threads, fmt::format("from 0 to {}", most_threads));
  checker.finish();
}

EnsembleOptions fitted(const EnsembleOptions& options, std::size_t num_members) {
  const auto members = static_cast<int>(std::max<std::size_t>(num_members, 1));
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int lanes = std::min(options.lanes, members);
  const int wanted = options.threads > 0 ? options.threads : machine;
  return {.lanes = lanes, .threads = std::min(wanted, (members + lanes - 1) / lanes)};
}

}  // namespace daedal::settings
