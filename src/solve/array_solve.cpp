#include "solve/array_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "expr/reachable.hpp"
#include "integrate/array_run.hpp"
#include "integrate/completion_run.hpp"
#include "solve/array_start.hpp"
#include "solve/checkpoints.hpp"
#include "solve/edge_watch.hpp"
#include "solve/run_limits.hpp"
#include "solve/run_parts.hpp"
#include "solve/series_opinion.hpp"
#include "solve/step_recorder.hpp"
#include "solve/stop_reason.hpp"
#include "solve/stopwatch.hpp"

namespace daedal::solving {
namespace {

// Steps cost (n K)^3, so orders are lower than those of the Taylor method on structure.
int order_of(const Settings& settings) {
  return settings.order.value_or(
      std::clamp(static_cast<int>(std::ceil(-0.5 * std::log(settings.tolerance))) + 2, 5, 20));
}

std::string names_of(const ArrayModel& model, const std::vector<int>& unknowns) {
  return base::listed(unknowns.size(), [&](std::size_t k) { return model.name(unknowns[k]); });
}

Singularity in_words(const ArrayModel& model, const integrate::RankLoss& loss, int index) {
  return {.t = loss.t,
          .block = names_of(model, loss.unknowns),
          .why = fmt::format(
              "the smallest singular value of the derivative array of index {} falls to {:.1e} "
              "(usually {:.1e}), its condition number rises to {:.1e}",
              index, loss.smallest, loss.usual, loss.condition)};
}

// Where structure allows a series, it knows the operation or the unknown to blame.
std::optional<StopReason> opinion_on(ArrayModel& model, const Settings& settings,
                                     const solution::StepSource& run, long num_steps) {
  std::vector<std::vector<double>> values(model.plan().size());
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    for (int order = 0; order <= run.layout().degree(j); ++order)
      values[j].push_back(run.derivative(j, order));
  const auto opinion =
      ask_series(model.mutable_plan(), settings, run.t(), settings.to, values, num_steps);
  if (!opinion || opinion->reason.status == Status::ok) return std::nullopt;
  return opinion->reason;
}

StopReason explain_array_stop(ArrayModel& model, const Settings& settings,
                              const integrate::ArrayRun& run, long num_steps) {
  if (num_steps > 0 && !(run.is_stuck() && run.is_rank_low()))
    if (const auto opinion = opinion_on(model, settings, run, num_steps)) return *opinion;
  const std::string after =
      num_steps == 0 ? "at the start" : "after " + base::plural(num_steps, "accepted step");
  if (!run.was_finite())
    return {Status::left_domain,
            {.id = "S-INT-002",
             .what = fmt::format("an equation left its domain near t = {:.17g}", run.t()),
             .where = fmt::format("{}, {}", model.plan().model.place.text(), after),
             .why = "a value of the derivative array is not a finite number",
             .todo = "end the run before this time, or write the equation so that it stays "
                     "defined here"}};
  if (run.is_stuck() && run.is_rank_low())
    return {
        Status::singular_point,
        {.id = "S-INT-001",
         .what = fmt::format("the equations are singular near t = {:.17g}", run.t()),
         .where = fmt::format("{}, {}", model.plan().model.place.text(), after),
         .why = "the derivative array loses rank here; rounding errors grow so much before that "
                "point that this tolerance cannot be kept",
         .todo = "ask for a larger tolerance to go across, or end the run before"}};
  const double condition = run.indicators().empty() ? 0.0 : run.indicators().back().condition;
  return {Status::step_floor,
          {.id = "S-INT-004",
           .what = fmt::format("no step is possible from t = {:.17g}", run.t()),
           .where = fmt::format("{}, {}", model.plan().model.place.text(), after),
           .why = fmt::format(
               "steps down to {:.1e} do not meet the tolerance; the condition number of the "
               "derivative array is {:.1e} here",
               run.last_trial(), condition),
           .todo = "if the condition number grows towards this time the solution is singular: end "
                   "before; otherwise ask for a larger tolerance"}};
}

void take_statistics(const integrate::ArrayRun& run, Statistics& statistics) {
  statistics.rejected = run.num_rejected();
  statistics.factorisations = run.num_factorisations();
  statistics.newton_iterations = run.num_iterations();
  statistics.constraint_residual = std::max(statistics.constraint_residual, run.residual());
  for (const integrate::ArrayIndicator& indicator : run.indicators())
    if (std::isfinite(indicator.condition))
      statistics.max_condition = std::max(statistics.max_condition, indicator.condition);
}

std::string reason_for_array(const Plan& plan) {
  if (plan.regularity.singular.empty())
    return "the system Jacobian is singular at the start, so the derivative array was used";
  if (plan.conversion_obstacle.empty())
    return "the converted model has no start at the point nearest to the guesses, so the "
           "derivative "
           "array was used";
  return fmt::format(
      "structural analysis fails and no conversion helps ({}), so the derivative array was used",
      plan.conversion_obstacle);
}

// Of a run, which has all of it.
struct ArrayState {
  integrate::ArrayRun* run;
  EdgeWatch* edges;
};
template <typename Archive>
void transfer(Archive& archive, ArrayState& state) {
  state.run->transfer_state(archive);
  state.edges->transfer_state(archive);
}

// From the start, or from a checkpoint.
bool begin(integrate::ArrayRun& run, EdgeWatch& edges, StepRecorder& recorder,
           const Settings& settings, Solution& solution) {
  const auto resumed = resumed_state(
      settings, solution, "array", ArrayState{&run, &edges},
      [&](const ArrayState&) { return run.is_state_good() && edges.is_state_good(); });
  if (resumed) {
    recorder.resume();
    recorder.enter(run);
    return true;
  }
  if (!run.begin(settings.from, settings.to)) return false;
  recorder.begin(run);
  return true;
}

// The steps of a run that has begun; why it ended.
StopReason take_steps(ArrayModel& model, integrate::ArrayRun& run, EdgeWatch& edges,
                      StepRecorder& recorder, const Settings& settings, const SolveOptions& options,
                      Solution& solution) {
  AnchorRhythm anchors(settings, steps_of_array);
  while (!run.is_done()) {
    if (anchors.is_due(solution.statistics.steps)) {
      anchors.begin_at(solution.statistics.steps);
      keep_state(settings, solution, "array", run.t(), ArrayState{&run, &edges});
    }
    if (const auto limit = reached_limit(settings, options, run.t(), solution)) return *limit;
    if (!run.advance()) return explain_array_stop(model, settings, run, solution.statistics.steps);
    ++solution.statistics.steps;
    take_statistics(run, solution.statistics);
    if (const auto reason = edges.look(run, settings.to, solution.statistics.steps)) return *reason;
    recorder.accept(run);
    if (!recorder.report(run)) return explain_interruption(run.t(), solution.statistics.steps);
  }
  return {};
}

StopReason explain_completion_stop(ArrayModel& model, const Settings& settings,
                                   const integrate::CompletionRun& run,
                                   const integrate::Progress& progress, long num_steps) {
  if (num_steps > 0)
    if (const auto opinion = opinion_on(model, settings, run, num_steps)) return *opinion;
  if (progress.is_hopeless())
    return explain_creeping(progress, run.t(),
                            "method completion, after " + base::plural(num_steps, "accepted step"));
  return {
      Status::step_floor,
      {.id = "S-INT-004",
       .what = fmt::format("no step is possible from t = {:.17g}", run.t()),
       .where = fmt::format("{}, after {}", model.plan().model.place.text(),
                            base::plural(num_steps, "accepted step")),
       .why = "the derivative array gives no x' here, or no step of the Runge-Kutta method meets "
              "the tolerance",
       .todo = "ask for a larger tolerance, or try the method array or taylor"}};
}

// Values that no model has: relative tolerances lead ever nearer to a pole.
bool is_lost(const ArrayModel& model, const integrate::CompletionRun& run) {
  constexpr double far_too_large = 1e60;
  for (int j = 0; j < static_cast<int>(model.plan().size()); ++j)
    if (!(std::abs(run.derivative(j, 0)) < far_too_large)) return true;
  return false;
}

bool depends_on_time(const Plan& plan) {
  const expr::Graph& graph = *plan.equations.graph;
  const std::vector<expr::NodeId> nodes = expr::reachable(graph, plan.residuals());
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](expr::NodeId node) { return graph.op(node) == expr::Op::time; });
}

// A run of the completion, from its start or from a checkpoint, to its end.
class CompletionSolve {
 public:
  CompletionSolve(ArrayModel& model, const reduce::ArrayFinding& finding, const Settings& settings,
                  const SolveOptions& options, Solution& solution)
      : model_(model),
        finding_(finding),
        nominals_(model.study().nominals()),
        settings_(settings),
        options_(options),
        solution_(solution),
        recorder_(settings, options, solution),
        anchors_(settings, steps_of_runge_kutta),
        next_(settings.at.begin()),
        depends_on_time_(depends_on_time(model.plan())) {
    make_completion();
  }

  StopReason run() {
    const auto resumed =
        resumed_state(settings_, solution_, "completion", State{}, [&](const State& read) {
          return std::isfinite(read.t) && read.kept.size() == completion_->kept().size();
        });
    if (resumed) {
      recorder_.resume();
      begin_again(*resumed);
    } else {
      begin_at_start();
    }
    StopReason reason = run_->is_defined() ? take_steps() : stop();
    finish(recorder_, *run_, reason);
    take_counters();
    return reason;
  }

 private:
  // Where a run can be begun again: x, x', ... as the array has them.
  struct State {
    double t = 0.0;
    std::vector<double> kept;
    long rank = -1;
    integrate::Progress progress;
  };
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.kept, state.rank, state.progress);
  }

  void make_completion() {
    edges_.emplace(model_.mutable_plan(), settings_);
    completion_.emplace(model_.mutable_form(), model_.plan().parameters, nominals_, finding_.index,
                        finding_.time_scale);
  }

  void begin(double t) {
    const auto n = static_cast<std::ptrdiff_t>(nominals_.size());
    const std::vector<double> x(completion_->kept().begin(), completion_->kept().begin() + n);
    run_.emplace(*completion_, t, x,
                 integrate::RungeKuttaOptions{.tolerance = settings_.tolerance,
                                              .max_step = settings_.max_step,
                                              .nominals = nominals_},
                 depends_on_time_);
  }

  void begin_at_start() {
    completion_->begin(finding_.whole);
    begin(settings_.from);
    progress_.begin(settings_.from, std::abs(settings_.to - settings_.from));
    recorder_.begin(*run_);
  }

  void begin_again(const State& state) {
    anchors_.begin_at(solution_.statistics.steps);
    rejected_before_ = solution_.statistics.rejected;
    completion_->begin_with(state.kept, state.rank);
    begin(state.t);
    progress_ = state.progress;
    recorder_.enter(*run_);
  }

  // Rule K1.
  void anchor() {
    const State state{run_->t(), completion_->kept(), completion_->rank(), progress_};
    take_counters();
    keep_state(settings_, solution_, "completion", state.t, state);
    run_.reset();
    make_completion();
    begin_again(state);
  }

  StopReason stop() {
    return explain_completion_stop(model_, settings_, *run_, progress_, solution_.statistics.steps);
  }

  void take_counters() { solution_.statistics.factorisations += completion_->num_factorisations(); }

  // Steps end at the times wanted, because polynomials of degree 3 are less accurate than the
  // steps.
  double next_stop() {
    const bool is_forward = settings_.to >= settings_.from;
    while (next_ != settings_.at.end() && (is_forward ? *next_ <= run_->t() : *next_ >= run_->t()))
      ++next_;
    return next_ != settings_.at.end() ? *next_ : settings_.to;
  }

  StopReason take_steps() {
    Statistics& statistics = solution_.statistics;
    while (run_->t() != settings_.to) {
      if (const auto limit = reached_limit(settings_, options_, run_->t(), solution_))
        return *limit;
      if (progress_.is_hopeless() || is_lost(model_, *run_) || !run_->advance(next_stop()))
        return stop();
      ++statistics.steps;
      progress_.add(run_->t());
      if (const auto reason = edges_->look(*run_, settings_.to, statistics.steps)) return *reason;
      statistics.rejected = rejected_before_ + run_->num_rejected();
      statistics.constraint_residual =
          std::max(statistics.constraint_residual, completion_->residual());
      recorder_.accept(*run_);
      if (!recorder_.report(*run_)) return explain_interruption(run_->t(), statistics.steps);
      if (run_->t() != settings_.to && anchors_.is_due(statistics.steps)) anchor();
      if (!run_->is_defined()) return stop();
    }
    return {};
  }

  ArrayModel& model_;
  const reduce::ArrayFinding& finding_;
  std::vector<double> nominals_;
  const Settings& settings_;
  const SolveOptions& options_;
  Solution& solution_;
  std::optional<reduce::Completion> completion_;
  std::optional<integrate::CompletionRun> run_;
  std::optional<EdgeWatch> edges_;
  integrate::Progress progress_;
  StepRecorder recorder_;
  AnchorRhythm anchors_;
  std::vector<double>::const_iterator next_;  // time wanted
  long rejected_before_ = 0;                  // the method was last begun
  bool depends_on_time_;                      // the model, explicitly
};

}  // namespace

Solution run_by_array(Plan& plan, const Settings& settings, const SolveOptions& options) {
  const bool is_last_resort = options.method == "auto";
  Stopwatch watch;
  ArrayModel model(plan, settings.from);
  const reduce::ArrayFinding finding = model.study().at(settings.from);
  const auto start = is_last_resort ? array_start_instead_of_structure : array_start;
  Solution solution = begin_solution(plan, start(model, finding, settings.from), settings);
  if (is_last_resort) solution.method_reason = reason_for_array(plan);
  solution.method = "array";
  solution.order = order_of(settings);
  solution.seconds.initialise = watch.lap();
  if (!solution.ok()) return solution;

  integrate::ArrayRun run(
      model.study(), model.mutable_form(), plan.parameters, finding,
      {.tolerance = settings.tolerance, .max_step = settings.max_step, .order = solution.order});
  StopReason reason;
  StepRecorder recorder(settings, options, solution);
  EdgeWatch edges(model.mutable_plan(), settings, Branches::unnoticed);
  if (begin(run, edges, recorder, settings, solution)) {
    reason = take_steps(model, run, edges, recorder, settings, options, solution);
    take_statistics(run, solution.statistics);
    finish(recorder, run, reason);
  } else {
    reason = explain_array_stop(model, settings, run, 0);
  }
  solution.status = reason.status;
  if (!solution.ok()) solution.problems.push_back(reason.problem);
  for (const integrate::RankLoss& loss : run.losses())
    solution.singularities.push_back(in_words(model, loss, finding.index));
  for (const integrate::ArrayIndicator& indicator : run.indicators())
    solution.indicators.push_back({indicator.t, indicator.condition, indicator.smallest});
  solution.seconds.integrate = watch.lap();
  return solution;
}

Solution run_by_completion(Plan& plan, const Settings& settings, const SolveOptions& options) {
  Stopwatch watch;
  ArrayModel model(plan, settings.from);
  const reduce::ArrayFinding finding = model.study().at(settings.from);
  Solution solution = begin_solution(plan, array_start(model, finding, settings.from), settings);
  solution.method = "completion";
  solution.order = integrate::RungeKuttaOptions{}.order;
  solution.seconds.initialise = watch.lap();
  if (!solution.ok()) return solution;

  const StopReason reason = CompletionSolve(model, finding, settings, options, solution).run();
  solution.status = reason.status;
  if (!solution.ok()) solution.problems.push_back(reason.problem);
  solution.seconds.integrate = watch.lap();
  return solution;
}

}  // namespace daedal::solving
