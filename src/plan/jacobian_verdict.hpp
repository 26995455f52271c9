// Is the system Jacobian regular, and if not, is a parameter's value to blame?
#pragma once

#include <vector>

#include "model/model_data.hpp"
#include "plan/findings.hpp"
#include "structure/structure.hpp"
#include "taylor/regularity.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::plan {

// Holds references to what it is given.
class JacobianVerdict {
 public:
  JacobianVerdict(const model::ModelData& model, AnalysedEquations equations,
                  const structure::Structure& structure, const std::vector<double>& parameters);

  // The verdict for these values of the parameters, near the model's guesses.
  taylor::Regularity at(const std::vector<double>& parameters);

  // Parameters of which another value, alone, would make J regular: a value such as eps = 0 is then
  // the reason, not the equations. Bounded work: large models with many parameters are not asked.
  std::vector<model::ParameterId> blamed_parameters(const taylor::Regularity& regularity);

 private:
  AnalysedEquations equations_;
  const structure::Structure& structure_;
  std::vector<taylor::JacobianEntry> jacobian_;
  std::vector<taylor::Guess> guesses_;
  const std::vector<double>& parameters_;
  double start_, stop_;
};

}  // namespace daedal::plan
