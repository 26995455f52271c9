// Options of a run and of an ensemble, as keywords give them.
#pragma once

#include "bindings.hpp"

namespace daedal::python {

struct GivenOptions {
  SolveOptions run;
  EnsembleOptions ensemble;
};

// By name; daedal._options has looked whether there are all of these.
GivenOptions options_of(const py::dict& given);

}  // namespace daedal::python
