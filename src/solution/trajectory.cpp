#include "solution/trajectory.hpp"

#include <algorithm>

namespace daedal::solution {

bool Trajectory::contains(double t) const {
  return !is_empty() && std::min(begin(), end()) <= t && t <= std::max(begin(), end());
}

Trajectory::Place Trajectory::at(double t) const {
  const bool is_forward = end() >= begin();
  const auto starts_after = [&](double time, const Step& step) {
    return is_forward ? time < step.begin : time > step.begin;
  };
  const auto next = std::upper_bound(steps_.begin(), steps_.end(), t, starts_after);
  const auto found = next == steps_.begin() ? next : next - 1;
  return {found->view(), legs_[leg_of_step_[found - steps_.begin()]]};
}

}  // namespace daedal::solution
