#include "base/printable.hpp"

#include <gtest/gtest.h>

#include "daedal/error.hpp"

namespace daedal::base {
namespace {

TEST(Printable, leaves_text_as_it_is) {
  EXPECT_EQ(printable("x + y\n\tα ≤ β, 日本"), "x + y\n\tα ≤ β, 日本");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, shows_what_a_terminal_would_obey) {
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\rb\x7f"), "a\\x0db\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J");  // CSI of Unicode
}

TEST(Printable, shows_what_turns_the_direction_of_writing) {
  EXPECT_EQ(printable("a\u202eb\u2066c"), "a\\u202eb\\u2066c");
}

TEST(Printable, shows_bytes_that_are_no_character) {
  EXPECT_EQ(printable("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
}

TEST(Printable, holds_for_every_field_of_a_problem) {
  const Problem problem = {.id = "E-\x1b",
                           .what = "w\x1b",
                           .where = "\x1b[2J.mo",
                           .why = "y\x1b",
                           .todo = "d\x1b",
                           .excerpt = "e\x1b\n^"};
  EXPECT_EQ(problem.text().find('\x1b'), std::string::npos);
  EXPECT_EQ(std::string(Error(problem).what()).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace daedal::base
