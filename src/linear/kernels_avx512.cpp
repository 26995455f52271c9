#ifdef __x86_64__
#define DAEDAL_INSTRUCTION_SET avx512
#include "linear/dense_kernels_body.hpp"
#include "linear/minimum_norm_kernels_body.hpp"
#include "linear/sparse_kernels_body.hpp"
#endif
