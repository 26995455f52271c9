// A model prepared for runs, one after the other: what is checked, analysed, compiled and searched
// for once, and the run that is under way. solve() and simulations are made of prepared runs, and
// so are members of ensembles that are not solved in lanes (solve/ensemble.cpp).
//
//   begin    a run from its start, which differs from the model by parameters and start values; the
//            first one checks and analyses the model
//   drive    the run to its end
//   take     its solution
#pragma once

#include <memory>
#include <optional>

#include "daedal/simulation.hpp"
#include "plan/balanced_model.hpp"
#include "run/run.hpp"
#include "solution/access.hpp"
#include "start/formulation.hpp"

namespace daedal::run {
struct SeriesEngine;
}

namespace daedal::solving {

class PreparedRun {
 public:
  // Keeps a reference to the model; the options are copied.
  PreparedRun(const model::ModelData& model, settings::Settings settings, SolveOptions options)
      : model_(model), settings_(std::move(settings)), options_(std::move(options)) {}
  virtual ~PreparedRun() = default;
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  // Begins a run, and gives up the one that was under way. Throws what solve() throws.
  virtual void begin(const RunInput& input) = 0;
  // Completes the solution of a run that is over.
  virtual void finish() = 0;

  // False if there was no start to run from: solution() says why, and there is no run().
  bool is_begun() const { return run_.has_value(); }
  run::Run& run() { return *run_; }
  const run::Run& run() const { return *run_; }
  void drive();
  // Users read the solution of a simulation that is under way; the run writes its record.
  const Solution& solution() const { return solution_; }
  solution::Record& record() { return SolutionAccess::record(solution_); }
  solution::Record take();

  settings::Settings& settings() { return settings_; }
  const model::ModelData& model() const { return model_; }
  // How often structure was analysed, in all runs.
  virtual long num_analyses() const = 0;

 protected:
  // The values of all parameters in a run. Throws what model::check finds. What does not depend on
  // these values is checked only once.
  std::vector<double> checked_parameters(const RunInput& input);

  const model::ModelData& model_;
  settings::Settings settings_;
  const SolveOptions options_;
  Solution solution_;
  std::optional<run::Run> run_;

 private:
  bool is_checked_ = false;
};

// The model that runs are prepared on: the user's with the parameter values that the first run
// gives, and balanced if it has no modes.
class ModelOfRun {
 public:
  // Keeps a reference.
  ModelOfRun(const model::ModelData& model, const ParameterValues& values, double t);
  const model::ModelData& data() const;

 private:
  const model::ModelData& model_;
  std::optional<model::ModelData> own_;  // where the run gives values
  std::optional<plan::BalancedModel> balanced_;
};

// Runs of a model without modes, on the equations that the ladder of formulations chooses.
class PlainRun : public PreparedRun {
 public:
  using PreparedRun::PreparedRun;

  void begin(const RunInput& input) override;
  void finish() override;
  long num_analyses() const override { return num_analyses_; }

 private:
  void prepare(const RunInput& input, const std::vector<double>& parameters);
  bool begin_again(const RunInput& input, const std::vector<double>& parameters);
  void start();

  std::optional<ModelOfRun> solved_;
  std::optional<start::Formulation> formulation_;
  std::shared_ptr<run::SeriesEngine> engine_;  // of the equations of the last run
  std::unique_ptr<run::Stepper> stepper_;
  long num_analyses_ = 0;
};

// Runs of a model with modes, each of which is prepared when it is first met. A model without
// conditions has one mode.
class RunWithModes : public PreparedRun {
 public:
  using PreparedRun::PreparedRun;

  void begin(const RunInput& input) override;
  // Begins from a state that Run::save() gave, in place of the start. Throws base::BadArchive.
  void begin_from(const RunInput& input, base::Reader& state);
  void finish() override {}
  long num_analyses() const override;

  // The present parameters of the run that is under way, discrete variables included.
  const std::vector<double>& parameters() const { return transitions_->parameters(); }

 private:
  bool find_start(const RunInput& input);

  std::optional<ModelOfRun> solved_;
  std::unique_ptr<run::PreparedModes> modes_;
  std::optional<run::Transitions> transitions_;
  long num_before_ = 0;  // analyses for modes that were given up
};

// A RunWithModes for a model with conditions, a PlainRun for another.
std::unique_ptr<PreparedRun> prepare(const model::ModelData& model, settings::Settings settings,
                                     const SolveOptions& options);

// The start values of a run, or one value, with unknowns and orders in place of names. Both
// functions throw E-SIM-002, and E-SIM-006 for values that are not finite.
std::vector<plan::OtherStart> starts_of(const model::ModelData& model, const RunInput& input);
plan::OtherStart other_start(const model::ModelData& model, const std::string& name, double value);

}  // namespace daedal::solving
