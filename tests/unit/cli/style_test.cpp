// Colours: when they are wanted, and where they go. Without them every text is what it was.
#include "cli/style.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedal::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string without_colors(const std::string& text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\033')
      k = text.find('m', k);
    else
      plain += text[k];
  }
  return plain;
}

const Problem problem = {.id = "E-LNG-001",
                         .what = "';' is missing",
                         .where = "crane.mo:8:27",
                         .why = "first line\nsecond line",
                         .todo = "end it",
                         .excerpt = "  x = y\n       ^"};

TEST(Color, is_for_terminals_that_know_it) {
  EXPECT_TRUE(is_color_wanted(ColorWhen::automatic, true, nullptr, "xterm"));
  EXPECT_FALSE(is_color_wanted(ColorWhen::automatic, false, nullptr, "xterm"));
  EXPECT_FALSE(is_color_wanted(ColorWhen::automatic, true, nullptr, "dumb"));
  EXPECT_FALSE(is_color_wanted(ColorWhen::automatic, true, nullptr, nullptr));
}

TEST(Color, is_refused_by_any_value_of_NO_COLOR_but_the_empty_one) {
  EXPECT_FALSE(is_color_wanted(ColorWhen::automatic, true, "1", "xterm"));
  EXPECT_FALSE(is_color_wanted(ColorWhen::automatic, true, "0", "xterm"));
  EXPECT_TRUE(is_color_wanted(ColorWhen::automatic, true, "", "xterm"));
}

TEST(Color, obeys_the_option_first) {
  EXPECT_TRUE(is_color_wanted(ColorWhen::always, false, "1", "dumb"));
  EXPECT_FALSE(is_color_wanted(ColorWhen::never, true, nullptr, "xterm"));
}

TEST(Color, option_is_taken_out_of_the_words_wherever_it_stands) {
  std::vector<std::string> words = {"--color", "always", "run", "--color=never", "m.mo"};
  EXPECT_EQ(take_color(words), ColorWhen::never);
  EXPECT_THAT(words, ElementsAre("run", "m.mo"));
  words = {"run", "m.mo", "--color", "always"};
  EXPECT_EQ(take_color(words), ColorWhen::always);
  EXPECT_THAT(words, ElementsAre("run", "m.mo"));
  words = {"run", "--", "--color", "always"};
  EXPECT_EQ(take_color(words), ColorWhen::automatic);
  EXPECT_THAT(words, ElementsAre("run", "--", "--color", "always"));
}

TEST(Color, option_with_another_value_gets_the_nearest) {
  std::vector<std::string> words = {"run", "--color", "allways"};
  try {
    take_color(words);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "E-CLI-009");
    EXPECT_THAT(error.problems()[0].todo, HasSubstr("did you mean 'always'?"));
  }
  words = {"run", "--color"};
  EXPECT_THROW(take_color(words), Error);
  words = {"run", "--color="};
  EXPECT_THROW(take_color(words), Error);
}

TEST(ColoredMessages, are_the_messages) {
  const std::vector<Problem> problems = {problem, problem};
  EXPECT_EQ(without_colors(colored_messages(problems)), Error(problems).what());
}

TEST(ColoredMessages, have_the_id_in_red_and_the_caret_in_green) {
  const std::string text = colored_messages({problem});
  EXPECT_THAT(text, StartsWith("\033[1;31mE-LNG-001\033[0m  \033[1m';' is missing\033[0m\n"));
  EXPECT_THAT(text, HasSubstr("\033[1;32m       ^\033[0m\n"));
  EXPECT_THAT(text, HasSubstr("where  \033[1mcrane.mo:8:27\033[0m\n"));
}

TEST(ColoredMessages, of_findings_are_yellow) {
  EXPECT_THAT(colored_messages({{.id = "S-INT-003", .what = "w"}}), StartsWith("\033[1;33mS-INT"));
}

TEST(ColoredResult, is_the_result) {
  for (const std::string text : {"reached t = 1: 3 steps\nmore\n\nvalues at t = 1\n  x  1\n", "",
                                 "\n", "one line without an end", "\n\nx\n  1 +..\n"})
    for (const bool is_good : {true, false})
      EXPECT_EQ(without_colors(colored_result(text, is_good)), text);
}

TEST(ColoredResult, says_how_it_went) {
  EXPECT_THAT(colored_result("reached t = 1: 3 steps\n", true),
              StartsWith("\033[1;32mreached t = 1\033[0m: 3 steps\n"));
  EXPECT_THAT(colored_result("ended early at t = 1 (blow-up): 3 steps\n", false),
              StartsWith("\033[1;31mended early"));
  EXPECT_THAT(colored_result("a: b\n\nsignature matrix  x   y\nrow  1\n", true),
              HasSubstr("\n\n\033[1msignature matrix\033[0m  x   y\nrow  1\n"));
}

TEST(ColoredHelp, is_the_help_with_its_headings_bold) {
  const std::string text = "daedal x\n\nDoes this.\n\noptions\n  -o  that\ninput.\n";
  const std::string colored = colored_help(text);
  EXPECT_EQ(without_colors(colored), text);
  EXPECT_THAT(colored, HasSubstr("\n\033[1moptions\033[0m\n"));
  EXPECT_THAT(colored, HasSubstr("\ninput.\n"));
  EXPECT_EQ(colored_page("# E: x\ntext\n"), "\033[1m# E: x\033[0m\ntext\n");
}

}  // namespace
}  // namespace daedal::cli
