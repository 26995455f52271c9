// Loops over lanes, innermost and over numbers side by side.
#pragma once

#include <type_traits>

namespace daedal::taylor {

// body(lanes), where one lane, and as many as fill the widest vectors, are constants: then a loop
// over them is straight code.
template <typename Body>
void with_lanes(int lanes, Body body) {
  if (lanes == 1)
    body(std::integral_constant<int, 1>());
  else if (lanes == 8)
    body(std::integral_constant<int, 8>());
  else
    body(lanes);
}

}  // namespace daedal::taylor
