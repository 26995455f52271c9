// The literature on what a run did.
#pragma once

#include <string>
#include <vector>

#include "daedal/analysis.hpp"
#include "daedal/solution.hpp"

namespace daedal::report {

struct Reference {
  std::string what;  // "structural analysis"
  std::string text;
};

// `solution` may be null: of an analysis alone.
std::vector<Reference> references_of(const Analysis& analysis, const Solution* solution);

}  // namespace daedal::report
