#include "run/steppers/taylor_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedal::run {

TaylorStepper::TaylorStepper(const plan::Plan& plan, const settings::Settings& settings,
                             std::shared_ptr<SeriesEngine> engine, int lane)
    : plan_(plan),
      settings_(settings),
      engine_(std::move(engine)),
      lane_(lane),
      run_(engine_->integrator.run(lane)),
      determinants_(plan),
      meeting_(plan, settings),
      passage_(plan, settings, meeting_) {
  run_.ask(this);
}

// The lane may have another stepper by now.
TaylorStepper::~TaylorStepper() {
  if (run_.judge() == this) run_.ask(nullptr);
}

const solution::StepSource& TaylorStepper::trajectory() const { return run_; }

int TaylorStepper::order() const { return run_.series().last_stage() + 1; }

bool TaylorStepper::begin(double t, const Derivatives& values) {
  return begin(t, settings_.to, values);
}

bool TaylorStepper::begin(double t, double end, const Derivatives& values) {
  is_begun_ =
      engine_->integrator.begin(t, end, values, lane_, std::abs(settings_.to - settings_.from));
  return is_begun_;
}

bool TaylorStepper::advance() {
  engine_->kernels.switch_if_ready(engine_->integrator);
  return engine_->integrator.advance(lane_);
}

explain::StopReason TaylorStepper::explain(const solution::Record& solution) {
  return is_begun_ ? explain::explain_stop(plan_, run_, solution.statistics.steps)
                   : explain::explain_no_series(plan_, run_);
}

TaylorStepper::Counters TaylorStepper::counters() const {
  const taylor::SeriesCounters& series = run_.series().counters(lane_);
  return {run_.num_rejected(), series.factorisations, series.newton_iterations};
}

void TaylorStepper::count(solution::Record& solution) {
  const Counters now = counters();
  Statistics& statistics = solution.statistics;
  statistics.rejected += now.rejected - counted_.rejected;
  statistics.factorisations += now.factorisations - counted_.factorisations;
  statistics.newton_iterations += now.newton_iterations - counted_.newton_iterations;
  statistics.rounding = std::max(statistics.rounding, run_.largest_noise());
  counted_ = now;
}

// A step that goes over to another branch, or jumps over a gap, where branches come near each other
// but do not meet.
bool TaylorStepper::may_change_sign(int block, int sign_at_begin, const solution::StepView& step) {
  if (!sign_changes_) sign_changes_ = std::make_unique<SingularTime>(run_.series(), lane_);
  const auto t = sign_changes_->find(block, sign_at_begin, step, run_.layout());
  return !t || !meeting_.parts(block, *t, step, run_.layout(), run_.series(), lane_);
}

// Forgets what belongs to the present parameters, which may have changed.
void TaylorStepper::forget_points() {
  passage_.forget();
  sign_changes_.reset();
}

// The work of the first series counts.
void TaylorStepper::note_start(solution::Record& solution) {
  counted_ = {};
  forget_points();
  determinants_.begin(run_, solution);
}

// What led to a series from which the run goes on does not.
void TaylorStepper::enter(solution::Record& solution) {
  counted_ = counters();
  forget_points();
  determinants_.begin(run_, solution);
}

void TaylorStepper::note_step(solution::Record& solution) {
  count(solution);
  double& residual = solution.statistics.constraint_residual;
  residual = std::max(residual, run_.series().constraint_residual(lane_));
  const std::size_t num_points = solution.singularities.size();
  determinants_.look(run_, solution);
  if (solution.singularities.size() == num_points) return;
  if (const int block = passage_.parted_block(solution.singularities.back().t); block >= 0)
    determinants_.lose(block);
}

std::optional<explain::StopReason> TaylorStepper::obstacle(const solution::Record& solution) {
  if (determinants_.lost_block() < 0) return std::nullopt;
  return explain::explain_lost_block(plan_, run_, solution.statistics.steps,
                                     determinants_.lost_block());
}

bool TaylorStepper::cross(StepRecorder& recorder, solution::Record& solution) {
  const auto may_have_event = [&](const solution::StepView& step) {
    return run_.may_have_event(step) || (guard_bounds_ && guard_bounds_(step));
  };
  const auto crossing = passage_.cross(engine_->integrator, lane_, may_have_event);
  if (!crossing) return false;
  for (const solution::Step* step : {&crossing->before, &crossing->after}) {
    ++solution.statistics.steps;
    recorder.accept(step->view(), run_.layout());
  }
  solution.singularities.push_back(
      {.t = crossing->t,
       .block = determinants_.names_of(crossing->block),
       .why = fmt::format("the determinant of the block's Jacobian changes sign; rounding errors "
                          "grow near this point, so the run went across it: the series from both "
                          "sides agree to {:.1e} there",
                          crossing->difference)});
  determinants_.take_signs(run_, solution);
  return true;
}

void TaylorStepper::finish(solution::Record& solution) { solution.kernel = kernel(); }

std::string TaylorStepper::kind() const { return "taylor"; }

void TaylorStepper::save(base::Writer* archive) {
  state_ = {run_.t(), derivatives_of(run_), run_.progress(), run_.lost()};
  if (archive != nullptr) (*archive)(state_);
}

void TaylorStepper::load(base::Reader& archive) {
  archive(state_);
  if (!std::isfinite(state_.t) || state_.values.size() != run_.layout().column.size() ||
      state_.lost.size() != run_.lost().size())
    throw base::BadArchive("the state in it makes no sense");
}

void TaylorStepper::settle(solution::Record& solution) { count(solution); }

bool TaylorStepper::begin_again() {
  run_.forget();
  begin(state_.t, state_.values);
  run_.set_lost(state_.lost);
  run_.set_progress(state_.progress);
  return is_begun_;
}

}  // namespace daedal::run
