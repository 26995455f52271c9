#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

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

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 99.0 * 3600.0)) return "over 99 h";
  const long s = std::lround(std::max(seconds, 0.0));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

std::string progress_line(const Progress& p, double wall_seconds) {
  const double fraction = fraction_done(p);
  std::string text =
      fmt::format("{:3}%  t = {:.6g} of {:.6g}  {} steps",
                  static_cast<int>(std::floor(100.0 * fraction)), p.t, p.to, p.steps);
  if (wall_seconds > 0.0)
    text += fmt::format("  {:.3g} steps/s", static_cast<double>(p.steps) / wall_seconds);
  if (wall_seconds > 0.0 && fraction > 0.0)
    text += "  ETA " + duration_text(wall_seconds * (1.0 - fraction) / fraction);
  return text.substr(0, most_characters);
}

void ProgressLine::show(const std::string& text) {
  if (!is_visible_) return;
  const std::size_t rest = width_ > text.size() ? width_ - text.size() : 0;
  fmt::print(stderr, "\r{}{}", text, std::string(rest, ' '));
  std::fflush(stderr);
  width_ = text.size();
}

ProgressLine::~ProgressLine() {
  if (width_ == 0) return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(width_), "");
  std::fflush(stderr);
}

}  // namespace daedal::cli
