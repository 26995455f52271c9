#include "solve/mode_table.hpp"

#include <algorithm>

#include "solve/step_methods.hpp"
#include "solve/stopwatch.hpp"
#include "structure/quasilinear.hpp"
#include "structure/signature.hpp"

namespace daedal::solving {

using hybrid::Side;
using hybrid::Sides;

Mode::Mode(hybrid::ModeModel model, Sides sides)
    : model_(std::move(model)),
      sides_(std::move(sides)),
      pristine_(make_plan(model_.own)),
      plan_(pristine_.copy()),
      nominals_(plan_.nominals()),
      bounds_(*model_.own.graph, model_.valued) {}

bool Mode::has(const Sides& sides) const {
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (model_.is_relevant[k] && sides[k] != sides_[k]) return false;
  return true;
}

double Mode::nominal(int unknown) const {
  if (!is_guard(unknown)) return nominals_[unknown];
  return model_.data.graph->number(*model_.data.variables[unknown].nominal);
}

// Errors of guards count where they can be zero only, which the integrator knows.
std::vector<double> Mode::unminded_guards() const {
  constexpr double never_exceeded = 1e30;
  std::vector<double> nominals = nominals_;
  nominals.resize(model_.data.variables.size(), never_exceeded);
  return nominals;
}

integrate::TaylorIntegrator& Mode::integrator(const Settings& settings,
                                              const SolveOptions& options) {
  if (!integrator_) {
    integrator_ = std::make_unique<integrate::TaylorIntegrator>(
        make_integrator(make_schedule(plan_), plan_, settings, 1));
    kernels_ = std::make_unique<KernelSwitch>(options, *integrator_);
  }
  active_ = integrator_.get();
  return *active_;
}

integrate::TaylorIntegrator& Mode::guarded(const Settings& settings, const SolveOptions& options) {
  if (!guarded_) {
    guarded_ = std::make_unique<Guarded>(model_.data);
    guarded_->plan.parameters = plan_.parameters;
    guarded_->integrator = std::make_unique<integrate::TaylorIntegrator>(make_integrator(
        make_schedule(guarded_->plan), guarded_->plan, settings, 1, unminded_guards()));
    guarded_->kernels = std::make_unique<KernelSwitch>(options, *guarded_->integrator);
  }
  active_ = guarded_->integrator.get();
  return *active_;
}

integrate::MethodRun& Mode::method(const Settings& settings, const SolveOptions& options) {
  if (!method_) {
    series(settings, options);
    std::vector<double> nominals;
    for (std::size_t j = 0; j < active_plan().size(); ++j)
      nominals.push_back(nominal(static_cast<int>(j)));
    method_ = std::make_unique<integrate::MethodRun>(
        make_step_method(active_plan(), settings, options, nominals), settings.tolerance);
    edges_ = std::make_unique<EdgeWatch>(active_plan(), settings);
  }
  return *method_;
}

bool Mode::may_be_zero() {
  return bounds_.may_be_zero(run().accepted(), run().shape().layout, plan_.parameters);
}

StartSearch& Mode::start() {
  if (!search_) search_ = std::make_unique<Search>(pristine_);
  search_->plan.parameters = plan_.parameters;
  return search_->start;
}

init::ImpulseSearch& Mode::impulse() {
  if (!impulse_) {
    plan_of_impulse_ = std::make_unique<Plan>(pristine_.copy());
    impulse_ = std::make_unique<init::ImpulseSearch>(search_input(*plan_of_impulse_, 0.0));
  }
  return *impulse_;
}

init::ImpulseSearch& Mode::impulse_of_guards() {
  if (!has_guards()) return impulse();
  if (!impulse_of_guards_) {
    plan_of_guards_ = std::make_unique<Plan>(make_plan(model_.data));
    impulse_of_guards_ = std::make_unique<init::ImpulseSearch>(search_input(*plan_of_guards_, 0.0));
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
  if (integrator_) integrator_->run().set_member(parameters, nominals_);
  if (!guarded_) return;
  guarded_->plan.parameters = parameters;
  guarded_->integrator->run().set_member(parameters, unminded_guards());
}

void Mode::forget() {
  if (integrator_) integrator_->run().forget();
  if (guarded_) guarded_->integrator->run().forget();
  search_.reset();
  impulse_.reset();
  impulse_of_guards_.reset();
  plan_of_guards_.reset();
  method_.reset();
  edges_.reset();
}

Mode& ModeTable::add(const Sides& sides, const std::vector<double>& parameters) {
  Stopwatch watch;
  modes_.push_back(std::make_unique<Mode>(
      hybrid::make_mode_model(model_, guards_, sides, parameters, nominals_), sides));
  seconds_ += watch.lap();
  return *modes_.back();
}

Mode& ModeTable::at(const Sides& sides, const std::vector<double>& parameters) {
  const auto found = std::find_if(modes_.begin(), modes_.end(),
                                  [&](const auto& mode) { return mode->has(sides); });
  Mode& mode = found != modes_.end() ? **found : add(sides, parameters);
  mode.set_parameters(parameters);
  return mode;
}

ModeMet describe(const Mode& mode, const hybrid::Guards& guards) {
  ModeMet met{.conditions = {}, .entries = mode.entries, .time = mode.time, .c = {}, .d = {}};
  for (int k = 0; k < guards.size(); ++k)
    if (mode.is_relevant(k)) met.conditions.push_back(guards.text(k, mode.side(k)));
  const model::ModelData& own = mode.model().own;
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

}  // namespace daedal::solving
