#include "run/modes/mode_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/wording.hpp"
#include "explain/stop_reason.hpp"
#include "expr/evaluate.hpp"
#include "run/steppers/methods.hpp"
#include "structure/signature.hpp"

namespace daedal::run {
namespace {

using hybrid::Side;
using hybrid::Sides;

constexpr int most_tries = 10;           // K of [Nedialkov2009, sec. 3.2]
constexpr std::size_t most_sliding = 4;  // guards at once
constexpr std::size_t most_jumping = 3;  // with one that slides
constexpr int most_candidates = 64;      // in each round of them
// What is still moving, relative to its size, when events accumulate: their rest is left out. Of
// methods whose rest is larger, in roots of the tolerance.
constexpr double motion_at_rest = 1e-4, motion_in_roots = 100.0;
constexpr double impulse_in_tolerances = 1000.0, jump_in_tolerances = 1000.0;

bool has(const std::vector<int>& guards, int guard) {
  return std::find(guards.begin(), guards.end(), guard) != guards.end();
}

bool was_tried(const std::vector<Sides>& tried, const Sides& sides) {
  return std::find(tried.begin(), tried.end(), sides) != tried.end();
}

}  // namespace

ModeEntry::ModeEntry(const model::ModelData& model, const hybrid::Guards& guards, ModeTable& modes,
                     const settings::Settings& settings, const SolveOptions& options)
    : model_(model),
      guards_(guards),
      modes_(modes),
      settings_(settings),
      options_(options),
      reader_(model, guards, settings) {
  std::vector<expr::NodeId> residuals;
  for (const model::Equation& equation : model.equations) residuals.push_back(equation.residual);
  const structure::SignatureMatrix sigma = structure::signature_of(*model.graph, residuals);
  differentiated_.resize(model.variables.size(), 0);
  for (int i = 0; i < sigma.num_equations(); ++i)
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
      int& highest = differentiated_[static_cast<std::size_t>(sigma.unknowns(i)[k])];
      highest = std::max(highest, sigma.orders(i)[k]);
    }
}

// [Nedialkov2009, sec. 3.2], with one difference: the mode is evaluated just after t, from
// the series, so that a guard at zero is on the side that it is about to be on.
Entered ModeEntry::enter(const EntryRequest& as_told) {
  std::vector<Sides> tried;
  may_slide_.assign(guards_.size(), true);
  is_near_zero_.assign(guards_.size(), false);
  is_suspect_.assign(guards_.size(), false);
  matters_.assign(guards_.size(), false);
  contradictions_.assign(static_cast<std::size_t>(guards_.size()), {});
  passed_.clear();
  first_obstacle_.clear();
  values_of_first_mode_.clear();
  values_kept_.clear();
  Attempt attempt = follow(as_told, as_told.sides, tried);
  if (attempt.agrees()) return entered(as_told, std::move(attempt), tried.size());
  const EntryRequest undecided = with_undecided_guards(as_told);
  const bool has_undecided = undecided.at_zero.crossed.size() > as_told.at_zero.crossed.size();
  if (has_undecided) {
    if (Entered found = enter_another(as_told, tried, {{Dispute::crossed}}, attempt);
        found.mode != nullptr)
      return found;
    tried.clear();
    Attempt other = follow(undecided, undecided.sides, tried);
    if (other.agrees()) return entered(undecided, std::move(other), tried.size());
  }
  constexpr std::array rounds = {Dispute::near_zero, Dispute::suspect, Dispute::suspect};
  if (Entered found = enter_another(undecided, tried, rounds, attempt); found.mode != nullptr)
    return found;
  return explain(undecided, tried, attempt);
}

// Behind a jump that was passed through, or in a mode that none of those tried has asked for.
// `attempt` becomes the last one that began, for what is to be said of it.
Entered ModeEntry::enter_another(const EntryRequest& request, std::vector<Sides>& tried,
                                 std::span<const Dispute> rounds, Attempt& attempt) {
  for (const Passed& passed : std::vector<Passed>(std::move(passed_))) {
    EntryRequest next = request;
    next.values = passed.values;
    next.set.clear();
    std::vector<Sides> tried_next;
    Attempt other = follow(next, passed.asked_for, tried_next);
    if (other.agrees()) return entered(next, std::move(other), tried.size() + tried_next.size());
  }
  for (const Dispute dispute : rounds)  // candidates may dispute further guards
    for (const Sides& candidate : other_candidates(request, tried, dispute)) {
      Attempt other = follow(request, candidate, tried);
      if (other.agrees()) return entered(request, std::move(other), tried.size());
      if (!attempt.is_begun) attempt = std::move(other);
    }
  return {};
}

// A value within the error of the solution says on which side a guard is as long as a mode agrees
// with it, one in which other guards slide included. Where none does, it says nothing, and the
// series say where the guard goes.
EntryRequest ModeEntry::with_undecided_guards(EntryRequest request) const {
  for (int k = 0; k < guards_.size(); ++k)
    if (is_near_zero_[k] && !has(request.at_zero.crossed, k)) request.at_zero.crossed.push_back(k);
  return request;
}

void ModeEntry::keep_nearness(const GuardReader::Reading& reading) {
  for (int k = 0; k < guards_.size(); ++k) {
    if (reading.nearness[k] == GuardReader::Nearness::away) may_slide_[k] = false;
    if (reading.nearness[k] == GuardReader::Nearness::near) is_near_zero_[k] = true;
  }
}

// The values of guards that came out on the other side than they were taken to be on.
void ModeEntry::keep_contradictions(const Sides& sides, const Sides& found) {
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const double value = reader_.last_value(static_cast<int>(k));
    if (found[k] != hybrid::opposite(sides[k]) || hybrid::side_of(value) != found[k]) continue;
    if (sides[k] == Side::plus) contradictions_[k].holding = value;
    if (sides[k] == Side::minus) contradictions_[k].failing = value;
  }
}

// Any guard of a mode that has no solution, or no structure, may be to blame.
void ModeEntry::suspect(const Mode* mode) {
  for (int k = 0; k < guards_.size(); ++k)
    if (mode == nullptr || mode->is_relevant(k)) is_suspect_[k] = matters_[k] = true;
}

// From mode to mode, as their solutions ask for, until one agrees with itself or was tried before.
ModeEntry::Attempt ModeEntry::follow(const EntryRequest& request, Sides sides,
                                     std::vector<Sides>& tried) {
  Attempt result;
  for (int tries = 0; tries < most_tries; ++tries) {
    reader_.decide_nested_guards(sides, request.parameters);
    if (was_tried(tried, sides)) break;
    tried.push_back(sides);
    result = attempt(request, sides);
    if (!result.is_begun) {
      suspect(result.mode);
      if (first_obstacle_.empty()) first_obstacle_ = result.problems;
    }
    if (result.agrees() || !result.is_begun || agrees_at_zero(result)) break;
    if (has_jumped(request, *result.mode))
      passed_.push_back({reader_.derivatives_of(*result.mode), result.found});
    sides = from_inside(request, sides, result);
  }
  return result;
}

// The sides found, but of guards around one that changes: they are functions of which this mode
// knows no more than the values.
Sides ModeEntry::from_inside(const EntryRequest& request, const Sides& sides,
                             const Attempt& attempt) {
  if (!reader_.has_nested_guards()) return attempt.found;
  std::vector<int> changed;
  for (int k = 0; k < guards_.size(); ++k)
    if (attempt.found[k] != sides[k]) changed.push_back(k);
  Sides next = attempt.found;
  reader_.decide_around(changed, next, sides, request.t, request.parameters,
                        reader_.derivatives_of(*attempt.mode));
  return next;
}

Entered ModeEntry::settle(EntryRequest request, const std::vector<int>& guards) {
  request.is_rest = true;
  may_slide_.assign(guards_.size(), false);
  is_near_zero_.assign(guards_.size(), false);
  matters_.assign(guards_.size(), false);
  contradictions_.assign(static_cast<std::size_t>(guards_.size()), {});
  std::vector<Sides> candidates;
  for (int k = 0; k < guards_.size(); ++k) {
    if (guards_.is_constant(k)) continue;
    candidates.push_back(request.sides);
    candidates.back()[k] = hybrid::opposite(request.sides[k]);
    candidates.push_back(request.sides);
    candidates.back()[k] = Side::zero;
  }
  for (Sides& candidate : candidates) {
    reader_.decide_nested_guards(candidate, request.parameters);
    Attempt other = attempt(request, candidate);
    const auto rests = [&](int guard) { return other.found[guard] == Side::zero; };
    if (other.agrees() && std::any_of(guards.begin(), guards.end(), rests))
      return entered(request, std::move(other), 1);
  }
  return {};
}

Entered ModeEntry::entered(const EntryRequest& request, Attempt&& attempt, std::size_t tries) {
  reader_.watch(*attempt.mode, attempt.watched, request.before, request.at_zero);
  Entered result{.mode = attempt.mode, .sides = attempt.found, .tries = static_cast<int>(tries)};
  result.undetermined = std::move(attempt.undetermined);
  result.point = std::move(attempt.point);
  result.zero_side = std::move(attempt.zero_side);
  return result;
}

// Where all guesses weigh (rule C12), values that nobody gave weigh as the first mode that was
// tried has them. The point of the first mode that is not quasilinear is kept: modes after it begin
// there.
ConsistentPoint ModeEntry::find_start(const EntryRequest& request, Mode& mode) {
  StartWeighting weighting = settings_.start_weighting;
  if (weighting == StartWeighting::choosable)
    return mode.find_start(request.t, request.starts, weighting, settings_);
  std::vector<plan::OtherStart> starts = values_of_first_mode_;
  starts.insert(starts.end(), request.starts.begin(), request.starts.end());
  starts.insert(starts.end(), values_kept_.begin(), values_kept_.end());
  if (!values_kept_.empty()) weighting = StartWeighting::choosable;
  ConsistentPoint point = mode.find_start(request.t, starts, weighting, settings_);
  if (!point.ok()) return point;
  if (values_of_first_mode_.empty()) values_of_first_mode_ = values_not_given(point);
  if (!values_kept_.empty()) {
    say_what_moved(point);
  } else if (!mode.is_quasilinear()) {
    values_kept_ = all_values(point);
    kept_ = point;
  }
  return point;
}

// A point that was found from values that were kept, as seen from the guesses.
void ModeEntry::say_what_moved(ConsistentPoint& point) const {
  double sum = 0.0;
  for (StartValue& start : point.start) {
    const auto same =
        std::find_if(kept_.start.begin(), kept_.start.end(), [&](const StartValue& s) {
          return s.variable == start.variable && s.order == start.order;
        });
    const bool is_guessed = same != kept_.start.end() && !start.follows;
    start.given = is_guessed ? same->given : std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(start.given)) continue;
    sum += std::pow(start.moved() / modes_.nominals()[static_cast<std::size_t>(start.variable)], 2);
  }
  point.distance = std::sqrt(sum);
}

std::vector<plan::OtherStart> ModeEntry::all_values(const ConsistentPoint& point) const {
  std::vector<plan::OtherStart> values;
  for (std::size_t j = 0; j < model_.variables.size() && j < point.values.size(); ++j)
    for (std::size_t m = 0; m < point.values[j].size(); ++m)
      values.push_back({.unknown = static_cast<int>(j),
                        .order = static_cast<int>(m),
                        .value = point.values[j][m],
                        .fixed = is_fixed(j, m)});
  return values;
}

std::vector<plan::OtherStart> ModeEntry::values_not_given(const ConsistentPoint& point) const {
  std::vector<plan::OtherStart> values = all_values(point);
  std::erase_if(values, [&](const plan::OtherStart& value) {
    const std::vector<model::Start>& given = model_.variables[value.unknown].start;
    const auto m = static_cast<std::size_t>(value.order);
    return m < given.size() && given[m].value;
  });
  return values;
}

bool ModeEntry::is_fixed(std::size_t variable, std::size_t order) const {
  const std::vector<model::Start>& given = model_.variables[variable].start;
  return order < given.size() && given[order].fixed;
}

ModeEntry::Attempt ModeEntry::attempt(const EntryRequest& request, const Sides& sides) {
  Attempt result;
  try {
    result.mode = &modes_.at(sides, request.parameters);
  } catch (const Error& error) {  // equations that make no sense in this mode
    result.status = Status::no_mode;
    result.problems = error.problems();
    return result;
  }
  for (int k = 0; k < guards_.size(); ++k)
    if (result.mode->is_relevant(k)) matters_[k] = true;
  result.is_begun = begin_from(request, sides, result);
  if (result.is_begun && needs_guards(*result.mode))
    result.is_begun = begin_with_guards(request, result);
  if (result.is_begun && slides(sides) && !request.is_start &&
      (has_jumped(request, *result.mode) || has_jumped(request, *result.mode, differentiated_))) {
    result.is_begun = false;  // a solution slides where it is, or not at all
    return result;
  }
  if (result.is_begun) {
    const GuardReader::Reading reading =
        reader_.read(*result.mode, sides, request.before, request.at_zero);
    result.found = reading.sides;
    keep_nearness(reading);
    keep_contradictions(sides, reading.sides);
    heed_impulse(result);
    result.watched = result.found;
    accept_either_side(*result.mode, result.found);
  }
  if (result.is_begun && !result.mode->run().can_step()) {  // it ends where it begins
    result.is_begun = false;
    const explain::StopReason reason = result.mode->stepper().explain({});
    result.status = reason.status;
    result.problems = {reason.problem};
  }
  return result;
}

// Whoever makes steps without series needs the values of guards among the unknowns all along.
bool ModeEntry::needs_guards(Mode& mode) {
  if (mode.is_by_array()) return false;  // it has them
  return makes_series_steps(options_.method.value()) ? reader_.needs_guards(mode)
                                                     : mode.has_guards();
}

bool ModeEntry::slides(const Sides& sides) {
  return std::find(sides.begin(), sides.end(), Side::slides) != sides.end();
}

// Whether a value that the mode before t started from is another one after it.
bool ModeEntry::has_jumped(const EntryRequest& request, Mode& mode) const {
  return has_jumped(request, mode, request.orders);
}

// Whether a value of these derivatives and those below is another one after t.
bool ModeEntry::has_jumped(const EntryRequest& request, Mode& mode,
                           const std::vector<int>& orders) const {
  for (std::size_t j = 0; j < orders.size() && j < model_.variables.size(); ++j)
    for (int order = 0; order < orders[j] && order < static_cast<int>(request.values[j].size());
         ++order) {
      const double before = request.values[j][order];
      const double behind = mode.run().derivative(static_cast<int>(j), order);
      const double size = mode.nominal(static_cast<int>(j)) + std::abs(before);
      if (std::abs(behind - before) > jump_in_tolerances * settings_.tolerance * size) return true;
    }
  return false;
}

bool ModeEntry::begin_from(const EntryRequest& request, const Sides& sides, Attempt& attempt) {
  Mode& mode = *attempt.mode;
  if (request.is_start) {
    attempt.point = find_start(request, mode);
    attempt.status = attempt.point.status;
    attempt.problems = attempt.point.problems;
    if (!attempt.point.ok()) return false;
  }
  if (mode.is_on_array()) return begin_on_array(request, attempt);
  if (!request.is_start && !mode.plan().regularity.singular.empty()) {
    attempt.status = Status::structural_analysis_fails;
    attempt.problems = explain_regularity(mode.plan());
    return false;
  }
  integrate::TaylorIntegrator& integrator = mode.integrator(settings_, options_);
  const double end = reader_.next_stop(mode, request.t);
  const double duration = std::abs(settings_.to - settings_.from);
  integrate::TaylorRun& run = integrator.run();
  reader_.watch_nothing(mode);
  if (request.is_start)
    return integrator.begin(request.t, end, attempt.point.values, 0, duration) ||
           begin_nearby(request, sides, attempt);
  if (mode.has_own_unknowns())
    return begin_nearby(request, sides, attempt) && !jumps_by_no_law(request, attempt);
  std::vector<int> held;
  for (const init::Coefficient& c : request.set) held.push_back(c.index);
  const Derivatives values = values_behind(request, attempt);
  run.hold(std::move(held));
  const bool is_begun =
      integrator.begin(request.t, end, values, 0, duration) && keeps_what_was_set(request, mode);
  run.hold({});
  if (!is_begun) attempt.has_law = false;
  return (is_begun || begin_nearby(request, sides, attempt)) && !jumps_by_no_law(request, attempt);
}

// In a converted mode the law of jumps holds for what is charged linearly; elsewhere, and in
// unknowns that substitutions hide derivatives in, the nearest values would be an invention.
bool ModeEntry::jumps_by_no_law(const EntryRequest& request, Attempt& attempt) const {
  Mode& mode = *attempt.mode;
  if (!mode.is_converted() || !request.set.empty() || !has_jumped(request, mode)) return false;
  if (attempt.has_law && mode.keeps_charges()) return false;
  attempt.status = Status::structural_analysis_fails;
  attempt.problems = {explain_no_law(request)};
  return true;
}

Problem ModeEntry::explain_no_law(const EntryRequest& request) const {
  return {.id = "S-STR-003",
          .what = fmt::format("values would have to jump at t = {:.17g}, it is not known how",
                              request.t),
          .where = guards_.where(request.at_zero.crossed, model_.place),
          .why =
              "structural analysis fails on the equations that hold from here on, and they do "
              "not hold for the values before; what is kept then is known only where "
              "derivatives of first order occur linearly with constant factors",
          .todo = "say with reinit what the values are after the event"};
}

double ModeEntry::negligible_change(const EntryRequest& request) const {
  if (!request.is_rest) return jump_in_tolerances * settings_.tolerance;
  return is_step_method_of_modes(options_.method.value())
             ? motion_in_roots * std::sqrt(settings_.tolerance)
             : motion_at_rest;
}

// On the array what is differentiated comes through the event unchanged, and the rest follows. If
// equations or what an event has set make it move, no law says how: the array's nearest point would
// be an invention.
bool ModeEntry::begin_on_array(const EntryRequest& request, Attempt& attempt) const {
  Mode& mode = *attempt.mode;
  ModeArray& array = mode.array(settings_);
  if (!request.is_start) {
    const ConsistentPoint point = array.find_near(request.t, request.values, request.set);
    attempt.status = point.status;
    attempt.problems = point.problems;
    if (!point.ok()) return false;
    if (!array.keeps_what_is_differentiated(request.values, negligible_change(request))) {
      attempt.status = Status::structural_analysis_fails;
      attempt.problems = {explain_no_law(request)};
      return false;
    }
  }
  if (mode.begin_on_array(request.t, reader_.next_stop(mode, request.t))) return true;
  const explain::StopReason reason = array.explain_no_step();
  attempt.status = reason.status;
  attempt.problems = {reason.problem};
  return false;
}

// An impulse of a guard has the guard's sign: a floor does not pull. If it has the other one, the
// mode asks for the other side.
void ModeEntry::heed_impulse(Attempt& attempt) const {
  if (attempt.impulse.empty()) return;
  Mode& mode = *attempt.mode;
  const std::vector<int>& d = mode.offsets_with_guards();
  expr::Evaluator evaluator(*mode.model().data.graph);
  const expr::Point point{.time = 0.0, .parameters = mode.parameters(), .unknown = {}};
  for (const hybrid::Watch& watch : mode.model().watches) {
    if (watch.way_out) continue;
    double impulse = 0.0, size = 0.0;
    for (const hybrid::Watch::Term& term : watch.terms) {
      if (term.order != d[term.unknown]) continue;
      const double factor = evaluator.value(term.factor, point);
      impulse += factor * attempt.impulse[term.unknown];
      size += std::abs(factor) * mode.nominal(term.unknown);
    }
    const Side side = hybrid::side_of(impulse);
    if (std::abs(impulse) > impulse_in_tolerances * settings_.tolerance * size &&
        side != mode.side(watch.guard))
      attempt.found[watch.guard] = side;
  }
}

// A guard of min, max or abs that stays zero has the same equations on either side.
void ModeEntry::accept_either_side(const Mode& mode, Sides& found) const {
  for (int k = 0; k < guards_.size(); ++k)
    if (guards_[k].is_continuous && found[k] == Side::zero && mode.side(k) != Side::slides)
      found[k] = mode.side(k);
}

// Guards that stay at zero though the mode has them on a side, if nothing else disagrees.
std::vector<int> ModeEntry::guards_that_stay(const Attempt& attempt) const {
  std::vector<int> guards;
  for (int k = 0; k < guards_.size(); ++k) {
    const Side side = attempt.mode->side(k);
    if (!attempt.mode->is_relevant(k) || attempt.found[k] == side) continue;
    if (attempt.found[k] != Side::zero || side == Side::slides) return {};
    guards.push_back(k);
  }
  return guards;
}

// Whether what is written for zero holds for the solution of such a mode, which then is as good.
bool ModeEntry::agrees_at_zero(Attempt& attempt) const {
  const std::vector<int> guards = guards_that_stay(attempt);
  if (guards.empty()) return false;
  auto zero_side = std::make_shared<ZeroSide>(model_, *attempt.mode, guards);
  if (!zero_side->agrees(attempt.mode->run(), settings_.tolerance)) return false;
  attempt.zero_side = std::move(zero_side);
  for (const int k : guards) attempt.found[k] = attempt.mode->side(k);
  return true;
}

// The values before t, with the jump that new constraints demand. What an event has set stays as it
// is, and so do values for which there is no such jump: then the nearest ones follow.
Derivatives ModeEntry::values_behind(const EntryRequest& request, Attempt& attempt) const {
  Mode& mode = *attempt.mode;
  Derivatives values = request.values;
  values.resize(mode.plan().size());
  if (!request.set.empty()) return values;
  if (!mode.is_converted() && !mode.has_constraints()) {  // then none demand a jump
    attempt.has_law = true;
    return values;
  }
  const auto impulse = mode.impulse().find(request.t, mode.parameters(), values);
  if (!impulse) return values;
  attempt.has_law = true;
  const std::vector<int>& d = mode.plan().structure.d;
  bool is_jump = false;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (d[j] == 0 || d[j] > static_cast<int>(values[j].size())) continue;
    double& value = values[j][d[j] - 1];
    value += impulse->delta[j];
    const double size = mode.nominal(static_cast<int>(j)) + std::abs(value);
    is_jump =
        is_jump || std::abs(impulse->delta[j]) > impulse_in_tolerances * settings_.tolerance * size;
  }
  if (is_jump)
    if (const auto all =
            mode.impulse_of_guards().find(request.t, mode.parameters(), request.values))
      attempt.impulse = all->delta;
  return values;
}

// The search for a consistent point, which is slower and finds more; and if it finds none, from the
// mode before by continuation.
bool ModeEntry::begin_nearby(const EntryRequest& request, const Sides& sides, Attempt& attempt) {
  Mode& mode = *attempt.mode;
  if (!request.is_start) {
    ConsistentPoint point = mode.start().near(request.t, request.values, request.set);
    attempt.status = point.status;
    attempt.problems = point.problems;
    if (point.ok() && begin_at(request, attempt, point)) return true;
    if (const auto values = continued(request, sides)) {
      point = mode.start().near(request.t, *values, request.set);
      if (point.ok() && begin_at(request, attempt, point)) return true;
    }
    if (!point.ok()) return false;
  }
  const explain::StopReason reason = mode.explain_no_series();
  attempt.status = reason.status;
  attempt.problems = {reason.problem};
  return false;
}

bool ModeEntry::begin_at(const EntryRequest& request, Attempt& attempt,
                         const ConsistentPoint& point) {
  attempt.undetermined.clear();
  for (const StartValue& start : point.start)
    if (start.undetermined && start.variable < static_cast<int>(model_.variables.size()))
      attempt.undetermined.push_back(
          model::derivative_name(point.variables[start.variable], start.order));
  return attempt.mode->integrator(settings_, options_)
      .begin(request.t, reader_.next_stop(*attempt.mode, request.t), point.values, 0,
             std::abs(settings_.to - settings_.from));
}

// Continuation in the switching: where guards have changed their side the branches are mixed, from
// the one before to the one after, each point the guess for the next.
std::optional<Derivatives> ModeEntry::continued(const EntryRequest& request,
                                                const Sides& sides) const {
  constexpr int num_points = 8;
  if (request.before.empty()) return std::nullopt;
  Derivatives values = request.values;
  for (int k = 1; k < num_points; ++k) {
    const hybrid::Blend blend{request.before, static_cast<double>(k) / num_points};
    try {
      const hybrid::ModeModel mixed = hybrid::make_blended_model(
          model_, guards_, sides, request.parameters, modes_.nominals(), blend);
      plan::Plan plan = plan::make_plan(mixed.own, request.parameters);
      ConsistentPoint point = start::StartSearch(plan).near(request.t, values, request.set);
      if (!point.ok()) return std::nullopt;
      values = std::move(point.values);
    } catch (const Error&) {  // no structure in between
      return std::nullopt;
    }
  }
  return values;
}

bool ModeEntry::keeps_what_was_set(const EntryRequest& request, Mode& mode) const {
  constexpr double kept = 1e-6;
  return std::all_of(request.set.begin(), request.set.end(), [&](const init::Coefficient& c) {
    const double wanted = request.values[c.index][c.order];
    const double found = mode.run().derivative(c.index, c.order);
    return std::abs(found - wanted) <= kept * (mode.nominal(c.index) + std::abs(wanted));
  });
}

bool ModeEntry::begin_with_guards(const EntryRequest& request, Attempt& attempt) {
  Mode& mode = *attempt.mode;
  Derivatives known = reader_.derivatives_of(mode);
  integrate::TaylorIntegrator& integrator = mode.guarded(settings_, options_);
  const auto values = mode.completed(request.t, std::move(known));
  if (values && integrator.begin(request.t, reader_.next_stop(mode, request.t), *values, 0,
                                 std::abs(settings_.to - settings_.from)))
    return true;
  const explain::StopReason reason = mode.explain_no_series();
  attempt.status = reason.status;
  attempt.problems = {reason.problem};
  return false;
}

void ModeEntry::reconsider(EntryRequest& request) {
  const GuardValues& values = reader_.values(request.t, request.parameters, request.values);
  for (int k = 0; k < guards_.size(); ++k) {
    const double value = values[k];
    if (guards_.is_constant(k) || (!std::isnan(value) && !reader_.is_near_zero(value, 1.0)))
      request.sides[k] = hybrid::side_of(value);
  }
}

// Guards on which the modes tried do not agree, those that led to the first, and those that are so
// near to zero that they might be on either side.
std::vector<int> ModeEntry::disputed(const EntryRequest& request, const std::vector<Sides>& tried,
                                     Dispute dispute) const {
  const bool with_near = dispute != Dispute::crossed, with_suspects = dispute == Dispute::suspect;
  std::vector<int> guards;
  for (int k = 0; k < guards_.size(); ++k) {
    const auto differs = [&](const Sides& sides) { return sides[k] != tried.front()[k]; };
    const bool has_crossed = has(request.at_zero.crossed, k);
    if (!guards_.is_constant(k) && matters_[k] &&
        (has_crossed || (with_near && is_near_zero_[k]) || (with_suspects && is_suspect_[k]) ||
         std::any_of(tried.begin(), tried.end(), differs)))
      guards.push_back(k);
  }
  return guards;
}

// First each disputed guard slides, if it is at zero in all modes tried; then all combinations of
// their sides.
std::vector<Sides> ModeEntry::other_candidates(const EntryRequest& request,
                                               const std::vector<Sides>& tried,
                                               Dispute dispute) const {
  const std::vector<int> disputed = this->disputed(request, tried, dispute);
  std::vector<Sides> candidates;
  const auto add = [&](const Sides& sides) {
    if (!was_tried(tried, sides) && !was_tried(candidates, sides) &&
        static_cast<int>(candidates.size()) < most_candidates)
      candidates.push_back(sides);
  };
  std::vector<int> slidable;
  for (const int k : disputed)
    if (may_slide_[k] && slidable.size() < most_sliding) slidable.push_back(k);
  Sides all = tried.back();
  for (const int k : disputed)
    if (may_slide_[k]) all[k] = Side::slides;
  add(all);
  for (const Sides& base : {tried.back(), tried.front()})
    for (std::size_t bits = 1; bits < (1U << slidable.size()); ++bits) {
      Sides sides = base;
      for (std::size_t n = 0; n < slidable.size(); ++n)
        if ((bits >> n & 1U) != 0) sides[slidable[n]] = Side::slides;
      add(sides);
    }
  const auto count = std::min<std::size_t>(disputed.size(), 6);
  for (std::size_t bits = 0; bits < (1U << count); ++bits) {
    Sides sides = tried.front();
    for (std::size_t n = 0; n < count; ++n)
      sides[disputed[n]] = (bits >> n & 1U) != 0 ? Side::plus : Side::minus;
    add(sides);
  }
  for (const int k : disputed) {
    Sides sides = tried.back();
    sides[k] = Side::zero;
    add(sides);
  }
  for (const int k : slidable)
    for (const Sides& sides : with_jumping(tried.back(), k, disputed)) add(sides);
  return candidates;
}

// What jumps across zero with a guard that slides has any side, or slides with it: of
// sign(if x > 1 then -1 else 1) both weights are unknown where x stays at 1.
std::vector<Sides> ModeEntry::with_jumping(Sides sides, int sliding,
                                           const std::vector<int>& disputed) const {
  sides[sliding] = Side::slides;
  std::vector<Sides> results = {std::move(sides)};
  std::size_t num_jumping = 0;
  for (const int k : disputed) {
    if (may_slide_[k] || guards_[k].is_continuous || num_jumping == most_jumping) continue;
    ++num_jumping;
    const std::size_t count = results.size();
    for (const Side side : {Side::slides, hybrid::opposite(results.front()[k])})
      for (std::size_t n = 0; n < count; ++n) {
        results.push_back(results[n]);
        results.back()[k] = side;
      }
  }
  return results;
}

// "; where 'x > 1' is taken to hold, x - 1 is -5, and where not, 4": of a guard that both of its
// sides lead away from.
std::string ModeEntry::contradiction(int guard) const {
  const auto [holding, failing] = contradictions_[static_cast<std::size_t>(guard)];
  if (!holding || !failing) return "";
  return fmt::format("; where '{}' is taken to hold, {} is {:.6g}, and where not, {:.6g}",
                     guards_.text(guard, Side::plus), guards_.function(guard), *holding, *failing);
}

// Those that led here and those that contradict themselves on both sides; if there are none, all
// that might be to blame.
std::vector<int> ModeEntry::blamed(const EntryRequest& request,
                                   const std::vector<Sides>& tried) const {
  const std::vector<int> all = disputed(request, tried, Dispute::suspect);
  std::vector<int> some;
  std::ranges::copy_if(all, std::back_inserter(some), [&](int k) {
    return has(request.at_zero.crossed, k) || !contradiction(k).empty();
  });
  return some.empty() ? all : some;
}

Entered ModeEntry::explain(const EntryRequest& request, const std::vector<Sides>& tried,
                           const Attempt& last) {
  Entered result;
  result.tries = static_cast<int>(tried.size());
  result.point = last.point;
  if (!last.is_begun && tried.size() == 1) {  // the equations are to blame, not the choice
    result.status = last.status;
    result.problems = last.problems;
    return result;
  }
  const std::vector<int> disputed = blamed(request, tried);
  std::string why = fmt::format("{} tried; each contradicts itself just after this time, in {}",
                                base::plural(static_cast<std::size_t>(result.tries), "mode"),
                                base::listed(disputed.size(), [&](std::size_t k) {
                                  return "'" + guards_.text(disputed[k], Side::plus) + "'";
                                }));
  for (const int k : disputed) why += contradiction(k);
  if (!first_obstacle_.empty())
    why += fmt::format("; one of them has no solution: {} ({})", first_obstacle_[0].what,
                       first_obstacle_[0].why);
  result.status = Status::no_mode;
  result.problems.push_back(
      {.id = "S-HYB-001",
       .what = fmt::format("no mode agrees with its own solution at t = {:.17g}", request.t),
       .where = guards_.where(disputed, model_.place),
       .why = why,
       .todo = "check what the equations do on either side of these conditions; if values jump, "
               "say to what with reinit"});
  return result;
}

}  // namespace daedal::run
