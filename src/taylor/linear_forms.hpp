// A tape with its linear parts drawn together (docs/theory/packed-kernels.md): constant factors are
// pulled out of products, quotients and squares, and sums of scaled sums become one sum. So
//   k (a x y/r + b (u + v))   costs the convolutions x y and (x y)/r and one sum of three terms,
// and x y/r is shared with any other multiple of it.
#pragma once

#include <span>
#include <vector>

#include "taylor/tape.hpp"

namespace daedal::taylor {

struct LinearForms {
  TapeData tape;                       // slots after their arguments, partners and factors excepted
  std::vector<std::uint32_t> slot_of;  // by old slot; no_slot where it is part of a sum only
};

LinearForms with_linear_forms(const TapeData& tape, std::span<const std::uint32_t> roots);

}  // namespace daedal::taylor
