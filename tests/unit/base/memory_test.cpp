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

}  // namespace
}  // namespace daedal::base
