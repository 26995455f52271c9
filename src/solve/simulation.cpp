#include "daedal/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/near_miss.hpp"
#include "base/stopwatch.hpp"
#include "base/wording.hpp"
#include "explain/warnings.hpp"
#include "model/check.hpp"
#include "model/fingerprint.hpp"
#include "run/checkpoints.hpp"
#include "run/drive.hpp"
#include "run/verification.hpp"
#include "solution/access.hpp"
#include "solve/prepared_run.hpp"

namespace daedal {

using solving::RunWithModes;

namespace {

[[noreturn]] void refuse(const std::string& id, std::string what, const std::string& where,
                         std::string why, std::string todo) {
  throw Error(Problem{.id = id,
                      .what = std::move(what),
                      .where = where,
                      .why = std::move(why),
                      .todo = std::move(todo)});
}

// Its user stops it, and keeps its state, by other means.
void refuse_files(const SolveOptions& options) {
  if (options.checkpoint.file.empty() && options.resume.empty()) return;
  refuse("E-OPT-006", "simulations and prepared models keep no checkpoint files",
         "option checkpoint", "a file is written by a run that goes to its end by itself",
         "use save() and restore(), or solve() with the checkpoint");
}

// A simulation asks its user itself, after each step, whether its call goes on; the run goes on in
// any case.
SolveOptions without_on_step(SolveOptions options) {
  options.on_step = {};
  return options;
}

// Shared by the runs of a prepared model: its copy, and runs that wait for the next one.
struct Prepared {
  Prepared(const Model& user_model, const SolveOptions& user_options)
      : model(model::copy_of(user_model.data())),
        options(user_options),
        settings(settings::settings_of(model, options)) {
    refuse_files(options);
  }

  std::unique_ptr<RunWithModes> take_idle() {
    std::unique_ptr<RunWithModes> run;
    if (idle.empty()) {
      run = std::make_unique<RunWithModes>(model, settings, without_on_step(options));
    } else {
      run = std::move(idle.back());
      idle.pop_back();
      run->settings() = settings;
      num_analyses_of_idle -= run->num_analyses();
    }
    run->settings().started = std::chrono::steady_clock::now();
    return run;
  }
  void give_back(std::unique_ptr<RunWithModes> run) {
    num_analyses_of_idle += run->num_analyses();
    idle.push_back(std::move(run));
  }

  const model::ModelData model;
  const SolveOptions options;
  const settings::Settings settings;
  std::vector<std::unique_ptr<RunWithModes>> idle;
  long num_analyses_of_idle = 0;
};

}  // namespace

class Simulation::Impl {
 public:
  Impl(std::shared_ptr<Prepared> prepared, RunInput input)
      : prepared_(std::move(prepared)),
        input_(std::move(input)),
        run_(prepared_->take_idle()),
        given_parameters_(input_.parameters) {
    run_->begin(input_);
    num_reported_ = record().events.size();
  }
  ~Impl() { prepared_->give_back(std::move(run_)); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const solution::Record& record() const { return SolutionAccess::record(run_->solution()); }
  bool is_over() const { return !is_alive() || (is_now(settings().to) && !has_changes()); }
  double now() const { return is_alive() ? trajectory().t() : record().t; }

  bool step(Simulation& simulation) {
    if (is_over()) return false;
    stop_at(settings().to);
    make_step(simulation);
    return is_alive();
  }

  bool step_until(Simulation& simulation, double t) {
    check_ahead(t);
    if (!is_alive()) return false;
    stop_at(t);
    report_events(simulation);  // of a change
    while (is_alive() && !is_now(t))
      if (!make_step(simulation)) return false;
    return is_alive();
  }

  bool finish(Simulation& simulation) {
    while (!is_over()) {
      stop_at(settings().to);
      if (!make_step(simulation)) return false;
    }
    return record().ok();
  }

  double value(const std::string& name) const;
  std::vector<double> values() const;
  double parameter(const std::string& name) const;
  void set(const std::string& name, double value);
  void set_parameter(const std::string& name, double value);
  std::string save();
  void restore(const std::string& state);
  const Solution& recorded();
  Solution take();

  std::function<void(Simulation&, const Event&)> on_event;

 private:
  const settings::Settings& settings() const { return run_->settings(); }
  const model::ModelData& model() const { return prepared_->model; }
  bool is_alive() const {
    return run_->is_begun() && (run_->run().is_under_way() || run_->run().is_paused());
  }
  const solution::StepSource& trajectory() const { return run_->run().stepper().trajectory(); }
  bool has_changes() const { return !changes_.values.empty() || !changes_.parameters.empty(); }
  const std::vector<double>& parameters() const {
    return changes_.parameters.empty() ? run_->parameters() : changes_.parameters;
  }
  std::string here() const {
    return fmt::format("simulation of '{}' at t = {}", model().name, now());
  }
  std::map<std::string, std::string> options() const;
  void require_same(const std::map<std::string, std::string>& kept) const;
  std::size_t parameter_index(const std::string& name) const;
  std::optional<std::size_t> discrete_index(const std::string& name) const;
  double known(int unknown, int order) const;

  void check_ahead(double t) const;
  bool is_now(double t) const;
  void stop_at(double t);
  void apply_changes();
  void set_discrete(std::size_t k, const std::string& name, double value);
  bool make_step(Simulation& simulation);
  bool goes_on() const;
  void report_events(Simulation& simulation);
  void require_alive(const char* what) const;

  std::shared_ptr<Prepared> prepared_;
  RunInput input_;
  std::unique_ptr<RunWithModes> run_;
  ParameterValues given_parameters_;
  run::StateChange changes_;      // that the next step begins with; no parameters: they stay
  std::size_t num_reported_ = 0;  // events
};

// Steps end there from now on; the run goes on, changed, from where it waits.
void Simulation::Impl::stop_at(double t) {
  settings::Settings& settings = run_->settings();
  const bool is_forward = settings.to >= settings.from;
  if (is_forward ? t > settings.to : t < settings.to) settings.to = t;
  const bool has_moved = settings.pause != t || run_->run().is_paused();
  settings.pause = t;
  apply_changes();
  if (is_alive() && has_moved && !is_now(t)) run_->run().follow_stop();
}

void Simulation::Impl::apply_changes() {
  if (!has_changes()) return;
  run::StateChange changes = std::move(changes_);
  changes_ = {};
  if (changes.parameters.empty()) changes.parameters = run_->parameters();
  run_->run().change(changes);
}

// False if the user wants the call to end here. Steps that are taken back do not count, neither do
// those that were tried in vain.
bool Simulation::Impl::make_step(Simulation& simulation) {
  apply_changes();  // of a callback
  const long before = record().statistics.steps;
  run::drive(run_->run(), [&] { return record().statistics.steps != before; });
  report_events(simulation);
  return record().statistics.steps == before || goes_on();
}

bool Simulation::Impl::goes_on() const {
  const Statistics& statistics = record().statistics;
  return !prepared_->options.on_step ||
         prepared_->options.on_step({.from = settings().from,
                                     .to = settings().to,
                                     .t = now(),
                                     .steps = statistics.steps,
                                     .rejected = statistics.rejected});
}

void Simulation::Impl::report_events(Simulation& simulation) {
  const std::size_t first = std::exchange(num_reported_, record().events.size());
  if (!on_event) return;
  for (std::size_t k = first; k < num_reported_; ++k) on_event(simulation, record().events[k]);
}

// Or differs from now by so little that no step leads from one to the other.
bool Simulation::Impl::is_now(double t) const {
  return t == now() || run::GuardReader::is_same_instant(t, now());
}

void Simulation::Impl::check_ahead(double t) const {
  const bool is_forward = settings().to >= settings().from;
  const double present = now();
  if (std::isfinite(t) && (is_now(t) || (is_forward ? t >= present : t <= present))) return;
  refuse("E-SIM-001", fmt::format("the simulation cannot step until t = {:.17g}", t), here(),
         fmt::format("it stands at t = {:.17g} and runs {}", present,
                     is_forward ? "forward" : "backward"),
         "give a time that lies ahead; save() before and restore() afterwards to come back");
}

// What was set; else polynomials of a step, values at its end; where the run is over, what was
// recorded of it.
double Simulation::Impl::known(int unknown, int order) const {
  constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();
  for (const plan::OtherStart& change : changes_.values)
    if (change.unknown == unknown && change.order == order) return change.value;
  const auto j = static_cast<std::size_t>(unknown);
  if (is_alive()) {
    const solution::StepSource& source = trajectory();
    const bool is_known =
        order <= source.layout().degree(unknown) && order <= source.highest_reliable(unknown);
    return is_known ? source.derivative(unknown, order) : unknown_value;
  }
  if (order == 0) return record().final[j];
  const std::vector<double>& derivatives = record().final_derivatives[j];
  const auto k = static_cast<std::size_t>(order) - 1;
  return k < derivatives.size() ? derivatives[k] : unknown_value;
}

double Simulation::Impl::value(const std::string& name) const {
  const std::vector<std::string>& variables = record().variables;
  const std::vector<std::string>& outputs = record().outputs;
  const model::NamedDerivative named = model::read_derivative_name(name);
  const auto variable = std::find(variables.begin(), variables.end(), named.name);
  if (variable != variables.end()) {
    const double found = known(static_cast<int>(variable - variables.begin()), named.order);
    if (!std::isnan(found) || named.order == 0) return found;
    refuse("E-SIM-002", fmt::format("{} is not known here", name), here(),
           fmt::format("the method {} does not know this derivative at t = {}", record().method,
                       now()),
           "ask for a lower derivative, or use the method taylor");
  }
  if (const auto k = discrete_index(name)) return parameters()[*k];
  const auto output = std::find(outputs.begin(), outputs.end(), name);
  if (output != outputs.end())
    return record().outputs_at(now(), [&](int j, int order) {
      return known(j, order);
    })[static_cast<std::size_t>(output - outputs.begin())];
  std::vector<std::string> names = variables;
  names.insert(names.end(), outputs.begin(), outputs.end());
  const std::string hint = base::did_you_mean(named.name, names);
  refuse("E-SIM-002", fmt::format("there is no variable or output '{}'", name), here(),
         fmt::format("'{}' has none of that name", model().name),
         hint.empty() ? "variables() lists the variables" : hint);
}

std::vector<double> Simulation::Impl::values() const {
  std::vector<double> all;
  for (int j = 0; j < static_cast<int>(record().variables.size()); ++j) all.push_back(known(j, 0));
  return all;
}

std::size_t Simulation::Impl::parameter_index(const std::string& name) const {
  const auto& all = model().parameters;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& parameter) { return parameter.name == name; });
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  std::vector<std::string> names;
  for (const model::Parameter& parameter : all) names.push_back(parameter.name);
  const std::string hint = base::did_you_mean(name, names);
  refuse("E-SIM-002", fmt::format("there is no parameter '{}'", name), here(),
         fmt::format("'{}' has none of that name", model().name),
         hint.empty() ? "the model says which parameters it has" : hint);
}

// Discrete variables keep their values among the parameters.
std::optional<std::size_t> Simulation::Impl::discrete_index(const std::string& name) const {
  const auto& all = model().parameters;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& parameter) {
    return parameter.is_discrete && parameter.name == name;
  });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

double Simulation::Impl::parameter(const std::string& name) const {
  return parameters()[parameter_index(name)];
}

void Simulation::Impl::require_alive(const char* what) const {
  if (is_alive()) return;
  refuse("E-SIM-005", fmt::format("{}: the simulation is over", what), here(),
         record().problems.empty() ? "its solution was taken" : record().problems.front().what,
         "restore() a state that was saved before, or begin another simulation");
}

void Simulation::Impl::set(const std::string& name, double value) {
  require_alive("set");
  if (const auto k = discrete_index(name)) return set_discrete(*k, name, value);
  const plan::OtherStart change = solving::other_start(model(), name, value);
  std::erase_if(changes_.values, [&](const plan::OtherStart& other) {
    return other.unknown == change.unknown && other.order == change.order;
  });
  changes_.values.push_back(change);
}

void Simulation::Impl::set_discrete(std::size_t k, const std::string& name, double value) {
  if (!std::isfinite(value))
    refuse("E-SIM-006", fmt::format("'{}' was to get the value {}", name, value), here(),
           "no equation holds with a value that is not a finite number", "give a finite value");
  if (changes_.parameters.empty()) changes_.parameters = run_->parameters();
  changes_.parameters[k] = value;
}

// Parameters that are computed from this one follow, discrete variables do not.
void Simulation::Impl::set_parameter(const std::string& name, double value) {
  require_alive("set_parameter");
  if (const auto k = discrete_index(name)) return set_discrete(*k, name, value);
  parameter_index(name);
  ParameterValues given = given_parameters_;
  given[name] = value;
  const std::vector<double> values = model::checked_values(model(), given);
  if (changes_.parameters.empty()) changes_.parameters = run_->parameters();
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!model().parameters[k].is_discrete) changes_.parameters[k] = values[k];
  given_parameters_ = std::move(given);
}

std::string Simulation::Impl::save() {
  require_alive("save");
  stop_at(settings().to);
  const std::optional<std::string> state = is_alive() ? run_->run().save() : std::nullopt;
  if (!state)
    refuse("E-SIM-003", fmt::format("the state at t = {:.17g} cannot be saved", now()), here(),
           now() == settings().to
               ? "the run is at its end"
               : "right after an event, or on the way to the limit of many, values do not show "
                 "what happens next",
           "step until a time between events, then save");
  base::Writer body;
  body(settings().to, given_parameters_, *state);
  base::Writer archive;
  archive(model::fingerprint_of(model()), options(), base::checksum_of(body.bytes()));
  archive.append(body.bytes());
  return archive.take();
}

// The end moves with step_until().
std::map<std::string, std::string> Simulation::Impl::options() const {
  auto texts = run::decisive_options(settings(), prepared_->options);
  texts.erase("to");
  return texts;
}

void Simulation::Impl::require_same(const std::map<std::string, std::string>& kept) const {
  std::vector<std::string> differences;
  for (const auto& [name, value] : options())
    if (const auto found = kept.find(name); found == kept.end() || found->second != value)
      differences.push_back(fmt::format("{} is {}, in the state {}", name, value,
                                        found == kept.end() ? "not there" : found->second));
  if (!differences.empty()) throw base::BadArchive(base::listed(differences));
}

void Simulation::Impl::restore(const std::string& bytes) {
  try {
    base::Reader archive(bytes);
    if (archive.read<std::uint64_t>() != model::fingerprint_of(model()))
      throw base::BadArchive("it is of another model, or no state at all");
    require_same(archive.read<std::map<std::string, std::string>>());
    const auto checksum = archive.read<std::uint64_t>();
    if (base::checksum_of(archive.rest()) != checksum)
      throw base::BadArchive("it is damaged: its checksum is that of another content");
    base::Reader body(archive.rest());
    const auto to = body.read<double>();
    auto given_parameters = body.read<ParameterValues>();
    const auto state = body.read<std::string>();
    changes_ = {};
    given_parameters_ = std::move(given_parameters);
    run_->settings() = prepared_->settings;
    run_->settings().to = to;
    run_->settings().pause = to;  // as save() leaves it
    run_->settings().started = std::chrono::steady_clock::now();
    base::Reader reader(state);
    run_->begin_from(input_, reader);
    num_reported_ = record().events.size();
  } catch (const base::BadArchive& reason) {
    refuse("E-SIM-004", "this is no state of the simulation", here(), reason.what(),
           "restore what save() gave, for the same model and options");
  }
}

const Solution& Simulation::Impl::recorded() {
  if (is_alive()) run_->run().record_present();
  return run_->solution();
}

Solution Simulation::Impl::take() {
  if (is_alive()) run_->run().end_here();
  if (run_->is_begun()) explain::add_warnings(settings(), run_->record());
  return SolutionAccess::solution_of(run_->take());
}

Simulation::Simulation(const Model& model, const SolveOptions& options, const RunInput& input)
    : impl_(std::make_unique<Impl>(std::make_shared<Prepared>(model, options), input)) {}
Simulation::Simulation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Status Simulation::status() const { return impl_->record().status; }
const std::vector<Problem>& Simulation::problems() const { return impl_->record().problems; }
bool Simulation::is_over() const { return impl_->is_over(); }
double Simulation::t() const { return impl_->now(); }
long Simulation::num_steps() const { return impl_->record().statistics.steps; }
const std::vector<std::string>& Simulation::variables() const { return impl_->record().variables; }
bool Simulation::step() { return impl_->step(*this); }
bool Simulation::step_until(double t) { return impl_->step_until(*this, t); }
bool Simulation::finish() { return impl_->finish(*this); }
double Simulation::operator()(const std::string& name) const { return impl_->value(name); }
std::vector<double> Simulation::values() const { return impl_->values(); }
double Simulation::parameter(const std::string& name) const { return impl_->parameter(name); }
void Simulation::set(const std::string& name, double value) { impl_->set(name, value); }
void Simulation::set_parameter(const std::string& name, double value) {
  impl_->set_parameter(name, value);
}
void Simulation::on_event(std::function<void(Simulation&, const Event&)> callback) {
  impl_->on_event = std::move(callback);
}
std::string Simulation::save() { return impl_->save(); }
void Simulation::restore(const std::string& state) { impl_->restore(state); }
const Solution& Simulation::solution() { return impl_->recorded(); }
Solution Simulation::take_solution() { return impl_->take(); }

class PreparedModel::Impl {
 public:
  Impl(const Model& model, const SolveOptions& options)
      : prepared(std::make_shared<Prepared>(model, options)),
        run(solving::prepare(prepared->model, prepared->settings, prepared->options)) {}

  solution::Record solve_once(solving::PreparedRun& prepared_run, const RunInput& input) const {
    base::Stopwatch total;
    prepared_run.settings().started = std::chrono::steady_clock::now();
    prepared_run.begin(input);
    prepared_run.drive();
    solution::Record solution = prepared_run.take();
    explain::add_warnings(prepared->settings, solution);
    solution.seconds.total = total.lap();
    return solution;
  }

  // The more accurate second run is prepared once, too.
  void verify(const RunInput& input, solution::Record& solution) {
    const SolveOptions again = run::more_accurate(prepared->options, prepared->settings);
    if (!second)
      second =
          solving::prepare(prepared->model, settings::settings_of(prepared->model, again), again);
    run::compare(prepared->model, prepared->settings, solve_once(*second, input), solution);
  }

  const std::shared_ptr<Prepared> prepared;
  std::unique_ptr<solving::PreparedRun> run, second;
};

PreparedModel::PreparedModel(const Model& model, const SolveOptions& options)
    : impl_(std::make_unique<Impl>(model, options)) {}
PreparedModel::~PreparedModel() = default;
PreparedModel::PreparedModel(PreparedModel&&) noexcept = default;
PreparedModel& PreparedModel::operator=(PreparedModel&&) noexcept = default;

Solution PreparedModel::solve(const RunInput& input) {
  solution::Record solution = impl_->solve_once(*impl_->run, input);
  if (impl_->prepared->options.verify && solution.ok()) impl_->verify(input, solution);
  return SolutionAccess::solution_of(std::move(solution));
}

Simulation PreparedModel::simulate(const RunInput& input) {
  return Simulation(std::make_unique<Simulation::Impl>(impl_->prepared, input));
}

long PreparedModel::num_analyses() const {
  return impl_->run->num_analyses() + (impl_->second ? impl_->second->num_analyses() : 0) +
         impl_->prepared->num_analyses_of_idle;
}

}  // namespace daedal
