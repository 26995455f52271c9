// Many members: starts one after the other, then threads that each take the next member when a lane
// is free.
#include "daedal/ensemble.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

#include "hybrid/guards.hpp"
#include "model/check.hpp"
#include "solve/balanced_model.hpp"
#include "solve/hybrid_run.hpp"
#include "solve/kernel_switch.hpp"
#include "solve/member.hpp"
#include "solve/regularized_model.hpp"
#include "solve/run_parts.hpp"
#include "solve/stopwatch.hpp"
#include "solve/verification.hpp"
#include "solve/warnings.hpp"

namespace daedal {
namespace {

using solving::Member;
using solving::Plan;
using solving::Settings;

// What the threads share. Nothing of it changes while they run, but for the next member's number
// and the members' own solutions.
struct Ensemble {
  const Plan& plan;
  const Settings& settings;
  const SolveOptions& options;
  const taylor::SeriesSchedule& schedule;
  std::vector<std::vector<double>> parameters, nominals;  // by member
  std::vector<Solution> solutions;
  std::atomic<std::size_t> next = 0;
};

class Worker {
 public:
  Worker(Ensemble& ensemble, int lanes)
      : ensemble_(ensemble),
        integrator_(
            solving::make_integrator(ensemble.schedule, ensemble.plan, ensemble.settings, lanes)),
        kernels_(ensemble.options, integrator_),
        members_(lanes),
        numbers_(lanes) {}

  void run() {
    for (int lane = 0; lane < integrator_.num_lanes(); ++lane) take_next(lane);
    while (num_under_way_ > 0) {
      kernels_.switch_if_ready(integrator_);
      take(integrator_.advance_all());
      for (int lane = 0; lane < integrator_.num_lanes(); ++lane) {
        if (members_[lane] == nullptr || members_[lane]->is_under_way()) continue;
        --num_under_way_;
        take_next(lane);
      }
    }
  }

 private:
  using Outcome = integrate::TaylorIntegrator::Outcome;

  // Steps first: to explain a failure the series of its lane are computed again, and with them what
  // is known of the last step of the others.
  void take(const std::vector<Outcome>& outcomes) {
    for (int lane = 0; lane < integrator_.num_lanes(); ++lane) {
      if (members_[lane] == nullptr) continue;
      ensemble_.solutions[numbers_[lane]].kernel = kernels_.name();
      if (outcomes[lane] == Outcome::accepted) members_[lane]->take_step();
    }
    for (int lane = 0; lane < integrator_.num_lanes(); ++lane)
      if (members_[lane] != nullptr && outcomes[lane] == Outcome::stuck)
        members_[lane]->take_failure();
    for (const auto& member : members_)
      if (member != nullptr) member->anchor_if_due();
  }

  // The next member that has a start, if there is one.
  void take_next(int lane) {
    members_[lane] = nullptr;
    integrator_.stop(lane);
    while (members_[lane] == nullptr) {
      const std::size_t number = ensemble_.next++;
      if (number >= ensemble_.solutions.size()) return;
      Solution& solution = ensemble_.solutions[number];
      if (!solution.ok()) continue;
      solution.order = solving::order_of(integrator_);
      integrator_.run(lane).set_member(ensemble_.parameters[number], ensemble_.nominals[number]);
      auto member =
          std::make_unique<Member>(ensemble_.plan, ensemble_.settings, ensemble_.options, solution);
      member->begin(integrator_, lane);
      if (member->is_under_way()) members_[lane] = std::move(member);
      solution.kernel = kernels_.name();
      numbers_[lane] = number;
    }
    ++num_under_way_;
  }

  Ensemble& ensemble_;
  integrate::TaylorIntegrator integrator_;
  solving::KernelSwitch kernels_;
  std::vector<std::unique_ptr<Member>> members_;  // by lane
  std::vector<std::size_t> numbers_;              // of the members, by lane
  int num_under_way_ = 0;
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

// The same in every thread, in fewer where the system gives no more; the last thing that is thrown
// is thrown again.
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
  seconds.total = seconds.analysis + seconds.compile + seconds.initialise + seconds.integrate;
}

// Members of a model with modes: each goes through modes of its own, so they share nothing but the
// threads.
std::vector<Solution> solve_hybrid_members(const model::ModelData& model,
                                           std::span<const ParameterValues> members,
                                           const SolveOptions& options, const Settings& settings,
                                           const EnsembleOptions& ensemble_options) {
  solving::check(ensemble_options);
  for (const ParameterValues& member : members) model::checked_values(model, member);
  std::mutex mutex;
  const SolveOptions shared = serialised(options, mutex);
  std::vector<Solution> solutions(members.size());
  std::vector<std::exception_ptr> failures(members.size());
  std::atomic<std::size_t> next = 0;
  const auto solve_member = [&](std::size_t k) {
    try {
      solving::Stopwatch watch;
      solutions[k] = solving::HybridRun(model, settings, shared, members[k]).run();
      solving::add_warnings(settings, solutions[k]);
      solutions[k].seconds.total = watch.lap();
    } catch (...) {
      failures[k] = std::current_exception();
      next = members.size();
    }
  };
  const auto work = [&] {
    for (std::size_t k = next++; k < members.size(); k = next++) solve_member(k);
  };
  run_in_threads(solving::fitted(ensemble_options, members.size()).threads, work);
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

// Members for which one conversion of the model does not serve all: each gets its own.
std::vector<Solution> solve_one_by_one(const model::ModelData& model,
                                       std::span<const ParameterValues> members,
                                       const SolveOptions& options, const Settings& settings) {
  std::vector<Solution> solutions;
  for (const ParameterValues& member : members) {
    model::ModelData own = model::copy_of(model);
    for (const auto& [name, value] : member)
      own.parameters[model::parameter_to_set(own, name, value)].override_value = value;
    solving::Stopwatch watch;
    solutions.push_back(solving::run_without_modes(own, settings, options));
    solving::add_warnings(settings, solutions.back());
    solutions.back().seconds.total = watch.lap();
  }
  return solutions;
}

std::vector<Solution> solve_members(const model::ModelData& user_model,
                                    std::span<const ParameterValues> members,
                                    const SolveOptions& options, const Settings& settings,
                                    const EnsembleOptions& ensemble_options) {
  solving::Stopwatch watch;
  if (hybrid::is_hybrid(user_model))
    return solve_hybrid_members(user_model, members, options, settings, ensemble_options);
  const solving::BalancedModel balanced(user_model, settings.from);
  const model::ModelData& model = balanced.data();
  solving::check(ensemble_options);
  std::vector<std::vector<double>> parameters;
  for (const ParameterValues& member : members)
    parameters.push_back(model::checked_values(model, member));
  if (members.empty()) return {};

  solving::RegularizedModel regular(model);
  // Each finds its own way, by a converted model or by its derivative array.
  if (regular.is_converted() || !regular.plan().regularity.singular.empty())
    return solve_one_by_one(model, members, options, settings);
  Plan& plan = regular.plan();
  std::mutex mutex;
  const SolveOptions shared = serialised(options, mutex);
  const taylor::SeriesSchedule schedule = solving::make_schedule(plan);
  Ensemble ensemble{plan, settings, shared, schedule, std::move(parameters), {}, {}};
  const double analysis = watch.lap();
  const std::vector<double> common = plan.parameters;
  solving::StartSearch starts(plan);
  for (const std::vector<double>& values : ensemble.parameters) {
    plan.parameters = values;
    ensemble.nominals.push_back(plan.nominals());
    ensemble.solutions.push_back(solving::begin_solution(starts, settings));
    ensemble.solutions.back().seconds.analysis = analysis;
    ensemble.solutions.back().seconds.initialise = watch.lap();
  }
  plan.parameters = common;

  const EnsembleOptions used = solving::fitted(ensemble_options, members.size());
  run_in_threads(used.threads, [&] { Worker(ensemble, used.lanes).run(); });
  for (Solution& solution : ensemble.solutions) {
    add_up(solution.seconds);
    solution.start = solving::without_auxiliaries(std::move(solution.start), model);
    solving::add_warnings(settings, solution);
  }
  return std::move(ensemble.solutions);
}

// All members again, more accurately.
void verify_members(const model::ModelData& model, std::span<const ParameterValues> members,
                    const SolveOptions& options, const Settings& settings,
                    const EnsembleOptions& ensemble_options, std::vector<Solution>& solutions) {
  if (std::none_of(solutions.begin(), solutions.end(), [](const Solution& s) { return s.ok(); }))
    return;
  const SolveOptions again = solving::more_accurate(options, settings);
  const std::vector<Solution> second =
      solve_members(model, members, again, solving::settings_of(model, again), ensemble_options);
  for (std::size_t k = 0; k < solutions.size(); ++k)
    solving::compare(model, settings, second[k], solutions[k]);
}

}  // namespace

std::vector<Solution> solve_ensemble(const Model& model, std::span<const ParameterValues> members,
                                     const SolveOptions& options,
                                     const EnsembleOptions& ensemble_options) {
  refuse_checkpoints(options);
  const Settings settings = solving::settings_of(model.data(), options);
  std::vector<Solution> solutions =
      solve_members(model.data(), members, options, settings, ensemble_options);
  if (options.verify)
    verify_members(model.data(), members, options, settings, ensemble_options, solutions);
  return solutions;
}

}  // namespace daedal
