#define DAEDAL_INSTRUCTION_SET baseline
#include "linear/dense_kernels_body.hpp"
#include "linear/minimum_norm_kernels_body.hpp"
#include "linear/sparse_kernels_body.hpp"
