// Makes structural analysis work again: a model whose system Jacobian is identically singular is
// rewritten, one singular diagonal block after the other, by linear combination of equations or
// expression substitution, until the Jacobian is regular (docs/theory/conversion.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daedal/analysis.hpp"
#include "reduce/conversion/analysed_model.hpp"

namespace daedal::reduce {

struct ConversionResult {
  // The model that the conversions made, whose Jacobian is regular; empty if they got stuck.
  std::optional<AnalysedModel> model;
  std::string reason;                     // then: why
  std::vector<model::ParameterId> fixed;  // whose present values are numbers in the new model
  std::vector<ConversionStep> steps;
};

// For a model that is structurally regular, with these values of the parameters. Variables and
// equations of the user keep their numbers; new ones come last and are auxiliary.
ConversionResult convert(const model::ModelData& model, const std::vector<double>& parameters);

}  // namespace daedal::reduce
