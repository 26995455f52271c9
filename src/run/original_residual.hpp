// Does the solution of a converted model satisfy the equations that the user wrote?
#pragma once

#include <memory>
#include <vector>

#include "plan/plan.hpp"
#include "solution/step_source.hpp"
#include "taylor/interpreter.hpp"

namespace daedal::run {

class OriginalResidual {
 public:
  // Keeps a reference to the plan of the user's model; these are the values of its parameters.
  OriginalResidual(const plan::Plan& original, std::vector<double> parameters);

  // At the time that the run has reached: the largest |left - right| of an equation, relative to
  // the size of its terms.
  double at(const solution::StepSource& run);

 private:
  void find_sizes();
  double of_equation(expr::NodeId residual) const;

  std::vector<double> parameters_, nominals_;
  std::unique_ptr<expr::Graph> graph_;
  std::vector<expr::NodeId> residuals_;
  std::vector<expr::NodeId> nodes_;  // that they are made of
  std::vector<double> sizes_;        // by node
  taylor::Tape tape_;
  taylor::Interpreter interpreter_;
};

}  // namespace daedal::run
