#include "daedal/initialize.hpp"

#include "hybrid/guards.hpp"
#include "solve/balanced_model.hpp"
#include "solve/consistent_start.hpp"
#include "solve/hybrid_run.hpp"
#include "solve/plan.hpp"

namespace daedal {

ConsistentPoint initialize(const Model& model, const InitializeOptions& options) {
  const double t = options.t.value_or(model.experiment().start_time.value_or(0.0));
  if (hybrid::is_hybrid(model.data())) return solving::initialize_hybrid(model.data(), t);
  const solving::BalancedModel balanced(model.data(), t);
  solving::Plan plan = solving::make_plan(balanced.data());
  return solving::consistent_start(plan, t);
}

}  // namespace daedal
