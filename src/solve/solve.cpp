#include "daedal/solve.hpp"

#include <stdexcept>

#include "solve/plan.hpp"

namespace daedal {

Solution solve(const Model&, const SolveOptions&) { throw std::logic_error("under construction"); }

}  // namespace daedal
