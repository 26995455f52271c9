// The state of a hybrid run between events: kept, restored, and begun again from, in an
// uninterrupted run as in a continued one (docs/theory/checkpoints.md). The values of the unknowns,
// the sides of guards and the parameters, which events have set, determine how the run goes on;
// with them goes what was counted and learnt of modes and of events that come ever faster.
#include <algorithm>
#include <cmath>

#include "run/modes/transitions.hpp"

namespace daedal::run {

// Between events, and not right after one, where values do not say on which sides guards are.
bool Transitions::can_begin_again() const {
  if (is_resting() || zero_side_ || !at_zero_.crossed.empty() || !at_zero_.touched.empty() ||
      now() == run_now().end())
    return false;
  const auto leaves_zero = [](const integrate::WatchedFunction& function) {
    return function.is_at_zero || function.is_near_zero || function.has_touched;
  };
  return std::none_of(watched().begin(), watched().end(), leaves_zero);
}

Transitions::State Transitions::state() {
  State now{.t = this->now(),
            .values = is_by_method() ? mode_->method()->run().derivatives() : values_now(),
            .sides = sides_,
            .parameters = parameters_,
            .is_guarded = mode_->is_guarded(),
            .progress = progress(),
            .entered_at = entered_at_,
            .last_event = last_event_,
            .num_far = num_far_,
            .num_short = num_short_,
            .rhythms = rhythms_,
            .modes = met_.records(),
            .present = mode_->key()};
  return now;
}

bool Transitions::is_good(const State& state) const {
  const auto fits = [&](const hybrid::Sides& sides) {
    return sides.size() == static_cast<std::size_t>(guards_.size()) &&
           std::all_of(sides.begin(), sides.end(), hybrid::is_side);
  };
  const auto is_mode = [&](const MetModes::Record& mode) {
    return mode.key.size() >= static_cast<std::size_t>(guards_.size()) &&
           fits(MetModes::sides_of(mode.key, guards_.size()));
  };
  const auto is_present = [&](const MetModes::Record& mode) { return mode.key == state.present; };
  const auto is_rhythm = [](const auto& rhythm) { return rhythm.second.is_good(); };
  return std::isfinite(state.t) && fits(state.sides) &&
         state.values.size() >= model_.variables.size() &&
         state.parameters.size() == parameters_.size() &&
         std::all_of(state.modes.begin(), state.modes.end(), is_mode) &&
         std::any_of(state.modes.begin(), state.modes.end(), is_present) &&
         std::all_of(state.rhythms.begin(), state.rhythms.end(), is_rhythm);
}

void Transitions::save(base::Writer* archive) {
  state_ = state();
  if (archive != nullptr) (*archive)(state_);
}

void Transitions::load(base::Reader& archive) {
  archive(state_);
  if (!is_good(state_)) throw base::BadArchive("the state in it makes no sense");
  take(state_);
}

void Transitions::take(const State& state) {
  sides_ = state.sides;
  parameters_ = state.parameters;
  entered_at_ = state.entered_at;
  last_event_ = state.last_event;
  num_far_ = state.num_far;
  num_short_ = state.num_short;
  rhythms_ = state.rhythms;
  at_zero_ = {};
  zero_side_.reset();
  for (const MetModes::Record& record : state.modes) {
    solution_->converted = solution_->converted || record.is_converted;
    if (!record.why_array.empty())
      modes_.at(MetModes::sides_of(record.key, guards_.size()), parameters_)
          .put_on_array(record.why_array);
  }
  met_.take(state.modes, state.present);
  solution_->parameters = parameters_;
}

bool Transitions::begin_again() {
  modes_.forget();
  stand_in(modes_.at(sides_, parameters_));
  if (is_by_array() || mode_->is_on_array())
    go_back_to(state_.t, state_.values);
  else
    switch_to(state_.is_guarded ? mode_->guarded(settings_, options_)
                                : mode_->integrator(settings_, options_),
              state_.t, state_.values);
  if (is_over()) return false;
  entry_.reader().watch_on(*mode_, sides_, {});
  set_progress(state_.progress);
  if (is_by_method()) mode_->method()->run().watch(run_now().watched());
  return true;
}

}  // namespace daedal::run
