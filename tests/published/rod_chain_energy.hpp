// The total energy of problems/rod_chain with its default parameters: 80 at the start.
#pragma once

#include <functional>

namespace daedal::test {

// `value(j, order)` is the derivative of variable j: x0, x[1..n], y[1..n].
inline double rod_chain_energy(int num_rods,
                               const std::function<double(int variable, int order)>& value) {
  constexpr double g = 9.8, M = 5, m = 2, k = 10;
  const double u0 = value(0, 1), x0 = value(0, 0);
  double energy = M / 2 * u0 * u0 + k / 2 * x0 * x0;
  double u_above = u0, v_above = 0.0, y_above = 0.0;
  for (int i = 1; i <= num_rods; ++i) {
    const double u = value(i, 1), v = value(num_rods + i, 1), y = value(num_rods + i, 0);
    energy +=
        m / 6 * (u_above * u_above + v_above * v_above + u_above * u + v_above * v + u * u + v * v);
    energy += m * g * (y_above + y) / 2;
    u_above = u;
    v_above = v;
    y_above = y;
  }
  return energy;
}

}  // namespace daedal::test
