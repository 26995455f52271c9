// A folder of its own and what a verb says, for tests of verbs.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/commands.hpp"

namespace daedal::cli {

struct Said {
  int exit_code = 0;
  std::string out, err;
};

class VerbFixture : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  void write(const char* name, const char* text) const { std::ofstream(folder_ / name) << text; }
  std::string content(const char* name) const {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // verb() returns an exit code, or throws as the verbs do for wrong input.
  template <typename Verb>
  static Said said_by(Verb verb) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Said said;
    try {
      said.exit_code = verb();
    } catch (const Error& error) {
      said.exit_code = exit_wrong_input;
      said.err = error.what();
    }
    said.out = testing::internal::GetCapturedStdout();
    said.err += testing::internal::GetCapturedStderr();
    return said;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("daedal_verb_test_" + std::to_string(getpid()));
};

}  // namespace daedal::cli
