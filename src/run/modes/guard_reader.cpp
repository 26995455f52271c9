#include "run/modes/guard_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"

namespace daedal::run {
namespace {

using hybrid::Side;
using hybrid::Sides;

// A function within so many tolerances of zero at an event is at zero.
constexpr double tolerances_at_zero = 30.0;
// One that no event led to is, if rounding alone keeps it from there: that of its own terms, and
// at the start that of the equations that were solved for it.
constexpr double rounding_at_zero = 1e-14;
constexpr double rounding_of_start = 1e-12;
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

bool has(const std::vector<int>& guards, int guard) {
  return std::find(guards.begin(), guards.end(), guard) != guards.end();
}

std::vector<expr::NodeId> nodes_of(const hybrid::Guards& guards, std::span<const int> chosen) {
  std::vector<expr::NodeId> nodes;
  for (const int k : chosen) nodes.push_back(guards[k].node);
  return nodes;
}

std::vector<int> all_of(const hybrid::Guards& guards) {
  std::vector<int> all(guards.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> constant_ones(const hybrid::Guards& guards) {
  std::vector<int> constant;
  for (int k = 0; k < guards.size(); ++k)
    if (guards.is_constant(k)) constant.push_back(k);
  return constant;
}

}  // namespace

GuardValues::GuardValues(const model::ModelData& model, const hybrid::Guards& guards)
    : GuardValues(model, nodes_of(guards, all_of(guards))) {}

GuardValues::GuardValues(const model::ModelData& model, const std::vector<expr::NodeId>& guards)
    : graph_(model.graph->copy()),
      roots_(expr::expand_derivatives(*graph_, guards)),
      evaluator_(*graph_, roots_) {}

void GuardValues::evaluate(double t, const std::vector<double>& parameters,
                           const Derivatives& values) {
  const auto unknown = [&](expr::UnknownId j, int order) {
    const bool is_known =
        j.index() < values.size() && order < static_cast<int>(values[j.index()].size());
    return is_known ? values[j.index()][order] : not_known;
  };
  evaluator_.evaluate({.time = t, .parameters = parameters, .unknown = unknown});
}

GuardReader::GuardReader(const model::ModelData& model, const hybrid::Guards& guards,
                         const settings::Settings& settings)
    : model_(model),
      guards_(guards),
      settings_(settings),
      constant_guards_(constant_ones(guards)),
      values_(model, guards),
      constant_values_(model, nodes_of(guards, constant_guards_)),
      decided_(model, guards) {}

Sides GuardReader::sides_at(double t, const std::vector<double>& parameters,
                            const Derivatives& values, const Sides& otherwise) {
  Sides sides = otherwise;
  values_.evaluate(t, parameters, values);
  for (int k = 0; k < guards_.size(); ++k)
    if (!std::isnan(values_[k])) sides[k] = hybrid::side_of(values_[k]);
  decided_.decide(sides, parameters);
  return sides;
}

void GuardReader::decide_around(std::vector<int> changed, Sides& sides, const Sides& before,
                                double t, const std::vector<double>& parameters,
                                const Derivatives& values) {
  const auto unknown = [&](expr::UnknownId j, int order) {
    const bool is_known =
        j.index() < values.size() && order < static_cast<int>(values[j.index()].size());
    return is_known ? values[j.index()][order] : not_known;
  };
  decided_.decide_around(std::move(changed), sides, before,
                         {.time = t, .parameters = parameters, .unknown = unknown},
                         [&](double value) { return is_near_zero(value, 1.0); });
}

void GuardReader::look_at_unwatched(const Mode& mode, Sides& sides, double t,
                                    const std::vector<double>& parameters,
                                    const Derivatives& values) {
  std::vector<bool> is_watched(static_cast<std::size_t>(guards_.size()), false);
  const auto note = [&](const auto& watched) {
    for (const auto& one : watched) is_watched[static_cast<std::size_t>(one.guard)] = true;
  };
  note(mode.model().watches);
  note(mode.model().timers);
  note(mode.model().decided);
  values_.evaluate(t, parameters, values);
  for (std::size_t k = 0; k < is_watched.size(); ++k) {
    const double value = values_[k];
    if (!is_watched[k] && !std::isnan(value) && !is_near_zero(value, 1.0))
      sides[k] = hybrid::side_of(value);
  }
}

void GuardReader::decide_constant_guards(Sides& sides, const std::vector<double>& parameters,
                                         const Derivatives& values, double t) {
  constant_values_.evaluate(t, parameters, values);
  for (std::size_t n = 0; n < constant_guards_.size(); ++n)
    sides[constant_guards_[n]] = hybrid::side_of(constant_values_[n]);
}

bool GuardReader::is_near_zero(double value, double size) const {
  return std::abs(value) <= tolerances_at_zero * settings_.tolerance * size;
}

// Whether the integrator in use has what the function is made of.
bool GuardReader::is_read(const Mode& mode, const hybrid::Watch& watch) {
  return mode.is_guarded() || !mode.is_guard(watch.terms[0].unknown);
}

// Whether a guard that is not linear is so near to zero that its value does not show its side.
bool GuardReader::needs_guards(Mode& mode) {
  if (!mode.has_guards()) return false;
  for (const hybrid::Watch& watch : mode.model().watches) {
    if (is_read(mode, watch)) continue;
    const double value = std::abs(mode.value_of_guard(watch.terms[0].unknown));
    const double size = mode.nominal(watch.terms[0].unknown) + value;
    if (!(value > tolerances_at_zero * settings_.tolerance * size)) return true;
  }
  return false;
}

GuardReader::Level GuardReader::level_of(Mode& mode, int watch, bool is_at_event) const {
  const integrate::WatchedFunction& function = mode.watch_numbers().functions()[watch];
  const integrate::EventSource& run = mode.run();
  Level level;
  level.value = function.value(
      run.t(), [&](int unknown, int order) { return run.derivative(unknown, order); });
  level.size = function.size + std::abs(level.value);
  level.is_near_zero = is_near_zero(level.value, level.size);
  // For a continuous guard it makes no difference to within the tolerance.
  const bool may_be_zero = is_at_event || guards_[mode.model().watches[watch].guard].is_continuous;
  level.is_at_zero =
      std::abs(level.value) <= rounding_at_zero * level.size || (may_be_zero && level.is_near_zero);
  return level;
}

void GuardReader::set_level(integrate::WatchedFunction& function, const Level& level) {
  function.size = level.size;
  function.is_near_zero = level.is_near_zero;
  function.is_at_zero = level.is_at_zero;
}

// The side of a guard just after the present time. The value decides for a guard that is clear of
// zero, the series for any other.
int GuardReader::side_behind(Mode& mode, int watch, const Level& level) {
  if (!level.is_near_zero && !level.is_at_zero && std::isfinite(level.value))
    return level.value > 0.0 ? 1 : -1;
  function_ = mode.watch_numbers().functions()[watch];
  set_level(function_, level);
  return mode.run().side_behind(function_);
}

Derivatives GuardReader::derivatives_of(Mode& mode) const {
  return derivatives_at_begin(mode, mode.run().current());
}

Derivatives GuardReader::derivatives_at_begin(Mode& mode, const solution::StepView& step) const {
  constexpr int most = 12;  // that another mode may need
  Derivatives values(model_.variables.size());
  const solution::StepLayout& layout = mode.run().layout();
  for (int j = 0; j < static_cast<int>(values.size()); ++j) {
    const solution::Polynomial x = step.polynomial(layout, j);
    const int count = std::min(layout.degree(j), most) + 1;
    values[j].reserve(count);
    double factor = 1.0;  // n!/scale^n
    for (int n = 0; n < count; ++n) {
      if (n > 0) factor *= n / step.scale;
      values[j].push_back(n < x.size() ? factor * x[n] : 0.0);
    }
  }
  return values;
}

// What is left of the value of a guard that has crossed says nothing. Any other guard is where its
// value says, however near to zero: its event is still to come, and what happens until then may be
// large. One that has touched is as good as zero until it is away.
bool GuardReader::is_told_by_value(const hybrid::Watch& watch, const Level& level,
                                   const Sides& before, const AtZero& at_zero) const {
  if (watch.way_out || has(at_zero.crossed, watch.guard)) return false;
  if (has(at_zero.touched, watch.guard)) return level.is_near_zero;
  if (before.empty()) return std::abs(level.value) > rounding_of_start * level.size;
  return std::abs(level.value) > rounding_at_zero * level.size &&
         before[watch.guard] == hybrid::side_of(level.value);
}

GuardReader::Reading GuardReader::read(Mode& mode, const Sides& sides, const Sides& before,
                                       const AtZero& at_zero) {
  const double t = mode.run().t();
  Reading reading{sides_at(t, mode.parameters(), derivatives_of(mode), sides),
                  std::vector<Nearness>(guards_.size(), Nearness::unknown)};
  Sides& found = reading.sides;
  const std::vector<hybrid::Watch>& watches = mode.model().watches;
  for (const hybrid::Watch& watch : watches)
    if (watch.way_out) found[watch.guard] = Side::slides;
  for (int k = 0; k < static_cast<int>(watches.size()); ++k) {
    const hybrid::Watch& watch = watches[k];
    if (!is_read(mode, watch)) {
      reading.nearness[watch.guard] = Nearness::away;
      found[watch.guard] = hybrid::side_of(mode.value_of_guard(watch.terms[0].unknown));
      continue;
    }
    const Level level = level_of(mode, k, has(at_zero.crossed, watch.guard));
    if (watch.way_out) {
      if (side_behind(mode, k, level) < 0) found[watch.guard] = *watch.way_out;
      continue;
    }
    reading.nearness[watch.guard] = level.is_near_zero ? Nearness::near : Nearness::away;
    if (!is_told_by_value(watch, level, before, at_zero))
      found[watch.guard] = hybrid::side_of(side_behind(mode, k, level));
    else
      found[watch.guard] = before.empty() ? hybrid::side_of(level.value) : before[watch.guard];
  }
  read_numbers(mode, reading);
  return reading;
}

// Guards of time or of parameters alone.
void GuardReader::read_numbers(const Mode& mode, Reading& reading) const {
  const double t = mode.run().t();
  for (std::size_t k = 0; k < mode.model().timers.size(); ++k) {
    Side& found = reading.sides[mode.model().timers[k].guard];
    const TimerNumbers& timer = mode.watch_numbers().timers()[k];
    if (timer.slope == 0.0) {  // it depends on parameters alone
      found = hybrid::side_of(timer.at_zero);
      continue;
    }
    const double zero = timer.zero();
    const double distance = is_same_instant(t, zero) ? direction() : t - zero;
    found = hybrid::side_of(timer.slope * distance);
  }
  for (std::size_t k = 0; k < mode.model().decided.size(); ++k) {
    const int guard = mode.model().decided[k].guard;
    reading.sides[guard] = hybrid::side_of(mode.watch_numbers().decided()[k]);
    reading.nearness[guard] = Nearness::away;
  }
}

std::vector<int> GuardReader::guards_at_zero(Mode& mode, double t) const {
  std::vector<int> guards;
  const std::vector<hybrid::Watch>& watches = mode.model().watches;
  for (int k = 0; k < static_cast<int>(watches.size()); ++k) {
    if (watches[k].way_out || !is_read(mode, watches[k])) continue;
    const Level level = level_of(mode, k, false);
    if (std::abs(level.value) <= rounding_at_zero * level.size) guards.push_back(watches[k].guard);
  }
  for (const Due& due : due_timers(mode, t)) guards.push_back(due.guard);
  return guards;
}

std::vector<int> GuardReader::guards_near_zero(Mode& mode, const Sides& sides) const {
  std::vector<int> guards;
  const std::vector<hybrid::Watch>& watches = mode.model().watches;
  for (int k = 0; k < static_cast<int>(watches.size()); ++k) {
    const hybrid::Watch& watch = watches[k];
    if (watch.way_out || !is_read(mode, watch) || sides[watch.guard] == Side::zero) continue;
    if (level_of(mode, k, false).is_near_zero) guards.push_back(watch.guard);
  }
  return guards;
}

std::vector<integrate::WatchedFunction> GuardReader::functions_of(Mode& mode, const Sides& sides,
                                                                  const AtZero& at_zero) {
  const std::vector<hybrid::Watch>& watches = mode.model().watches;
  std::vector<integrate::WatchedFunction> functions = mode.run().take_watched();
  if (functions.empty()) functions = std::move(spare_);
  functions.resize(watches.size());
  for (int k = 0; k < static_cast<int>(watches.size()); ++k) {
    const hybrid::Watch& watch = watches[k];
    if (!is_read(mode, watch)) {
      functions[k] = {.constant = 1.0};  // its bounds are watched instead
      continue;
    }
    integrate::WatchedFunction& function = functions[k];
    function = mode.watch_numbers().functions()[k];
    set_level(function, level_of(mode, k, has(at_zero.crossed, watch.guard)));
    function.has_touched = has(at_zero.touched, watch.guard) && function.is_near_zero;
    const Side side = watch.way_out ? Side::plus : sides[watch.guard];
    function.side = side == Side::plus ? 1 : side == Side::minus ? -1 : 0;
  }
  return functions;
}

void GuardReader::watch_nothing(Mode& mode) { spare_ = mode.run().take_watched(); }

void GuardReader::watch(Mode& mode, const Sides& sides, const AtZero& at_zero) {
  mode.run().watch(functions_of(mode, sides, at_zero));
}

void GuardReader::watch(Mode& mode, const Sides& sides, const Sides& before,
                        const AtZero& at_zero) {
  std::vector<integrate::WatchedFunction> functions = functions_of(mode, sides, at_zero);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    integrate::WatchedFunction& function = functions[k];
    if (function.terms.empty() || function.side == 0) continue;
    if (!function.is_near_zero && !function.is_at_zero) continue;
    const hybrid::Watch& watch = mode.model().watches[k];
    const Level level = level_of(mode, static_cast<int>(k), has(at_zero.crossed, watch.guard));
    if (is_told_by_value(watch, level, before, at_zero))
      function.is_at_zero = function.is_near_zero = false;
  }
  mode.run().watch(std::move(functions));
}

void GuardReader::watch_on(Mode& mode, const Sides& sides, const AtZero& at_zero) {
  std::vector<integrate::WatchedFunction> functions = functions_of(mode, sides, at_zero);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    integrate::WatchedFunction& function = functions[k];
    if (!function.is_near_zero && !function.is_at_zero) continue;
    if (has(at_zero.crossed, mode.model().watches[k].guard) || function.side == 0) continue;
    const double value =
        function.terms.empty() ? 1.0 : level_of(mode, static_cast<int>(k), false).value;
    const bool is_on_its_side = function.side * value > rounding_at_zero * function.size;
    if (is_on_its_side) function.is_at_zero = function.is_near_zero = false;
  }
  mode.run().watch(std::move(functions));
}

std::vector<int> GuardReader::still_touching(
    const Mode& mode, std::span<const integrate::WatchedFunction> watched) const {
  std::vector<int> guards;
  for (std::size_t k = 0; k < watched.size(); ++k)
    if (watched[k].has_touched) guards.push_back(mode.model().watches[k].guard);
  return guards;
}

// Times so near to each other that no step fits between them.
bool GuardReader::is_same_instant(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  constexpr double few_units = 256 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= few_units * std::max(std::abs(a), std::abs(b));
}

double GuardReader::next_stop(const Mode& mode, double t) const {
  // At the end of a run that its user may extend, any time ahead will do for the time being.
  const double duration = std::abs(settings_.to - settings_.from);
  double stop =
      t != settings_.to ? settings_.to : t + direction() * (duration > 0.0 ? duration : 1.0);
  for (const TimerNumbers& timer : mode.watch_numbers().timers()) {
    const double zero = timer.zero();
    const bool is_ahead = direction() * (zero - t) > 0.0 && !is_same_instant(zero, t);
    if (is_ahead && direction() * (stop - zero) > 0.0 && !is_same_instant(zero, stop)) stop = zero;
  }
  return stop;
}

std::vector<GuardReader::Due> GuardReader::due_timers(const Mode& mode, double t) const {
  std::vector<Due> due;
  for (std::size_t k = 0; k < mode.model().timers.size(); ++k) {
    const TimerNumbers& timer = mode.watch_numbers().timers()[k];
    if (is_same_instant(timer.zero(), t))
      due.push_back({mode.model().timers[k].guard, hybrid::side_of(direction() * timer.slope)});
  }
  return due;
}

}  // namespace daedal::run
