#include "run/steppers/array_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/wording.hpp"
#include "expr/graph.hpp"
#include "run/series_opinion.hpp"

namespace daedal::run {
namespace {

std::string names_of(const start::ArrayModel& model, const std::vector<int>& unknowns) {
  return base::listed(unknowns.size(), [&](std::size_t k) { return model.name(unknowns[k]); });
}

Singularity in_words(const start::ArrayModel& model, const integrate::RankLoss& loss, int index) {
  return {.t = loss.t,
          .block = names_of(model, loss.unknowns),
          .why = fmt::format(
              "the smallest singular value of the derivative array of index {} falls to {:.1e} "
              "(usually {:.1e}), its condition number rises to {:.1e}",
              index, loss.smallest, loss.usual, loss.condition)};
}

// Where structure allows a series, it knows the operation or the unknown to blame.
std::optional<explain::StopReason> opinion_on(start::ArrayModel& model,
                                              const settings::Settings& settings,
                                              const solution::StepSource& run, long num_steps) {
  Derivatives values(model.plan().size());
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    for (int order = 0; order <= run.layout().degree(j); ++order)
      values[j].push_back(run.derivative(j, order));
  const auto opinion =
      ask_series(model.mutable_plan(), settings, run.t(), settings.to, values, num_steps);
  if (!opinion || opinion->reason.status == Status::ok) return std::nullopt;
  return opinion->reason;
}

// The length of the step in place of this one; 0 if it changes t by hardly more than rounding.
double shortened(const solution::StepView& step) {
  constexpr double units = 256.0;
  const double length = Stepper::shorter * std::abs(step.end - step.begin);
  return length > units * std::numeric_limits<double>::epsilon() * std::abs(step.begin) ? length
                                                                                        : 0.0;
}

std::string place_of(const start::ArrayModel& model, long num_steps) {
  return fmt::format(
      "{}, {}", model.plan().model.place.text(),
      num_steps == 0 ? "at the start" : "after " + base::plural(num_steps, "accepted step"));
}

}  // namespace

bool depends_on_time(const plan::Plan& plan) {
  const expr::Graph& graph = *plan.equations.graph;
  const std::vector<expr::NodeId> nodes = expr::reachable(graph, plan.residuals());
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](expr::NodeId node) { return graph.op(node) == expr::Op::time; });
}

// Steps cost (n K)^3, so orders are lower than those of the Taylor method on structure.
int ArrayStepper::order_of(const settings::Settings& settings) {
  return settings.order.value_or(
      std::clamp(static_cast<int>(std::ceil(-0.5 * std::log(settings.tolerance))) + 2, 5, 20));
}

ArrayStepper::ArrayStepper(start::StudiedArray& array, const settings::Settings& settings)
    : array_(array),
      settings_(settings),
      run_(array.model.study(), array.model.mutable_form(), array.model.plan().parameters,
           array.finding,
           {.tolerance = settings.tolerance,
            .max_step = settings.max_step,
            .order = order_of(settings)}),
      edges_(array.model.mutable_plan(), settings, Branches::unnoticed),
      signs_(array.model.mutable_plan(), settings) {}

bool ArrayStepper::begin(double t, const Derivatives& /*values*/) {
  is_begun_ = run_.begin(t, settings_.to);
  return is_begun_;
}

explain::StopReason ArrayStepper::explain(const solution::Record& solution) {
  start::ArrayModel& model = array_.model;
  const long num_steps = solution.statistics.steps;
  if (num_steps > 0 && !(run_.is_stuck() && run_.is_rank_low()))
    if (const auto opinion = opinion_on(model, settings_, run_, num_steps)) return *opinion;
  if (!run_.was_finite())
    return {Status::left_domain,
            {.id = "S-INT-002",
             .what = fmt::format("an equation left its domain near t = {:.17g}", run_.t()),
             .where = place_of(model, num_steps),
             .why = "a value of the derivative array is not a finite number",
             .todo = "end the run before this time, or write the equation so that it stays "
                     "defined here"}};
  if (run_.is_stuck() && run_.is_rank_low())
    return {
        Status::singular_point,
        {.id = "S-INT-001",
         .what = fmt::format("the equations are singular near t = {:.17g}", run_.t()),
         .where = place_of(model, num_steps),
         .why = "the derivative array loses rank here; rounding errors grow so much before that "
                "point that this tolerance cannot be kept",
         .todo = "ask for a larger tolerance to go across, or end the run before"}};
  const double condition = run_.indicators().empty() ? 0.0 : run_.indicators().back().condition;
  return {Status::step_floor,
          {.id = "S-INT-003",
           .what = fmt::format("no step is possible from t = {:.17g}", run_.t()),
           .where = place_of(model, num_steps),
           .why = fmt::format(
               "steps down to {:.1e} do not meet the tolerance; the condition number of the "
               "derivative array is {:.1e} here",
               run_.last_trial(), condition),
           .todo = "if the condition number grows towards this time the solution is singular: end "
                   "before; otherwise ask for a larger tolerance"}};
}

// After another stepper, or an anchor.
void ArrayStepper::enter(solution::Record& solution) {
  rejected_before_ = solution.statistics.rejected - run_.num_rejected();
  factorisations_before_ = solution.statistics.factorisations - run_.num_factorisations();
  iterations_before_ = solution.statistics.newton_iterations - run_.num_iterations();
}

void ArrayStepper::count(Statistics& statistics) const {
  statistics.rejected = rejected_before_ + run_.num_rejected();
  statistics.factorisations = factorisations_before_ + run_.num_factorisations();
  statistics.newton_iterations = iterations_before_ + run_.num_iterations();
  statistics.constraint_residual = std::max(statistics.constraint_residual, run_.residual());
  for (const integrate::ArrayIndicator& indicator : run_.indicators())
    if (std::isfinite(indicator.condition))
      statistics.max_condition = std::max(statistics.max_condition, indicator.condition);
}

// Signs are no part of the state that is saved: each step is looked at from its begin.
void ArrayStepper::note_step(solution::Record& solution) {
  count(solution.statistics);
  signs_.forget();
  signs_.look(run_, solution);
}

bool ArrayStepper::shorten(solution::Record& solution) {
  const double length = shortened(run_.accepted());
  if (length <= 0.0) return false;
  run_.take_back(length);
  count(solution.statistics);
  return true;
}

std::optional<explain::StopReason> ArrayStepper::objection(const solution::Record& solution) {
  if (auto reason = edges_.look(run_, settings_.to, solution.statistics.steps)) return reason;
  return signs_.take_objection();
}

void ArrayStepper::save(base::Writer* archive) {
  if (archive == nullptr) return;
  run_.transfer_state(*archive);
  edges_.transfer_state(*archive);
}

void ArrayStepper::load(base::Reader& archive) {
  run_.transfer_state(archive);
  edges_.transfer_state(archive);
  if (!run_.is_state_good() || !edges_.is_state_good())
    throw base::BadArchive("the state in it makes no sense");
  is_begun_ = true;
}

void ArrayStepper::settle(solution::Record& solution) {
  if (is_begun_) count(solution.statistics);
}

void ArrayStepper::finish(solution::Record& solution) {
  if (std::exchange(is_finished_, true)) return;  // the mode was left
  for (const integrate::RankLoss& loss : run_.losses())
    solution.singularities.push_back(in_words(array_.model, loss, array_.finding.index));
  for (const integrate::ArrayIndicator& indicator : run_.indicators())
    solution.indicators.push_back({indicator.t, indicator.condition, indicator.smallest});
}

CompletionStepper::CompletionStepper(start::StudiedArray& array, const settings::Settings& settings)
    : array_(array),
      settings_(settings),
      nominals_(array.model.study().nominals()),
      depends_on_time_(depends_on_time(array.model.plan())),
      next_(settings.at.begin()),
      longest_(settings.max_step) {
  make_completion();
}

void CompletionStepper::make_completion() {
  edges_.emplace(array_.model.mutable_plan(), settings_);
  signs_.emplace(array_.model.mutable_plan(), settings_);
  completion_.emplace(array_.model.mutable_form(), array_.model.plan().parameters, nominals_,
                      array_.finding.index, array_.finding.time_scale);
}

void CompletionStepper::begin_run(double t) {
  const auto n = static_cast<std::ptrdiff_t>(nominals_.size());
  const std::vector<double> x(completion_->kept().begin(), completion_->kept().begin() + n);
  run_.emplace(*completion_, t, x,
               integrate::RungeKuttaOptions{
                   .tolerance = settings_.tolerance, .max_step = longest_, .nominals = nominals_},
               depends_on_time_);
}

bool CompletionStepper::begin(double t, const Derivatives& /*values*/) {
  completion_->begin(array_.finding.whole);
  begin_run(t);
  progress_.begin(t, std::abs(settings_.to - settings_.from));
  return true;
}

// Values that no model has: relative tolerances lead ever nearer to a pole.
bool CompletionStepper::is_lost() const {
  constexpr double far_too_large = 1e60;
  for (int j = 0; j < static_cast<int>(array_.model.plan().size()); ++j)
    if (!(std::abs(run_->derivative(j, 0)) < far_too_large)) return true;
  return false;
}

// Steps end at the times wanted, because polynomials of degree 3 are less accurate than the steps.
double CompletionStepper::next_stop() {
  const bool is_forward = settings_.to >= settings_.from;
  while (next_ != settings_.at.end() && (is_forward ? *next_ <= run_->t() : *next_ >= run_->t()))
    ++next_;
  return next_ != settings_.at.end() ? *next_ : settings_.to;
}

bool CompletionStepper::advance() {
  if (!run_->is_defined() || progress_.is_hopeless() || is_lost()) return false;
  kept_before_ = completion_->kept();
  if (!run_->advance(next_stop())) return false;
  if (longest_ < settings_.max_step) {
    longest_ = std::min(settings_.max_step, 2 * longest_);
    run_->set_longest_step(longest_);
  }
  progress_.add(run_->t());
  return true;
}

explain::StopReason CompletionStepper::explain(const solution::Record& solution) {
  start::ArrayModel& model = array_.model;
  const long num_steps = solution.statistics.steps;
  if (num_steps > 0)
    if (const auto opinion = opinion_on(model, settings_, *run_, num_steps)) return *opinion;
  if (progress_.is_hopeless())
    return explain::explain_creeping(
        progress_, run_->t(),
        "method completion, after " + base::plural(num_steps, "accepted step"));
  return {
      Status::step_floor,
      {.id = "S-INT-003",
       .what = fmt::format("no step is possible from t = {:.17g}", run_->t()),
       .where = fmt::format("{}, after {}", model.plan().model.place.text(),
                            base::plural(num_steps, "accepted step")),
       .why = "the derivative array gives no x' here, or no step of the Runge-Kutta method meets "
              "the tolerance",
       .todo = "ask for a larger tolerance, or try the method array or taylor"}};
}

void CompletionStepper::note_step(solution::Record& solution) {
  Statistics& statistics = solution.statistics;
  statistics.rejected = rejected_before_ + run_->num_rejected();
  statistics.constraint_residual =
      std::max(statistics.constraint_residual, completion_->residual());
  signs_->look(*run_, solution);
}

bool CompletionStepper::shorten(solution::Record& solution) {
  const double begin = run_->accepted().begin, length = shortened(run_->accepted());
  if (length <= 0.0) return false;
  longest_ = length;
  completion_->begin_with(kept_before_, completion_->rank());
  rejected_before_ = ++solution.statistics.rejected;
  next_ = settings_.at.begin();
  begin_run(begin);
  signs_->forget();
  return true;
}

std::optional<explain::StopReason> CompletionStepper::objection(const solution::Record& solution) {
  if (auto reason = edges_->look(*run_, settings_.to, solution.statistics.steps)) return reason;
  return signs_->take_objection();
}

// The step has come to a point that has no slope.
std::optional<explain::StopReason> CompletionStepper::obstacle(const solution::Record& solution) {
  if (run_->is_defined()) return std::nullopt;
  return explain(solution);
}

void CompletionStepper::save(base::Writer* archive) {
  state_ = {run_->t(), completion_->kept(), completion_->rank(), progress_};
  if (archive != nullptr) (*archive)(state_);
}

void CompletionStepper::load(base::Reader& archive) {
  archive(state_);
  if (!std::isfinite(state_.t) || state_.kept.size() != completion_->kept().size())
    throw base::BadArchive("the state in it makes no sense");
}

bool CompletionStepper::begin_again() {
  run_.reset();
  longest_ = settings_.max_step;
  make_completion();
  completion_->begin_with(state_.kept, state_.rank);
  begin_run(state_.t);
  progress_ = state_.progress;
  return true;
}

void CompletionStepper::settle(solution::Record& solution) {
  solution.statistics.factorisations += completion_->num_factorisations();
}

}  // namespace daedal::run
