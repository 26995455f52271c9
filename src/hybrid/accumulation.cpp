#include "hybrid/accumulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::hybrid {

void Accumulation::add(double time) {
  if (num_times_ > 0) {
    const double last = time - times_[num_times_ - 1];
    const bool turns = num_times_ > 1 && (last > 0.0) != (interval(num_times_ - 2) > 0.0);
    if (last == 0.0 || turns) clear();
  }
  if (num_times_ == capacity) {
    std::copy(times_.begin() + 1, times_.end(), times_.begin());
    --num_times_;
  }
  times_[num_times_++] = time;
}

double Accumulation::extrapolated(int k) const {
  const double d = interval(k);
  return times_[k + 1] + d * (d / (interval(k - 1) - d));
}

std::optional<double> Accumulation::limit() const {
  constexpr double largest_ratio = 0.999, spread = 1.1, drift = 0.05;
  if (num_times_ < capacity) return std::nullopt;
  double least = 1.0, most = 0.0;
  for (int k = 1; k < num_intervals; ++k) {
    const double ratio = interval(k) / interval(k - 1);
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  if (!(most < largest_ratio && most <= spread * least)) return std::nullopt;
  for (int k = 2; k < num_intervals; ++k)
    if (std::abs(extrapolated(k) - extrapolated(k - 1)) > drift * std::abs(interval(k)))
      return std::nullopt;
  return extrapolated(num_intervals - 1);
}

double Accumulation::remaining() const {
  const auto at = limit();
  return at ? std::abs(*at - times_[num_times_ - 1]) : std::numeric_limits<double>::infinity();
}

}  // namespace daedal::hybrid
