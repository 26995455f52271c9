// How much memory the machine has, and how much of it this process holds.
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

}  // namespace daedal::base
