#include "run/modes/mode_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stopwatch.hpp"
#include "structure/quasilinear.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::run {

using hybrid::Side;
using hybrid::Sides;

namespace {

// Modes are tried out, and a search on an array takes (20 n)^3 operations to find that it has no
// solution: with more equations than these who wants it has to ask for it.
constexpr std::size_t largest_by_itself = 150;

// Modes begin with structure whatever the method, because laws of jumps need series.
start::Ladder from_structure(start::Ladder ladder) {
  return ladder == start::Ladder::array ? start::Ladder::structure_or_array : ladder;
}

std::string why_on_array(const plan::RegularizedModel& model, start::Ladder ladder) {
  const bool is_asked_for = ladder == start::Ladder::array;
  if (!is_asked_for && model.original().size() > largest_by_itself) return "";
  return start::array_for_structure(model, ladder).value_or("");
}

}  // namespace

Mode::Mode(hybrid::ModeModel model, Sides sides, const std::vector<double>& parameters,
           start::Ladder ladder)
    : model_(std::move(model)),
      sides_(std::move(sides)),
      regular_(model_.own, with_inputs(parameters)),
      ladder_(ladder),
      why_array_by_structure_(why_on_array(regular_, ladder)),
      why_array_(why_array_by_structure_),
      plan_(regular_.plan().copy()),
      size_(plan_.equations.graph->size()),
      nominals_(plan_.nominals()),
      numbers_(model_),
      bounds_(*model_.own.graph, model_.valued) {
  set_watch_numbers();
}

void Mode::set_watch_numbers() {
  std::vector<double> nominals;
  for (std::size_t j = 0; j < model_.data.variables.size(); ++j)
    nominals.push_back(nominal(static_cast<int>(j)));
  numbers_.set(plan_.parameters, nominals);
}

bool Mode::has(const Sides& sides) const {
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (model_.is_relevant[k] && sides[k] != sides_[k]) return false;
  return true;
}

bool Mode::can_have(const Sides& sides) const {
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (!model_.is_relevant[k]) continue;
    if (model_.is_switch[k] ? sides[k] == Side::slides : sides[k] != sides_[k]) return false;
  }
  return true;
}

void Mode::take(const Sides& sides, const std::vector<double>& parameters) {
  sides_ = sides;
  set_parameters(with_inputs(parameters));
}

std::vector<double> Mode::with_inputs(std::vector<double> parameters) const {
  for (const hybrid::SwitchInput& input : model_.inputs)
    parameters.push_back(input.at(sides_[input.guard]));
  return parameters;
}

// Where structural analysis fails on the equations it is not known what may depend on a side; an
// equivalent model may hold for one side only.
std::vector<int> Mode::wrong_switches() const {
  if (model_.inputs.empty()) return {};
  if (!regular_.is_converted() && plan_.regularity.singular.empty() && !is_on_array())
    return hybrid::guards_in_jacobian(*plan_.equations.graph, plan_.residuals(), plan_.structure,
                                      model_.inputs);
  std::vector<int> all;
  for (const hybrid::SwitchInput& input : model_.inputs) all.push_back(input.guard);
  return all;
}

std::string Mode::key() const {
  std::string key(sides_.size(), '.');
  for (std::size_t k = 0; k < sides_.size(); ++k)
    if (model_.is_relevant[k]) key[k] = static_cast<char>('1' + static_cast<int>(sides_[k]));
  return key + regular_.fixed_values();
}

bool Mode::is_quasilinear() const {
  if (!is_quasilinear_) is_quasilinear_ = plan_.is_quasilinear();
  return *is_quasilinear_;
}

// The unknowns of a conversion come last, after those of guards if there are some.
double Mode::nominal(int unknown) const {
  if (unknown < static_cast<int>(model_.own.variables.size())) return nominals_[unknown];
  if (is_guard(unknown)) return model_.data.graph->number(*model_.data.variables[unknown].nominal);
  return active_plan().nominals()[unknown];
}

// Errors of guards count where they can be zero only, which the integrator knows.
std::vector<double> Mode::unminded_guards(const plan::Plan& plan) const {
  constexpr double never_exceeded = 1e30;
  std::vector<double> nominals = plan.nominals();
  for (int j = 0; j < static_cast<int>(nominals.size()); ++j)
    if (is_guard(j)) nominals[j] = never_exceeded;
  return nominals;
}

Mode::Series::Series(plan::Plan& plan, const settings::Settings& settings,
                     const SolveOptions& options, const std::vector<double>& nominals)
    : engine(std::make_shared<SeriesEngine>(make_schedule(plan), plan, settings, options, 1,
                                            nominals)),
      stepper(plan, settings, engine) {}

Mode::Guarded::Guarded(const Mode& mode, const settings::Settings& settings,
                       const SolveOptions& options)
    : regular(mode.model_.data, mode.parameters()),
      plan(regular.plan()),
      series(plan, settings, options, mode.unminded_guards(plan)) {}

integrate::TaylorIntegrator& Mode::integrator(const settings::Settings& settings,
                                              const SolveOptions& options) {
  if (!unguarded_) {
    unguarded_ = std::make_unique<Series>(plan_, settings, options, plan_.nominals());
    if (has_guards())
      unguarded_->stepper.mind_guards(
          [this](const solution::StepView& step) { return may_be_zero(step); });
  }
  active_ = unguarded_.get();
  is_by_array_ = false;
  return active_->engine->integrator;
}

integrate::TaylorIntegrator& Mode::guarded(const settings::Settings& settings,
                                           const SolveOptions& options) {
  if (!guarded_) guarded_ = std::make_unique<Guarded>(*this, settings, options);
  active_ = &guarded_->series;
  is_by_array_ = false;
  return active_->engine->integrator;
}

// That of the series; where there are none, the equations as written.
plan::Plan& Mode::plan_of_method(const settings::Settings& settings, const SolveOptions& options) {
  if (is_on_array()) {
    if (!plan_of_method_)
      plan_of_method_ = std::make_unique<plan::Plan>(plan::make_plan(model_.data, parameters()));
    return *plan_of_method_;
  }
  series(settings, options);
  return is_guarded() ? guarded_->plan : plan_;
}

ModeArray& Mode::array(const settings::Settings& settings) {
  if (!array_) array_ = std::make_unique<ModeArray>(model_.data, parameters(), settings);
  return *array_;
}

bool Mode::begin_on_array(double t, double end) {
  if (!array_->begin(t, end)) return false;
  is_by_array_ = true;
  return true;
}

Stepper& Mode::stepper() {
  return is_by_array_ ? static_cast<Stepper&>(array_->stepper()) : active_->stepper;
}

const plan::Plan& Mode::active_plan() const {
  if (is_by_array_) return array_->plan();
  return is_guarded() ? guarded_->plan : plan_;
}

MethodStepper& Mode::method(const settings::Settings& settings, const SolveOptions& options) {
  if (!method_) {
    plan::Plan& plan = plan_of_method(settings, options);
    std::vector<double> nominals;
    for (std::size_t j = 0; j < plan.size(); ++j) nominals.push_back(nominal(static_cast<int>(j)));
    method_ = std::make_unique<MethodStepper>(plan, settings, options, std::move(nominals));
  }
  return *method_;
}

bool Mode::may_be_zero(const solution::StepView& step) {
  return bounds_.may_be_zero(step, taylor().run().layout(), plan_.parameters);
}

double Mode::value_of_guard(int unknown) const {
  constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  const integrate::EventSource& run = present_run();
  const auto value = [&](expr::UnknownId id, int order) {
    const auto j = static_cast<int>(id.index());
    return order <= run.layout().degree(j) ? run.derivative(j, order) : not_known;
  };
  const int guard = unknown - static_cast<int>(model_.own.variables.size());
  return bounds_.value(guard, {.time = run.t(), .parameters = plan_.parameters, .unknown = value});
}

double Mode::value_of_guard(int guard, const solution::StepView& step, double t) const {
  const solution::StepLayout& layout = present_run().layout();
  const auto value = [&](expr::UnknownId id, int order) {
    const auto j = static_cast<int>(id.index());
    return order <= layout.degree(j) ? step.value(layout, j, t, order)
                                     : std::numeric_limits<double>::quiet_NaN();
  };
  return bounds_.value(guard, {.time = t, .parameters = plan_.parameters, .unknown = value});
}

// An excursion to the other side is seen if it lasts an eighth of the step.
bool Mode::has_stray_guard(double tolerance) const {
  constexpr int num_points = 8;
  const solution::StepView step = present_run().accepted();
  const solution::StepLayout& layout = present_run().layout();
  for (int guard = 0; guard < static_cast<int>(model_.valued.size()); ++guard) {
    const int unknown = static_cast<int>(model_.own.variables.size()) + guard;
    for (int k = 1; k <= num_points; ++k) {
      const double t = step.begin + (step.end - step.begin) * k / num_points;
      const double predicted = step.value(layout, unknown, t, 0);
      const double value = value_of_guard(guard, step, t);
      const double size = tolerance * (nominal(unknown) + std::abs(value));
      if (predicted * value < 0.0 && std::abs(value) > size) return true;
    }
  }
  return false;
}

bool Mode::keeps_charges() {
  if (keeps_charges_) return *keeps_charges_;
  plan::Plan as_written = plan::make_plan(model_.own, plan_.parameters);
  const structure::Structure& structure = as_written.structure;
  bool is_exact = std::all_of(structure.d.begin(), structure.d.end(), [](int d) { return d <= 1; });
  if (is_exact)
    for (const taylor::JacobianEntry& entry :
         taylor::system_jacobian(*as_written.equations.graph, as_written.residuals(), structure))
      if (structure.c[entry.equation] == 0 && structure.d[entry.unknown] == 1 &&
          as_written.equations.graph->varies(entry.value))
        is_exact = false;
  keeps_charges_ = is_exact;
  return is_exact;
}

OriginalResidual* Mode::original() {
  if (!is_converted()) return nullptr;
  if (!original_) {
    const plan::Plan original = plan::make_plan(model_.own, plan_.parameters);
    original_ = std::make_unique<OriginalResidual>(original, plan_.parameters);
  }
  return original_.get();
}

// A start may show that the equations that structure allows are not the ones to solve: the rungs
// are those of a model without modes, one of which has been climbed for the mode already.
ConsistentPoint Mode::find_start(double t, const std::vector<plan::OtherStart>& starts,
                                 StartWeighting weighting, const settings::Settings& settings) {
  ConsistentPoint point;
  if (is_converted()) {
    start::Formulation chosen = start::choose_formulation(
        model_.own,
        {.t = t, .parameters = plan_.parameters, .starts = starts, .weights = weighting},
        from_structure(ladder_));
    if (chosen.is_array()) put_on_array(chosen.why());
    point = chosen.start();
  } else if (!is_on_array()) {
    start().plan().starts = starts;
    start().plan().weights = weighting;
    point = start().at(t);
    if (const auto why = start::array_for_start(start().plan(), point, t, ladder_))
      put_on_array(*why);
  }
  return is_on_array() ? array(settings).find_start(t, starts) : point;
}

std::optional<Derivatives> Mode::completed(double t, Derivatives values) {
  values.resize(run_orders().size());
  if (!has_own_unknowns()) return values;
  std::unique_ptr<Search>& search = is_guarded() ? guarded_search_ : search_;
  if (!search) search = std::make_unique<Search>(is_guarded() ? guarded_->plan : regular_.plan());
  search->plan.parameters = plan_.parameters;
  ConsistentPoint point = search->start.near(t, values, {});
  if (!point.ok()) return std::nullopt;
  return std::move(point.values);
}

start::StartSearch& Mode::start() {
  if (!search_) search_ = std::make_unique<Search>(regular_.plan());
  search_->plan.parameters = plan_.parameters;
  return search_->start;
}

init::ImpulseSearch& Mode::impulse() {
  if (!impulse_) {
    plan_of_impulse_ = std::make_unique<plan::Plan>(regular_.plan().copy());
    impulse_ = std::make_unique<init::ImpulseSearch>(start::search_input(*plan_of_impulse_, 0.0));
  }
  return *impulse_;
}

init::ImpulseSearch& Mode::impulse_of_guards() {
  if (!has_guards()) return impulse();
  if (!impulse_of_guards_) {
    plan_of_guards_ = std::make_unique<plan::Plan>(plan::make_plan(model_.data, parameters()));
    impulse_of_guards_ =
        std::make_unique<init::ImpulseSearch>(start::search_input(*plan_of_guards_, 0.0));
  }
  return *impulse_of_guards_;
}

const std::vector<int>& Mode::offsets_with_guards() {
  return plan_of_guards_ ? plan_of_guards_->structure.d : plan_.structure.d;
}

void Mode::set_parameters(const std::vector<double>& parameters) {
  if (plan_.parameters == parameters) return;
  plan_.parameters = parameters;
  nominals_ = plan_.nominals();
  set_watch_numbers();
  original_.reset();
  if (array_) array_->set_parameters(parameters);
  if (plan_of_method_) plan_of_method_->parameters = parameters;
  if (unguarded_) unguarded_->stepper.run().set_member(parameters, nominals_);
  if (!guarded_) return;
  guarded_->plan.parameters = parameters;
  guarded_->series.stepper.run().set_member(parameters, unminded_guards(guarded_->plan));
}

void Mode::forget() {
  if (unguarded_) unguarded_->stepper.run().forget();
  if (guarded_) guarded_->series.stepper.run().forget();
  search_.reset();
  guarded_search_.reset();
  impulse_.reset();
  impulse_of_guards_.reset();
  plan_of_guards_.reset();
  method_.reset();
  plan_of_method_.reset();
}

void Mode::renew() {
  forget();
  why_array_ = why_array_by_structure_;
  active_ = nullptr;
  is_by_array_ = false;
  array_.reset();
}

std::unique_ptr<Mode> ModeTable::built(const Sides& sides, const std::vector<double>& parameters,
                                       std::vector<bool> switches) {
  return std::make_unique<Mode>(
      hybrid::make_mode_model(model_, guards_, sides, parameters, nominals_, std::move(switches)),
      sides, parameters, ladder_);
}

// What can be a switch depends on the other guards' sides alone, so that all combinations of the
// switches' sides find the same: with every guard a switch that may be one, those are found that
// the Jacobian depends on; with these on their sides it is asked again, until none is found.
ModeTable::Entry& ModeTable::add(const Sides& sides, const std::vector<double>& parameters,
                                 std::vector<bool> possible) {
  base::Stopwatch watch;
  std::vector<bool> switches = possible;
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (sides[k] == Side::slides) switches[k] = false;
  const std::vector<bool> at_first = switches;
  if (const Choice* known = known_choice(switches, sides)) switches = known->chosen;
  std::unique_ptr<Mode> mode;
  for (;;) {
    try {
      mode = built(sides, parameters, switches);
    } catch (const Error&) {  // equations that make no sense, in whose words no inputs should be
      if (std::find(switches.begin(), switches.end(), true) == switches.end()) throw;
      switches.assign(switches.size(), false);
      continue;
    }
    const std::vector<int> wrong = mode->wrong_switches();
    if (wrong.empty()) break;
    for (const int guard : wrong) switches[guard] = false;
  }
  if (known_choice(at_first, sides) == nullptr) choices_.push_back({at_first, sides, switches});
  make_room(mode->size());
  modes_.push_back({std::move(mode), std::move(possible), 0});
  seconds_ += watch.lap();
  ++num_built_;
  return modes_.back();
}

const ModeTable::Choice* ModeTable::known_choice(const std::vector<bool>& possible,
                                                 const Sides& sides) const {
  const auto is_for = [&](const Choice& choice) {
    if (choice.possible != possible) return false;
    for (std::size_t k = 0; k < sides.size(); ++k)
      if (!choice.chosen[k] && choice.sides[k] != sides[k]) return false;
    return true;
  };
  const auto found = std::find_if(choices_.begin(), choices_.end(), is_for);
  return found != choices_.end() ? &*found : nullptr;
}

// A mode that the start of the run has put on the array would not be there again.
void ModeTable::make_room(std::size_t nodes) {
  for (const Entry& entry : modes_) nodes += entry.mode->size();
  while (nodes > most_nodes_) {
    auto oldest = modes_.end();
    for (auto entry = modes_.begin(); entry != modes_.end(); ++entry)
      if (entry->mode.get() != kept_ && !entry->mode->was_put_on_array() &&
          (oldest == modes_.end() || entry->last_asked < oldest->last_asked))
        oldest = entry;
    if (oldest == modes_.end()) return;
    nodes -= oldest->mode->size();
    if (count_) count_(*oldest->mode);
    modes_.erase(oldest);
  }
}

// Guards are scaled by nominal values, which are in the equations of every mode.
void ModeTable::renew(const std::vector<double>& parameters) {
  seconds_ = 0.0;
  kept_ = nullptr;
  count_ = nullptr;
  std::vector<double> nominals = plan::nominals_of(model_, parameters);
  if (nominals != nominals_) modes_.clear();
  nominals_ = std::move(nominals);
  for (const Entry& entry : modes_) entry.mode->renew();
}

Mode& ModeTable::at(const Sides& sides, const std::vector<double>& parameters) {
  std::vector<bool> possible = switches_.possible(parameters);
  const auto found = std::find_if(modes_.begin(), modes_.end(), [&](const Entry& entry) {
    return entry.possible == possible && entry.mode->can_have(sides) &&
           entry.mode->holds_for(parameters);
  });
  Entry& entry = found != modes_.end() ? *found : add(sides, parameters, std::move(possible));
  entry.last_asked = ++num_asked_;
  entry.mode->take(sides, parameters);
  return *entry.mode;
}

}  // namespace daedal::run
