// Errors judged by the largest component: in place of the mean over all components that SUNDIALS
// takes.
#pragma once

#include <sundials/sundials_nvector.h>

namespace daedal::integrate {

// Makes the norm of this vector, and of those cloned from it, that of the largest component.
void judge_largest_component(N_Vector vector);

}  // namespace daedal::integrate
