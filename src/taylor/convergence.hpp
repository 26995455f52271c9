// When to stop a Newton or Gauss-Newton iteration, lane by lane. A step below 1e-9 of every value
// leaves an error of its square: rounding. Where a value vanishes no step is small in comparison;
// there the iteration ends when steps, small beside the unknown itself, stop shrinking.
#pragma once

#include <span>
#include <vector>

namespace daedal::taylor {

// An unknown's coefficient that is moved; all of them [lane].
struct MovedCoefficient {
  double* value;
  const double* first;    // coefficient 0 of the unknown
  const double* nominal;  // its size is that of `first`, at least this
};

class Convergence {
 public:
  explicit Convergence(int lanes)
      : lanes_(lanes), moves_(lanes), relative_(lanes), size_(lanes), last_(lanes), step_(lanes) {}

  void begin();
  // A lane takes part in the steps from start() until it has converged, or stop().
  void start(int lane) { moves_[lane] = 1.0; }
  void stop(int lane) { moves_[lane] = 0.0; }
  bool is_moving(int lane) const { return moves_[lane] != 0.0; }
  bool is_any_moving() const;
  // Is the matrix of the last step good enough for the next?
  bool is_near(int lane) const { return relative_[lane] <= nearly_straight; }

  void begin_step();
  // Adds factor * step in the lanes that move; the others are left as they are.
  void move(const MovedCoefficient& coefficient, const double* factor, const double* step);
  void end_step();

 private:
  static constexpr double nearly_straight = 1e-4;

  int lanes_;
  // By lane. A flag among doubles is a double: compared and selected by the same vectors.
  std::vector<double> moves_;
  std::vector<double> relative_, size_, last_;  // of the steps; last_: size_ of the one before
  std::vector<double> step_;
};

}  // namespace daedal::taylor
