// The first point at which a polynomial changes its sign.
#pragma once

#include <optional>
#include <span>

namespace daedal::integrate {

// The smallest s in (0, end] at which sign(p(s)) differs from the one given, up to rounding; end
// may be negative, then in [end, 0). Zero has no sign. Pieces are excluded by the mean value
// theorem: |p(a)| > (b - a) max |p'| leaves no zero in [a, b]. Two zeros nearer than 1e-6 of the
// interval may be missed.
std::optional<double> first_sign_change(std::span<const double> polynomial, bool is_positive,
                                        double end);

}  // namespace daedal::integrate
