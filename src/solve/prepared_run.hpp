// A model prepared for runs, one after the other: what is analysed, compiled and searched for once,
// and the run that is under way. solve(), members of ensembles and simulations are made of it.
//
//   begin    a run from its start, which differs from the model by parameters and start values;
//            analysis happens when the first one begins
//   drive    to its end
//   take     its solution
#pragma once

#include <memory>
#include <optional>

#include "daedal/simulation.hpp"
#include "plan/balanced_model.hpp"
#include "run/run.hpp"
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

  // The run that was under way is given up. Throws what solve() throws.
  virtual void begin(const RunInput& input) = 0;
  // The run is over: what remains to be said of it.
  virtual void finish() = 0;

  // None if there is no start to run from; solution() says why.
  bool is_begun() const { return run_.has_value(); }
  run::Run& run() { return *run_; }
  const run::Run& run() const { return *run_; }
  void drive();
  Solution& solution() { return solution_; }
  const Solution& solution() const { return solution_; }
  Solution take();

  settings::Settings& settings() { return settings_; }
  const model::ModelData& model() const { return model_; }
  // How often structure was analysed, in all runs.
  virtual long num_analyses() const = 0;

 protected:
  const model::ModelData& model_;
  settings::Settings settings_;
  const SolveOptions options_;
  Solution solution_;
  std::optional<run::Run> run_;
};

// Runs of a model without modes, on the equations that the ladder of formulations chooses.
class PlainRun : public PreparedRun {
 public:
  using PreparedRun::PreparedRun;

  void begin(const RunInput& input) override;
  void finish() override;
  long num_analyses() const override { return num_analyses_; }

 private:
  void prepare(const RunInput& input);
  bool begin_again(const RunInput& input);
  void start();
  start::Beginning beginning(const RunInput& input) const;

  // What was prepared, by the model that it was prepared for.
  struct Prepared {
    Prepared(const model::ModelData& model, const ParameterValues& values, double t);
    std::optional<model::ModelData> own;  // where values differ
    plan::BalancedModel balanced;
    std::optional<start::Formulation> formulation;
  };
  std::unique_ptr<Prepared> prepared_;
  std::shared_ptr<run::SeriesEngine> engine_;  // of the equations of the last run
  std::unique_ptr<run::Stepper> stepper_;
  long num_analyses_ = 0;
};

// With modes, each of which is prepared when it is first met; a model without conditions has one.
class RunWithModes : public PreparedRun {
 public:
  RunWithModes(const model::ModelData& model, settings::Settings settings, SolveOptions options);

  void begin(const RunInput& input) override;
  // Begins from a state that Run::save() gave, in place of the start. Throws base::BadArchive.
  void begin_from(const RunInput& input, base::Reader& state);
  void finish() override {}
  long num_analyses() const override;

  // Those of the run that is under way.
  const std::vector<double>& parameters() const { return transitions_->parameters(); }

 private:
  bool find_start(const RunInput& input);

  std::optional<plan::BalancedModel> balanced_;  // of a model without conditions
  std::unique_ptr<run::PreparedModes> modes_;
  std::optional<run::Transitions> transitions_;
  long num_before_ = 0;  // analyses for modes that were given up
};

// The one that fits the model.
std::unique_ptr<PreparedRun> prepare(const model::ModelData& model, settings::Settings settings,
                                     const SolveOptions& options);

// Unknowns and orders by name. Throws E-SIM-002, and E-SIM-006 for values that are not finite.
std::vector<plan::OtherStart> starts_of(const model::ModelData& model, const RunInput& input);
plan::OtherStart other_start(const model::ModelData& model, const std::string& name, double value);

}  // namespace daedal::solving
