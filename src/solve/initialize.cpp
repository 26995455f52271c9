#include "daedal/initialize.hpp"

#include "hybrid/guards.hpp"
#include "solve/balanced_model.hpp"
#include "solve/consistent_start.hpp"
#include "solve/hybrid_run.hpp"
#include "solve/regularized_model.hpp"

namespace daedal {

ConsistentPoint initialize(const Model& model, const InitializeOptions& options) {
  const double t = options.t.value_or(model.experiment().start_time.value_or(0.0));
  if (hybrid::is_hybrid(model.data())) return solving::initialize_hybrid(model.data(), t);
  const solving::BalancedModel balanced(model.data(), t);
  solving::RegularizedModel regular(balanced.data());
  ConsistentPoint point =
      solving::without_auxiliaries(solving::consistent_start(regular.plan(), t), balanced.data());
  point.converted = regular.is_converted();
  return point;
}

}  // namespace daedal
