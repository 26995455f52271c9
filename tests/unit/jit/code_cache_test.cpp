#include "jit/code_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "unit/temporary_folder.hpp"

namespace daedal::jit {
namespace {

namespace fs = std::filesystem;
using Objects = std::vector<std::string>;

const CodeKey key = {1, 2};
const Objects objects = {"first object", std::string("second\0object", 13), ""};

fs::path only_file(const fs::path& folder) {
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  return fs::directory_iterator(folder)->path();
}

TEST(CodeCache, gives_back_what_was_stored_and_nothing_else) {
  const test::TemporaryFolder folder;
  const CodeCache cache(folder.path() / "made" / "when needed");
  EXPECT_FALSE(cache.load(key));
  cache.store(key, objects);
  EXPECT_EQ(cache.load(key), objects);
  EXPECT_FALSE(cache.load({1, 3}));
}

TEST(CodeCache, ignores_what_it_would_not_have_written) {
  const test::TemporaryFolder folder;
  CodeCache(folder.path()).store(key, objects);
  const fs::path file = only_file(folder.path());
  const std::uintmax_t size = fs::file_size(file);
  EXPECT_TRUE(CodeCache(folder.path(), size).load(key));
  EXPECT_FALSE(CodeCache(folder.path(), size - 1).load(key));
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);  // nobody writes to it
  EXPECT_FALSE(CodeCache(folder.path()).load(key));
}

TEST(CodeCache, ignores_a_file_that_was_cut_off_anywhere) {
  const test::TemporaryFolder folder;
  const CodeCache cache(folder.path());
  cache.store(key, objects);
  const fs::path file = only_file(folder.path());
  for (std::uintmax_t size = fs::file_size(file); size-- > 0;) {
    fs::resize_file(file, size);
    EXPECT_FALSE(cache.load(key)) << size;
  }
}

TEST(CodeCache, ignores_a_file_with_one_wrong_byte_anywhere) {
  const test::TemporaryFolder folder;
  const CodeCache cache(folder.path());
  cache.store(key, objects);
  const fs::path path = only_file(folder.path());
  for (std::uintmax_t at = 0; at < fs::file_size(path); ++at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    const auto write = [&](int value) {
      file.seekp(static_cast<std::streamoff>(at));
      file.put(static_cast<char>(value));
      file.flush();
    };
    write(byte ^ 1);
    EXPECT_FALSE(cache.load(key)) << at;
    write(byte);
  }
  EXPECT_TRUE(cache.load(key));
}

TEST(CodeCache, a_file_of_another_key_under_this_name_is_not_taken) {
  const test::TemporaryFolder folder;
  const CodeCache cache(folder.path());
  cache.store({3, 4}, objects);
  const fs::path other = only_file(folder.path());
  cache.store(key, objects);
  for (const auto& entry : fs::directory_iterator(folder.path()))
    if (entry.path() != other)
      fs::copy_file(other, entry.path(), fs::copy_options::overwrite_existing);
  EXPECT_FALSE(cache.load(key));
}

TEST(CodeCache, a_folder_that_cannot_be_written_is_no_error) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "not a folder";
  const CodeCache cache(folder.path() / "file" / "below");
  cache.store(key, objects);
  EXPECT_FALSE(cache.load(key));
}

TEST(CodeCache, without_a_folder_keeps_nothing) {
  const CodeCache cache("");
  cache.store(key, objects);
  EXPECT_FALSE(cache.load(key));
}

TEST(CodeCache, removes_what_was_not_used_for_longest_and_leaves_other_files_alone) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "notes.txt") << std::string(5000, 'x');
  const CodeCache cache(folder.path(), 2500);
  const Objects large = {std::string(1000, 'x')};
  const auto set_age = [&](int hours) {
    for (const auto& entry : fs::directory_iterator(folder.path()))
      fs::last_write_time(entry, fs::last_write_time(entry) - std::chrono::hours(hours));
  };
  cache.store({1, 1}, large);
  set_age(1);
  cache.store({2, 2}, large);
  set_age(1);
  EXPECT_TRUE(cache.load({1, 1}));  // used now
  cache.store({3, 3}, large);
  EXPECT_TRUE(cache.load({1, 1}));
  EXPECT_FALSE(cache.load({2, 2}));
  EXPECT_TRUE(cache.load({3, 3}));
  EXPECT_TRUE(fs::exists(folder.path() / "notes.txt"));
}

TEST(CodeKey, changes_with_everything_that_the_code_follows_from) {
  StageCode code;
  code.operations.resize(2);
  code.lists = {1, 2, 3};
  code.pieces.resize(1);
  const CodeKey first = key_of(code, "processor");
  EXPECT_EQ(key_of(code, "processor"), first);
  EXPECT_NE(key_of(code, "another"), first);
  const auto differs = [&](auto change) {
    StageCode changed = code;
    change(changed);
    return key_of(changed, "processor") != first;
  };
  EXPECT_TRUE(differs([](StageCode& c) { c.num_lanes = 4; }));
  EXPECT_TRUE(differs([](StageCode& c) { c.last_stage = 7; }));
  EXPECT_TRUE(differs([](StageCode& c) { c.num_start_steps = 5; }));
  EXPECT_TRUE(differs([](StageCode& c) { c.operations[1].exponent_bits = 1; }));
  EXPECT_TRUE(differs([](StageCode& c) { std::swap(c.lists[0], c.lists[1]); }));
  EXPECT_TRUE(differs([](StageCode& c) { c.lists.push_back(0); }));
  EXPECT_TRUE(differs([](StageCode& c) { c.pieces[0].last = 1; }));
  EXPECT_TRUE(differs([](StageCode& c) { c.pieces[0].stage = 0; }));
}

}  // namespace
}  // namespace daedal::jit
