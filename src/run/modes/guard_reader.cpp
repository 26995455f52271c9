#include "run/modes/guard_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "expr/reachable.hpp"

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

// The value at time 0 of an expression of a mode that depends on parameters alone, and on time.
double number_in(const Mode& mode, expr::NodeId node) {
  return expr::Evaluator(*mode.model().data.graph)
      .value(node, {.time = 0.0, .parameters = mode.parameters(), .unknown = {}});
}

}  // namespace

GuardValues::GuardValues(const model::ModelData& model, const hybrid::Guards& guards)
    : graph_(model.graph->copy()) {
  for (int k = 0; k < guards.size(); ++k) roots_.push_back(guards[k].node);
  roots_ = expr::expand_derivatives(*graph_, roots_);
}

double GuardValues::value(int guard, double t, const std::vector<double>& parameters,
                          const Derivatives& values) {
  const auto unknown = [&](expr::UnknownId j, int order) {
    const bool is_known =
        j.index() < values.size() && order < static_cast<int>(values[j.index()].size());
    return is_known ? values[j.index()][order] : not_known;
  };
  return expr::Evaluator(*graph_).value(roots_[guard],
                                        {.time = t, .parameters = parameters, .unknown = unknown});
}

GuardReader::GuardReader(const model::ModelData& model, const hybrid::Guards& guards,
                         const settings::Settings& settings)
    : model_(model),
      guards_(guards),
      settings_(settings),
      values_(model, guards),
      decided_(model, guards) {}

Sides GuardReader::sides_at(double t, const std::vector<double>& parameters,
                            const Derivatives& values, const Sides& otherwise) {
  Sides sides = otherwise;
  for (int k = 0; k < guards_.size(); ++k) {
    const double value = values_.value(k, t, parameters, values);
    if (!std::isnan(value)) sides[k] = hybrid::side_of(value);
  }
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

void GuardReader::decide_constant_guards(Sides& sides, const std::vector<double>& parameters,
                                         const Derivatives& values, double t) {
  for (int k = 0; k < guards_.size(); ++k)
    if (guards_.is_constant(k)) sides[k] = hybrid::side_of(values_.value(k, t, parameters, values));
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

integrate::WatchedFunction GuardReader::function_of(Mode& mode, const hybrid::Watch& watch,
                                                    bool is_at_event) const {
  expr::Evaluator evaluator(*mode.model().data.graph);
  const auto number = [&](expr::NodeId node) {
    return evaluator.value(node, {.time = 0.0, .parameters = mode.parameters(), .unknown = {}});
  };
  integrate::WatchedFunction function;
  function.constant = number(watch.constant);
  function.slope = number(watch.slope);
  function.size = std::abs(function.constant);
  for (const hybrid::Watch::Term& term : watch.terms) {
    function.terms.push_back({term.unknown, term.order, number(term.factor)});
    function.size += std::abs(function.terms.back().factor) * mode.nominal(term.unknown);
    function.is_own = function.is_own || mode.is_guard(term.unknown);
  }
  const double value = std::abs(value_of(mode, function));
  function.size += value;
  function.is_near_zero = is_near_zero(value, function.size);
  // For a continuous guard it makes no difference to within the tolerance.
  const bool may_be_zero = is_at_event || guards_[watch.guard].is_continuous;
  function.is_at_zero =
      value <= rounding_at_zero * function.size || (may_be_zero && function.is_near_zero);
  return function;
}

double GuardReader::value_of(Mode& mode, const integrate::WatchedFunction& function) const {
  const integrate::EventSource& run = mode.run();
  return function.value(run.t(),
                        [&](int unknown, int order) { return run.derivative(unknown, order); });
}

Derivatives GuardReader::derivatives_of(Mode& mode) const {
  return derivatives_at_begin(mode, mode.run().current());
}

Derivatives GuardReader::derivatives_at_begin(Mode& mode, const solution::StepView& step) const {
  constexpr int most = 12;  // that another mode may need
  Derivatives values(model_.variables.size());
  const solution::StepLayout& layout = mode.run().layout();
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    for (int order = 0; order <= std::min(layout.degree(j), most); ++order)
      values[j].push_back(step.value(layout, j, step.begin, order));
  return values;
}

// What is left of the value of a guard that has crossed says nothing. Any other guard is where its
// value says, however near to zero: its event is still to come, and what happens until then may be
// large. One that has touched is as good as zero until it is away.
bool GuardReader::is_told_by_value(Mode& mode, const hybrid::Watch& watch,
                                   const integrate::WatchedFunction& function, const Sides& before,
                                   const AtZero& at_zero) const {
  if (watch.way_out || has(at_zero.crossed, watch.guard)) return false;
  if (has(at_zero.touched, watch.guard)) return function.is_near_zero;
  const double value = value_of(mode, function);
  if (before.empty()) return std::abs(value) > rounding_of_start * function.size;
  return std::abs(value) > rounding_at_zero * function.size &&
         before[watch.guard] == hybrid::side_of(value);
}

GuardReader::Reading GuardReader::read(Mode& mode, const Sides& sides, const Sides& before,
                                       const AtZero& at_zero) {
  const double t = mode.run().t();
  Reading reading{sides_at(t, mode.parameters(), derivatives_of(mode), sides),
                  std::vector<Nearness>(guards_.size(), Nearness::unknown)};
  Sides& found = reading.sides;
  for (const hybrid::Watch& watch : mode.model().watches)
    if (watch.way_out) found[watch.guard] = Side::slides;
  for (const hybrid::Watch& watch : mode.model().watches) {
    if (!is_read(mode, watch)) {
      reading.nearness[watch.guard] = Nearness::away;
      found[watch.guard] = hybrid::side_of(mode.value_of_guard(watch.terms[0].unknown));
      continue;
    }
    const integrate::WatchedFunction function =
        function_of(mode, watch, has(at_zero.crossed, watch.guard));
    const int side = mode.run().side_behind(function);
    if (watch.way_out) {
      if (side < 0) found[watch.guard] = *watch.way_out;
      continue;
    }
    reading.nearness[watch.guard] = function.is_near_zero ? Nearness::near : Nearness::away;
    found[watch.guard] = hybrid::side_of(is_told_by_value(mode, watch, function, before, at_zero)
                                             ? value_of(mode, function)
                                             : static_cast<double>(side));
  }
  for (const hybrid::Timer& timer : mode.model().timers) {
    const double slope = slope_of(mode, timer);
    if (slope == 0.0) {  // it depends on parameters alone
      found[timer.guard] = hybrid::side_of(number_in(mode, timer.at_zero));
      continue;
    }
    const double zero = zero_of(mode, timer);
    const double distance = is_same_instant(t, zero) ? direction() : t - zero;
    found[timer.guard] = hybrid::side_of(slope * distance);
  }
  for (const hybrid::DecidedGuard& decided : mode.model().decided) {
    found[decided.guard] = hybrid::side_of(number_in(mode, decided.function));
    reading.nearness[decided.guard] = Nearness::away;
  }
  return reading;
}

std::vector<int> GuardReader::guards_at_zero(Mode& mode, double t) const {
  std::vector<int> guards;
  for (const hybrid::Watch& watch : mode.model().watches) {
    if (!is_read(mode, watch)) continue;
    const integrate::WatchedFunction function = function_of(mode, watch, false);
    if (!watch.way_out && std::abs(value_of(mode, function)) <= rounding_at_zero * function.size)
      guards.push_back(watch.guard);
  }
  for (const Due& due : due_timers(mode, t)) guards.push_back(due.guard);
  return guards;
}

std::vector<int> GuardReader::guards_near_zero(Mode& mode, const Sides& sides) const {
  std::vector<int> guards;
  for (const hybrid::Watch& watch : mode.model().watches) {
    if (watch.way_out || !is_read(mode, watch) || sides[watch.guard] == Side::zero) continue;
    const integrate::WatchedFunction function = function_of(mode, watch, false);
    if (function.is_near_zero) guards.push_back(watch.guard);
  }
  return guards;
}

std::vector<integrate::WatchedFunction> GuardReader::functions_of(Mode& mode, const Sides& sides,
                                                                  const AtZero& at_zero) const {
  std::vector<integrate::WatchedFunction> functions;
  for (const hybrid::Watch& watch : mode.model().watches) {
    if (!is_read(mode, watch)) {
      functions.push_back({.constant = 1.0});  // its bounds are watched instead
      continue;
    }
    integrate::WatchedFunction function =
        function_of(mode, watch, has(at_zero.crossed, watch.guard));
    function.has_touched = has(at_zero.touched, watch.guard) && function.is_near_zero;
    const Side side = watch.way_out ? Side::plus : sides[watch.guard];
    function.side = side == Side::plus ? 1 : side == Side::minus ? -1 : 0;
    functions.push_back(function);
  }
  return functions;
}

void GuardReader::watch(Mode& mode, const Sides& sides, const AtZero& at_zero) const {
  mode.run().watch(functions_of(mode, sides, at_zero));
}

void GuardReader::watch(Mode& mode, const Sides& sides, const Sides& before,
                        const AtZero& at_zero) const {
  std::vector<integrate::WatchedFunction> functions = functions_of(mode, sides, at_zero);
  for (std::size_t k = 0; k < functions.size(); ++k)
    if (!functions[k].terms.empty() && functions[k].side != 0 &&
        is_told_by_value(mode, mode.model().watches[k], functions[k], before, at_zero))
      functions[k].is_at_zero = functions[k].is_near_zero = false;
  mode.run().watch(std::move(functions));
}

void GuardReader::watch_on(Mode& mode, const Sides& sides, const AtZero& at_zero) const {
  std::vector<integrate::WatchedFunction> functions = functions_of(mode, sides, at_zero);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    integrate::WatchedFunction& function = functions[k];
    if (has(at_zero.crossed, mode.model().watches[k].guard) || function.side == 0) continue;
    const double value = function.terms.empty() ? 1.0 : value_of(mode, function);
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

double GuardReader::slope_of(const Mode& mode, const hybrid::Timer& timer) const {
  return number_in(mode, timer.slope);
}

double GuardReader::zero_of(const Mode& mode, const hybrid::Timer& timer) const {
  return -number_in(mode, timer.at_zero) / slope_of(mode, timer);
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
  for (const hybrid::Timer& timer : mode.model().timers) {
    const double zero = zero_of(mode, timer);
    const bool is_ahead = direction() * (zero - t) > 0.0 && !is_same_instant(zero, t);
    if (is_ahead && direction() * (stop - zero) > 0.0 && !is_same_instant(zero, stop)) stop = zero;
  }
  return stop;
}

std::vector<GuardReader::Due> GuardReader::due_timers(const Mode& mode, double t) const {
  std::vector<Due> due;
  for (const hybrid::Timer& timer : mode.model().timers)
    if (is_same_instant(zero_of(mode, timer), t))
      due.push_back({timer.guard, hybrid::side_of(direction() * slope_of(mode, timer))});
  return due;
}

}  // namespace daedal::run
