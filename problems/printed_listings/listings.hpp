// The five listings of J. D. Pryce, N. S. Nedialkov, G. Tan, X. Li: How AD can help solve
// differential-algebraic equations, Optimization Methods and Software, 2018: functions for another
// solver, as printed, but for misprints, each of which is named.
#pragma once

#include "daedal/port.hpp"

namespace daedal::problems::printed {

using namespace daedal::port;  // what a ported file says

inline constexpr int SIZEOFQ = 2, SIZEOFC = 1;  // of Figures 2 and 6

// clang-format off
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"   // the printed functions leave t unused
#pragma GCC diagnostic ignored "-Wfloat-conversion"  // and take sizes from an array of numbers

// Figure 1, to the letter.
template <typename T>
void figure_1(T t, const T *z, T *f, void *param) {
  // z[0], z[1], z[2] are x, y, λ.
  const double G = 9.81, L = 10.0;
  f[0] = Diff(z[0],2) + z[0]*z[2];
  f[1] = Diff(z[1],2) + z[1]*z[2] - G;
  f[2] = sqr(z[0]) + sqr(z[1]) - sqr(L);
}

// Figure 2.
template <typename T>
void figure_2( T t, const T *z, T *f, void *param ) {
  vector< B<T> > q(SIZEOFQ), qp(SIZEOFQ), C(SIZEOFC);

  init_q_qp(z, q, qp);
  double *p = (double *)param;
  double m = p[0], g = p[1], l = p[2];
  B<T> x = q[0], y = q[1], xp = qp[0], yp = qp[1];
  B<T> L = 0.5 * m * (sqr(xp) + sqr(yp)) + m * g * y;
  C[0] = sqr(x) + sqr(y) - sqr(l);

  setupEquations(L, z, q, qp, C, f);
}

// Figure 6, with the operator that line 12 lost in print.
template <typename T>
void figure_6( T t, const T *z, T *f, void *param ) {
  vector< B<T> > q(SIZEOFQ), qp(SIZEOFQ), C(SIZEOFC);
  init_q_qp(z, q, qp);
  double *p = (double *)param;
  double m = p[0], g = p[1], l = p[2],
    a = p[3], w = p[4];
  B<T> x = q[0], y = q[1], xp = qp[0], yp = qp[1];
  B<T> L = 0.5 * m * (sqr(xp) + sqr(yp)) + m * g * y;
  C[0] = sqr(x) + sqr(y) - sqr(l);
  setupEquations(L, z, q, qp, C, f);
  f[0] -= z[3];
  f[3] = z[0] - a * sin(w * t);
}

// Figure 4 in the fcn of Figure 2. In line 1 xx stands for *x, and x, xp for q, qp where they are not
// declared yet; the operators of line 11 are lost, and follow from the formulas before it.
template <typename T>
void figure_4( T t, const T *z, T *f, void *param ) {
  double *par = (double *)param;
  int n = (int)par[0];
  double M = par[1], m = par[2], g = par[3], l = par[4], k = par[5];
  vector< B<T> > q(2*n+1), qp(2*n+1), C(n);
  init_q_qp(z, q, qp);
  B<T> x0 = q[0], *x = q+1, *y = x+n, x0p = qp[0], *xp = qp+1, *yp = xp+n;
  B<T> L;
  {
    B<T> KEsum = sqr(x0p) + sqr(xp[n-1]) + sqr(yp[n-1]) + x0p*xp[0];
    for (int i=0; i<n-1; i++)
      KEsum += 2*( sqr(xp[i]) + sqr(yp[i]) ) + xp[i]*xp[i+1] + yp[i]*yp[i+1];
    B<T> KE = 0.5*M*sqr(x0p) + m/6*KEsum;

    B<T> PEsum = 0.5*y[n-1];
    for (int i=0; i<n-1; i++) PEsum += y[i];
    B<T> PE = 0.5*k*sqr(x0) + m*g*PEsum;

    L = KE - PE;
  }
  C[0] = sqr(x[0]-x0) + sqr(y[0]) - sqr(l);
  for (int i=1; i<n; i++)
    C[i] = sqr(x[i]-x[i-1]) + sqr(y[i]-y[i-1]) - sqr(l);
  setupEquations(L, z, q, qp, C, f);
}

// The appendix.
template <typename T>
void appendix( T t, const T *z, T *f, void *pp ) {
  const double *param = (double *)pp;
  const int nMASS = param[0],
                 n = nMASS-1;
  const double
                 G = param[1];
  const double *m = param + 2,
         *mplanet = m+1;
                                           // the masses EXCLUDING the Sun
  const double Mtotal = (m + nMASS)[0]; // total mass, calculated in main program

  typedef Vector3D< B<T> > vec3;

  vector< B<T> > q(3*n), qp(3*n);
                                    // independent variables
  B<T> L;
                                     // for storing Lagrangian
  // { ... } ensures all intermediate variables go out of scope
  {
    init_q_qp(z,q,qp); // setup q, qp

    // Convert to a vector of 3D vectors.
    vector< vec3 > Q(n), Qp(n);
    for (int imass=0; imass<n; imass++) {
      Q[imass] = vec3( q [3*imass], q[3*imass+1], q [3*imass+2] );
      Qp[imass] = vec3( qp[3*imass], qp[3*imass+1], qp[3*imass+2] );
    }

    vector< vec3 > R(nMASS), Rp(nMASS);
    R[0] = Rp[0] = vec3(0,0,0);
    for (int imass=0; imass<n; imass++) {
      R [0] -= mplanet[imass]*Q [imass]; Rp[0] -= mplanet[imass]*Qp[imass];
    }
    R [0] /= Mtotal; Rp[0] /= Mtotal;

    // then set r_1, ..., r_n and their derivatives:
    for (int imass=1; imass<nMASS; imass++) {
      R [imass] = Q [imass-1] + R [0]; Rp[imass] = Qp[imass-1] + Rp[0];
    }

    // Compute KE and PE in terms of r and rp arrays
    B<T> KE = 0;
    for (int imass=0; imass<nMASS; imass++)
      KE += m[imass] * Rp[imass]*Rp[imass];
    KE *= 0.5;
    // Potential Energy (sum of all mass-to-mass PEs, -> -oo as bodies
    // become close)
    B<T> PE = 0;
    for (int imass=0; imass<nMASS; imass++)
      for (int jmass=imass+1; jmass<nMASS; jmass++)
        PE -= m[imass] * m[jmass] / norm(R[imass]-R[jmass]);
    PE = G*PE; // bring in gravitational constant
    L = KE - PE;
  }
  vector<B<T> > C; // dummy constraint variable

  setupEquations(L, z, q, qp, C, f);
}

#pragma GCC diagnostic pop
// clang-format on

}  // namespace daedal::problems::printed
