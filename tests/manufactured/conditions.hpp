// Random trees of if, and, or, not, min, max, abs and sign, in each other's arguments (rule F13 of
// docs/theory/manufactured-problems.md).
#pragma once

#include <vector>

#include "manufactured/random.hpp"
#include "manufactured/term.hpp"

namespace daedal::manufactured {

class ConditionTrees {
 public:
  // `known`: what may stand at the leaves beside numbers and time.
  ConditionTrees(std::vector<Term> known, Random& random)
      : known_(std::move(known)), random_(random) {}

  // So many operations at most lie above a leaf.
  Term value(int depth);
  Term condition(int depth);

 private:
  Term leaf();
  Term smooth();
  // Halves, so that sums of numbers are exact, and may cancel.
  double number() { return 0.5 * random_.between(-4, 4); }

  std::vector<Term> known_;
  Random& random_;
};

}  // namespace daedal::manufactured
