// How much memory the machine has, and how much of it this process holds.
#pragma once

#include <cstdint>

namespace daedal::base {

// Bytes that may be used: of the machine, or of the control group that the process runs in if that
// is less. 0 if the system does not tell.
std::uint64_t memory_of_machine();

// Bytes that lie in memory now. 0 if the system does not tell.
std::uint64_t resident_memory();

}  // namespace daedal::base
