// Newton's method for a step, with partial derivatives that are kept from step to step while it
// converges fast (docs/theory/bdf.md, rule B8).
#pragma once

#include <span>
#include <vector>

#include "integrate/bdf/bdf_system.hpp"
#include "integrate/step_method.hpp"

namespace daedal::integrate {

// What the iteration of one step is measured by.
struct NewtonScales {
  std::span<const double> weights;  // corrections of z are measured by them; 1 is the tolerance
  std::span<const double> sizes;    // of z
  double rounding = 0.0;            // a unit of it, in weights
  int most_linearisations = 1;      // one after another, each where the last iteration ended
};

// When the iteration ends.
struct NewtonSettings {
  // A part of the tolerance: what is left of the iteration must not show in differences of z, which
  // the error estimate and the slopes are made of.
  double tolerance = 1e-2;
  int most_iterations = 7;
};

class BdfNewton {
 public:
  BdfNewton(BdfSystem& system, MethodCounters& counters, NewtonSettings settings);

  // The next step linearises.
  void forget() { is_due_ = true; }

  // F(t, z, slope) = 0 where the slope changes by alpha when z changes by 1; both are guesses at
  // first.
  MethodFailure solve(double t, double alpha, const NewtonScales& scales, std::span<double> z,
                      std::span<double> slope);

 private:
  MethodFailure linearise(double t, double alpha, const NewtonScales& scales,
                          std::span<const double> z, std::span<const double> slope);
  MethodFailure factorise(double alpha, const NewtonScales& scales);
  MethodFailure iterate(double t, double alpha, const NewtonScales& scales, std::span<double> z,
                        std::span<double> slope);
  double find_correction(double alpha, const NewtonScales& scales);

  BdfSystem& system_;
  MethodCounters& counters_;
  NewtonSettings settings_;
  std::vector<double> correction_, guess_, guess_slope_;
  bool is_due_ = true;
  double rate_ = 1.0;        // of convergence with the present matrix
  double last_alpha_ = 0.0;  // that it was seen for
};

}  // namespace daedal::integrate
