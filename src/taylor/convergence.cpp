#include "taylor/convergence.hpp"

#include <algorithm>
#include <cmath>

#include "taylor/for_lanes.hpp"

namespace daedal::taylor {

void Convergence::begin() {
  for (int lane = 0; lane < lanes_; ++lane) {
    moves_[lane] = 0.0;
    relative_[lane] = size_[lane] = last_[lane] = 1.0;
  }
}

bool Convergence::is_any_moving() const {
  double any = 0.0;
  for (int lane = 0; lane < lanes_; ++lane) any += moves_[lane];
  return any != 0.0;
}

void Convergence::begin_step() {
  for (int lane = 0; lane < lanes_; ++lane) {
    last_[lane] = size_[lane];
    relative_[lane] = size_[lane] = 0.0;
  }
}

void Convergence::move(const MovedCoefficient& coefficient, const double* factor,
                       const double* step) {
  with_lanes(lanes_, [&](const auto lanes) {
    double* __restrict const value = coefficient.value;
    double* __restrict const moved = step_.data();
    const double* __restrict const moves = moves_.data();
    for (int lane = 0; lane < lanes; ++lane) {
      const double length = factor[lane] * step[lane];
      moved[lane] = moves[lane] != 0.0 ? length : 0.0;
      const double sum = value[lane] + length;
      value[lane] = moves[lane] != 0.0 ? sum : value[lane];
    }
    double* __restrict const relative = relative_.data();
    double* __restrict const size = size_.data();
    const double *const first = coefficient.first, *const nominal = coefficient.nominal;
    for (int lane = 0; lane < lanes; ++lane) {
      const double length = std::abs(moved[lane]), here = std::abs(value[lane]);
      const double unknown = std::max(std::max(std::abs(first[lane]), nominal[lane]), here);
      // no branches; 0/0 is less than nothing
      relative[lane] = std::max(relative[lane], length / here);
      size[lane] = std::max(size[lane], length / unknown);
    }
  });
}

void Convergence::end_step() {
  constexpr double quadratic_limit = 1e-9, rounding_limit = 1e-12;
  for (int lane = 0; lane < lanes_; ++lane) {
    const bool is_reached = relative_[lane] <= quadratic_limit ||
                            (size_[lane] <= rounding_limit && size_[lane] >= 0.5 * last_[lane]);
    moves_[lane] = is_reached ? 0.0 : moves_[lane];
  }
}

}  // namespace daedal::taylor
