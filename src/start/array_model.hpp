// A plan's equations written in order one, with what the user gave at the start: what the array
// methods work on.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "reduce/array/array_study.hpp"

namespace daedal::start {

class ArrayModel {
 public:
  // Starts are those at time t. Holds a reference.
  ArrayModel(plan::Plan& plan, double t);
  // With these starts, by unknown of the model, and without its initial equations.
  ArrayModel(plan::Plan& plan, const std::vector<init::GivenStart>& starts);

  reduce::ArrayStudy& study() { return study_; }
  const reduce::FirstOrderForm& form() const { return form_; }
  reduce::FirstOrderForm& mutable_form() { return form_; }
  const plan::Plan& plan() const { return plan_; }
  plan::Plan& mutable_plan() { return plan_; }
  std::string name(int unknown) const;  // of the form: "x", "der(x)"

  // Derivatives of the model's unknowns from those of the form's.
  std::vector<std::vector<double>> derivatives(const reduce::Derivatives& point) const;
  // What was found, in ids of the model.
  init::PointFound translated(const init::PointFound& found) const;

 private:
  plan::Plan& plan_;
  reduce::FirstOrderForm form_;
  reduce::ArrayStudy study_;
};

// A plan's derivative array, and what was found of it at the start of a run; or where a run comes
// to it, near values that are known.
struct StudiedArray {
  StudiedArray(plan::Plan& plan, double t) : model(plan, t), finding(model.study().at(t)) {}
  StudiedArray(plan::Plan& plan, double t, const std::vector<init::GivenStart>& near,
               int num_derivatives = 1)
      : model(plan, near), finding(model.study().at(t, num_derivatives)) {}

  ArrayModel model;
  reduce::ArrayFinding finding;
};

}  // namespace daedal::start
