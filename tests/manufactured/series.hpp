// Truncated power series in extended precision: exact values and derivatives of known solutions.
// Written for the tests alone; nothing of the library's series is used.
#pragma once

#include <cmath>
#include <vector>

namespace daedal::manufactured {

using Real = long double;

// Coefficients (u)_k = u^(k)/k! at some time. Results are as long as the shortest argument.
using Series = std::vector<Real>;

Series constant(Real value, int length);
Series add(const Series& a, const Series& b);
Series multiply(const Series& a, const Series& b);
Series divide(const Series& a, const Series& b);
Series sin(const Series& a);
Series cos(const Series& a);
Series exp(const Series& a);
Series tanh(const Series& a);
Series atan(const Series& a);
// a^exponent with a(t) > 0.
Series power(const Series& a, Real exponent);
Series derivative(const Series& a, int order);

}  // namespace daedal::manufactured
