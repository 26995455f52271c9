#ifdef __x86_64__
#define DAEDAL_INSTRUCTION_SET avx512
#include "base/dense_kernels_body.hpp"
#include "base/minimum_norm_kernels_body.hpp"
#include "base/sparse_kernels_body.hpp"
#endif
