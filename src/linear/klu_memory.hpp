// Memory that KLU did not get is no singular matrix.
#pragma once

#include <klu.h>

#include <new>

namespace daedal::linear {

// Throws std::bad_alloc if the last call failed for want of memory, or of indices to address it.
template <typename Common>
void require_memory(const Common& common) {
  if (common.status == KLU_OUT_OF_MEMORY || common.status == KLU_TOO_LARGE) throw std::bad_alloc();
}

}  // namespace daedal::linear
