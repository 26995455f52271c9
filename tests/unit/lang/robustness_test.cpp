// Whatever the text: an answer or an Error with ids and places, in bounded time; never a crash.
#include <gtest/gtest.h>

#include <random>

#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

constexpr std::string_view sample = R"(model Sample "a bit of everything" + " in one"
  constant Real c = 2*3.5;
  parameter Integer n = 3 "number of bodies";
  parameter Real m[n] = {i/2 for i in 1:n};
  parameter Boolean hold = n > 2 and not false;
  discrete Real count(start = c);
  Boolean on(start = hold), late = time >= 5 or on;
  Integer k[2](start = {1, 2});
  Real x[n](start = {{1, 0}, {2, 0}, {3, 0}}, each fixed = hold, each unit = "m");
  Real 'odd name'(start = {c, -1}, nominal = 10), z = sin(x[1]);
equation
  for i in 1:n, j in 1:1 loop
    motion: der(x[i], 2) = -m[i]*x[i]^2 + sum(x[k] for k in 1:n);
  end for;
  sum(x[2:end]) + 'odd name'/(1 + x[1]) = if late then max(z, 1e-3) else count; // comment
  if on and k[1] == 2 then
    a: z = 1;
  elseif z > 0 then
    z = 2;
  else
    a: z = 3;
  end if;
  hit: when {z > 1, x[1] <= 0} then
    reinit(der(x[1]), -0.5*pre(der(x[1])));
    for i in 1:2 loop k[i] = pre(k[i]) + i; end for;
  elsewhen not on then
    on = true;
    terminate("over");
  end when;
initial equation
  der('odd name') = 0;
annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end Sample;
)";

// True if the text is read or refused with complete problems.
bool is_handled(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    for (const Problem& problem : error.problems())
      if (problem.id.empty() || problem.what.empty() || problem.where.empty() ||
          problem.todo.empty())
        return false;
  }
  return true;
}

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += part;
  return text;
}

TEST(Robustness, the_sample_itself_is_a_good_model) { EXPECT_TRUE(problems_of(sample).empty()); }

TEST(Robustness, every_prefix_of_a_model_is_handled) {
  for (std::size_t length = 0; length < sample.size(); ++length)
    ASSERT_TRUE(is_handled(std::string(sample.substr(0, length)))) << length;
}

TEST(Robustness, every_missing_token_sized_piece_is_handled) {
  for (std::size_t at = 0; at < sample.size(); ++at)
    for (const std::size_t length : {1, 3, 7}) {
      std::string text(sample);
      text.erase(at, length);
      ASSERT_TRUE(is_handled(text)) << at << ' ' << length;
    }
}

TEST(Robustness, random_changes_of_characters_are_handled) {
  std::mt19937 random(20240607);
  const std::string_view alphabet = "(){}[],;:=+-*/^.<>'\"\\ \n0129eixnRz#\t\xC3";
  const auto pick = [&](std::size_t size) { return random() % size; };
  for (int round = 0; round < 5000; ++round) {
    std::string text(sample);
    for (std::size_t change = 0; change < 1 + pick(6); ++change) {
      const std::size_t at = pick(text.size());
      switch (pick(3)) {
        case 0: text[at] = alphabet[pick(alphabet.size())]; break;
        case 1: text.erase(at, 1 + pick(20)); break;
        default: text.insert(at, text.substr(pick(text.size()), pick(30))); break;
      }
    }
    ASSERT_TRUE(is_handled(text)) << text;
  }
}

TEST(Robustness, random_rows_of_words_are_handled) {
  const std::vector<std::string_view> words = {
      "model",     "M",     "end",  ";",     "equation", "Real",       "x",          "for",
      "in",        "loop",  "1",    ":",     "if",       "then",       "else",       "when",
      "(",         ")",     "[",    "]",     "{",        "}",          "=",          "der",
      ",",         "+",     "-",    "*",     "^",        "annotation", "experiment", "initial",
      "parameter", "start", "each", "\"s\"", "not",      "true",       "lagrangian", "function",
      "algorithm", ":=",    ".",    "sum",   "elsewhen", "elseif",     "reinit",     "terminate",
      "discrete",  "pre",   "<",    "and",   "Boolean"};
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    std::string text = "model M Real x[2]; equation ";
    for (int k = 0; k < 40; ++k) text += std::string(words[random() % words.size()]) + ' ';
    ASSERT_TRUE(is_handled(text)) << text;
  }
}

TEST(Robustness, deep_nesting_is_refused_with_its_depth) {
  for (const std::string_view opening : {"(", "{", "sin(", "x[", "-(", "if x then "}) {
    const Problem problem =
        problems_of(model_text("Real x;", "x = " + repeated(opening, 100000))).front();
    EXPECT_EQ(problem.id, "E-LNG-010") << opening;
  }
  EXPECT_EQ(findings(model_text("Real x;", "x = " + repeated("(", 100000) + "x" +
                                               repeated(")", 100000) + ";\nx = q;")),
            (std::vector<std::string>{"E-LNG-010 4:204", "E-LNG-002 5:5"}));
}

TEST(Robustness, deep_loops_are_refused_once) {
  EXPECT_EQ(findings(model_text("Real x;", repeated("for i in 1:1 loop ", 100000))).size(), 1U);
  for (const std::string_view opening :
       {"if x > 1 then ", "if x > 1 then x = 1; else ", "if x > 1 then x = 1; elseif "})
    EXPECT_TRUE(is_handled(model_text("Real x;", repeated(opening, 100000)))) << opening;
  for (const std::string_view opening : {"when x > 1 then ", "when x > 1 then for i in 1:1 loop ",
                                         "when x > 1 then if x > 1 then ", "a: when "})
    EXPECT_TRUE(is_handled(model_text("Real x;", repeated(opening, 100000)))) << opening;
}

TEST(Robustness, a_hundred_and_fifty_levels_are_fine) {
  EXPECT_TRUE(problems_of(model_text("Real x;", "x = " + repeated("(", 150) + "x + 1" +
                                                    repeated(")", 150) + ";"))
                  .empty());
  EXPECT_TRUE(problems_of(model_text("Real x[2];", "x = " + repeated("(x + ", 150) + "x" +
                                                       repeated(")", 150) + ";"))
                  .empty());
}

TEST(Robustness, a_sum_and_a_product_of_1e6_terms_in_the_text_are_read) {
  EXPECT_EQ(
      parsed(model_text("Real a, b;", "b = a" + repeated("+a", 1000000) + ";")).equations.size(),
      1U);
  EXPECT_EQ(
      parsed(model_text("Real a, b;", "b = a" + repeated("*a", 1000000) + ";")).equations.size(),
      1U);
  EXPECT_EQ(parsed(model_text("Real a, b;", "b = a" + repeated("-sin(a)/b", 300000) + ";"))
                .equations.size(),
            1U);
}

TEST(Robustness, a_million_signs_cost_no_stack) {
  EXPECT_TRUE(problems_of(model_text("Real x;", "x = " + repeated("-", 1000000) + "x;")).empty());
  EXPECT_TRUE(
      problems_of(model_text("parameter Boolean b = " + repeated("not ", 1000000) + "true;"))
          .empty());
}

// Quadratic work would be 1e10 steps and more: this test would not end.
TEST(Robustness, long_lists_are_linear) {
  EXPECT_TRUE(
      problems_of(model_text("parameter Real m[:] = {1" + repeated(",1", 300000) + "};")).empty());
  EXPECT_TRUE(problems_of(model_text("Real x;", repeated("x = 1;\n", 100000))).empty());
  EXPECT_FALSE(problems_of(model_text(repeated("Real x;\n", 100000))).empty());
  EXPECT_FALSE(problems_of(model_text("Real x;", repeated("x = ;\n", 100000))).empty());
}

TEST(Robustness, the_limit_of_elements_is_the_callers) {
  const Source source = {
      .file = "model.mo",
      .text = model_text("Real x[100];", "for i in 1:100 loop x[i] = i; end for;")};
  EXPECT_EQ(model_from(source, {}, {.max_elements = 100}).variables.size(), 100U);
  EXPECT_THROW(model_from(source, {}, {.max_elements = 99}), Error);
}

TEST(Robustness, control_characters_are_not_text) {
  for (const std::string bad : {"\x1b", "\x7f", "\xc2\x9b"}) {
    const auto problems = problems_of(model_text("Real x; // " + bad, "x = 1;"));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].id, "E-FIL-003");
  }
  EXPECT_TRUE(problems_of(model_text("Real x; // \xc2\xa0\xc3\xa9", "x = 1;")).empty());
}

TEST(Robustness, work_that_would_not_end_is_refused) {
  EXPECT_FALSE(
      problems_of(model_text("Real x[1000];", "for i in 1:1000000 loop sum(x) = x*x; end for;"))
          .empty());
  EXPECT_FALSE(
      problems_of(model_text("Real x;", "x = sum({zeros(0) for i in 1:1000000000000});")).empty());
}

}  // namespace
}  // namespace daedal::lang
