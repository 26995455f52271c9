#include "settings/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/machine.hpp"
#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "daedal/method.hpp"
#include "hybrid/guards.hpp"
#include "settings/option_table.hpp"

namespace daedal::settings {
namespace {

constexpr double megabyte = 1e6;

// The names of the methods that accept something.
template <typename Accepts>
std::vector<std::string> names_of_methods(Accepts accepts) {
  std::vector<std::string> names;
  for (const MethodInfo& info : methods())
    if (accepts(info)) names.push_back(info.name);
  return names;
}

// In bytes; without a limit where the system does not say how much memory it has.
double memory_allowed(const std::optional<double>& megabytes) {
  if (megabytes) return *megabytes * megabyte;
  const auto machine = static_cast<double>(base::memory_of_machine());
  return machine > 0.0 ? default_part_of_memory * machine : std::numeric_limits<double>::infinity();
}

// The options with what the model says where they say nothing.
SolveOptions completed(const Experiment& experiment, const SolveOptions& given) {
  SolveOptions options = given;
  options.from = given.from.value_or(experiment.start_time.value_or(default_start));
  options.to = given.to.value_or(experiment.stop_time.value_or(*options.from + default_duration));
  options.tolerance = given.tolerance.value_or(experiment.tolerance.value_or(default_tolerance));
  return options;
}

// The method that alone uses options of the group.
std::optional<Method> owner_of(OptionGroup group) {
  return group == OptionGroup::bdf ? std::optional(Method::bdf) : std::nullopt;
}

// "start-up", of the option start_up
std::string noun_of(const OptionInfo& info) {
  std::string noun = info.name;
  std::replace(noun.begin(), noun.end(), '_', '-');
  return noun;
}

class Checker {
 public:
  // What the table says of every option by itself.
  template <typename Options>
  void check_each(const Options& options) {
    for (const OptionRow<Options>& row : option_rows<Options>()) {
      const OptionValue value = row.get(options);
      if (const auto number = number_in(value)) check_bounds(row.info, *number);
      if (const auto* name = std::get_if<std::string>(&value); name && !row.info.choices.empty())
        check_choice(row.info, *name);
    }
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

  void check_method_knows_modes(Method method) {
    if (info_of(method).accepts_modes) return;
    const auto names = names_of_methods([](const MethodInfo& info) { return info.accepts_modes; });
    problems_.push_back(
        {.id = "E-OPT-002",
         .what = fmt::format("the method '{}' does not follow modes", info_of(method).name),
         .where = "option method",
         .why = fmt::format("the model has events or branches; the methods that "
                            "follow them are {}",
                            base::listed(names)),
         .todo = "leave the option out, or write one of these"});
  }

  void check_order(const SolveOptions& options) {
    if (!options.order) return;
    const MethodInfo& info = info_of(options.method.value());
    if (std::ranges::find(info.orders, *options.order) == info.orders.end())
      out_of_range("order", *options.order, info.orders_text);
  }

  // Options of one method, given with another.
  void check_groups(const SolveOptions& options) {
    for (const OptionRow<SolveOptions>& row : option_rows<SolveOptions>()) {
      const std::optional<Method> owner = owner_of(row.info.group);
      if (owner && options.method != *owner && row.get(options) != row.info.default_value)
        belongs_to(*owner, row.info, options.method);
    }
  }

  void check_fixed_step(const SolveOptions& options) {
    const double duration = std::abs(*options.to - *options.from);
    if (options.bdf.fixed_step > duration)
      out_of_range("fixed_step", *options.bdf.fixed_step,
                   fmt::format("above 0 and at most {}, the length of the run", duration));
    if (!options.bdf.fixed_step || (options.checkpoint.file.empty() && options.resume.empty()))
      return;
    problems_.push_back({.id = "E-OPT-006",
                         .what = "runs with fixed_step keep no checkpoints",
                         .where = "option checkpoint",
                         .why = "a formula of several steps cannot begin again on the way without "
                                "another first step",
                         .todo = "leave one of the two options out"});
  }

  void check_times(const SolveOptions& options) {
    for (const double time : options.at) check_time(*options.from, *options.to, time);
  }

  void finish() const {
    if (!problems_.empty()) throw Error(problems_);
  }

 private:
  void out_of_range(const std::string& option, double value, const std::string& range) {
    problems_.push_back({.id = "E-OPT-001",
                         .what = fmt::format("the option {} is {}", option, value),
                         .where = fmt::format("option {}", option),
                         .why = fmt::format("{} must be {}", option, range),
                         .todo = fmt::format("give a value that is {}", range)});
  }

  void check_bounds(const OptionInfo& info, double value) {
    if (!info.bounds.contain(value)) out_of_range(info.name, value, info.range);
  }

  void check_choice(const OptionInfo& info, const std::string& name) {
    if (std::ranges::find(info.choices, name) != info.choices.end()) return;
    const std::string hint = base::did_you_mean(name, info.choices);
    problems_.push_back(
        {.id = info.error_id,
         .what = fmt::format("there is no {} '{}'", noun_of(info), name),
         .where = fmt::format("option {}", info.name),
         .why = fmt::format("the {}s are: {}", noun_of(info), base::listed(info.choices)),
         .todo = hint.empty() ? "leave the option out" : hint});
  }

  void belongs_to(Method owner, const OptionInfo& info, const MethodChoice& method) {
    const std::string& name = info_of(owner).name;
    problems_.push_back(
        {.id = "E-OPT-006",
         .what = fmt::format("the option {} belongs to the method {}", info.name, name),
         .where = fmt::format("option {}", info.name),
         .why = fmt::format("the method of this run is {}, which does not use it", method.name()),
         .todo = fmt::format("write method {}, or leave the option out", name)});
  }

  void check_time(double from, double to, double time) {
    const auto [first, last] = std::minmax(from, to);
    if (first <= time && time <= last) return;
    problems_.push_back({.id = "E-OPT-003",
                         .what = fmt::format("the time {} is outside the run", time),
                         .where = "option at",
                         .why = fmt::format("the run goes from t = {} to t = {}", from, to),
                         .todo = "leave this time out, or extend the run with from and to"});
  }

  std::vector<Problem> problems_;
};

}  // namespace

Settings settings_of(const model::ModelData& model, const SolveOptions& given) {
  const SolveOptions options = completed(model.experiment, given);
  Checker checker;
  checker.check_each(options);
  checker.check_duration(*options.from, *options.to);
  checker.check_order(options);
  checker.check_groups(options);
  checker.check_fixed_step(options);
  if (hybrid::is_hybrid(model)) checker.check_method_knows_modes(options.method.value());
  checker.check_times(options);
  checker.finish();

  Settings settings;
  settings.from = *options.from;
  settings.to = *options.to;
  settings.tolerance = *options.tolerance;
  settings.smallest_tolerance = info_of(options.method.value()).smallest_tolerance;
  settings.order = options.order;
  settings.start_weighting = options.start_weighting.value();
  settings.max_step = options.max_step;
  settings.at = options.at;
  settings.anchor_every = options.anchor_every;
  settings.max_memory = memory_allowed(options.max_memory);
  std::sort(settings.at.begin(), settings.at.end());
  if (settings.to < settings.from) std::reverse(settings.at.begin(), settings.at.end());
  return settings;
}

void check(const EnsembleOptions& options) {
  Checker checker;
  checker.check_each(options);
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
