// All public headers but daedal/port.hpp, which is for equations written for another interface.
#pragma once

#include "daedal/analysis.hpp"          // IWYU pragma: export
#include "daedal/array_analysis.hpp"    // IWYU pragma: export
#include "daedal/checkpoint.hpp"        // IWYU pragma: export
#include "daedal/choice.hpp"            // IWYU pragma: export
#include "daedal/derivative_array.hpp"  // IWYU pragma: export
#include "daedal/ensemble.hpp"          // IWYU pragma: export
#include "daedal/error.hpp"             // IWYU pragma: export
#include "daedal/expression.hpp"        // IWYU pragma: export
#include "daedal/initialize.hpp"        // IWYU pragma: export
#include "daedal/lagrangian.hpp"        // IWYU pragma: export
#include "daedal/method.hpp"            // IWYU pragma: export
#include "daedal/model.hpp"             // IWYU pragma: export
#include "daedal/option.hpp"            // IWYU pragma: export
#include "daedal/report.hpp"            // IWYU pragma: export
#include "daedal/simulation.hpp"        // IWYU pragma: export
#include "daedal/solution.hpp"          // IWYU pragma: export
#include "daedal/solve.hpp"             // IWYU pragma: export
#include "daedal/status.hpp"            // IWYU pragma: export
#include "daedal/text_plot.hpp"         // IWYU pragma: export
#include "daedal/vector.hpp"            // IWYU pragma: export
#include "daedal/version.hpp"           // IWYU pragma: export
