// Whatever is misspelt, the nearest right word is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/command_line.hpp"
#include "cli/model_file.hpp"
#include "unit/cli/verb_fixture.hpp"

namespace daedal::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class NearNames : public VerbFixture {
 protected:
  void SetUp() override {
    VerbFixture::SetUp();
    std::filesystem::create_directories(path("cranes"));
    write("cranes/tower.mo", text);
    write("cranes/harbour.mo", text);
    write("cranes/harbour.txt", "");
    write("cranes/loads.csv", "m\n1\n2\n");
    request.model = path("cranes/tower.mo");
  }
  // The advice of the first message.
  template <typename Call>
  static std::string advice(Call call) {
    try {
      call();
    } catch (const Error& error) {
      return error.problems().front().todo;
    }
    return "";
  }
  std::string advice_for_run() const {
    return advice([&] { run(request, daedal::solve); });
  }
  static std::string advice_for(std::vector<std::string> words) {
    return advice([&] { read_run({.arguments = std::move(words)}); });
  }

  static constexpr const char* text =
      "model Crane parameter Real m = 1; Real angle(start = 1); equation der(angle) = -m; end "
      "Crane;";
  RunRequest request;
};

TEST_F(NearNames, of_a_model_file_is_one_in_its_folder) {
  request.model = path("cranes/towr.mo");
  EXPECT_EQ(advice_for_run(), "did you mean '" + path("cranes/tower.mo") + "'?");
}

TEST_F(NearNames, is_never_the_name_that_was_given) {
  EXPECT_THAT(near_files(path("cranes/tower.mo"), ".mo"), IsEmpty());
  std::filesystem::create_symlink(path("nowhere.mo"), path("cranes/dangling.mo"));
  EXPECT_THAT(near_files(path("cranes/dangling.mo"), ".mo"), IsEmpty());
}

TEST_F(NearNames, of_a_model_file_may_be_in_a_near_folder) {
  EXPECT_THAT(near_files(path("crane/tower.mo"), ".mo"), ElementsAre(path("cranes/tower.mo")));
  EXPECT_THAT(near_files(path("crane/towr.mo"), ".mo"), ElementsAre(path("cranes/tower.mo")));
}

TEST_F(NearNames, of_a_model_file_may_have_lost_its_ending) {
  EXPECT_THAT(near_files(path("cranes/tower"), ".mo"), ElementsAre(path("cranes/tower.mo")));
}

TEST_F(NearNames, of_a_folder_are_the_models_in_it) {
  EXPECT_THAT(near_files(path("cranes"), ".mo"),
              ElementsAre(path("cranes/harbour.mo"), path("cranes/tower.mo")));
}

TEST_F(NearNames, of_a_file_like_no_other_are_none) {
  EXPECT_THAT(near_files(path("cranes/zzz.mo"), ".mo"), IsEmpty());
  EXPECT_THAT(near_files(path("elsewhere/zzz.mo"), ".mo"), IsEmpty());
  request.model = path("cranes/zzz.mo");
  EXPECT_THAT(advice_for_run(), HasSubstr("check the name"));
}

TEST_F(NearNames, of_a_file_without_a_folder_are_here) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(path("cranes"));
  EXPECT_THAT(near_files("tower.ma", ".mo"), ElementsAre("tower.mo"));
  std::filesystem::current_path(before);
}

TEST_F(NearNames, of_a_members_file_end_in_csv) {
  EXPECT_EQ(advice([&] { load_members_text(path("cranes/load.csv")); }),
            "did you mean '" + path("cranes/loads.csv") + "'?");
}

TEST_F(NearNames, of_a_parameter) {
  request.parameters = {{"M", 2.0}};
  EXPECT_EQ(advice_for_run(), "did you mean 'm'?");
}

TEST_F(NearNames, of_what_to_draw_come_before_the_run) {
  request.plot = {"angel"};
  const Solver no_solver = [](const Model&, const SolveOptions&) -> Solution {
    ADD_FAILURE() << "solved before the names were looked at";
    return {};
  };
  EXPECT_EQ(advice([&] { run(request, no_solver); }), "did you mean 'angle'?");
}

TEST_F(NearNames, of_options_and_their_values) {
  EXPECT_EQ(advice_for({"run", "m.mo", "--methd", "taylor"}), "did you mean '--method'?");
  EXPECT_EQ(advice_for({"run", "m.mo", "--methd=taylor"}), "did you mean '--method'?");
  EXPECT_EQ(advice_for({"run", "m.mo", "--colour", "never"}), "did you mean '--color'?");
  request.options.method = "tailor";
  EXPECT_EQ(advice_for_run(), "did you mean 'taylor'?");
  request.options = {};
  request.options.kernel = "compile";
  EXPECT_EQ(advice_for_run(), "did you mean 'compiled'?");
  request.options = {.method = Method::bdf, .bdf = {.start_up = "serie"}};
  EXPECT_EQ(advice_for_run(), "did you mean 'series'?");
}

TEST_F(NearNames, of_verbs_and_error_ids) {
  EXPECT_EQ(unknown_verb("compleation", "").todo, "did you mean 'completion'?");
  EXPECT_EQ(unknown_verb("analyse", "").todo, "did you mean 'analyze'?");
  EXPECT_THAT(advice([] { explain("E-STR-01"); }), HasSubstr("did you mean 'E-STR-001'"));
}

}  // namespace
}  // namespace daedal::cli
