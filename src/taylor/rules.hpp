// The recurrences for Taylor coefficients, one per operation; derivations in
// docs/theory/taylor-rules.md. Notation: u, v are the arguments' coefficients, z the result's, k
// the coefficient wanted; everything below k is known.
#pragma once

#include <span>

namespace daedal::taylor {

double factorial(int k);

// T-shift: z = d^n u/dt^n,  z_k = (k+n)!/k! u_{k+n}
double shift_rule(int k, int n, std::span<const double> u);

// T-mul: z = u v,  z_k = sum_{j=0..k} u_j v_{k-j}
double multiply_rule(int k, std::span<const double> u, std::span<const double> v);

// T-sqr: z = u^2,  z_k = 2 sum_{j<k/2} u_j u_{k-j}, plus u_{k/2}^2 for even k
double square_rule(int k, std::span<const double> u);

// T-div: z = u/v,  z_k = (u_k - sum_{j=1..k} v_j z_{k-j}) / v_0
double divide_rule(int k, std::span<const double> u, std::span<const double> v,
                   std::span<const double> z);

// T-pow: z = u^r, k >= 1,  k u_0 z_k = sum_{j=1..k} (r j - (k-j)) u_j z_{k-j};  needs u_0 != 0
double power_rule(int k, std::span<const double> u, double r, std::span<const double> z);

// T-fun: z = f(u), g = f'(u), k >= 1,  k z_k = sum_{j=1..k} j u_j g_{k-j}
double function_rule(int k, std::span<const double> u, std::span<const double> g);

}  // namespace daedal::taylor
