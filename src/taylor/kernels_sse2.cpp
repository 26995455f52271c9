#define DAEDAL_KERNEL_SET sse2
#define DAEDAL_VECTOR_DOUBLES 2
#include "taylor/kernels_body.hpp"
