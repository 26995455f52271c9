// Where an event function leaves its side: the first root of a polynomial on a step.
//
// On one step an event function is p(s) = sum_k p_k s^k for s from 0 to `end`; end may be negative,
// then s runs backwards. `negligible` >= 0 is what is as good as zero: a value |p(s)| or a
// term |p_k end^k| of at most that size. A polynomial whose first m terms are negligible begins at
// zero. The first m terms are then left out and p/s^m is searched: the zero at 0 does not count,
// what happens after it does.
//
// Theory: docs/theory/event-location.md.
#pragma once

#include <optional>
#include <vector>

#include "solution/step.hpp"

namespace daedal::hybrid {

struct Root {
  double s = 0.0;
  bool touches = false;  // reaches zero and turns back: a local extremum, no change of sign
};

// The sign of p just after 0 on the way to `end`: that of the first term p_k end^k which is not
// negligible; 0 if all are. Where terms of value and slope are, it is that of the term that is the
// first to exceed what is negligible on the way: near a triple root p_2 s^2 may not get so far
// before p_3 s^3 turns it.
int side_after(solution::Polynomial p, double end, double negligible);

// Owns the memory of a search. After a call with the highest degree nothing is allocated.
class RootFinder {
 public:
  // The first s between 0 (excluded) and end (included) at which p leaves `side` (+1 or -1).
  //
  // Guarantee: no change of sign that p has there is missed, up to rounding: if nothing is found,
  // and in front of a root that is found, side p(s) > -c sum_k |p_k s^k| with c = 300 n 2^-53, n
  // the degree; if p begins at zero, this holds for p/s^m.
  //
  // - A crossing is bracketed to neighbouring numbers; s is the far one, where p as evaluated in
  //   double precision is zero or on the other side.
  // - A local extremum in front of it with |p| at most negligible or `touching`, or at most the
  //   rounding error of its evaluation, touches. The begin is none if p rises there.
  // - |p(end)| at most negligible, on the way to zero: a crossing at s = end.
  // - p not on `side` just after 0: s = 0, without search.
  // - All terms negligible, or a coefficient that is not finite: none.
  std::optional<Root> first_root(solution::Polynomial p, int side, double end, double negligible,
                                 double touching = 0.0);

  // How often the last search split; 0 if its polynomial was excluded by the size of its terms.
  int num_splits() const { return num_splits_; }

 private:
  std::optional<Root> root_beyond(solution::Polynomial p, int side, double begin, double end,
                                  double touching);

  std::vector<double> memory_, shifted_;
  int num_splits_ = 0;
};

}  // namespace daedal::hybrid
