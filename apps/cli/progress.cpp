#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/messages.hpp"
#include "cli/terminal.hpp"

namespace daedal::cli {
namespace {

constexpr std::size_t most_characters = 79;  // a longer line would wrap, and could not be rewritten

// In [0, 1]; of a run over no time, 1.
double fraction_done(const Progress& p) {
  const double length = p.to - p.from;
  if (length == 0.0) return 1.0;
  const double fraction = (p.t - p.from) / length;
  return std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
}

// " 42%  what is done  1234 steps  568 steps/s  ETA 12 s"
std::string line_of(double fraction, const std::string& done, long steps, double wall_seconds) {
  std::string text = fmt::format("{:3}%  {}  {} steps",
                                 static_cast<int>(std::floor(100.0 * fraction)), done, steps);
  if (wall_seconds > 0.0)
    text += fmt::format("  {:.3g} steps/s", static_cast<double>(steps) / wall_seconds);
  if (wall_seconds > 0.0 && fraction > 0.0)
    text += "  ETA " + duration_text(wall_seconds * (1.0 - fraction) / fraction);
  return text.substr(0, most_characters);
}

bool is_pipe(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
}

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 99.0 * 3600.0)) return "over 99 h";
  const long s = std::lround(std::max(seconds, 0.0));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

std::string progress_line(const Progress& p, double wall_seconds) {
  return line_of(fraction_done(p), fmt::format("t = {:.6g} of {:.6g}", p.t, p.to), p.steps,
                 wall_seconds);
}

std::string progress_line(const EnsembleProgress& p, double wall_seconds) {
  const double fraction =
      p.members == 0 ? 1.0 : static_cast<double>(p.members_done) / static_cast<double>(p.members);
  return line_of(fraction, fmt::format("{} of {} members", p.members_done, p.members), p.steps,
                 wall_seconds);
}

bool is_progress_wanted(const SolveRequest& request) {
  const bool are_rows_on_terminal = request.output == "-" && isatty(STDOUT_FILENO) != 0;
  return !request.quiet && isatty(STDERR_FILENO) != 0 && !is_pipe(STDOUT_FILENO) &&
         !are_rows_on_terminal;
}

bool Ticker::is_due() {
  if (num_calls_++ == 0) first_ = last_ = Clock::now();
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return false;
  last_ = now;
  return true;
}

void ProgressLine::show(const std::string& line) {
  if (!is_visible_) return;
  const std::string text =
      line.substr(0, static_cast<std::size_t>(terminal_width(STDERR_FILENO) - 1));
  const std::size_t rest = width_ > text.size() ? width_ - text.size() : 0;
  put(stderr, "\r" + text + std::string(rest, ' '));
  std::fflush(stderr);
  width_ = text.size();
}

ProgressLine::~ProgressLine() {
  if (width_ == 0) return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(width_), "");
  std::fflush(stderr);
}

}  // namespace daedal::cli
