// Where the curves of a run are sampled to be drawn.
#pragma once

#include <cstddef>
#include <vector>

#include "solution/trajectory.hpp"

namespace daedal::report {

struct SamplePoint {
  std::size_t step = 0;  // whose polynomials hold
  double t = 0.0;
};

// In the order of the run, `max_points` at most: ends of steps and points inside them, so close
// that curves look smooth, or nothing if these are too many; both ends of every leg, so that what
// jumps at an event is seen to jump.
std::vector<SamplePoint> close_points(const solution::Trajectory& trajectory,
                                      std::size_t max_points);

// Points like close_points(), farther apart: in a run with too many steps only some ends of steps.
std::vector<SamplePoint> sparse_points(const solution::Trajectory& trajectory,
                                       std::size_t max_points);

// `count` times at equal distances, both ends of the run included.
std::vector<SamplePoint> frame_points(const solution::Trajectory& trajectory, std::size_t count);

}  // namespace daedal::report
