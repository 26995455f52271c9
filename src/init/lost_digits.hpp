// Operations whose value is rounding, though it is finite: a quotient of which numerator and
// denominator are zero as far as doubles can say, which may have a limit, but what is computed is
// not it; and a sine of an angle that is so large that its rounding is a part of a turn.
#pragma once

#include <span>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"

namespace daedal::init {

// The first one among those that decide the values of the roots; not set if there is none. By a
// running error analysis [Higham2002, sec. 3.3]: an operation passes on what its arguments may be
// wrong by, and adds its own rounding.
expr::NodeId lost_digits(const expr::Graph& graph, std::span<const expr::NodeId> roots,
                         const expr::Point& point);

}  // namespace daedal::init
