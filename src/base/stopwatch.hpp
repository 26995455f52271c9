// Wall-clock seconds.
#pragma once

#include <chrono>
#include <utility>

namespace daedal::base {

// Seconds since it was made or last read.
class Stopwatch {
 public:
  double lap() {
    const auto last = std::exchange(last_, std::chrono::steady_clock::now());
    return std::chrono::duration<double>(last_ - last).count();
  }
  // Since the last lap, without ending this one.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - last_).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace daedal::base
