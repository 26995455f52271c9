// Which vectors this machine's processor has: kernels are compiled once for each set, and the best
// one that is there is used. All of them give the same bits.
#pragma once

namespace daedal::base {

enum class InstructionSet { baseline, avx2, avx512 };  // each has all that those before it have

InstructionSet best_instruction_set();

}  // namespace daedal::base
