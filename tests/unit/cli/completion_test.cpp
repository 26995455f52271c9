// What the Tab key offers, and that help, completion and the reading of command lines agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "cli/command_line.hpp"
#include "daedal/initialize.hpp"
#include "unit/cli/verb_fixture.hpp"

namespace daedal::cli {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class Completion : public VerbFixture {
 protected:
  void SetUp() override {
    VerbFixture::SetUp();
    write("swing.mo", R"(model Swing
      parameter Real g = 9.81 "gravity";
      parameter Real length;
      parameter Integer n = 2;
      Real phi(start = 1) "angle", omega;
    equation
      der(phi) = omega;
      length*der(omega) = -g*sin(phi);
    end Swing;)");
    model = path("swing.mo");
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<std::string> lines(const std::vector<std::string>& words) {
    return lines_of(said_by([&] { return complete_words(words); }).out);
  }
  // Without what is said about each.
  static std::vector<std::string> offered(const std::vector<std::string>& words) {
    std::vector<std::string> texts;
    for (const std::string& line : lines(words)) texts.push_back(line.substr(0, line.find('\t')));
    return texts;
  }

  std::string model;
};

TEST_F(Completion, offers_no_word_that_a_shell_would_run) {
  write("trap.mo", R"mo(model Trap
    parameter Real 'a\'$(touch here)' = 1, 'b;ls' = 2, 'my mass' = 3;
    parameter Real k = 1 "first line
$(touch here)";
    Real x;
  equation
    x = k;
  end Trap;)mo");
  EXPECT_THAT(lines({"run", path("trap.mo"), "-p", ""}),
              ElementsAre("'my mass'=", "k=\tfirst line"));
}

TEST_F(Completion, begins_with_the_verbs_and_what_they_do) {
  EXPECT_THAT(offered({""}), IsSupersetOf(verbs()));
  EXPECT_THAT(offered({"e"}), ElementsAre("ensemble", "explain"));
  EXPECT_THAT(lines({"ini"}), ElementsAre(StartsWith("init\tthe consistent point nearest")));
  EXPECT_THAT(offered({"--v"}), ElementsAre("--version"));
  EXPECT_THAT(offered({}), Contains("run"));
}

TEST_F(Completion, offers_every_option_of_the_verb_and_no_other) {
  EXPECT_THAT(offered({"run", "--max-step"}), UnorderedElementsAre("--max-step", "--max-steps"));
  EXPECT_THAT(offered({"init", "--me"}), ElementsAre("--method"));
  EXPECT_THAT(offered({"analyze", "--me"}), IsEmpty());
  EXPECT_THAT(offered({"run", "-"}), Contains("-p"));
  EXPECT_THAT(offered({"run", "--r"}), ElementsAre("--report", "--resume"));
  EXPECT_THAT(offered({"ensemble", "--r"}), IsEmpty());
}

TEST_F(Completion, offers_values_where_there_is_a_choice) {
  EXPECT_THAT(offered({"run", "m.mo", "--method", "dd"}), ElementsAre("dd-erk", "dd-ida"));
  EXPECT_THAT(offered({"run", "--method=dd"}), ElementsAre("--method=dd-erk", "--method=dd-ida"));
  EXPECT_THAT(offered({"run", "--kernel", ""}), ElementsAre("auto", "interpreter", "compiled"));
  EXPECT_THAT(offered({"run", "--start-up", ""}), ElementsAre("series", "orders"));
  EXPECT_THAT(offered({"run", "--color", ""}), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(offered({"--color", "a"}), ElementsAre("auto", "always"));
  EXPECT_THAT(offered({"--color", "never", "expl"}), ElementsAre("explain"));
  EXPECT_THAT(offered({"run", "--tol", ""}), IsEmpty());
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(Completion, asks_the_shell_for_files_of_the_right_kind) {
  EXPECT_THAT(offered({"run", ""}), ElementsAre(":files .mo"));
  EXPECT_THAT(offered({"run", "--json", "pen"}), ElementsAre(":files .mo"));
  EXPECT_THAT(offered({"ensemble", "m.mo", ""}), ElementsAre(":files .csv"));
  EXPECT_THAT(offered({"run", "m.mo", "-o", "a"}), ElementsAre(":files"));
  EXPECT_THAT(offered({"run", "m.mo", ""}), IsEmpty());
  EXPECT_THAT(offered({"run", "--", "-"}), ElementsAre(":files .mo"));
}

TEST_F(Completion, knows_the_parameters_of_the_model_on_the_line) {
  EXPECT_THAT(offered({"run", model, "-p", ""}), ElementsAre("g=", "length=", "n="));
  EXPECT_THAT(offered({"init", "--json", model, "--param", "l"}), ElementsAre("length="));
  EXPECT_THAT(lines({"run", model, "-p", "g"}), ElementsAre("g=\tgravity"));
  EXPECT_THAT(offered({"run", "-p", ""}), IsEmpty());
  EXPECT_THAT(offered({"run", path("none.mo"), "-p", ""}), IsEmpty());
}

TEST_F(Completion, knows_what_can_be_drawn) {
  EXPECT_THAT(offered({"run", model, "--plot", ""}), ElementsAre("phi", "omega"));
  EXPECT_THAT(offered({"run", model, "--plot", "phi,o"}), ElementsAre("phi,omega"));
  EXPECT_THAT(offered({"run", model, "--plot=phi:o"}), ElementsAre("--plot=phi:omega"));
  EXPECT_THAT(offered({"run", model, "--plot", "--js"}), ElementsAre("--json"));
}

TEST_F(Completion, knows_error_ids_and_verbs) {
  EXPECT_THAT(offered({"explain", "E-STR"}), ElementsAre("E-STR-001", "E-STR-002"));
  EXPECT_THAT(lines({"explain", "E-CLI-001"}), ElementsAre("E-CLI-001\tan unknown verb"));
  EXPECT_THAT(offered({"help", "an"}), ElementsAre("analyze"));
  EXPECT_THAT(offered({"explain", "li"}), ElementsAre("list"));
}

TEST_F(Completion, of_nonsense_offers_nothing) {
  EXPECT_THAT(offered({"fly", ""}), IsEmpty());
  EXPECT_THAT(offered({"run", "--nonsense="}), IsEmpty());
  EXPECT_THAT(offered({"zzz"}), IsEmpty());
}

TEST_F(Completion, scripts_ask_the_program) {
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_THAT(said_by([&] { return completion(shell); }).out, HasSubstr("complete -- "));
}

TEST_F(Completion, of_a_shell_that_is_none_tells_the_nearest) {
  try {
    read_shell({.arguments = {"completion", "bsh"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "E-CLI-009");
    EXPECT_THAT(error.problems()[0].todo, HasSubstr("did you mean 'bash'"));
  }
}

// One source of truth.

// Lines "  -p, --param name=value   what it does": their words that begin with '-', up to the text.
std::set<std::string> options_in_help(const std::string& verb) {
  std::set<std::string> names;
  std::istringstream lines(help_text(verb));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -") || line.starts_with("  - ")) continue;
    std::istringstream words(line.substr(2, line.find("  ", 2) - 2));
    for (std::string word; words >> word;) {
      const std::size_t end = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
      if (word.starts_with('-')) names.insert(word.substr(0, end));
    }
  }
  return names;
}

TEST(Help, tells_every_option_that_is_read_and_no_other) {
  for (const std::string& verb : verbs()) {
    std::set<std::string> read;
    for (const Word& option : words_of(verb).options)
      read.insert(option.names.begin(), option.names.end());
    const std::set<std::string> told = options_in_help(verb);
    for (const std::string& name : read) EXPECT_TRUE(told.contains(name)) << verb << " " << name;
    for (const std::string& name : told) EXPECT_TRUE(read.contains(name)) << verb << " " << name;
  }
}

TEST(Help, has_a_text_and_a_summary_for_every_verb) {
  for (const std::string& verb : verbs()) {
    EXPECT_THAT(help_text(verb), StartsWith("daedal " + verb));
    EXPECT_NE(summary(help_text(""), verb), "") << verb;
  }
  EXPECT_EQ(help_text("fly"), "");
  EXPECT_EQ(summary(help_text("run"), "--json"),
            "one JSON object on standard output and nothing else there");
  EXPECT_EQ(summary(help_text("run"), "-p"), summary(help_text("run"), "--param"));
  EXPECT_EQ(summary(help_text("run"), "--js"), "");
}

std::vector<std::string> choices_of(const std::string& verb, const std::string& name) {
  for (const Word& option : words_of(verb).options)
    if (option.names.front() == name) return option.choices;
  return {};
}

Model decay() {
  Model m("Decay");
  const auto x = m.variable("x", {.start = {1}, .fixed = {true}});
  m.equation(der(x) == -x);
  return m;
}

// What the library says of a word that is none of its own.
template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.problems().front().why;
  }
  return "";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

TEST(Choices, are_those_of_the_library) {
  EXPECT_THAT(refusal([] { solve(decay(), {.method = "?"}); }),
              testing::EndsWith(": " + joined(choices_of("run", "--method"))));
  EXPECT_THAT(refusal([] { solve(decay(), {.kernel = "?"}); }),
              testing::EndsWith(": " + joined(choices_of("run", "--kernel"))));
  EXPECT_THAT(refusal([] { solve(decay(), {.bdf = {.start_up = "?"}}); }),
              testing::EndsWith(": " + joined(choices_of("run", "--start-up"))));
  EXPECT_THAT(refusal([] { initialize(decay(), {.method = "?"}); }),
              testing::EndsWith(": " + joined(choices_of("init", "--method"))));
}

}  // namespace
}  // namespace daedal::cli
