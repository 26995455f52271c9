#define DAEDAL_KERNEL_SET avx2
#define DAEDAL_VECTOR_DOUBLES 4
#include "taylor/kernels_body.hpp"
