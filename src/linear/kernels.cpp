// The machine decides which kernels are used.
#include "base/machine.hpp"
#include "linear/dense_kernels.hpp"
#include "linear/minimum_norm_kernels.hpp"
#include "linear/sparse_kernels.hpp"

namespace daedal::linear {

#ifdef __x86_64__

namespace {

using base::InstructionSet;

template <typename Function>
Function* best_of(Function* baseline, Function* avx2, Function* avx512) {
  switch (base::best_instruction_set()) {
    case InstructionSet::avx512: return avx512;
    case InstructionSet::avx2: return avx2;
    case InstructionSet::baseline: break;
  }
  return baseline;
}

}  // namespace

DenseKernels dense_kernels(int size, int lanes) {
  return best_of(&baseline::dense_kernels, &avx2::dense_kernels, &avx512::dense_kernels)(size,
                                                                                         lanes);
}

MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes) {
  return best_of(&baseline::minimum_norm_kernels, &avx2::minimum_norm_kernels,
                 &avx512::minimum_norm_kernels)(num_columns, lanes);
}

SparseKernels sparse_kernels(int width) {
  return best_of(&baseline::sparse_kernels, &avx2::sparse_kernels, &avx512::sparse_kernels)(width);
}

#else

DenseKernels dense_kernels(int size, int lanes) { return baseline::dense_kernels(size, lanes); }

MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes) {
  return baseline::minimum_norm_kernels(num_columns, lanes);
}

SparseKernels sparse_kernels(int width) { return baseline::sparse_kernels(width); }

#endif

}  // namespace daedal::linear
