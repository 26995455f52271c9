// How far a run has come, on one line of the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "daedal/solve.hpp"

namespace daedal::cli {

// " 42%  t = 42.1 of 100  1234 steps  568 steps/s  ETA 12 s", after so many seconds; cut off at 79
// characters. Without ETA while nothing can be said about it.
std::string progress_line(const Progress& progress, double wall_seconds);

// "12 s", "3 min 5 s", "2 h 10 min", "over 99 h"
std::string duration_text(double seconds);

// Rewrites its line on standard error, and erases it at the end of its life.
class ProgressLine {
 public:
  // One that is not visible writes nothing.
  explicit ProgressLine(bool is_visible) : is_visible_(is_visible) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);

 private:
  bool is_visible_;
  std::size_t width_ = 0;  // of what stands there now
};

}  // namespace daedal::cli
