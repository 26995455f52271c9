// Curves of a solution, drawn with characters.
#pragma once

#include <string>
#include <vector>

#include "daedal/solution.hpp"

namespace daedal {

struct TextPlotOptions {
  // What to draw, a plot each: "x", "der(x)", "der(x, 2)" or an output over time; "x:y" draws y
  // against x. Empty: the first variables, four at most.
  std::vector<std::string> names = {};
  int width = 80;         // characters of a line, axis labels included; less than 40 counts as 40
  int height = 8;         // lines of a plot over time without its axis; less than 2 counts as 2
  int phase_height = 20;  // lines of a plot of y against x, as wide as high; at least 2, as above
  bool unicode = true;    // dots of Braille characters; otherwise plain ASCII
};

// As `daedal run --plot` prints it. Events are marked on the axis of time, and on curves of y
// against x. Needs keep_steps. Empty if the solution has no steps because it found no start. Throws
// E-SOL-002 for every name that is no variable or output, E-SOL-003 without kept steps, E-SOL-004
// for a derivative that is not known.
std::string text_plot(const Solution& solution, const TextPlotOptions& options = {});

}  // namespace daedal
