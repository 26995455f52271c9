#include "run/modes/mode_table.hpp"

#include <algorithm>

#include "base/stopwatch.hpp"
#include "start/converted_start.hpp"
#include "structure/quasilinear.hpp"
#include "structure/signature.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::run {

using hybrid::Side;
using hybrid::Sides;

Mode::Mode(hybrid::ModeModel model, Sides sides, const std::vector<double>& parameters)
    : model_(std::move(model)),
      sides_(std::move(sides)),
      regular_(model_.own, parameters),
      plan_(regular_.plan().copy()),
      nominals_(plan_.nominals()),
      bounds_(*model_.own.graph, model_.valued) {}

bool Mode::has(const Sides& sides) const {
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (model_.is_relevant[k] && sides[k] != sides_[k]) return false;
  return true;
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
  return active();
}

integrate::TaylorIntegrator& Mode::guarded(const settings::Settings& settings,
                                           const SolveOptions& options) {
  if (!guarded_) guarded_ = std::make_unique<Guarded>(*this, settings, options);
  active_ = &guarded_->series;
  return active();
}

MethodStepper& Mode::method(const settings::Settings& settings, const SolveOptions& options) {
  if (!method_) {
    series(settings, options);
    std::vector<double> nominals;
    for (std::size_t j = 0; j < active_plan().size(); ++j)
      nominals.push_back(nominal(static_cast<int>(j)));
    method_ =
        std::make_unique<MethodStepper>(active_plan(), settings, options, std::move(nominals));
  }
  return *method_;
}

bool Mode::may_be_zero(const solution::StepView& step) {
  return bounds_.may_be_zero(step, run().shape().layout, plan_.parameters);
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

// That of a converted mode is found on the equations as written (start/converted_start.hpp).
ConsistentPoint Mode::find_start(double t) {
  if (!is_converted()) return start().at(t);
  plan::RegularizedModel regular(model_.own, plan_.parameters);
  auto found = start::start_of_converted(regular, t);
  if (!found) return start().at(t);
  if (!found->agrees) {
    found->point.status = Status::structural_analysis_fails;
    found->point.problems = {start::explain_other_start(regular.original())};
  }
  return std::move(found->point);
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
    plan_of_guards_ = std::make_unique<plan::Plan>(plan::make_plan(model_.data));
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
  original_.reset();
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
}

Mode& ModeTable::add(const Sides& sides, const std::vector<double>& parameters) {
  base::Stopwatch watch;
  modes_.push_back(std::make_unique<Mode>(
      hybrid::make_mode_model(model_, guards_, sides, parameters, nominals_), sides, parameters));
  seconds_ += watch.lap();
  return *modes_.back();
}

Mode& ModeTable::at(const Sides& sides, const std::vector<double>& parameters) {
  const auto found = std::find_if(modes_.begin(), modes_.end(), [&](const auto& mode) {
    return mode->has(sides) && mode->holds_for(parameters);
  });
  Mode& mode = found != modes_.end() ? **found : add(sides, parameters);
  mode.set_parameters(parameters);
  return mode;
}

ModeMet describe(const Mode& mode, const hybrid::Guards& guards) {
  ModeMet met{.conditions = {}, .entries = mode.entries, .time = mode.time, .c = {}, .d = {}};
  for (int k = 0; k < guards.size(); ++k)
    if (mode.is_relevant(k)) met.conditions.push_back(guards.text(k, mode.side(k)));
  const model::ModelData& own = mode.model().own;
  if (mode.is_converted()) {  // what structure says of the equations as written is not valid
    const plan::Plan& plan = mode.plan();
    met.c = plan.structure.c;
    met.d = plan.structure.d;
    met.c.resize(own.equations.size());
    met.d.resize(own.variables.size());
    met.structural_index = plan.structure.index;
    met.dof = plan.structure.dof;
    met.quasilinear = std::all_of(plan.is_linear.begin(), plan.is_linear.end(),
                                  [](bool linear) { return linear; });
    return met;
  }
  std::vector<expr::NodeId> residuals;
  for (const model::Equation& equation : own.equations) residuals.push_back(equation.residual);
  const expr::Simplified equations = expr::simplify(*own.graph, residuals);
  const structure::Structure structure =
      structure::analyze_structure(structure::signature_of(*equations.graph, equations.roots));
  const std::vector<int> tops(structure.fine_blocks.size(), 0);
  const std::vector<bool> is_linear =
      structure::linear_blocks(*equations.graph, equations.roots, structure, tops);
  met.c = structure.c;
  met.d = structure.d;
  met.structural_index = structure.index;
  met.dof = structure.dof;
  met.quasilinear =
      std::all_of(is_linear.begin(), is_linear.end(), [](bool linear) { return linear; });
  return met;
}

}  // namespace daedal::run
