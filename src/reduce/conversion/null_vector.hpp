// Null vectors of a singular diagonal block of the system Jacobian, as expressions:
//   u^T J = 0 (rows: a combination of equations), J v = 0 (columns: a direction of unknowns).
//
// Gauss-Jordan elimination on the block's entries, with pivots that are numbers where there are
// some, then parameters, then the simplest. An entry is zero, or a number, if it is so at several
// generic points, error bounds counted: no identity has to be known (docs/theory/conversion.md).
#pragma once

#include <string>
#include <vector>

#include "reduce/conversion/analysed_model.hpp"
#include "reduce/generic_values.hpp"

namespace daedal::reduce {

enum class Side { rows, columns };

struct NullVector {
  Side side = Side::rows;
  std::vector<int> members;           // equations or unknowns, ascending
  std::vector<expr::NodeId> factors;  // of AnalysedModel::equations.graph; without common factors
  bool is_constant = false;           // all factors are numbers
};

// A basis of the null space, as far as elimination finds one. Adds nodes to the model's graph.
std::vector<NullVector> null_vectors(AnalysedModel& model, int block, Side side,
                                     const GenericValues& values);

// Parameters of which another value would make the block regular: alone, or, if there is none such,
// all of the block's together.
std::vector<model::ParameterId> decisive_parameters(AnalysedModel& model, int block,
                                                    const GenericValues& values);

}  // namespace daedal::reduce
