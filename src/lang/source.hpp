// Whether a text can be a model at all.
#pragma once

#include "lang/load.hpp"

namespace daedal::lang {

// Throws Error E-FIL-002 (empty), E-FIL-003 (binary or not UTF-8), E-FIL-004 (larger than 64 MB).
void check_text(const Source& source);

}  // namespace daedal::lang
