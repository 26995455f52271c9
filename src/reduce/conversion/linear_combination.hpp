// Linear combination: one equation of a singular block replaced by a combination of its
// (differentiated) equations in which the highest derivatives of the block cancel
// [TanNedialkovPryce2017].
#pragma once

#include "reduce/conversion/null_vector.hpp"
#include "reduce/conversion/rewriting.hpp"

namespace daedal::reduce {

// u: a null vector of rows. The model's graph grows.
Attempt combine_equations(AnalysedModel& model, int block, const NullVector& u,
                          const GenericValues& values);

}  // namespace daedal::reduce
