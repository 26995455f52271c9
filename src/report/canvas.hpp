// Dots drawn with characters.
#pragma once

#include <string>
#include <vector>

namespace daedal::report {

struct Dot {
  int x = 0, y = 0;
};

// A raster of dots, 2 by 4 to a Braille character or 1 by 2 to one of ASCII (' above, . below, :
// both). A character of a terminal is about twice as high as wide, so that dots are as far apart
// along rows as along columns. Dots count from 0, to the right and upwards.
class Canvas {
 public:
  Canvas(int columns, int rows, bool unicode);

  int width() const { return columns_ * dots_across(); }
  int height() const { return rows_ * dots_up(); }
  int rows() const { return rows_; }

  // A dot outside is left out.
  void draw_dot(Dot dot);
  // Joins the dots one after the other by as few as leave no gaps, corner to corner where it can
  // be.
  void draw_path(const std::vector<Dot>& path);
  // Replaces the character in which the dot lies.
  void mark(Dot dot, const char* character);

  int row_of(int y) const { return rows_ - 1 - y / dots_up(); }  // counted from the top
  std::string row(int row) const;

 private:
  int dots_across() const { return unicode_ ? 2 : 1; }
  int dots_up() const { return unicode_ ? 4 : 2; }
  bool has(Dot dot) const;
  std::size_t first_cell(int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_);
  }
  std::size_t cell_of(Dot dot) const;
  std::string character(unsigned dots) const;

  int columns_, rows_;
  bool unicode_;
  std::vector<unsigned> cells_;     // row by row from the top: a bit for each dot
  std::vector<std::string> marks_;  // "" where there is none
};

}  // namespace daedal::report
