// Replaces malloc for the whole test program, to count: operator new and Eigen both end there.
// Under a sanitizer, which replaces malloc itself, nothing is counted.
#include "unit/integrate/allocations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define DAEDAL_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DAEDAL_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef DAEDAL_COUNTS_ALLOCATIONS
#define DAEDAL_COUNTS_ALLOCATIONS 1
#endif

namespace {
long count = 0;
}

#if DAEDAL_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier)
void* malloc(std::size_t size) {        // NOLINT(misc-definitions-in-headers)
  ++count;
  return __libc_malloc(size);
}
}
#endif

namespace daedal::test {

long num_allocations() { return count; }

#if DAEDAL_COUNTS_ALLOCATIONS
TEST(Allocations, are_counted) {
  const long before = num_allocations();
  auto* number = new volatile int(1);
  EXPECT_EQ(*number, 1);
  delete number;
  EXPECT_EQ(num_allocations(), before + 1);
}
#endif

}  // namespace daedal::test
