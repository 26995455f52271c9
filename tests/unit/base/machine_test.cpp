#include "base/machine.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
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

// Memory taken from the system and given back to it, since allocators may keep what is freed.
class Pages {
 public:
  explicit Pages(std::size_t size)
      : size_(size),
        first_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (first_ != MAP_FAILED) std::memset(first_, 'x', size);
  }
  ~Pages() { munmap(first_, size_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

 private:
  std::size_t size_;
  void* first_;
};

TEST(Memory, beyond_a_limit_is_what_is_held_now) {
  const auto before = static_cast<double>(resident_memory());
  constexpr double size = 64e6;
  {
    const Pages held(static_cast<std::size_t>(size));
    EXPECT_GT(static_cast<double>(resident_memory_beyond(before + size / 2)), before + size / 2);
    EXPECT_EQ(resident_memory_beyond(before + 4 * size), 0U);
    EXPECT_GT(static_cast<double>(peak_memory()), before + size / 2);
  }
  EXPECT_EQ(resident_memory_beyond(before + size / 2), 0U);
}

}  // namespace
}  // namespace daedal::base
