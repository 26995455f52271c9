// The consistent start of a plan, in the user's names.
#pragma once

#include <memory>

#include "daedal/initialize.hpp"
#include "init/consistent_point.hpp"
#include "plan/plan.hpp"

namespace daedal::start {

// Starts of one plan, whose parameters may change in between: what does not depend on them is
// prepared once.
class StartSearch {
 public:
  explicit StartSearch(plan::Plan& plan) : plan_(plan) {}

  plan::Plan& plan() const { return plan_; }

  // Never throws for numerical trouble: see the status. The plan's graph grows by derivatives.
  ConsistentPoint at(double t);
  // The point nearest to values[j]: x_j, x_j', ..., whatever the model says of its start. Those of
  // `fixed` are kept.
  ConsistentPoint near(double t, const std::vector<std::vector<double>>& values,
                       const std::vector<init::Coefficient>& fixed);

 private:
  ConsistentPoint point_at(double t);

  plan::Plan& plan_;
  std::unique_ptr<init::PointSearch> search_;  // built when first needed,
  std::vector<init::Condition> conditions_;    // for these
};

// What was found in ids, in the user's words.
ConsistentPoint in_words(const plan::Plan& plan, const init::SearchInput& input,
                         const init::PointFound& found);
// With the values of the model's discrete variables and outputs there.
ConsistentPoint with_outputs(const plan::Plan& plan, ConsistentPoint point);

// What a search starts from.
init::SearchInput search_input(plan::Plan& plan, double t);
// What a search for the point nearest to these values starts from, see StartSearch::near.
init::SearchInput search_input_near(plan::Plan& plan, double t,
                                    const std::vector<std::vector<double>>& values,
                                    const std::vector<init::Coefficient>& fixed);

// The point in the variables of this model, which are the first of those of the model that it was
// found for.
ConsistentPoint without_auxiliaries(ConsistentPoint point, const model::ModelData& model);

// The start of this plan in the user's words; who needs many keeps a StartSearch.
ConsistentPoint consistent_start(plan::Plan& plan, double t);

// That start in ids, without messages: what an integrator begins from.
init::PointFound find_start(plan::Plan& plan, double t);

}  // namespace daedal::start
