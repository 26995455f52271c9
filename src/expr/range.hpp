// Ranges of operations: where results lie if the arguments lie in intervals. Ends are rounded as
// doubles are, so that a range is true up to some units in the last place.
#pragma once

#include "expr/node.hpp"

namespace daedal::expr {

// From low to high.
struct Range {
  double low = 0.0;
  double high = 0.0;

  bool has_zero() const { return !(low > 0.0) && !(high < 0.0); }
};

// What nothing is known of.
extern const Range anything;

Range times(Range a, Range b);
inline Range times(double factor, Range a) {
  return factor > 0.0 ? Range{factor * a.low, factor * a.high}
                      : Range{factor * a.high, factor * a.low};
}
Range square(Range a);
Range inverse(Range a);
Range power(Range a, double exponent);
Range smaller(Range a, Range b);  // min(a, b)
Range larger(Range a, Range b);   // max(a, b)
// The values of a function of one argument; `anything` where it leaves its domain or is not known.
Range apply_unary(Op op, Range a);

// A little wider, for rounding; `anything` if an end is not a number.
Range widened(Range r);

}  // namespace daedal::expr
