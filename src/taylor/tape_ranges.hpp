// Where the operations of a tape lie while time and the unknowns move within ranges, whatever
// happens inside these: a pulse between two times is seen however short it is. The ends of a range
// are off by rounding; they are infinite, or no numbers, where nothing is known.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/range.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {

class TapeRanges {
 public:
  using Slot = std::uint32_t;

  // Keeps a reference. `evaluated`: slots, arguments before users; what else these need is given by
  // set().
  TapeRanges(const Tape& tape, std::vector<Slot> evaluated);

  // An operation that does not vary, or an unknown or a derivative of one.
  void set(Slot slot, expr::Range range) { ranges_[slot] = range; }
  // While time goes from `from` to `to`.
  void evaluate(double from, double to);
  const expr::Range& of(Slot slot) const { return ranges_[slot]; }
  // The range of one operation while its arguments have theirs.
  expr::Range result(Slot slot) const { return range(tape_.entries()[slot], expr::anything); }

 private:
  expr::Range range(const TapeEntry& entry, expr::Range time) const;
  expr::Range affine(const TapeEntry& entry) const;
  expr::Range piecewise(const TapeEntry& entry) const;

  const Tape& tape_;
  std::vector<Slot> evaluated_;
  std::vector<expr::Range> ranges_;  // by slot
};

}  // namespace daedal::taylor
