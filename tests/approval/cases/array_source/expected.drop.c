/* Drop: derivative array and its Jacobian, written by daedal 0.1.0.

   G = (f, d/dt f, ..., d^r/dt^r f), f = left - right of every equation, and J = dG/dX; X has
   the variables and their derivatives.

     Drop_residual(t, X, p, G)     computes G
     Drop_jacobian(t, X, p, G, J)  computes G and J, which share most of their operations
     Drop_sparsity(first, row_starts, columns)
                       rows and columns of the values in J, numbered from `first` (0 or 1):
                       row i has J[row_starts[i]] to J[row_starts[i + 1] - 1], if first is 0
     Drop_parameters(p) writes the values below into p

   Values are not finite where an operation is not defined. Nothing is kept between calls;
   one takes 96 bytes of the stack for series. Results are those of daedal to the last bit if
   sums and products are rounded one by one (GCC and Clang: -ffp-contract=off).

     cc -O2 -c FILE.c                             C99, needs libm
     cc -O2 -DDAEDAL_DRIVER FILE.c -lm            a program: reads t and X, perhaps p, from
                                                  standard input and prints G and J
     #define DAEDAL_DECLARATIONS                  before #include "FILE.c": only the
                                                  declarations, for those who call it

   G, by row
     G[0]  law
     G[1]  d/dt law

   X, and columns of J
     X[0]  v
     X[1]  der(v)
     X[2]  der(v, 2)

   parameters
     p[0]  k = 0.5

   Fortran 2003, with `use, intrinsic :: iso_c_binding`; arrays begin with 1 there, so X[0] is
   x(1):

   integer, parameter :: Drop_num_rows = 2
   integer, parameter :: Drop_num_columns = 3
   integer, parameter :: Drop_num_values = 5
   integer, parameter :: Drop_num_parameters = 1
   interface
     subroutine Drop_residual(t, x, p, g) &
         bind(c, name="Drop_residual")
       import :: c_double
       real(c_double), value :: t
       real(c_double), intent(in) :: x(*), p(*)
       real(c_double), intent(out) :: g(*)
     end subroutine
     subroutine Drop_jacobian(t, x, p, g, j) &
         bind(c, name="Drop_jacobian")
       import :: c_double
       real(c_double), value :: t
       real(c_double), intent(in) :: x(*), p(*)
       real(c_double), intent(out) :: g(*), j(*)
     end subroutine
     subroutine Drop_sparsity(first, row_starts, columns) &
         bind(c, name="Drop_sparsity")
       import :: c_int
       integer(c_int), value :: first
       integer(c_int), intent(out) :: row_starts(*), columns(*)
     end subroutine
     subroutine Drop_parameters(p) &
         bind(c, name="Drop_parameters")
       import :: c_double
       real(c_double), intent(out) :: p(*)
     end subroutine
   end interface
*/
#include <math.h>

enum {
  Drop_num_rows = 2,
  Drop_num_columns = 3,
  Drop_num_values = 5,  /* stored in J */
  Drop_num_parameters = 1
};

void Drop_residual(double t, const double *X, const double *p, double *G);
void Drop_jacobian(double t, const double *X, const double *p, double *G, double *J);
void Drop_sparsity(int first, int *row_starts, int *columns);
void Drop_parameters(double *p);

#ifndef DAEDAL_DECLARATIONS

/* Operations on series: NAME_n computes n coefficients z of u, v, w, q
   (Taylor coefficients, rules in docs/theory/taylor-rules.md of daedal). */
static double daedal_power(double base, double exponent) {
  const double size = fabs(exponent);
  double result = 1.0, square = base;
  if (exponent == 0.5) return sqrt(base);
  if (exponent == 1.5) return base*sqrt(base);
  if (exponent == -1.5) return 1.0/(base*sqrt(base));
  if (size > 64.0 || size != floor(size)) return pow(base, exponent);
  for (int bits = (int)size; bits > 0; bits >>= 1, square *= square)
    if (bits & 1) result *= square;
  return exponent < 0.0 ? 1.0/result : result;
}

static void multiply_2(double *restrict z, const double *u, const double *v) {
  z[0] = u[0]*v[0];
  z[1] = u[1]*v[0] + u[0]*v[1];
}

static void power_2(double *restrict z, const double *u, double r) {
  z[0] = daedal_power(u[0], r);
  const double reciprocal = 1.0/u[0];
  z[1] = (((r + 1.0)*1.0 - 1.0)*(u[1]*z[0]))*reciprocal;
}

static void square_2(double *restrict z, const double *u) {
  z[0] = u[0]*u[0];
  z[1] = 2.0*(u[0]*u[1]);
}

static void square_root_2(double *restrict z, const double *u) {
  z[0] = sqrt(u[0]);
  const double factor = 0.5/z[0];
  z[1] = u[1]*factor;
}

void Drop_residual(double t, const double *X, const double *p, double *G) {
  double z[6];
  (void)t;
  z[2] = X[0];
  z[3] = X[1];
  square_root_2(z + 0, z + 2);
  square_2(z + 4, z + 2);
  multiply_2(z + 2, z + 4, z + 0);
  z[0] = X[1] + p[0]*z[2] - 9.81;
  z[1] = X[2] + p[0]*z[3];
  G[0] = z[0];
  G[1] = z[1];
}

void Drop_jacobian(double t, const double *X, const double *p, double *G, double *J) {
  double z[12];
  (void)t;
  J[1] = 1.0;
  J[4] = 1.0;
  z[2] = X[0];
  z[3] = X[1];
  square_root_2(z + 0, z + 2);
  square_2(z + 4, z + 2);
  power_2(z + 6, z + 2, -0.5);
  multiply_2(z + 8, z + 4, z + 0);
  multiply_2(z + 10, z + 2, z + 0);
  multiply_2(z + 0, z + 4, z + 6);
  z[6] = X[1] + p[0]*z[8] - 9.81;
  z[7] = X[2] + p[0]*z[9];
  G[0] = z[6];
  G[1] = z[7];
  z[6] = 0.5*p[0]*z[0] + 2.0*p[0]*z[10];
  z[7] = 0.5*p[0]*z[1] + 2.0*p[0]*z[11];
  J[0] = z[6];
  J[2] = z[7];
  J[3] = z[6];
}

void Drop_sparsity(int first, int *row_starts, int *columns) {
  static const int starts[] = {0, 2, 5};
  for (int k = 0; k < 3; ++k) row_starts[k] = first + starts[k];
  static const int numbers[] = {0, 1, 0, 1, 2};
  for (int k = 0; k < 5; ++k) columns[k] = first + numbers[k];
}

void Drop_parameters(double *p) {
  p[0] = 0.5;
}

#ifdef DAEDAL_DRIVER
#include <stdio.h>
#include <stdlib.h>

/* Reads t, X and, if more numbers follow, p. */
static const char *const row_names[] = {
  "law",
  "d/dt law",
  ""
};

static const char *const column_names[] = {
  "v",
  "der(v)",
  "der(v, 2)",
  ""
};

int main(void) {
  static double X[Drop_num_columns + 1], p[Drop_num_parameters + 1], G[Drop_num_rows + 1],
      J[Drop_num_values + 1];
  static int starts[Drop_num_rows + 1], columns[Drop_num_values + 1];
  double t;
  int num_given = 0;
  Drop_parameters(p);
  Drop_sparsity(0, starts, columns);
  if (scanf("%lf", &t) != 1) {
    fputs("the time is missing\n", stderr);
    return EXIT_FAILURE;
  }
  for (int k = 0; k < Drop_num_columns; ++k)
    if (scanf("%lf", &X[k]) != 1) {
      fprintf(stderr, "X[%d], %s, is missing\n", k, column_names[k]);
      return EXIT_FAILURE;
    }
  while (num_given < Drop_num_parameters && scanf("%lf", &p[num_given]) == 1) ++num_given;
  Drop_jacobian(t, X, p, G, J);
  for (int i = 0; i < Drop_num_rows; ++i) {
    printf("%s = %.17g\n", row_names[i], G[i]);
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      printf("  by %s: %.17g\n", column_names[columns[k]], J[k]);
  }
  return EXIT_SUCCESS;
}
#endif /* DAEDAL_DRIVER */

#endif /* DAEDAL_DECLARATIONS */
