// What is replaced, and what is not ours to replace.
#include "base/whole_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "unit/temporary_folder.hpp"

namespace daedal::base {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view beginning = "kind of file\n";
const std::string content = std::string(beginning) + "new";

class WholeFile : public testing::Test {
 protected:
  std::string path(const char* name) const { return (folder_.path() / name).string(); }
  static void put(const std::string& file, std::string_view bytes) { std::ofstream(file) << bytes; }

  // Why "file" is not replaced; "" if it is.
  std::string refusal() const {
    try {
      replace_whole(path("file"), content, beginning);
    } catch (const FileFailure& failure) {
      return failure.why;
    }
    return "";
  }

  const test::TemporaryFolder folder_;
};

TEST_F(WholeFile, is_replaced_and_leaves_no_temporary_file) {
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(read_whole(path("file")), content);
    EXPECT_FALSE(fs::exists(path("file.part")));
  }
}

TEST_F(WholeFile, that_could_be_replaced_is_left_as_it_is) {
  put(path("file"), "old");
  EXPECT_NO_THROW(require_replaceable(path("file"), beginning));
  EXPECT_EQ(read_whole(path("file")), "old");
  EXPECT_FALSE(fs::exists(path("file.part")));
  EXPECT_THROW(require_replaceable(path("no/such/file"), beginning), FileFailure);
}

TEST_F(WholeFile, takes_over_what_a_killed_process_left) {
  for (const std::string_view left : {"", "kind", "kind of file\nold and long and torn"}) {
    put(path("file.part"), left);
    EXPECT_EQ(refusal(), "") << left;
    EXPECT_EQ(read_whole(path("file")), content);
  }
}

TEST_F(WholeFile, leaves_a_file_of_the_temporary_name_alone) {
  put(path("file.part"), "my thesis");
  EXPECT_THAT(refusal(), HasSubstr("file.part', which is written first, is not ours to replace"));
  EXPECT_EQ(read_whole(path("file.part")), "my thesis");
  EXPECT_FALSE(fs::exists(path("file")));
}

TEST_F(WholeFile, follows_no_link_of_the_temporary_name) {
  put(path("thesis"), beginning);
  fs::create_symlink(path("thesis"), path("file.part"));
  EXPECT_THAT(refusal(), HasSubstr("no regular file"));
  fs::remove(path("file.part"));
  fs::create_hard_link(path("thesis"), path("file.part"));
  EXPECT_THAT(refusal(), HasSubstr("other names"));
  EXPECT_EQ(read_whole(path("thesis")), beginning);
}

TEST_F(WholeFile, does_not_wait_for_a_pipe_of_the_temporary_name) {
  ASSERT_EQ(mkfifo(path("file.part").c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("no regular file"));
  EXPECT_TRUE(fs::is_fifo(path("file.part")));
}

TEST_F(WholeFile, is_no_pipe_for_whose_other_end_one_waits) {
  ASSERT_EQ(mkfifo(path("file").c_str(), 0600), 0);
  EXPECT_THROW(read_whole(path("file")), FileFailure);
}

TEST_F(WholeFile, is_written_by_one_process_at_a_time) {
  {
    const Descriptor other = open_locked(path("file.part"), O_RDWR | O_CREAT, 0600);
    EXPECT_EQ(refusal(), "another process is writing it");
    EXPECT_TRUE(fs::exists(path("file.part")));
  }
  EXPECT_EQ(refusal(), "");
}

TEST_F(WholeFile, has_no_name_of_a_temporary_file) {
  EXPECT_THROW(replace_whole(path("a.part"), content, beginning), FileFailure);
}

TEST_F(WholeFile, keeps_its_permissions) {
  put(path("file"), "old");
  fs::permissions(path("file"), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(fs::status(path("file")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WholeFile, behind_a_link_is_the_one_that_is_replaced) {
  put(path("behind"), "old");
  fs::create_symlink(path("behind"), path("file"));
  EXPECT_EQ(refusal(), "");
  EXPECT_TRUE(fs::is_symlink(path("file")));
  EXPECT_EQ(read_whole(path("behind")), content);
  EXPECT_EQ(part_file_of(path("file")), fs::canonical(path("behind")).string() + ".part");
}

TEST(LockedFile, that_lost_its_name_meanwhile_is_opened_anew) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "file").string();
  const Descriptor first = open_locked(path, O_RDWR | O_CREAT, 0600);
  fs::rename(path, path + ".old");
  const Descriptor second = open_locked(path, O_RDWR | O_CREAT, 0600);
  EXPECT_NE(first.status().st_ino, second.status().st_ino);
}

TEST(LockedFile, devices_are_shared) {
  const Descriptor first = open_locked("/dev/null", O_WRONLY);
  EXPECT_NO_THROW(open_locked("/dev/null", O_WRONLY));
}

}  // namespace
}  // namespace daedal::base
