// A change of sign, to neighbouring numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::hybrid {

// The far one of two neighbouring numbers between which f goes from f > 0 to f <= 0. Needs f(on) >
// 0
// >= f(off); off may lie on either side of on. Inverse quadratic interpolation where three points
// look like a parabola of x over f, bisection elsewhere [Chandrupatla1997]; points keep a distance
// of 2^-52 relative from the ends, so that both close in. The last bits are bisected.
template <class Function>
double far_end_of_sign_change(const Function& f, double on, double off) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  constexpr int most = 100;  // evaluations before plain bisection
  double a = on, b = off, fa = f(on), fb = f(off);
  double t = 0.5;
  for (int k = 0; k < most; ++k) {
    const double x = a + t * (b - a), fx = f(x);
    double c = a, fc = fa;
    if ((fx > 0.0) != (fa > 0.0)) {
      c = b, fc = fb;
      b = a, fb = fa;
    }
    a = x, fa = fx;
    const double nearest = 0.5 * eps * std::max(std::abs(a), std::abs(b)) / std::abs(b - a);
    if (!(nearest < 0.25)) break;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    const bool is_parabola = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
    t = is_parabola
            ? fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            : 0.5;
    t = std::clamp(t, nearest, 1.0 - nearest);
  }
  on = fa > 0.0 ? a : b;
  off = fa > 0.0 ? b : a;
  for (;;) {
    const double middle = on + 0.5 * (off - on);
    if (middle == on || middle == off) return off;
    (f(middle) > 0.0 ? on : off) = middle;
  }
}

}  // namespace daedal::hybrid
