#include "integrate/sign_change.hpp"

#include <cmath>

namespace daedal::integrate {
namespace {

class Search {
 public:
  Search(std::span<const double> polynomial, bool is_positive, double end)
      : p_(polynomial), is_positive_(is_positive), steepest_(largest_slope(polynomial, end)) {}

  std::optional<double> between(double a, double b, int depth) const {
    const double at_a = value(a);
    if (std::abs(at_a) > steepest_ * std::abs(b - a)) return std::nullopt;
    if (depth == 0) return differs(value(b)) ? std::optional(bisect(a, b)) : std::nullopt;
    const double middle = 0.5 * (a + b);
    if (const auto found = between(a, middle, depth - 1)) return found;
    return between(middle, b, depth - 1);
  }

  bool differs(double at) const { return is_positive_ ? at < 0.0 : at > 0.0; }

 private:
  static double largest_slope(std::span<const double> p, double end) {
    double sum = 0.0, power = 1.0;
    for (std::size_t k = 1; k < p.size(); ++k, power *= std::abs(end))
      sum += static_cast<double>(k) * std::abs(p[k]) * power;
    return sum;
  }
  double value(double s) const {
    double sum = 0.0;
    for (std::size_t k = p_.size(); k-- > 0;) sum = p_[k] + s * sum;
    return sum;
  }
  // The end of the last bit of [a, b] in which the sign changes.
  double bisect(double a, double b) const {
    for (;;) {
      const double middle = 0.5 * (a + b);
      if (middle == a || middle == b) return b;
      (differs(value(middle)) ? b : a) = middle;
    }
  }

  std::span<const double> p_;
  bool is_positive_;
  double steepest_;
};

}  // namespace

std::optional<double> first_sign_change(std::span<const double> polynomial, bool is_positive,
                                        double end) {
  constexpr int finest = 20;  // halvings of the interval
  return Search(polynomial, is_positive, end).between(0.0, end, finest);
}

}  // namespace daedal::integrate
