#include "integrate/bdf/bdf_newton.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace daedal::integrate {
namespace {

constexpr double slowest_rate = 0.9;  // as in DASSL
constexpr double unknown_rate = 0.95;
constexpr double fastest_rate = 0.1;  // that is believed: another step may be less lucky
// Corrections that no longer become smaller, and are that small, are rounding.
constexpr double stagnation = 0.5, units_of_noise = 100.0;
constexpr int many_iterations = 4;  // the next step had better linearise

// A matrix made for another alpha is replaced when they differ by more (IDA: 0.25).
constexpr double largest_change = 0.2;

}  // namespace

BdfNewton::BdfNewton(BdfSystem& system, MethodCounters& counters, NewtonSettings settings)
    : system_(system),
      counters_(counters),
      settings_(settings),
      correction_(system.size()),
      guess_(system.size()),
      guess_slope_(system.size()) {}

MethodFailure BdfNewton::solve(double t, double alpha, const NewtonScales& scales,
                               std::span<double> z, std::span<double> slope) {
  std::copy(z.begin(), z.end(), guess_.begin());
  std::copy(slope.begin(), slope.end(), guess_slope_.begin());
  MethodFailure failure = MethodFailure::none;
  if (!is_due_) {
    if (std::abs(alpha / system_.factorised_alpha() - 1.0) > largest_change)
      failure = factorise(alpha, scales);
    if (alpha != last_alpha_) rate_ = unknown_rate;
    if (failure == MethodFailure::none) failure = iterate(t, alpha, scales, z, slope);
    if (failure == MethodFailure::none) return failure;
    std::copy(guess_.begin(), guess_.end(), z.begin());
    std::copy(guess_slope_.begin(), guess_slope_.end(), slope.begin());
  }
  for (int k = 0; k < scales.most_linearisations; ++k) {
    failure = linearise(t, alpha, scales, z, slope);
    if (failure == MethodFailure::none) failure = iterate(t, alpha, scales, z, slope);
    if (failure != MethodFailure::not_converged) break;
  }
  is_due_ = is_due_ || failure != MethodFailure::none;
  return failure;
}

MethodFailure BdfNewton::linearise(double t, double alpha, const NewtonScales& scales,
                                   std::span<const double> z, std::span<const double> slope) {
  ++counters_.jacobians;
  is_due_ = false;
  if (!system_.linearise(t, z, slope)) return MethodFailure::not_finite;
  return factorise(alpha, scales);
}

MethodFailure BdfNewton::factorise(double alpha, const NewtonScales& scales) {
  ++counters_.factorisations;
  rate_ = unknown_rate;
  return system_.factorise(alpha, scales.sizes) ? MethodFailure::none : MethodFailure::singular;
}

// The error left after a correction of size d is about rate/(1 - rate) d, as in DASSL.
MethodFailure BdfNewton::iterate(double t, double alpha, const NewtonScales& scales,
                                 std::span<double> z, std::span<double> slope) {
  last_alpha_ = alpha;
  double first = 0.0, last = 0.0;
  for (int k = 0; k < settings_.most_iterations; ++k) {
    ++counters_.evaluations;
    ++counters_.iterations;
    if (!system_.evaluate(t, z, slope)) return MethodFailure::not_finite;
    const double size = find_correction(alpha, scales);
    if (!std::isfinite(size)) return MethodFailure::not_finite;
    for (std::size_t u = 0; u < z.size(); ++u) {
      z[u] += correction_[u];
      slope[u] += alpha * correction_[u];
    }
    const bool stagnates = k > 0 && size > stagnation * last;
    if (size <= scales.rounding || (stagnates && size <= units_of_noise * scales.rounding))
      return MethodFailure::none;
    last = size;
    if (k == 0) {
      first = size;
    } else {
      rate_ = std::pow(size / first, 1.0 / k);
      if (rate_ > slowest_rate) break;
    }
    is_due_ = k + 1 >= many_iterations;
    const double rate = std::max(rate_, fastest_rate);
    if (rate / (1.0 - rate) * size <= settings_.tolerance) return MethodFailure::none;
  }
  return MethodFailure::not_converged;
}

double BdfNewton::find_correction(double alpha, const NewtonScales& scales) {
  const std::span<const double> residual = system_.residual();
  std::transform(residual.begin(), residual.end(), correction_.begin(), std::negate<>());
  system_.solve(alpha, correction_);
  double size = 0.0;
  for (std::size_t u = 0; u < correction_.size(); ++u) {
    const double relative = std::abs(correction_[u]) / scales.weights[u];
    if (std::isnan(relative)) return relative;
    size = std::max(size, relative);
  }
  return size;
}

}  // namespace daedal::integrate
