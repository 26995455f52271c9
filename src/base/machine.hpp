// The machine: how much memory it has, how much of it this process holds, and which vectors its
// processor has.
#pragma once

#include <cstdint>

namespace daedal::base {

// Bytes that may be used: of the machine, or of the control group that the process runs in if that
// is less. 0 if the system does not say.
std::uint64_t memory_of_machine();

// Bytes that lie in memory now; 0 if the system does not say. The call takes some microseconds,
// because a file of the system is opened and read.
std::uint64_t resident_memory();

// The most bytes that lay in memory at any time so far, by a single call of the system. The system
// counts roughly: it may be some pages per processor less than resident_memory().
std::uint64_t peak_memory();

// resident_memory() if it is at least so many bytes, else 0. Costs no more than peak_memory() while
// that is far less.
std::uint64_t resident_memory_beyond(double bytes);

// Which vectors this machine's processor has: kernels are compiled once for each set, and the best
// one that is there is used. All of them give the same bits.
enum class InstructionSet { baseline, avx2, avx512 };  // each has all that those before it have

InstructionSet best_instruction_set();

}  // namespace daedal::base
