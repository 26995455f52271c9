// Many members: starts one after the other, then threads that each take the next member when a lane
// is free.
#include "daedal/ensemble.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/stopwatch.hpp"
#include "explain/warnings.hpp"
#include "hybrid/guards.hpp"
#include "model/check.hpp"
#include "plan/plan.hpp"
#include "run/drive.hpp"
#include "run/steppers/methods.hpp"
#include "run/steppers/taylor_stepper.hpp"
#include "run/verification.hpp"
#include "solve/prepared_run.hpp"

namespace daedal {
namespace {

using plan::Plan;
using run::Run;
using settings::Settings;

// What the threads share. Nothing of it changes while they run, but for the next member's number
// and the members' own solutions.
struct Ensemble {
  const plan::Plan& plan;
  const settings::Settings& settings;
  const SolveOptions& options;
  const taylor::SeriesSchedule& schedule;
  std::vector<std::vector<double>> parameters, nominals;  // by member
  std::vector<solution::Record> solutions;
  std::atomic<std::size_t> next = 0;
};

// Members side by side in the lanes of one integrator; a lane whose member is over takes the next.
class Worker : public run::Lanes {
 public:
  Worker(Ensemble& ensemble, int num_lanes)
      : ensemble_(ensemble),
        engine_(std::make_shared<run::SeriesEngine>(ensemble.schedule, ensemble.plan,
                                                    ensemble.settings, ensemble.options, num_lanes,
                                                    ensemble.plan.nominals())),
        members_(num_lanes),
        runs_(num_lanes) {
    for (int lane = 0; lane < num_lanes; ++lane) replace(lane);
  }

  std::span<run::Run* const> runs() override { return runs_; }

  std::span<const Outcome> advance() override {
    engine_->kernels.switch_if_ready(engine_->integrator);
    return engine_->integrator.advance_all();
  }

  // The next member that has a start, if there is one.
  void replace(int lane) override {
    runs_[lane] = nullptr;
    members_[lane] = nullptr;
    engine_->integrator.stop(lane);
    while (runs_[lane] == nullptr) {
      const std::size_t number = ensemble_.next++;
      if (number >= ensemble_.solutions.size()) return;
      solution::Record& solution = ensemble_.solutions[number];
      if (!solution.ok()) continue;
      engine_->integrator.run(lane).set_member(ensemble_.parameters[number],
                                               ensemble_.nominals[number]);
      auto member = std::make_unique<Member>(ensemble_, engine_, lane, solution);
      member->run.begin();
      if (!member->run.is_under_way()) continue;
      runs_[lane] = &member->run;
      members_[lane] = std::move(member);
    }
  }

 private:
  struct Member {
    Member(const Ensemble& ensemble, const std::shared_ptr<run::SeriesEngine>& engine, int lane,
           solution::Record& solution)
        : stepper(ensemble.plan, ensemble.settings, engine, lane),
          run(ensemble.plan, ensemble.settings, ensemble.options, stepper, solution) {}
    run::TaylorStepper stepper;
    run::Run run;
  };

  Ensemble& ensemble_;
  std::shared_ptr<run::SeriesEngine> engine_;
  std::vector<std::unique_ptr<Member>> members_;  // by lane
  std::vector<run::Run*> runs_;                   // by lane
};

// The callbacks one at a time.
SolveOptions serialised(const SolveOptions& options, std::mutex& mutex) {
  SolveOptions result = options;
  if (options.on_sample)
    result.on_sample = [&](double t, std::span<const double> values) {
      const std::scoped_lock lock(mutex);
      options.on_sample(t, values);
    };
  if (options.on_step)
    result.on_step = [&](const Progress& progress) {
      const std::scoped_lock lock(mutex);
      return options.on_step(progress);
    };
  return result;
}

// Every thread does this work; there are fewer threads where the system gives no more. The last
// thing that is thrown is thrown again.
void run_in_threads(int num_threads, const std::function<void()>& work_of_one) {
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      work_of_one();
    } catch (...) {
      const std::scoped_lock lock(failure_mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(num_threads));
  try {
    for (int n = 1; n < num_threads; ++n) threads.emplace_back(work);
  } catch (const std::system_error&) {
  }
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void add_up(Seconds& seconds) {
  seconds.total = seconds.analysis + seconds.compile + seconds.initialize + seconds.integrate;
}

solution::Record solve_alone(const model::ModelData& model, const ParameterValues& member,
                             const settings::Settings& settings, const SolveOptions& options) {
  base::Stopwatch watch;
  const auto run = solving::prepare(model, settings, options);
  run->begin({.parameters = member});
  run->drive();
  solution::Record solution = run->take();
  explain::add_warnings(settings, solution);
  solution.seconds.total = watch.lap();
  return solution;
}

// Members that share nothing but the threads: each goes through modes of its own, or finds a way of
// its own, by a converted model or on its derivative array; or the method has no lanes.
std::vector<solution::Record> solve_one_by_one(const model::ModelData& model,
                                               std::span<const ParameterValues> members,
                                               const SolveOptions& options,
                                               const settings::Settings& settings,
                                               int num_threads) {
  std::mutex mutex;
  const SolveOptions shared = serialised(options, mutex);
  std::vector<solution::Record> solutions(members.size());
  std::vector<std::exception_ptr> failures(members.size());
  std::atomic<std::size_t> next = 0;
  const auto solve_member = [&](std::size_t k) {
    try {
      solutions[k] = solve_alone(model, members[k], settings, shared);
    } catch (...) {
      failures[k] = std::current_exception();
      next = members.size();
    }
  };
  const auto work = [&] {
    for (std::size_t k = next++; k < members.size(); k = next++) solve_member(k);
  };
  run_in_threads(num_threads, work);
  // Members are taken in order, so the first that fails has been taken, whatever the threads.
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return solutions;
}

void refuse_checkpoints(const SolveOptions& options) {
  if (options.checkpoint.file.empty() && options.resume.empty()) return;
  throw Error(Problem{.id = "E-OPT-006",
                      .what = "ensembles keep no checkpoints",
                      .where = "option checkpoint",
                      .why = "a checkpoint holds one run",
                      .todo = "leave the option out, or solve the members one by one"});
}

// Where structure has no start for a member, `auto` may have another way, as it has for a run.
void solve_alone_without_lane(const model::ModelData& model,
                              std::span<const ParameterValues> members, const SolveOptions& options,
                              const settings::Settings& settings,
                              std::vector<solution::Record>& solutions) {
  if (run::ladder_of(options.method.value()) != start::Ladder::structure_or_array) return;
  for (std::size_t k = 0; k < members.size(); ++k)
    if (!solutions[k].start.ok()) solutions[k] = solve_alone(model, members[k], settings, options);
}

// The values of all parameters, by member. Throws for the first member that makes no sense; with
// the first of all, the model is checked.
std::vector<std::vector<double>> checked_values(const model::ModelData& model,
                                                std::span<const ParameterValues> members) {
  std::vector<std::vector<double>> values;
  for (const ParameterValues& member : members)
    values.push_back(values.empty() ? model::check(model, member)
                                    : model::checked_values(model, member));
  return values;
}

// What a member gives for parameters that have no value in the model.
ParameterValues values_left_open(const model::ModelData& model, const ParameterValues& member) {
  ParameterValues values;
  for (const model::Parameter& parameter : model.parameters)
    if (!parameter.binding && !parameter.override_value)
      if (const auto given = member.find(parameter.name); given != member.end())
        values.insert(*given);
  return values;
}

std::vector<solution::Record> solve_members(const model::ModelData& user_model,
                                            std::span<const ParameterValues> members,
                                            const SolveOptions& options,
                                            const settings::Settings& settings,
                                            const EnsembleOptions& ensemble_options) {
  base::Stopwatch watch;
  settings::check(ensemble_options);
  const EnsembleOptions used = settings::fitted(ensemble_options, members.size());
  const auto one_by_one = [&](const model::ModelData& model) {
    checked_values(model, members);
    return solve_one_by_one(
        model, members, options, settings,
        settings::fitted({.lanes = 1, .threads = ensemble_options.threads}, members.size())
            .threads);
  };
  if (hybrid::is_hybrid(user_model) || !info_of(options.method.value()).has_lanes)
    return one_by_one(user_model);
  if (members.empty()) return {};
  const solving::ModelOfRun common(user_model, values_left_open(user_model, members.front()),
                                   settings.from);
  const model::ModelData& model = common.data();
  std::vector<std::vector<double>> parameters = checked_values(model, members);

  plan::RegularizedModel regular(model);
  if (regular.is_converted() || !regular.plan().regularity.singular.empty())
    return one_by_one(user_model);
  plan::Plan& plan = regular.plan();
  std::mutex mutex;
  const SolveOptions shared = serialised(options, mutex);
  const taylor::SeriesSchedule schedule = run::make_schedule(plan);
  Ensemble ensemble{plan, settings, shared, schedule, std::move(parameters), {}, {}};
  const double analysis = watch.lap();
  const std::vector<double> usual = plan.parameters;
  start::StartSearch starts(plan);
  for (const std::vector<double>& values : ensemble.parameters) {
    plan.parameters = values;
    ensemble.nominals.push_back(plan.nominals());
    ensemble.solutions.push_back(run::begin_solution(starts, settings));
    ensemble.solutions.back().seconds.analysis = analysis;
    ensemble.solutions.back().seconds.initialize = watch.lap();
  }
  plan.parameters = usual;

  run_in_threads(used.threads, [&] {
    Worker lanes(ensemble, used.lanes);
    run::drive(lanes);
  });
  for (solution::Record& solution : ensemble.solutions) {
    add_up(solution.seconds);
    solution.start = start::without_auxiliaries(std::move(solution.start), model);
    explain::add_warnings(settings, solution);
  }
  solve_alone_without_lane(user_model, members, options, settings, ensemble.solutions);
  return std::move(ensemble.solutions);
}

// All members again, more accurately.
void verify_members(const model::ModelData& model, std::span<const ParameterValues> members,
                    const SolveOptions& options, const settings::Settings& settings,
                    const EnsembleOptions& ensemble_options,
                    std::vector<solution::Record>& solutions) {
  if (std::none_of(solutions.begin(), solutions.end(),
                   [](const solution::Record& s) { return s.ok(); }))
    return;
  const SolveOptions again = run::more_accurate(options, settings);
  const std::vector<solution::Record> second =
      solve_members(model, members, again, settings::settings_of(model, again), ensemble_options);
  for (std::size_t k = 0; k < solutions.size(); ++k)
    run::compare(model, settings, second[k], solutions[k]);
}

}  // namespace

std::vector<Solution> solve_ensemble(const Model& model, std::span<const ParameterValues> members,
                                     const SolveOptions& options,
                                     const EnsembleOptions& ensemble_options) {
  refuse_checkpoints(options);
  const settings::Settings settings = settings::settings_of(model.data(), options);
  std::vector<solution::Record> records =
      solve_members(model.data(), members, options, settings, ensemble_options);
  if (options.verify)
    verify_members(model.data(), members, options, settings, ensemble_options, records);
  std::vector<Solution> solutions;
  solutions.reserve(records.size());
  for (solution::Record& record : records)
    solutions.push_back(SolutionAccess::solution_of(std::move(record)));
  return solutions;
}

}  // namespace daedal
