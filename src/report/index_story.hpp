// Why a model has the index that it has, in words: which equations must be differentiated, and for
// the sake of what.
#pragma once

#include <string>
#include <vector>

#include "daedal/analysis.hpp"

namespace daedal::report {

// An equation that is differentiated.
struct Differentiation {
  int equation = 0;
  int times = 0;
  std::string reason;
};

// Most often differentiated ones first.
std::vector<Differentiation> differentiations_of(const Analysis& analysis);

// Sentences, in reading order.
std::vector<std::string> index_story(const Analysis& analysis);

}  // namespace daedal::report
