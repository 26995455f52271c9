// The last points of a trajectory, the newest first. Nothing is allocated when one is added.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "integrate/bdf/bdf_formula.hpp"

namespace daedal::integrate {

class BdfHistory {
 public:
  explicit BdfHistory(int num_unknowns)
      : num_unknowns_(num_unknowns), values_(std::size_t{capacity} * num_unknowns) {}

  void clear() { size_ = 0; }
  // Forgets the oldest if there is no room.
  void add(double t, std::span<const double> z) {
    newest_ = (newest_ + capacity - 1) % capacity;
    size_ = std::min(size_ + 1, capacity);
    std::shift_right(times_.begin(), times_.end(), 1);
    times_[0] = t;
    std::copy(z.begin(), z.end(), values_.data() + place_of(0));
  }

  int size() const { return size_; }
  double t() const { return times_[0]; }
  std::span<const double> times(int count) const { return std::span(times_).first(count); }
  std::span<const double> z(int age = 0) const {
    return {row(age), static_cast<std::size_t>(num_unknowns_)};
  }

  // The polynomial through the last `count` points, at t.
  void extrapolate(double t, int count, std::span<double> z) const {
    const ExtrapolationWeights weights = extrapolation_weights(t, times(count));
    for (int j = 0; j < num_unknowns_; ++j) {
      double sum = 0.0;
      for (int age = 0; age < count; ++age) sum += weights[age] * row(age)[j];
      z[j] = sum;
    }
  }

  // The coefficients of the polynomial of one unknown through its last `count` points, in powers of
  // s = (t - t_1)/(t_0 - t_1), by Newton's divided differences.
  void interpolate(int unknown, int count, std::span<double> coefficients) const {
    std::array<double, capacity> s = {}, difference = {};
    for (int age = 0; age < count; ++age) {
      s[age] = (times_[age] - times_[1]) / (times_[0] - times_[1]);
      difference[age] = row(age)[unknown];
    }
    for (int level = 1; level < count; ++level)
      for (int age = count - 1; age >= level; --age)
        difference[age] = (difference[age] - difference[age - 1]) / (s[age] - s[age - level]);
    std::fill(coefficients.begin(), coefficients.end(), 0.0);
    for (int age = count - 1; age >= 0; --age) {  // p (s - s_age) + difference
      for (int k = count - 1; k > 0; --k)
        coefficients[k] = coefficients[k - 1] - s[age] * coefficients[k];
      coefficients[0] = difference[age] - s[age] * coefficients[0];
    }
  }

  // z' of the formula for z at its time. The coefficients add up to zero: differences from the
  // newest point are summed, which are small.
  void differentiate(const BdfFormula& formula, std::span<const double> z,
                     std::span<double> slope) const {
    for (int j = 0; j < num_unknowns_; ++j) {
      const double newest = row(0)[j];
      double sum = formula.alpha[0] * (z[j] - newest);
      for (int age = 1; age < formula.order; ++age)
        sum += formula.alpha[age + 1] * (row(age)[j] - newest);
      slope[j] = sum;
    }
  }

 private:
  // What the error estimate of the highest order looks at.
  static constexpr int capacity = highest_bdf_order + 1;

  std::size_t place_of(int age) const {
    return std::size_t{1} * num_unknowns_ * ((newest_ + age) % capacity);
  }
  const double* row(int age) const { return values_.data() + place_of(age); }

  int num_unknowns_;
  std::vector<double> values_;
  std::array<double, capacity> times_ = {};
  int newest_ = 0, size_ = 0;
};

}  // namespace daedal::integrate
