// Where functions of time alone lie over an interval of time, whatever happens inside it: a pulse
// between two times is seen however short it is. Ends are off by rounding; of what is not known
// they are infinite or no numbers.
#pragma once

#include <vector>

#include "expr/range.hpp"
#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

class TimeRanges {
 public:
  // Keeps a reference. `evaluated`: operations on time alone, arguments before users.
  TimeRanges(const Tape& tape, std::vector<Slot> evaluated);

  // The value of an operation that does not vary.
  void set_constant(Slot slot, double value) { ranges_[slot] = {value, value}; }
  void evaluate(double from, double to);
  const expr::Range& of(Slot slot) const { return ranges_[slot]; }

 private:
  expr::Range range(const TapeEntry& entry, expr::Range time) const;
  expr::Range affine(const TapeEntry& entry) const;
  expr::Range piecewise(const TapeEntry& entry) const;

  const Tape& tape_;
  std::vector<Slot> evaluated_;
  std::vector<expr::Range> ranges_;  // by slot
};

}  // namespace daedal::taylor
