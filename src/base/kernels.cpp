// The machine decides which kernels are used.
#include "base/dense_kernels.hpp"
#include "base/minimum_norm_kernels.hpp"
#include "base/sparse_kernels.hpp"

namespace daedal::base {
namespace {

enum class InstructionSet { baseline, avx2, avx512 };

InstructionSet best_instruction_set() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0)
    return InstructionSet::avx512;
  if (__builtin_cpu_supports("avx2") != 0) return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

}  // namespace

DenseKernels dense_kernels(int size, int lanes) {
#ifdef __x86_64__
  static const InstructionSet best = best_instruction_set();
  if (best == InstructionSet::avx512) return avx512::dense_kernels(size, lanes);
  if (best == InstructionSet::avx2) return avx2::dense_kernels(size, lanes);
#endif
  return baseline::dense_kernels(size, lanes);
}

MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes) {
#ifdef __x86_64__
  static const InstructionSet best = best_instruction_set();
  if (best == InstructionSet::avx512) return avx512::minimum_norm_kernels(num_columns, lanes);
  if (best == InstructionSet::avx2) return avx2::minimum_norm_kernels(num_columns, lanes);
#endif
  return baseline::minimum_norm_kernels(num_columns, lanes);
}

SparseKernels sparse_kernels(int width) {
#ifdef __x86_64__
  static const InstructionSet best = best_instruction_set();
  if (best == InstructionSet::avx512) return avx512::sparse_kernels(width);
  if (best == InstructionSet::avx2) return avx2::sparse_kernels(width);
#endif
  return baseline::sparse_kernels(width);
}

}  // namespace daedal::base
