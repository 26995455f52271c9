#include "base/instruction_set.hpp"

namespace daedal::base {
namespace {

InstructionSet find_best() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0)
    return InstructionSet::avx512;
  if (__builtin_cpu_supports("avx2") != 0) return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

}  // namespace

InstructionSet best_instruction_set() {
  static const InstructionSet best = find_best();
  return best;
}

}  // namespace daedal::base
