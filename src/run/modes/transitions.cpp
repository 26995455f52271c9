#include "run/modes/transitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/stopwatch.hpp"
#include "base/wording.hpp"
#include "expr/evaluate.hpp"
#include "model/check.hpp"
#include "run/modes/guessed_mode.hpp"
#include "run/run.hpp"
#include "run/steppers/methods.hpp"

namespace daedal::run {
namespace {

using hybrid::Side;
using hybrid::Sides;

// Events closer together than this part of the run, so many in a row, lead nowhere.
constexpr double short_part = 1e-10;
constexpr double short_part_of_touches = 1e-6;
constexpr int touches_before_rest = 3;
constexpr int most_short = 100;
// The rest of an accumulation, as a part of the run, that is not worth its events.
constexpr double negligible_rest = 1e-6;
// That rest for methods whose steps are only as accurate as the tolerance, in square roots of the
// tolerance: how long a ball flies is not known if it rises by less than the tolerance.
constexpr double rest_in_roots = 4.0;
// In tolerances: what counts as a jump.
constexpr double jump_in_tolerances = 1000.0;

// The values of the model's unknowns, which come first, as far as a method knows them.
Derivatives values_at_begin(const solution::StepSource& run, std::size_t num_unknowns) {
  const solution::StepView step = run.accepted();
  Derivatives values(num_unknowns);
  for (int j = 0; j < static_cast<int>(num_unknowns); ++j)
    for (int order = 0; order <= run.highest_reliable(j); ++order)
      values[j].push_back(step.value(run.layout(), j, step.begin, order));
  return values;
}

}  // namespace

Transitions::Transitions(PreparedModes& modes, const settings::Settings& settings,
                         const SolveOptions& options, start::Beginning beginning)
    : model_(modes.model),
      settings_(settings),
      options_(options),
      guards_(modes.guards),
      beginning_(std::move(beginning)),
      parameters_(beginning_.parameters),
      modes_(modes.table),
      entry_(model_, guards_, modes_, settings, options),
      clauses_(model_, guards_),
      sides_(guards_.size(), Side::minus),
      met_(guards_),
      last_event_(settings.from) {
  modes_.renew(parameters_);
}

Stepper& Transitions::stepper() {
  return makes_method_steps() ? static_cast<Stepper&>(*mode_->method()) : mode_->stepper();
}

void Transitions::write_to(StepRecorder& recorder, solution::Record& solution) {
  recorder_ = &recorder;
  solution_ = &solution;
  modes_.before_drop([this](Mode& mode) {
    if (mode.method() != nullptr) mode.method()->count(*solution_);
  });
}

bool Transitions::takes_back(bool is_accepted) {
  if (is_accepted && contradicts_zero()) {
    enter_zero_side();
    return true;
  }
  if (is_accepted && has_stray_guard()) {
    halve_step();
    return true;
  }
  if (!is_without_guards() || (is_accepted && !mode_->may_be_zero())) return false;
  use_guards(is_accepted);
  return true;
}

bool Transitions::has_stray_guard() const {
  return !is_by_method() && !is_resting() && mode_->has_guards() && mode_->is_guarded() &&
         !mode_->is_by_array() && mode_->has_stray_guard(settings_.tolerance);
}

// The step does not count: it is made again with half its length.
void Transitions::halve_step() {
  const solution::StepView step = run_now().accepted();
  const double t = step.begin, half = 0.5 * std::abs(step.end - step.begin);
  Derivatives values = entry_.reader().derivatives_at_begin(*mode_, step);
  switch_to(mode_->guarded(settings_, options_), t, std::move(values));
  if (!is_over()) mode_->taylor().run().limit_next_step(half);
}

bool Transitions::contradicts_zero() const {
  return zero_side_ && !is_resting() && !zero_side_->agrees_along(steps(), settings_.tolerance);
}

// From where the step has begun the run goes on in the mode that is written for zero, if there is
// one; else it ends there.
void Transitions::enter_zero_side() {
  const solution::StepView step = steps().accepted();
  const explain::StopReason reason = why_sides_differ();
  const std::vector<int> guards = zero_side_->guards();
  EntryRequest request{
      .t = step.begin, .before = sides_, .sides = sides_, .at_zero = {.crossed = guards}};
  for (const int k : guards) request.sides[k] = Side::zero;
  request.values = makes_method_steps() ? values_at_begin(steps(), model_.variables.size())
                                        : entry_.reader().derivatives_at_begin(*mode_, step);
  request.orders = mode_->run_orders();
  request.parameters = parameters_;
  met_.spend(std::abs(step.begin - std::exchange(entered_at_, step.begin)));
  const Entered entered = entry_.enter(request);
  const bool is_entered = entered.mode != nullptr && !entered.zero_side &&
                          std::all_of(guards.begin(), guards.end(),
                                      [&](int k) { return entered.sides[k] == Side::zero; });
  if (!is_entered) return end_before(step.begin, request.values, reason);
  const Sides before = sides_;
  const Mode& left = *mode_;
  is_event_ = false;
  go_on(entered);
  log_changes(before, sides_, left);
}

explain::StopReason Transitions::why_sides_differ() const {
  const solution::StepView step = steps().accepted();
  std::vector<std::string> guards;
  for (const int k : zero_side_->guards())
    guards.push_back("'" + guards_.text(k, Side::slides) + "'");
  return {
      .status = Status::no_mode,
      .problem = {.id = "S-HYB-001",
                  .what = fmt::format("no mode agrees with its own solution after t = {:.17g}",
                                      step.begin),
                  .where = guards_.where(zero_side_->guards(), model_.place),
                  .why = fmt::format("the solution stays where {}; up to there the equations on "
                                     "both sides held, now they differ, and the side that is "
                                     "written for zero has no solution that could be followed "
                                     "from there",
                                     base::listed(guards)),
                  .todo = "say what holds at zero with a condition of its own, or write the "
                          "condition with the other one of > and >="},
      .cut_at = step.begin};
}

// The step that was made without values of guards does not count: it begins again with them.
void Transitions::use_guards(bool has_step) {
  const solution::StepView step = has_step ? run_now().accepted() : run_now().current();
  Derivatives values = entry_.reader().derivatives_at_begin(*mode_, step);
  switch_to(mode_->guarded(settings_, options_), step.begin, std::move(values));
}

// Long enough without a guard that comes near zero: they are left out until one may be.
void Transitions::leave_out_guards() {
  constexpr int long_enough = 8;
  if (mode_->is_by_array()) return;
  num_far_ = mode_->is_guarded() && !mode_->may_be_zero() ? num_far_ + 1 : 0;
  if (num_far_ < long_enough || run_now().is_done()) return;
  num_far_ = 0;
  Derivatives values = values_now();
  const double t = run_now().t();
  switch_to(mode_->integrator(settings_, options_), t, std::move(values));
}

// Another integrator of the same mode goes on from t.
void Transitions::switch_to(integrate::TaylorIntegrator& integrator, double t, Derivatives values) {
  entry_.reader().watch_nothing(*mode_);
  const auto all = mode_->completed(t, values);
  const bool is_begun = all && integrator.begin(t, entry_.reader().next_stop(*mode_, t), *all, 0,
                                                std::abs(settings_.to - settings_.from));
  if (!is_begun && is_without_guards())
    return switch_to(mode_->guarded(settings_, options_), t, std::move(values));
  recorder_->enter(run_now());
  mode_->stepper().enter(*solution_);
  if (!is_begun) return end_before(t, values, mode_->explain_no_series());
  entry_.reader().watch(*mode_, sides_, at_zero_);
  if (is_by_method()) begin_method();
}

// Nothing has begun at t. The end of the run is the state that was to be gone on from, and not what
// the attempt has left.
void Transitions::end_before(double t, const Derivatives& values, explain::StopReason reason) {
  recorder_->finish(t, values);
  reason.is_recorded = true;
  end_ = std::move(reason);
}

void Transitions::finish() {
  if (mode_ != nullptr && mode_->has_series() && !mode_->is_by_array())
    solution_->kernel = mode_->taylor().kernel();
  solution_->seconds.analysis = modes_.seconds();
  if (!hybrid::is_hybrid(model_)) {  // branches of abs, min and max are no modes to anybody
    solution_->events.clear();
    return;
  }
  solution_->modes = met_.listed();
  solution_->num_modes = met_.size();
}

solution::Record Transitions::find_start() {
  base::Stopwatch watch;
  EntryRequest request{.t = settings_.from, .is_start = true, .sides = sides_};
  request.parameters = parameters_;
  request.starts = beginning_.starts;
  const Derivatives guesses = guesses_of(model_, parameters_, settings_.from, beginning_.starts);
  request.sides = entry_.reader().sides_at(settings_.from, parameters_, guesses, sides_);
  guessed_ = request.sides;
  first_ = entry_.enter(request);
  if (modes_.is_empty()) throw Error(first_.problems);  // equations that make no sense
  Mode& mode = first_.mode != nullptr ? *first_.mode : modes_.first();
  solution::Record solution = begin_solution(
      mode.plan(), start::without_auxiliaries(std::move(first_.point), model_), settings_);
  solution.parameters = parameters_;
  if (is_by_method() || is_by_array()) solution.method = options_.method.name();
  solution.seconds.analysis = modes_.seconds();
  solution.seconds.initialize = watch.lap() - modes_.seconds();
  if (first_.mode == nullptr) {
    solution.status = solution.start.status = first_.status;
    solution.problems = solution.start.problems = first_.problems;
    return solution;
  }
  stand_in(*first_.mode);
  if (is_by_method()) mode_->method(settings_, options_);
  if (mode_->is_on_array() && !is_by_method()) solution.method = "array";
  for (int k = 0; k < guards_.size(); ++k)
    if (mode.is_relevant(k)) solution.start.conditions.push_back(guards_.text(k, mode.side(k)));
  return solution;
}

void Transitions::begin() {
  go_on(first_);
  log_start(guessed_, first_.tries);
  happen_at_start();
}

// Nothing is known of what was before the start. A guard that is zero there would cross if it came
// from the other side; what such a crossing makes true happens if it is true at the start itself,
// and not only after it (rule H8).
void Transitions::happen_at_start() {
  Sides before = sides_, at_start = sides_;
  for (const int guard : entry_.reader().guards_at_zero(*mode_, run_now().t())) {
    before[guard] = hybrid::opposite(sides_[guard]);
    at_start[guard] = Side::zero;
  }
  for (Sides* sides : {&before, &at_start})
    entry_.reader().decide_nested_guards(*sides, parameters_);
  Happening now{.sides = sides_, .at_instant = sides_, .crossed = {}, .touched = {}, .fired = {}};
  now.fired = fired(before, sides_);
  std::erase_if(now.fired, [&](int clause) {
    return !hybrid::holds(model_, guards_, model_.whens[clause].condition, at_start, parameters_);
  });
  if (!now.fired.empty()) happen(now);
}

// From the mode that the guesses select to the one that agrees with the start found. A guess of
// zero selects nothing.
void Transitions::log_start(Sides guessed, int tries) {
  for (int k = 0; k < guards_.size(); ++k)
    if (guessed[k] == Side::zero) guessed[k] = sides_[k];
  log_changes(guessed, sides_, *mode_);
  for (Event& event : solution_->events) event.tries = tries;
}

// Others may be dropped from now on, this one is kept.
void Transitions::stand_in(Mode& mode) {
  mode_ = &mode;
  modes_.keep(mode);
}

// The mode begins to count, the recorder to follow it.
void Transitions::go_on(const Entered& entered) {
  const bool is_first = met_.size() == 0;
  stand_in(*entered.mode);
  sides_ = entered.sides;
  zero_side_ = entered.zero_side;
  entered_at_ = run_now().t();
  solution_->converted = solution_->converted || mode_->is_converted();
  const bool is_asked_for = ladder_of(options_.method.value()) == start::Ladder::array;
  if (solution_->method_reason.empty() && mode_->is_on_array() && !is_asked_for) explain_array();
  solution_->parameters = parameters_;
  if (is_by_array() && !mode_->is_by_array())
    begin_on_array(run_now().t(), values_now(), run_now().watched());
  met_.enter(*mode_);
  if (is_by_array()) solution_->order = mode_->stepper().order();
  if (is_first) {
    recorder_->begin(run_now());
    mode_->stepper().note_start(*solution_);
  } else {
    recorder_->enter(run_now());
    mode_->stepper().enter(*solution_);
    recorder_->sample_again(run_now());
  }
  if (is_by_method()) begin_method();
}

// In the first mode that is on the array.
void Transitions::explain_array() {
  std::vector<std::string> conditions;
  for (int k = 0; k < guards_.size(); ++k)
    if (mode_->is_relevant(k)) conditions.push_back("'" + guards_.text(k, mode_->side(k)) + "'");
  solution_->method_reason =
      conditions.empty()
          ? mode_->why_array()
          : fmt::format("where {}: {}", base::listed(conditions), mode_->why_array());
}

// The steps of a mode that was entered by series go on from the same values on the array.
bool Transitions::begin_on_array(double t, const Derivatives& values,
                                 std::vector<integrate::WatchedFunction> watched) {
  ModeArray& array = mode_->array(settings_);
  const ConsistentPoint point = array.find_near(t, values, {});
  if (!point.ok()) {
    end_before(t, values, {.status = point.status, .problem = point.problems.front()});
    return false;
  }
  if (!mode_->begin_on_array(t, entry_.reader().next_stop(*mode_, t))) {
    end_before(t, values, array.explain_no_step());
    return false;
  }
  run_now().watch(std::move(watched));
  return true;
}

void Transitions::after_step() {
  if (is_resting()) {
    if (run_now().is_done() && run_now().t() != settings_.pause) rest();
    return;
  }
  at_zero_ = {.crossed = {}, .touched = entry_.reader().still_touching(*mode_, watched())};
  if (is_by_method()) return after_method_step();
  if (is_at_pause_only(run_now().arrivals())) return;
  if (!run_now().arrivals().empty() || run_now().is_done()) arrive();
  if (!is_over()) leave_out_guards();
}

bool Transitions::recovers() {
  if (is_resting()) {  // as near as it gets
    rest();
    return true;
  }
  if (is_by_method() && !stand_with_series()) return false;
  return arrives_early();
}

// A mode that ends at its own guard (a quotient that is 0/0 there): where a guard is as good as
// zero and no step can be made, it is there.
bool Transitions::arrives_early() {
  Happening now{.sides = sides_, .at_instant = {}, .crossed = {}, .touched = {}, .fired = {}};
  now.crossed = entry_.reader().guards_near_zero(*mode_, sides_);
  if (now.crossed.empty()) return false;
  for (const int guard : now.crossed) now.sides[guard] = hybrid::opposite(sides_[guard]);
  now.at_instant = now.sides;
  now.fired = fired(sides_, now.at_instant);
  happen(now);
  return true;
}

Transitions::Happening Transitions::happening() {
  Sides before = sides_;
  if (entry_.reader().has_nested_guards())
    entry_.reader().look_at_unwatched(*mode_, before, run_now().t(), parameters_, values_now());
  Happening now{.sides = before, .at_instant = {}, .crossed = {}, .touched = {}, .fired = {}};
  for (const integrate::Arrival& arrival : run_now().arrivals()) {
    const hybrid::Watch& watch = mode_->model().watches[arrival.function];
    if (arrival.touches) {
      now.touched.push_back(watch.guard);
      continue;
    }
    const Side side = watch.way_out ? *watch.way_out : hybrid::side_of(arrival.side);
    if (side == sides_[watch.guard]) continue;  // it was zero, and has gone where its mode is
    now.crossed.push_back(watch.guard);
    now.sides[watch.guard] = side;
  }
  for (const GuardReader::Due& due : entry_.reader().due_timers(*mode_, run_now().t())) {
    now.crossed.push_back(due.guard);
    now.sides[due.guard] = due.side;
  }
  if (entry_.reader().has_nested_guards())
    entry_.reader().decide_around(now.crossed, now.sides, before, run_now().t(), parameters_,
                                  values_now());
  now.at_instant = now.sides;
  for (const int guard : now.touched) now.at_instant[guard] = Side::zero;
  entry_.reader().decide_nested_guards(now.sides, parameters_);
  entry_.reader().decide_nested_guards(now.at_instant, parameters_);
  now.fired = fired(before, now.at_instant);
  return now;
}

std::vector<int> Transitions::fired(const Sides& before, const Sides& at_instant) const {
  return clauses_.between(before, at_instant, parameters_);
}

bool Transitions::acts(int when) const {
  return !model_.whens[when].reinits.empty() || !model_.whens[when].assignments.empty();
}

bool Transitions::changes_equations(const Happening& now) const {
  return std::any_of(now.fired.begin(), now.fired.end(), [&](int k) { return acts(k); }) ||
         std::any_of(now.crossed.begin(), now.crossed.end(),
                     [&](int guard) { return mode_->is_relevant(guard); });
}

void Transitions::arrive() {
  const Happening now = happening();
  if (!now.crossed.empty() || !now.touched.empty()) return happen(now);
  entry_.reader().watch_on(*mode_, sides_, at_zero_);
}

void Transitions::happen(const Happening& now) {
  const double t = run_now().t();
  const std::size_t first = solution_->events.size();
  at_zero_.crossed = now.crossed;
  at_zero_.touched.insert(at_zero_.touched.end(), now.touched.begin(), now.touched.end());
  log_clauses(now);
  const bool is_end = std::any_of(now.fired.begin(), now.fired.end(),
                                  [&](int k) { return model_.whens[k].ends_run; });
  const bool is_last = t == settings_.to && settings_.pause != t;  // nobody goes on from here
  if (is_end || is_last) return happen_last(now, first);
  if (is_accumulating(now)) return come_to_rest(now);
  if (is_chattering(now.crossed.empty() && now.fired.empty())) return;
  if (!now.touched.empty() && num_short_ == touches_before_rest && rests(now)) return;
  if (changes_equations(now)) {
    EntryRequest request = request_from_here(now);
    const Derivatives before = request.values;
    apply(now.fired, request);
    return restart(now, std::move(request), before, first);
  }
  sides_ = now.sides;
  run_now().go_on_to(entry_.reader().next_stop(*mode_, t));  // a timer may have ended it here
  entry_.reader().watch_on(*mode_, sides_, at_zero_);
}

// Values at the end of a run are the limit from before. Discrete variables, which have none, are
// what the clauses make of them that happen there, and those that follow from these at the same
// instant.
void Transitions::happen_last(Happening now, std::size_t first_event) {
  log_changes(sides_, now.sides, *mode_);
  const std::vector<double> before = parameters_;
  EntryRequest request = request_from_here(now);
  for (int n = 0; !now.fired.empty() && n < most_short; ++n) {
    EntryRequest applied = request;
    apply(now.fired, applied);
    request.parameters = std::move(applied.parameters);
    const Sides sides = now.at_instant;
    entry_.reader().decide_constant_guards(now.at_instant, request.parameters, request.values,
                                           request.t);
    now.fired = clauses_.between(sides, now.at_instant, request.parameters);
    log_clauses(now);
  }
  parameters_ = std::move(request.parameters);
  for (std::size_t n = first_event; n < solution_->events.size(); ++n)
    report_discretes(before, solution_->events[n]);
  if (parameters_ != before) {
    solution_->parameters = parameters_;
    recorder_->keep_instant(run_now());
  }
  end_ = explain::StopReason{};
}

void Transitions::log(const std::string& name, EventKind kind) {
  solution_->events.push_back(
      {.t = run_now().t(), .name = name, .kind = kind, .mode = met_.number()});
}

void Transitions::log_clauses(const Happening& now) {
  for (const int k : now.fired) {
    const model::When& when = model_.whens[k];
    const EventKind kind = acts(k) ? EventKind::when : EventKind::observation;
    log(model_.label(when), when.ends_run ? EventKind::end : kind);
  }
  if (now.fired.empty())
    for (const int guard : now.touched) log(guards_.text(guard, Side::zero), EventKind::touch);
}

// Guards that matter, in the mode before or the mode after, and have changed their side.
void Transitions::log_changes(const Sides& before, const Sides& after, const Mode& left) {
  for (int k = 0; k < guards_.size(); ++k)
    if ((left.is_relevant(k) || mode_->is_relevant(k)) && before[k] != after[k])
      log(guards_.text(k, after[k]), EventKind::mode);
}

Derivatives Transitions::values_now() { return entry_.reader().derivatives_of(*mode_); }

EntryRequest Transitions::request_from_here(const Happening& now) {
  EntryRequest request{
      .t = run_now().t(), .before = sides_, .sides = now.sides, .at_zero = at_zero_};
  request.at_zero.crossed = now.crossed;
  request.values = values_now();
  request.orders = mode_->run_orders();
  request.parameters = parameters_;
  return request;
}

// The run stands at an event or where its user changes something; what was rising to it does not
// count any more.
void Transitions::change(const StateChange& change) {
  if (is_by_method() && !is_resting() && !stand_with_series()) {
    end_ = mode_->method()->explain(*solution_);
    return;
  }
  resting_.reset();
  at_zero_ = {};
  const Happening now{
      .sides = sides_, .at_instant = sides_, .crossed = {}, .touched = {}, .fired = {}};
  EntryRequest request = request_from_here(now);
  const Derivatives before = request.values;
  request.parameters = change.parameters;
  for (const plan::OtherStart& value : change.values) {
    std::vector<double>& values = request.values[static_cast<std::size_t>(value.unknown)];
    values.resize(std::max(values.size(), static_cast<std::size_t>(value.order) + 1), 0.0);
    values[static_cast<std::size_t>(value.order)] = value.value;
    request.set.push_back({value.unknown, value.order});
  }
  restart(now, std::move(request), before, solution_->events.size());
}

void Transitions::restart(const Happening& now, EntryRequest request, const Derivatives& before,
                          std::size_t first_event) {
  entry_.reader().decide_constant_guards(request.sides, request.parameters, request.values,
                                         request.t);
  if (!request.set.empty()) entry_.reconsider(request);
  leave_mode();
  record_present();  // in case that there is no way on
  const Entered entered = entry_.enter(request);
  if (entered.mode == nullptr) {
    log_changes(sides_, now.sides, *mode_);
    return fail(entered);
  }
  const std::vector<double> parameters_before =
      std::exchange(parameters_, std::move(request.parameters));
  const Sides sides_before = sides_;
  const Mode& left = *mode_;
  go_on(entered);
  log_changes(sides_before, sides_, left);
  if (solution_->events.size() == first_event && !now.crossed.empty())  // an impact, and back
    log(guards_.text(now.crossed.front(), now.sides[now.crossed.front()]), EventKind::mode);
  for (std::size_t n = first_event; n < solution_->events.size(); ++n)
    report(before, parameters_before, left.run_orders(), entered, solution_->events[n]);
  follow_up(now);
}

// What an event has changed may make other conditions true at the same instant.
void Transitions::follow_up(const Happening& now) {
  Happening next{.sides = sides_, .at_instant = sides_, .crossed = {}, .touched = {}, .fired = {}};
  next.fired = fired(now.at_instant, sides_);
  if (!next.fired.empty() && !is_over()) happen(next);
}

// The actions of when clauses, on what holds just before the event.
void Transitions::apply(const std::vector<int>& whens, EntryRequest& request) {
  const Derivatives before = request.values;
  const std::vector<double> parameters = request.parameters;
  expr::Evaluator evaluator(*model_.graph);
  const expr::Point point{
      .time = request.t, .parameters = parameters, .unknown = [&](expr::UnknownId j, int order) {
        return order < static_cast<int>(before[j.index()].size())
                   ? before[j.index()][order]
                   : std::numeric_limits<double>::quiet_NaN();
      }};
  for (const int k : whens) {
    for (const model::Assignment& assignment : model_.whens[k].assignments)
      request.parameters[assignment.variable.index()] = evaluator.value(assignment.value, point);
    for (const model::Reinit& reinit : model_.whens[k].reinits) {
      std::vector<double>& values = request.values[reinit.unknown.index()];
      if (static_cast<int>(values.size()) <= reinit.order) values.resize(reinit.order + 1, 0.0);
      values[reinit.order] = evaluator.value(reinit.value, point);
      request.set.push_back({static_cast<int>(reinit.unknown.index()), reinit.order});
    }
  }
}

// What jumped, what was kept.
void Transitions::report(const Derivatives& before, const std::vector<double>& parameters_before,
                         const std::vector<int>& left_orders, const Entered& entered,
                         Event& event) const {
  event.mode = met_.number();
  event.tries = entered.tries;
  event.undetermined = entered.undetermined;
  for (int j = 0; j < static_cast<int>(before.size()); ++j) {
    const int count = std::max({run_now().orders()[j], left_orders[j], 1});
    for (int order = 0; order < count; ++order) {
      if (order >= static_cast<int>(before[j].size())) continue;
      const double old = before[j][order], now = run_now().derivative(j, order);
      const double size = mode_->nominal(j) + std::max(std::abs(old), std::abs(now));
      if (std::abs(now - old) > jump_in_tolerances * settings_.tolerance * size)
        event.jumps.push_back({model::derivative_name(model_.variables[j].name, order), old, now});
      else if (order < run_now().orders()[j])
        ++event.kept;
    }
  }
  report_discretes(parameters_before, event);
}

// Discrete variables that have another value now.
void Transitions::report_discretes(const std::vector<double>& before, Event& event) const {
  for (std::size_t k = 0; k < before.size(); ++k)
    if (model_.parameters[k].is_discrete && parameters_[k] != before[k])
      event.jumps.push_back({model_.parameters[k].name, before[k], parameters_[k]});
}

// Whether the events of something that happens now accumulate, and the rest of them is not worth
// the while.
bool Transitions::is_accumulating(const Happening& now) {
  std::vector<std::string> names;
  for (const int k : now.fired) names.push_back(model_.label(model_.whens[k]));
  if (names.empty())
    for (const int guard : now.crossed)
      if (mode_->is_relevant(guard)) names.push_back(guards_.text(guard, now.sides[guard]));
  const double part =
      is_by_method() ? rest_in_roots * std::sqrt(settings_.tolerance) : negligible_rest;
  const double rest = part * std::abs(settings_.to - settings_.from);
  Zeno zeno;
  for (const std::string& name : names) {
    hybrid::Accumulation& rhythm = rhythms_[name];
    rhythm.add(run_now().t());
    if (!rhythm.limit() || rhythm.remaining() > rest) continue;
    zeno.t = *rhythm.limit();
    zeno.guards.push_back(name);
  }
  if (zeno.guards.empty()) return false;
  solution_->zeno = zeno;
  return true;
}

// At the end of an accumulation the run goes on in a mode in which its guards stay at zero, if the
// model has one. It is so from the limit on, which is hardly ahead: series lead there, whatever the
// guards do until then.
void Transitions::come_to_rest(const Happening& now) {
  EntryRequest request{.t = run_now().t(), .sides = sides_, .at_zero = {.crossed = now.crossed}};
  request.values = values_now();
  request.parameters = parameters_;
  record_present();
  if (entry_.settle(request, now.crossed).mode == nullptr) {
    leave_mode();
    return end_at_accumulation();
  }
  resting_ = now.crossed;
  mode_->take(sides_, parameters_);
  const double t = solution_->t, limit = solution_->zeno->t;
  const bool is_ahead = std::abs(limit - t) < std::abs(settings_.to - t);
  const bool is_begun = go_without_events(t, is_ahead ? end_of_rest() : t, request.values);
  recorder_->enter(run_now());
  mode_->stepper().enter(*solution_);
  if (!is_begun || run_now().is_done()) rest();
}

// The limit of an accumulation, or a pause before it.
double Transitions::end_of_rest() const {
  const double t = run_now().t(), limit = solution_->zeno->t;
  const double stop = settings_.stop();
  return (stop - t) * (limit - stop) > 0.0 ? stop : limit;
}

// A pause is no event: guards are watched on as before.
bool Transitions::is_at_pause_only(std::span<const integrate::Arrival> arrivals) const {
  return arrivals.empty() && now() == settings_.pause &&
         entry_.reader().due_timers(*mode_, now()).empty();
}

void Transitions::go_on() {
  if (is_resting()) return run_now().go_on_to(end_of_rest());
  const double t = now();
  if (!is_by_method()) return run_now().go_on_to(entry_.reader().next_stop(*mode_, t));
  std::vector<integrate::WatchedFunction> watched = mode_->method()->run().watched();
  if (!stand_with_series()) {
    end_ = mode_->method()->explain(*solution_);
    return;
  }
  begin_method();
  if (!is_over()) mode_->method()->run().watch(std::move(watched));
}

double Transitions::up_to_pause(double end) const {
  if (!settings_.pause) return end;
  const double t = run_now().t(), pause = *settings_.pause;
  const bool is_between = (pause - t) * (end - pause) > 0.0;
  return is_between && !GuardReader::is_same_instant(pause, t) ? pause : end;
}

void Transitions::heed_pause() {
  if (!makes_method_steps()) run_now().go_on_to(up_to_pause(run_now().end()));
}

// The equations of the present mode, whatever its guards do.
bool Transitions::go_without_events(double t, double end, const Derivatives& values) {
  if (mode_->is_on_array()) {
    const bool is_begun =
        mode_->array(settings_).find_near(t, values, {}).ok() && mode_->begin_on_array(t, end);
    entry_.reader().watch_nothing(*mode_);
    return is_begun;
  }
  integrate::TaylorIntegrator& integrator = mode_->integrator(settings_, options_);
  entry_.reader().watch_nothing(*mode_);
  const auto all = mode_->completed(t, values);
  return all && integrator.begin(t, end, *all, 0, std::abs(settings_.to - settings_.from));
}

void Transitions::rest() {
  EntryRequest request{.t = run_now().t(), .sides = sides_, .at_zero = {.crossed = *resting_}};
  request.values = values_now();
  request.parameters = parameters_;
  const Mode& left = *mode_;
  leave_mode();
  record_present();
  const Entered entered = entry_.settle(request, *resting_);
  resting_.reset();
  if (entered.mode == nullptr) return end_at_accumulation();
  solution_->zeno->settled = true;
  for (const std::string& name : solution_->zeno->guards) rhythms_[name].clear();
  go_on(entered);
  log(base::listed(solution_->zeno->guards) + " comes to rest", EventKind::mode);
  report(request.values, parameters_, left.run_orders(), entered, solution_->events.back());
}

void Transitions::end_at_accumulation() {
  is_recorded_ = true;
  end_ = explain::StopReason{
      .status = Status::zeno,
      .problem = {.id = "S-HYB-002",
                  .what = fmt::format("events accumulate at t = {:.10g}", solution_->zeno->t),
                  .where = where_of(solution_->zeno->guards),
                  .why = fmt::format("'{}' happens ever faster: the intervals shrink by the same "
                                     "factor from one to the next, so that infinitely many fit in "
                                     "a finite time",
                                     base::listed(solution_->zeno->guards)),
                  .todo = "end the run before, or give the model a mode in which it is at rest "
                          "there"},
      .is_recorded = true};
}

// A guard that touches zero again and again does not get away from it: it stays there, if the model
// has a mode for that.
bool Transitions::rests(const Happening& now) {
  EntryRequest request{
      .t = run_now().t(), .before = sides_, .sides = sides_, .at_zero = {.crossed = now.touched}};
  const Derivatives before = values_now();
  request.values = before;
  request.parameters = parameters_;
  record_present();
  const Mode& left = *mode_;
  const Sides sides_before = sides_;
  const double t = run_now().t();
  const Entered entered = entry_.settle(request, now.touched);
  if (entered.mode == nullptr) {
    go_back_to(t, before);
    return false;
  }
  leave_mode();
  go_on(entered);
  log_changes(sides_before, sides_, left);
  report(before, parameters_, left.run_orders(), entered, solution_->events.back());
  return true;
}

// After other modes were tried in vain: the present one goes on.
void Transitions::go_back_to(double t, const Derivatives& values) {
  mode_->take(sides_, parameters_);
  if (!is_by_array() && !mode_->is_on_array())
    return switch_to(is_by_method() ? mode_->series(settings_, options_)
                                    : mode_->integrator(settings_, options_),
                     t, values);
  const bool is_begun = begin_on_array(t, values, {});
  recorder_->enter(run_now());
  mode_->stepper().enter(*solution_);
  if (!is_begun) return;
  entry_.reader().watch(*mode_, sides_, at_zero_);
  if (is_by_method()) begin_method();
}

// Where clauses and conditions are written whose events have these names.
std::string Transitions::where_of(const std::vector<std::string>& names) const {
  const auto is_named = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> places;
  for (const model::When& when : model_.whens)
    if (is_named(model_.label(when)) && !when.place.text().empty())
      places.push_back(when.place.text());
  if (!places.empty()) return base::listed(places);
  std::vector<int> conditions;
  for (int k = 0; k < guards_.size(); ++k)
    for (const Side side : {Side::minus, Side::zero, Side::plus, Side::slides})
      if (is_named(guards_.text(k, side))) conditions.push_back(k);
  return guards_.where(conditions, model_.place);
}

bool Transitions::is_chattering(bool is_touch) {
  const double duration = std::abs(settings_.to - settings_.from);
  const double shortest = (is_touch ? short_part_of_touches : short_part) * duration;
  const bool is_short = std::abs(run_now().t() - last_event_) <= shortest;
  num_short_ = is_short ? num_short_ + 1 : 0;
  last_event_ = run_now().t();
  if (num_short_ <= most_short) return false;
  std::vector<std::string> names;
  for (std::size_t k = std::max<std::size_t>(solution_->events.size(), 4) - 4;
       k < solution_->events.size(); ++k)
    if (std::find(names.begin(), names.end(), solution_->events[k].name) == names.end())
      names.push_back(solution_->events[k].name);
  end_ = {Status::chattering,
          {.id = "S-HYB-003",
           .what = fmt::format("modes change to and fro at t = {:.17g}", run_now().t()),
           .where = where_of(names),
           .why = fmt::format("{} events in a row, each within {:.1g} of the one before: '{}'",
                              num_short_, shortest, base::listed(names)),
           .todo = "give the condition a hysteresis: different values for switching on and off"}};
  return true;
}

// The end of the run, if there is no way on.
void Transitions::record_present() {
  mode_->stepper().settle(*solution_);
  recorder_->finish(run_now());
}

void Transitions::leave_mode() {
  met_.spend(std::abs(now() - std::exchange(entered_at_, now())));
  if (is_by_method())
    mode_->method()->note_residual(*solution_);
  else if (mode_->is_by_array())
    mode_->stepper().finish(*solution_);  // ranks lost in it
}

// There is no mode to go on in. What was computed is kept.
void Transitions::fail(const Entered& entered) {
  is_recorded_ = true;
  end_ = explain::StopReason{.status = entered.status, .problem = {}, .is_recorded = true};
  if (entered.problems.empty()) return;
  end_->problem = entered.problems.front();
  end_->others.assign(entered.problems.begin() + 1, entered.problems.end());
}

ConsistentPoint initialize_hybrid(const model::ModelData& model, double t, StartWeighting weights) {
  const settings::Settings settings{.from = t,
                                    .to = t + 1.0,  // what comes after t counts
                                    .tolerance = 1e-9,
                                    .order = {},
                                    .start_weighting = weights,
                                    .max_step = std::numeric_limits<double>::infinity(),
                                    .at = {}};
  const SolveOptions options{.kernel = Kernel::interpreter};
  const std::vector<double> parameters = model::check(model);
  PreparedModes modes(model, parameters, ladder_of(options.method.value()));
  return Transitions(modes, settings, options, {.t = t, .parameters = parameters})
      .find_start()
      .start;
}

}  // namespace daedal::run
