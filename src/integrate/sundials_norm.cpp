#include "integrate/sundials_norm.hpp"

#include <cmath>

namespace daedal::integrate {
namespace {

double largest_weighted(N_Vector x, N_Vector weights) {
  double largest = 0.0;
  for (sunindextype j = 0; j < N_VGetLength(x); ++j) {
    const double size = std::abs(N_VGetArrayPointer(x)[j]) * N_VGetArrayPointer(weights)[j];
    largest = size <= largest ? largest : size;  // a value that is not a number stays
  }
  return largest;
}

}  // namespace

void judge_largest_component(N_Vector vector) { vector->ops->nvwrmsnorm = largest_weighted; }

}  // namespace daedal::integrate
