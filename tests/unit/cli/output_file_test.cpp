// A file that is written as a run goes: whose it is meanwhile, and what is left of it.
#include "cli/output_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <map>

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

// A limit of files stands for a full disk.
class LimitedFiles {
 public:
  explicit LimitedFiles(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LimitedFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }
  LimitedFiles(const LimitedFiles&) = delete;
  LimitedFiles& operator=(const LimitedFiles&) = delete;

 private:
  rlimit before_ = {};
};

TEST_F(Output, ends_with_a_whole_line_if_the_disk_is_full) {
  for (const auto& [room, left] : std::map<rlim_t, std::string>{
           {3, ""}, {7, "t,x\n"}, {9, "t,x\n1,2\n"}, {10, "t,x\n1,2\n"}}) {
    OutputFile file(path("out.csv"));
    file.write("");
    Problem problem;
    {
      const LimitedFiles limited(room);
      problem = refusal([&] {
        file.write("t,x\n");
        file.write("1,2\n3,4\n");
      });
    }
    EXPECT_EQ(problem.id, "E-FIL-005");
    EXPECT_EQ(problem.why, "File too large");
    EXPECT_EQ(content("out.csv"), left) << room;
    EXPECT_EQ(file.size(), left.size());
  }
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
