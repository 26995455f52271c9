// Everything of daedal: models, analysis, errors.
#pragma once

#include "daedal/analysis.hpp"    // IWYU pragma: export
#include "daedal/error.hpp"       // IWYU pragma: export
#include "daedal/expression.hpp"  // IWYU pragma: export
#include "daedal/model.hpp"       // IWYU pragma: export
#include "daedal/version.hpp"     // IWYU pragma: export
