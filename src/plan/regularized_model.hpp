// The model that is solved if structural analysis fails on the user's: one that conversions made of
// it, or the user's own if there is none.
#pragma once

#include <memory>
#include <optional>

#include "plan/plan.hpp"
#include "reduce/conversion/conversion.hpp"

namespace daedal::plan {

class RegularizedModel {
 public:
  // Both keep a reference, and throw what make_plan throws.
  explicit RegularizedModel(const model::ModelData& model);
  // Is for other values of the parameters, and does not check the model.
  RegularizedModel(const model::ModelData& model, const std::vector<double>& parameters);
  RegularizedModel(const RegularizedModel&) = delete;
  RegularizedModel& operator=(const RegularizedModel&) = delete;

  // The plan of the model that is solved. Its Jacobian is singular only if no conversion was found.
  Plan& plan() { return is_converted() ? *converted_ : original_; }
  const Plan& plan() const { return is_converted() ? *converted_ : original_; }
  bool is_converted() const { return converted_ != nullptr; }
  // The user's equations, on which the solution of a converted model is checked.
  Plan& original() { return original_; }
  const Plan& original() const { return original_; }
  // Whether the conversion holds for these values of the parameters, too: some may be numbers in
  // it.
  bool holds_for(const std::vector<double>& parameters) const;

 private:
  void convert_if_singular();

  Plan original_;
  reduce::ConversionResult conversion_;
  std::unique_ptr<Plan> converted_;
};

// What is to be done about a block on which structural analysis fails, now that a conversion was
// tried.
void tell_conversion(std::vector<Problem>& problems, const reduce::ConversionResult& result);

}  // namespace daedal::plan
