// Curves of a solution, drawn with characters.
#pragma once

#include <string>
#include <vector>

#include "daedal/solution.hpp"

namespace daedal {

struct TextPlotOptions {
  // What to draw, one plot for each name: "x", "der(x)", "der(x, 2)" or an output over time; "x:y"
  // draws y against x. Empty: the first variables, four at most.
  std::vector<std::string> names = {};
  int width = 80;  // characters of a line, axis labels included; less than 40 counts as 40
  int height = 8;  // lines of a plot over time without its axis; less than 2 counts as 2
  // Lines of a plot of y against x, which is as wide as high; less than 2 counts as 2, and a plot
  // that would be wider than `width` has fewer.
  int phase_height = 20;
  bool unicode = true;  // dots of Braille characters; otherwise plain ASCII
};

// The plots as `daedal run --plot` prints them. Events are marked on the axis of time, and on
// curves of y against x. The text is empty if the solution has no steps because no start was found.
// Throws E-SOL-002 for every name that is no variable or output, E-SOL-003 if the run made steps
// and did not keep them (SolveOptions::keep_steps), E-SOL-004 for a derivative that is not known.
std::string text_plot(const Solution& solution, const TextPlotOptions& options = {});

}  // namespace daedal
