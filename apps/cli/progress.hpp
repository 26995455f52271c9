// How far a run has come, on one line of the terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "cli/commands.hpp"
#include "daedal/solve.hpp"

namespace daedal::cli {

// " 42%  t = 42.1 of 100  1234 steps  568 steps/s  ETA 12 s", after so many seconds; cut off at 79
// characters. Without ETA while nothing can be said about it.
std::string progress_line(const Progress& progress, double wall_seconds);

// The line of an ensemble: " 42%  420 of 1000 members  1234 steps  568 steps/s  ETA 12 s".
struct EnsembleProgress {
  std::size_t members = 0;
  std::size_t members_done = 0;
  long steps = 0;  // of all members
};
std::string progress_line(const EnsembleProgress& progress, double wall_seconds);

// Whether the user can see such a line, and wants to.
bool is_progress_wanted(const SolveRequest& request);

// "12 s", "3 min 5 s", "2 h 10 min", "over 99 h"
std::string duration_text(double seconds);

// About five times a second, counted from the first call.
class Ticker {
 public:
  bool is_due();
  double seconds() const { return std::chrono::duration<double>(last_ - first_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point first_, last_;
  long num_calls_ = 0;
};

// Rewrites its line on standard error, and erases it at the end of its life.
class ProgressLine {
 public:
  // One that is not visible writes nothing.
  explicit ProgressLine(bool is_visible) : is_visible_(is_visible) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // As much of the line as the terminal is wide.
  void show(const std::string& line);

 private:
  bool is_visible_;
  std::size_t width_ = 0;  // of what stands there now
};

}  // namespace daedal::cli
