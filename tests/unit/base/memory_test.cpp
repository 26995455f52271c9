#include "base/memory.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace daedal::base {
namespace {

TEST(Memory, of_the_process_grows_with_what_it_holds) {
  const std::uint64_t before = resident_memory();
  const std::vector<char> held(std::size_t{64} << 20U, 'x');
  EXPECT_GT(resident_memory(), before + held.size() / 2);
}

TEST(Memory, of_the_process_is_part_of_the_machines) {
  EXPECT_GT(resident_memory(), 0U);
  EXPECT_LT(resident_memory(), memory_of_machine());
}

// What was freed again is not held; the counts of the system may be off by some pages.
TEST(Memory, beyond_a_limit_is_what_is_held_now) {
  const auto before = static_cast<double>(resident_memory());
  constexpr double size = 64e6;
  {
    const std::vector<char> held(static_cast<std::size_t>(size), 'x');
    EXPECT_GT(static_cast<double>(resident_memory_beyond(before + size / 2)), before + size / 2);
    EXPECT_EQ(resident_memory_beyond(before + 4 * size), 0U);
    EXPECT_GT(static_cast<double>(peak_memory()), before + size / 2);
  }
  EXPECT_EQ(resident_memory_beyond(before + size / 2), 0U);
}

}  // namespace
}  // namespace daedal::base
