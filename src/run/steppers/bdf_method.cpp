#include "run/steppers/bdf_method.hpp"

#include <algorithm>

#include "run/steppers/series_engine.hpp"

namespace daedal::run {
namespace {

constexpr int usual_fixed_order = 3;  // of the seed of this method

// Terms after those that the equations start from: two more than the highest order looks at. The
// points before the start of fixed steps are to be exact, however long the steps.
constexpr int stages_for_control = integrate::highest_bdf_order + 3;
constexpr int stages_for_fixed_steps = 24;

// Taylor coefficients of the solution from its first ones.
class Continuation {
 public:
  Continuation(plan::Plan& plan, int last_stage)
      : plan_(&plan),
        series_(std::make_shared<taylor::SeriesSolver>(
            make_schedule(plan), plan.structure, last_stage,
            std::vector<std::vector<double>>{plan.parameters}, plan.nominals())) {}

  bool operator()(double t, integrate::Coefficients& coefficients) {
    series_->set_lane(0, plan_->parameters, plan_->nominals());
    series_->set_origin(t, 1.0);
    for (int j = 0; j < series_->num_unknowns(); ++j)
      for (int k = 0; k <= series_->local_order(j); ++k)
        series_->coefficient(j, k) =
            k < static_cast<int>(coefficients[j].size()) ? coefficients[j][k] : 0.0;
    series_->solve_start();
    if (series_->report().ok()) series_->solve_rest();
    if (!series_->report().ok()) return false;
    for (int j = 0; j < series_->num_unknowns(); ++j)
      for (int k = static_cast<int>(coefficients[j].size()); k <= series_->degree(j); ++k)
        coefficients[j].push_back(series_->coefficient(j, k));
    return true;
  }

 private:
  const plan::Plan* plan_;                        // its parameters may change
  std::shared_ptr<taylor::SeriesSolver> series_;  // a function may be copied
};

}  // namespace

std::optional<int> index_of_form(const plan::Plan& plan, const BdfOptions& options) {
  constexpr int highest = 3;
  if (options.index || plan.structure.index <= highest) return options.index;
  return highest;
}

std::unique_ptr<integrate::Bdf> make_bdf(plan::Plan& plan, const settings::Settings& settings,
                                         const BdfOptions& options) {
  const bool is_fixed = options.fixed_step.has_value();
  const int usual_order = is_fixed ? usual_fixed_order : integrate::highest_bdf_order;
  integrate::BdfOptions bdf{
      .method = {.tolerance = settings.tolerance,
                 .max_step = settings.max_step,
                 .nominals = plan.nominals()},
      .index = index_of_form(plan, options),
      .order = std::clamp(settings.order.value_or(usual_order), 1, integrate::highest_bdf_order),
      .fixed_step = options.fixed_step,
      .start_up = options.start_up == StartUp::orders ? integrate::BdfStartUp::orders
                                                      : integrate::BdfStartUp::series,
      .newton = {.tolerance = options.newton_tolerance,
                 .most_iterations = options.newton_iterations},
      .continue_series = {}};
  if (plan.regularity.singular.empty())
    bdf.continue_series =
        Continuation(plan, is_fixed ? stages_for_fixed_steps : stages_for_control);
  return std::make_unique<integrate::Bdf>(
      integrate::UserEquations{*plan.equations.graph, plan.residuals(), plan.structure},
      plan.parameters, std::move(bdf));
}

}  // namespace daedal::run
