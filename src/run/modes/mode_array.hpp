// A mode on the derivative array of its equations: where structural analysis fails on them and no
// conversion helps, or because the user asks for it.
#pragma once

#include <memory>
#include <vector>

#include "run/steppers/array_stepper.hpp"
#include "start/consistent_start.hpp"

namespace daedal::run {

class ModeArray {
 public:
  // Keeps references. The values of guards are unknowns of the model.
  ModeArray(const model::ModelData& model, const std::vector<double>& parameters,
            const settings::Settings& settings);

  // From the model's own guesses, at the start of a run.
  ConsistentPoint find_start(double t, const std::vector<plan::OtherStart>& starts);
  // The point nearest to the values x_j, x_j', ... just before t, as far as they are
  // differentiated; those of `fixed` are kept.
  ConsistentPoint find_near(double t, const Derivatives& values,
                            const std::vector<init::Coefficient>& fixed);
  // Steps from the point found last, up to some time; those made before are in use until it has
  // begun. False if there are none: then explain_no_step() says why.
  bool begin(double t, double end);
  explain::StopReason explain_no_step() { return found_->stepper->explain({}); }

  void set_parameters(const std::vector<double>& parameters) { pristine_.parameters = parameters; }

  // Whether all that is differentiated came from before t to the point found last unchanged, to
  // within this part of its size: A x where f = A x' + g(t, x) with constant A, so that no g makes
  // it jump; otherwise every unknown that is differentiated.
  bool keeps_what_is_differentiated(const Derivatives& values, double part) const;

  const plan::Plan& plan() const { return pristine_; }
  // The stepper of the steps that have begun.
  ArrayStepper& stepper() { return *in_use_->stepper; }
  const reduce::ArrayFinding& finding() const { return in_use_->array->finding; }

 private:
  // What is built anew whenever the mode is entered, so that it does not depend on what was before.
  struct Entry {
    explicit Entry(const plan::Plan& pristine) : plan(pristine.copy()) {}
    plan::Plan plan;
    std::unique_ptr<start::StudiedArray> array;
    std::unique_ptr<ArrayStepper> stepper;
  };

  ConsistentPoint find_from(double t, const Derivatives& values,
                            const std::vector<init::Coefficient>& fixed);

  const settings::Settings& settings_;
  plan::Plan pristine_;
  std::unique_ptr<Entry> found_, in_use_;
};

}  // namespace daedal::run
