#include "report/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace daedal::report {
namespace {

// Bits of the characters from U+2800 on: dots 1-2-3-7 are the left column from the top, 4-5-6-8 the
// right one.
constexpr unsigned braille_bit[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

std::string braille(unsigned dots) {
  const unsigned code = 0x2800U + dots;
  return {static_cast<char>(0xE0U | (code >> 12U)), static_cast<char>(0x80U | (code >> 6U & 0x3FU)),
          static_cast<char>(0x80U | (code & 0x3FU))};
}

}  // namespace

Canvas::Canvas(int columns, int rows, bool unicode)
    : columns_(columns),
      rows_(rows),
      unicode_(unicode),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0U),
      marks_(cells_.size()) {}

std::size_t Canvas::cell_of(int x, int y) const {
  return static_cast<std::size_t>(row_of(y) * columns_ + x / dots_across());
}

void Canvas::draw_dot(int x, int y) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  const int from_top = (height() - 1 - y) % dots_up();
  cells_[cell_of(x, y)] |=
      unicode_ ? braille_bit[x % 2][from_top] : 1U << static_cast<unsigned>(from_top);
}

void Canvas::draw_line(int x, int y, int to_x, int to_y) {
  const int num_moves = std::max(std::abs(to_x - x), std::abs(to_y - y));
  draw_dot(x, y);
  for (int k = 1; k <= num_moves; ++k) {
    const double part = static_cast<double>(k) / num_moves;
    draw_dot(x + static_cast<int>(std::lround(part * (to_x - x))),
             y + static_cast<int>(std::lround(part * (to_y - y))));
  }
}

void Canvas::mark(int x, int y, const char* character) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  marks_[cell_of(x, y)] = character;
}

std::string Canvas::character(unsigned dots) const {
  if (dots == 0) return " ";
  if (unicode_) return braille(dots);
  return dots == 1U ? "'" : dots == 2U ? "." : ":";
}

// Without the blanks at its end.
std::string Canvas::row(int row) const {
  std::string text;
  const auto first = static_cast<std::size_t>(row * columns_);
  for (std::size_t k = first; k < first + static_cast<std::size_t>(columns_); ++k)
    text += marks_[k].empty() ? character(cells_[k]) : marks_[k];
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace daedal::report
