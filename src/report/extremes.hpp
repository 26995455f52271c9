// What a sparse drawing of curves would hide: a spike between two points that are drawn.
//
// Between two neighbouring points that are drawn a line is all that is seen. A curve that leaves
// the range of the two values on the way has its highest and lowest point added, those first that
// would be missed most. So every curve keeps its extremes, whatever is left out, and every point
// drawn lies on the trajectory, in a plot of one unknown against another, too.
#pragma once

#include <cstddef>
#include <vector>

#include "report/sample_times.hpp"
#include "solution/outputs.hpp"
#include "solution/trajectory.hpp"

namespace daedal::report {

// A curve of a trajectory.
struct Drawn {
  enum class Kind { variable, discrete, output };
  Kind kind = Kind::variable;
  int number = 0;  // of the variable, or of the formula
  int order = 0;   // which derivative of the variable

  // NaN if it is not known.
  double value(const solution::Trajectory::Place& place, double t,
               const solution::Formulas& formulas) const;
};

// At most `most` points that belong between those that are drawn, which stand in the order of the
// run and have the first point of the trajectory and the last. Of polynomials, peaks inside of
// steps count; of outputs those at as many points of each step as their number allows, ends at
// least.
std::vector<SamplePoint> missed_extremes(const solution::Trajectory& trajectory,
                                         const solution::Formulas& formulas,
                                         const std::vector<Drawn>& curves,
                                         const std::vector<SamplePoint>& drawn, std::size_t most);

// Both lists together, in the order of the run.
std::vector<SamplePoint> merged(const solution::Trajectory& trajectory,
                                std::vector<SamplePoint> points,
                                const std::vector<SamplePoint>& more);

}  // namespace daedal::report
