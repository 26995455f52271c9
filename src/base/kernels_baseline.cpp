#define DAEDAL_INSTRUCTION_SET baseline
#include "base/dense_kernels_body.hpp"
#include "base/minimum_norm_kernels_body.hpp"
#include "base/sparse_kernels_body.hpp"
