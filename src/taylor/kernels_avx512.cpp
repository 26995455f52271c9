#define DAEDAL_KERNEL_SET avx512
#define DAEDAL_VECTOR_DOUBLES 8
#include "taylor/kernels_body.hpp"
