// One folder of machine code serves many runs at once, in threads and in processes.
#include "jit/code_cache.hpp"

#include <gtest/gtest.h>

#include "threads/several_threads.hpp"
#include "unit/temporary_folder.hpp"

namespace daedal::jit {
namespace {

std::vector<std::string> objects_of(std::uint64_t number) {
  return {std::string(1000 + number, static_cast<char>('a' + number % 26)), "second"};
}

// So small that what one thread stores pushes out what others did.
TEST(CodeCacheThreads, find_what_was_stored_whole_or_not_at_all) {
  const test::TemporaryFolder folder;
  const CodeCache cache(folder.path() / "cache", 20'000);
  std::atomic<int> num_found = 0;
  test::at_once(4, [&](int n) {
    for (std::uint64_t k = 0; k < 200; ++k) {
      const std::uint64_t number = (k * 7 + static_cast<std::uint64_t>(n)) % 30;
      cache.store({number, 1}, objects_of(number));
      const std::uint64_t wanted = (k * 5) % 30;
      if (const auto found = cache.load({wanted, 1})) {
        EXPECT_EQ(*found, objects_of(wanted));
        ++num_found;
      }
    }
  });
  EXPECT_GT(num_found, 0);
  for (const auto& file : std::filesystem::directory_iterator(folder.path() / "cache"))
    EXPECT_EQ(file.path().extension(), ".code");  // no part is left behind
}

}  // namespace
}  // namespace daedal::jit
