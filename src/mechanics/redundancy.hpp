// Constraints that depend on each other: which on which, and multipliers of minimum norm.
//
// With a_j the gradients along which constraints push (dC_j/dq, or dC_j/dq'), multipliers are
// determined if the a_j are independent. A point says little: a linkage stretched out has dependent
// gradients there and nowhere else. So the a_j are compared at a generic position that satisfies
// all constraints, near the start (docs/theory/lagrangian.md, rules R1 and R2).
#pragma once

#include <vector>

#include "model/model_data.hpp"

namespace daedal::mechanics {

// a_r = sum_k coefficients[k] a_on[k]: constraint r follows from others.
struct Dependence {
  int redundant = 0;  // numbers of constraints, in the order of ModelData::mechanics
  std::vector<int> on;
  std::vector<double> coefficients;
  double defect = 0.0;  // what is left of a_r, relative to it
};

// The redundant constraints: in the order in which constraints were written, those that follow from
// earlier ones. Empty if there is none, if no position satisfies all constraints, or if there are
// too many to compare (more than 4 million entries).
std::vector<Dependence> find_dependences(const model::ModelData& model,
                                         const std::vector<double>& parameters, double t);

// The model without the redundant constraints, with multipliers of minimum norm for all: with S the
// constraints that these depend on, w = sum_{i in S} v_i a_i and lambda_j = a_j . w for all j in S
// and all redundant ones.
model::ModelData with_minimum_norm(const model::ModelData& model,
                                   const std::vector<Dependence>& dependences);

}  // namespace daedal::mechanics
