// The consistent point nearest to the guesses: minimise
//
//   F(v) = 1/2 sum_k weight_k (v_k - target_k)^2   subject to   g(v) = 0,
//
// or 1/2 (v - target)^T M (v - target); weight_k = 0 where nothing was given; among the minimisers,
// the one with the smallest values not given (docs/theory/consistent-points.md, rules C5 and C6).
#pragma once

#include "init/restoration.hpp"

namespace daedal::init {

struct Objective {
  Vector target;  // for values not given: where the search starts from
  Vector weight;  // >= 0
  // What a form that is not diagonal has besides, both triangles; empty for one that is.
  std::vector<Triplet> coupling = {};

  double at(const Vector& v) const { return 0.5 * (v - target).dot(gradient(v)); }
  Vector gradient(const Vector& v) const {
    Vector result = weight.cwiseProduct(v - target);
    for (const Triplet& entry : coupling)
      result[entry.row()] += entry.value() * (v[entry.col()] - target[entry.col()]);
    return result;
  }
  // Positive: weight_not_given where the weight is zero, or more of it where values are coupled.
  Vector norm() const;
};

// `v` satisfies the constraints. Returns a point that does, not farther away.
Vector find_nearest(ConstraintSystem& system, const Selection& selection,
                    const Objective& objective, Vector v);

}  // namespace daedal::init
