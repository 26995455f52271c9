#include "integrate/bdf/bdf_formula.hpp"

namespace daedal::integrate {
namespace {

// alpha_0 = sum_{i=1..k} 1/(t - t_i)
double leading_coefficient(double t, std::span<const double> past_times, int order) {
  double alpha = 0.0;
  for (int i = 0; i < order; ++i) alpha += 1.0 / (t - past_times[i]);
  return alpha;
}

}  // namespace

// The slope of Lagrange's polynomial of point i at the node t:
//   alpha_i = 1/(t_i - t) product_{m != i} (t - t_m)/(t_i - t_m).
BdfFormula bdf_formula(double t, std::span<const double> past_times, int order) {
  BdfFormula formula{.order = order};
  formula.alpha[0] = leading_coefficient(t, past_times, order);
  for (int i = 0; i < order; ++i) {
    double alpha = 1.0 / (past_times[i] - t);
    for (int m = 0; m < order; ++m)
      if (m != i) alpha *= (t - past_times[m]) / (past_times[i] - past_times[m]);
    formula.alpha[i + 1] = alpha;
  }
  return formula;
}

ExtrapolationWeights extrapolation_weights(double t, std::span<const double> past_times) {
  ExtrapolationWeights weights = {};
  for (std::size_t i = 0; i < past_times.size(); ++i) {
    weights[i] = 1.0;
    for (std::size_t m = 0; m < past_times.size(); ++m)
      if (m != i) weights[i] *= (t - past_times[m]) / (past_times[i] - past_times[m]);
  }
  return weights;
}

double bdf_error_constant(double t, std::span<const double> past_times, int order) {
  return 1.0 / ((t - past_times[order]) * leading_coefficient(t, past_times, order));
}

}  // namespace daedal::integrate
