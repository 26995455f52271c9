// A model with modes solved by one method, and the judgement (rule F14 of
// docs/theory/manufactured-problems.md).
#pragma once

#include "manufactured/hybrid_problem.hpp"
#include "manufactured/trial.hpp"

namespace daedal::manufactured {

Outcome run(const HybridProblem& problem, const std::string& method, double tolerance);

}  // namespace daedal::manufactured
