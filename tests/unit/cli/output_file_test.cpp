// A file that is written as a run goes: whose it is meanwhile, and what is left of it.
#include "cli/output_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/descriptor.hpp"
#include "daedal/error.hpp"
#include "unit/cli/verb_fixture.hpp"

namespace daedal::cli {
namespace {

class Output : public VerbFixture {
 protected:
  // The message of what opens the file; none if it is opened.
  template <typename Open>
  static Problem refusal(Open open) {
    try {
      open();
    } catch (const Error& error) {
      return error.problems().front();
    }
    return {};
  }
};

TEST_F(Output, belongs_to_one_process_at_a_time) {
  const std::string file = path("out.csv");
  write("out.csv", "t\n1\n");
  {
    const OutputFile first(file);
    const Problem anew = refusal([&] { OutputFile{file}; });
    EXPECT_EQ(anew.id, "E-FIL-005");
    EXPECT_EQ(anew.why, "another process is writing it");
    EXPECT_EQ(refusal([&] { OutputFile(file, 2, 0); }).id, "E-FIL-005");
  }
  EXPECT_EQ(content("out.csv"), "t\n1\n");
  EXPECT_EQ(refusal([&] { OutputFile{file}; }).id, "");
}

TEST_F(Output, may_be_a_device_that_others_use) {
  const OutputFile first("/dev/null");
  EXPECT_EQ(refusal([&] { OutputFile("/dev/null"); }).id, "");
}

TEST_F(Output, is_removed_if_it_is_new_and_nothing_was_written) {
  { const OutputFile file(path("new.csv")); }
  EXPECT_FALSE(std::filesystem::exists(path("new.csv")));
  std::filesystem::create_symlink(path("behind.csv"), path("link.csv"));
  { const OutputFile file(path("link.csv")); }
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.csv")));
}

}  // namespace
}  // namespace daedal::cli
