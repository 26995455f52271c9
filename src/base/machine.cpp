#include "base/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace daedal::base {
namespace {

std::uint64_t page_size() {
  const long size = sysconf(_SC_PAGESIZE);
  return size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

// The limit of control groups, version 2 or 1; 0 for none.
std::uint64_t limit_of_group() {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::uint64_t bytes = 0;
    if (file >> bytes) return bytes;  // "max" is no number
  }
  return 0;
}

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

std::uint64_t memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const std::uint64_t machine = pages > 0 ? static_cast<std::uint64_t>(pages) * page_size() : 0;
  const std::uint64_t group = limit_of_group();
  if (machine == 0 || group == 0) return std::max(machine, group);
  return std::min(machine, group);
}

std::uint64_t resident_memory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long total = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * page_size() : 0;
}

std::uint64_t peak_memory() {
  constexpr std::uint64_t unit = 1024;  // of ru_maxrss
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * unit
                                             : 0;
}

// What was freed again counts in the peak: near the limit the present size decides.
std::uint64_t resident_memory_beyond(double bytes) {
  constexpr double far_below = 0.9;  // of the limit: more than the system's counts are off by
  const std::uint64_t peak = peak_memory();
  if (peak > 0 && static_cast<double>(peak) < far_below * bytes) return 0;
  const std::uint64_t resident = resident_memory();
  return static_cast<double>(resident) >= bytes ? resident : 0;
}

InstructionSet best_instruction_set() {
  static const InstructionSet best = find_best();
  return best;
}

}  // namespace daedal::base
