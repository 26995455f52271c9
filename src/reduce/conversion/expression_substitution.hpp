// Expression substitution: new unknowns for those combinations of a singular block's highest
// derivatives that its equations do see [TanNedialkovPryce2017].
#pragma once

#include "reduce/conversion/null_vector.hpp"
#include "reduce/conversion/rewriting.hpp"

namespace daedal::reduce {

// v: a null vector of columns.
Attempt substitute_expressions(const AnalysedModel& model, int block, const NullVector& v);

}  // namespace daedal::reduce
