#include "report/sample_times.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::report {
namespace {

using solution::StepView;
using solution::Trajectory;

constexpr double points_across = 2000.0;    // of the whole run: about a pixel each
constexpr std::size_t points_in_step = 16;  // polynomials of high degree turn more than once

bool begins_leg(const Trajectory& trajectory, std::size_t k) {
  return k == 0 || &trajectory.step(k).leg != &trajectory.step(k - 1).leg;
}

bool ends_leg(const Trajectory& trajectory, std::size_t k) {
  return k + 1 == trajectory.num_steps() || begins_leg(trajectory, k + 1);
}

// How many points a step gets, its begin not counted.
std::size_t points_of(const StepView& step, double duration, std::size_t least) {
  const double part = std::abs(step.end - step.begin) / duration;
  return std::max(least, static_cast<std::size_t>(std::ceil(part * points_across)));
}

std::size_t total_of(const Trajectory& trajectory, double duration, std::size_t least) {
  std::size_t total = 0;
  for (std::size_t k = 0; k < trajectory.num_steps(); ++k)
    total +=
        points_of(trajectory.step(k).step, duration, least) + (begins_leg(trajectory, k) ? 1 : 0);
  return total;
}

double duration_of(const Trajectory& trajectory) {
  return std::abs(trajectory.end() - trajectory.begin());
}

// At least so many points in every step.
std::vector<SamplePoint> even_points(const Trajectory& trajectory, std::size_t least) {
  const double duration = duration_of(trajectory);
  std::vector<SamplePoint> points;
  for (std::size_t k = 0; k < trajectory.num_steps(); ++k) {
    const StepView step = trajectory.step(k).step;
    if (begins_leg(trajectory, k)) points.push_back({k, step.begin});
    const std::size_t count = points_of(step, duration, least);
    for (std::size_t i = 1; i < count; ++i)
      points.push_back({k, step.begin + (step.end - step.begin) * static_cast<double>(i) /
                                            static_cast<double>(count)});
    points.push_back({k, step.end});
  }
  return points;
}

// Ends of steps for a run with more steps than points: every so many steps one, and the begin and
// end of each leg, unless there are too many legs.
std::vector<SamplePoint> some_ends(const Trajectory& trajectory, std::size_t max_points) {
  const std::size_t num_steps = trajectory.num_steps();
  std::size_t num_legs = 0;
  for (std::size_t k = 0; k < num_steps; ++k) num_legs += begins_leg(trajectory, k) ? 1 : 0;
  const bool keeps_legs = 4 * num_legs <= max_points;
  const std::size_t num_free =
      std::max<std::size_t>(2, max_points - (keeps_legs ? 2 * num_legs : 2));
  const std::size_t stride = (num_steps + num_free - 1) / num_free;
  std::vector<SamplePoint> points;
  for (std::size_t k = 0; k < num_steps; ++k) {
    const StepView step = trajectory.step(k).step;
    const bool is_last = k + 1 == num_steps;
    if (k == 0 || (keeps_legs && begins_leg(trajectory, k))) points.push_back({k, step.begin});
    if (is_last || k % stride == stride - 1 || (keeps_legs && ends_leg(trajectory, k)))
      points.push_back({k, step.end});
  }
  return points;
}

}  // namespace

std::vector<SamplePoint> close_points(const Trajectory& trajectory, std::size_t max_points) {
  if (total_of(trajectory, duration_of(trajectory), points_in_step) > max_points) return {};
  return even_points(trajectory, points_in_step);
}

std::vector<SamplePoint> sparse_points(const Trajectory& trajectory, std::size_t max_points) {
  const double duration = duration_of(trajectory);
  std::size_t least = points_in_step;
  while (least > 1 && total_of(trajectory, duration, least) > max_points) --least;
  if (total_of(trajectory, duration, least) > max_points) return some_ends(trajectory, max_points);
  return even_points(trajectory, least);
}

std::vector<SamplePoint> frame_points(const Trajectory& trajectory, std::size_t count) {
  std::vector<SamplePoint> points;
  const double begin = trajectory.begin(), end = trajectory.end();
  std::size_t step = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    const double t = i + 1 == count ? end : begin + part * (end - begin);
    const auto lies_behind = [&](const StepView& view) {
      return end >= begin ? t > view.end : t < view.end;
    };
    while (step + 1 < trajectory.num_steps() && lies_behind(trajectory.step(step).step)) ++step;
    points.push_back({step, t});
  }
  return points;
}

}  // namespace daedal::report
