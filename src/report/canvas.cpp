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

bool are_in_line(Dot a, Dot b, Dot c) { return b.x - a.x == c.x - b.x && b.y - a.y == c.y - b.y; }

// Stairs look thick: where one turns a corner after a single move, the corner is left out.
bool is_corner_of_stairs(const std::vector<Dot>& dots, Dot next) {
  if (dots.size() < 2) return false;
  const Dot before = dots[dots.size() - 2], corner = dots.back();
  const bool is_diagonal = std::abs(next.x - before.x) == 1 && std::abs(next.y - before.y) == 1;
  const bool is_corner =
      (corner.x == before.x && corner.y == next.y) || (corner.y == before.y && corner.x == next.x);
  const bool is_long = dots.size() > 2 && are_in_line(dots[dots.size() - 3], before, corner);
  return is_diagonal && is_corner && !is_long;
}

void append_thin(std::vector<Dot>& dots, Dot dot) {
  if (is_corner_of_stairs(dots, dot)) dots.pop_back();
  dots.push_back(dot);
}

// From the last of the dots to this one.
void append_line(std::vector<Dot>& dots, Dot to) {
  if (dots.empty()) dots.push_back(to);
  const Dot from = dots.back();
  const int num_moves = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
  for (int k = 1; k <= num_moves; ++k) {
    const double part = static_cast<double>(k) / num_moves;
    append_thin(dots, {from.x + static_cast<int>(std::lround(part * (to.x - from.x))),
                       from.y + static_cast<int>(std::lround(part * (to.y - from.y)))});
  }
}

}  // namespace

Canvas::Canvas(int columns, int rows, bool unicode)
    : columns_(columns),
      rows_(rows),
      unicode_(unicode),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0U),
      marks_(cells_.size()) {}

bool Canvas::has(Dot dot) const {
  return dot.x >= 0 && dot.y >= 0 && dot.x < width() && dot.y < height();
}

std::size_t Canvas::cell_of(Dot dot) const {
  return first_cell(row_of(dot.y)) + static_cast<std::size_t>(dot.x / dots_across());
}

void Canvas::draw_dot(Dot dot) {
  if (!has(dot)) return;
  const int from_top = (height() - 1 - dot.y) % dots_up();
  cells_[cell_of(dot)] |=
      unicode_ ? braille_bit[dot.x % 2][from_top] : 1U << static_cast<unsigned>(from_top);
}

void Canvas::draw_path(const std::vector<Dot>& path) {
  std::vector<Dot> dots;
  for (const Dot& dot : path) append_line(dots, dot);
  for (const Dot& dot : dots) draw_dot(dot);
}

void Canvas::mark(Dot dot, const char* character) {
  if (has(dot)) marks_[cell_of(dot)] = character;
}

std::string Canvas::character(unsigned dots) const {
  if (dots == 0) return " ";
  if (unicode_) return braille(dots);
  return dots == 1U ? "'" : dots == 2U ? "." : ":";
}

// Without the blanks at its end.
std::string Canvas::row(int row) const {
  std::string text;
  const std::size_t first = first_cell(row);
  for (std::size_t k = first; k < first + static_cast<std::size_t>(columns_); ++k)
    text += marks_[k].empty() ? character(cells_[k]) : marks_[k];
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace daedal::report
