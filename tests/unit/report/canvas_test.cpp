// Dots drawn with characters, small enough to check by hand.
#include "report/canvas.hpp"

#include <gtest/gtest.h>

namespace daedal::report {
namespace {

TEST(Canvas, of_ascii_has_two_dots_in_a_character) {
  Canvas canvas(3, 1, false);
  EXPECT_EQ(canvas.width(), 3);
  EXPECT_EQ(canvas.height(), 2);
  canvas.draw_dot({0, 0});
  canvas.draw_dot({1, 1});
  canvas.draw_dot({2, 0});
  canvas.draw_dot({2, 1});
  EXPECT_EQ(canvas.row(0), ".':");
}

TEST(Canvas, of_braille_has_eight_dots_in_a_character) {
  Canvas canvas(1, 1, true);
  for (int x = 0; x < canvas.width(); ++x)
    for (int y = 0; y < canvas.height(); ++y) canvas.draw_dot({x, y});
  EXPECT_EQ(canvas.width() * canvas.height(), 8);
  EXPECT_EQ(canvas.row(0), "\u28FF");
}

TEST(Canvas, braille_dots_are_where_unicode_says) {
  // Dots 1 to 8 of the standard are bits 0 to 7: 1-2-3 and 4-5-6 from the top, 7 and 8 below them.
  const struct {
    int x, y;
    const char* character;
  } dots[] = {{0, 3, "\u2801"}, {0, 2, "\u2802"}, {0, 1, "\u2804"}, {1, 3, "\u2808"},
              {1, 2, "\u2810"}, {1, 1, "\u2820"}, {0, 0, "\u2840"}, {1, 0, "\u2880"}};
  for (const auto& dot : dots) {
    Canvas canvas(1, 1, true);
    canvas.draw_dot({dot.x, dot.y});
    EXPECT_EQ(canvas.row(0), dot.character) << dot.x << " " << dot.y;
  }
}

TEST(Canvas, draws_lines_without_gaps_in_any_direction) {
  for (const int to_x : {0, 3, 9})
    for (const int to_y : {0, 2, 9}) {
      Canvas there(10, 5, false);
      there.draw_path({{4, 5}, {to_x, to_y}});
      int num_dots = 0;
      for (int row = 0; row < there.rows(); ++row)
        for (const char ch : there.row(row)) num_dots += ch == ':' ? 2 : ch == ' ' ? 0 : 1;
      EXPECT_EQ(num_dots, std::max(std::abs(to_x - 4), std::abs(to_y - 5)) + 1);
    }
}

TEST(Canvas, draws_a_diagonal) {
  Canvas canvas(4, 2, false);
  canvas.draw_path({{0, 0}, {3, 3}});
  EXPECT_EQ(canvas.row(0), "  .'");
  EXPECT_EQ(canvas.row(1), ".'");
}

TEST(Canvas, cuts_the_corners_of_stairs) {
  Canvas canvas(4, 2, false);
  canvas.draw_path({{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}});
  EXPECT_EQ(canvas.row(0), "  .'");
  EXPECT_EQ(canvas.row(1), ".'");
}

TEST(Canvas, keeps_corners_that_are_meant) {
  Canvas canvas(3, 2, false);
  canvas.draw_path({{0, 0}, {0, 3}, {2, 3}});
  EXPECT_EQ(canvas.row(0), ":''");
  EXPECT_EQ(canvas.row(1), ":");
}

TEST(Canvas, leaves_out_what_is_outside) {
  Canvas canvas(2, 1, false);
  for (const int far : {-1000, 1000}) {
    canvas.draw_dot({far, 0});
    canvas.draw_dot({0, far});
    canvas.mark({far, far}, "x");
  }
  EXPECT_EQ(canvas.row(0), "");
}

TEST(Canvas, marks_replace_dots) {
  Canvas canvas(2, 1, false);
  canvas.draw_path({{0, 0}, {1, 0}});
  canvas.mark({1, 1}, "x");
  EXPECT_EQ(canvas.row(0), ".x");
}

}  // namespace
}  // namespace daedal::report
