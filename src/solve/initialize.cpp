#include "daedal/initialize.hpp"

#include "solve/consistent_start.hpp"
#include "solve/plan.hpp"

namespace daedal {

ConsistentPoint initialize(const Model& model, const InitializeOptions& options) {
  solving::Plan plan = solving::make_plan(model.data());
  const double start_time = model.experiment().start_time.value_or(0.0);
  return solving::consistent_start(plan, options.t.value_or(start_time));
}

}  // namespace daedal
