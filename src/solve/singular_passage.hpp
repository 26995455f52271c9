// Across a singular point that the solution passes smoothly.
//
// Where the determinant of a block's Jacobian vanishes, what is solved for is 0/0: its value is
// finite, but rounding errors of the coefficient k grow like the distance rho to the point to the
// power -k. A long step jumps over the point and nobody notices; with unknowns of high index or a
// small tolerance the steps become shorter than rho, each about half of what is left, and never
// arrive. Then the series at t, which is good up to the point, is continued to the other side, the
// equations are solved there, and the new series is followed back to the point. If both agree, the
// solution is smooth there and the run goes on from the other side (docs/theory/taylor-method.md).
//
// On ordinary steps this costs nothing: lengths of steps are compared, and where they shrink, the
// determinants that the factorisations have anyway. Only a determinant that shrinks with the steps
// is looked for a zero ahead.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "integrate/taylor_integrator.hpp"
#include "solution/step.hpp"
#include "solve/plan.hpp"
#include "solve/settings.hpp"
#include "solve/singular_time.hpp"

namespace daedal::solving {

class SingularPassage {
 public:
  // Keeps references. The plan's graph may grow by derivatives.
  SingularPassage(Plan& plan, const Settings& settings)
      : plan_(plan), settings_(settings), nominals_(plan.nominals()) {}

  // What led across: the step up to the point and the one from there.
  struct Crossing {
    double t = 0.0;  // of the singular point
    int block = 0;
    double difference = 0.0;  // of the two series there, relative to the unknowns
    solution::Step before, behind;
  };

  // After a step was accepted: if steps get shorter on the way to a singular point, the integrator
  // stands on the other side of it. If the point cannot be passed it stands where it was.
  std::optional<Crossing> cross(integrate::TaylorIntegrator& integrator);
  // The run has begun again: what was seen of it does not count.
  void forget();

 private:
  using Derivatives = std::vector<std::vector<double>>;
  struct Point {
    double t;
    int block;
  };

  // The determinants of blocks at the end of a step.
  struct Determinants {
    bool are_known = false;
    std::vector<base::Determinant> of_blocks;  // as in varying_blocks_
  };

  bool is_slowing_down(integrate::TaylorIntegrator& integrator);
  void note_determinants(const integrate::TaylorRun& run);
  bool falls(std::size_t number) const;
  std::optional<Point> next_point(const integrate::TaylorRun& run);
  double difference_at(double t, const solution::StepView& a, const solution::StepView& b,
                       const integrate::SeriesShape& shape) const;

  double difference_from(double target, const Derivatives& there, const Point& point,
                         const solution::StepView& before, double end);

  Plan& plan_;
  const Settings& settings_;
  std::vector<double> nominals_;
  std::unique_ptr<integrate::TaylorIntegrator> trial_;        // built when first needed
  double refused_ = std::numeric_limits<double>::infinity();  // distance at the last attempt
  std::unique_ptr<SingularTime> times_;                       // built when first needed
  std::optional<std::vector<int>> varying_blocks_;            // found when steps first shrink
  std::vector<int> falling_;                                  // of these, now
  Determinants now_, before_;                                 // at the ends of the last two steps
  bool has_shrunk_twice_ = false;
  bool has_shrunk_ = false;  // the step before was shorter than the one before it
  double last_ = 0.0;        // length of the step before
};

}  // namespace daedal::solving
