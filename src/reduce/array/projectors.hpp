// What a derivative array says of a DAE f(x', x, t) = 0 at a point: index, projectors, degrees of
// freedom, condition [EstevezLamour2019, sec. 2 and 3].
//
//   G0 z0 + G1 (z1, ..., zk) = 0,   A = df/dx',   Q onto ker A, P = I - Q
//
// The rows C = U1^T G0, with U1 a basis of the left kernel of G1 (W1 = U1 U1^T), are all conditions
// on z0 that the array contains, linearised. So the array determines Qx from Px, and the matrix
//
//   B = [ P   0  ]
//       [ G0  G1 ]
//
// is 1-full, if and only if rank [P; C] = n. Pi is the orthogonal projector onto
// ker [Q; W2 C], W2 that along im C Q; its rank is the number of degrees of freedom. With
// conditions U z0 = 0 of the user among the rows of C it is Pi_u.
#pragma once

#include "linear/dense_decompositions.hpp"

namespace daedal::reduce {

using Matrix = Eigen::MatrixXd;

// Singular values below this part of the largest one count as zero. Rows of the array have norm 1,
// columns are in units of nominal values.
inline constexpr double rank_threshold = 1e-10;

struct ArrayMatrices {
  Matrix A;   // n x n
  Matrix G0;  // nk x n
  Matrix G1;  // nk x nk
  Matrix U;   // conditions of the user, m x n
};

struct Projectors {
  Matrix P, Q, Pi, Pi_u;
  int rank_P = 0, rank_Q = 0, rank_W1 = 0, rank_W2 = 0, rank_Pi = 0, rank_Pi_u = 0;
  bool is_one_full = false;
  int num_open = 0;  // components that neither P x nor the array determine; 0 if 1-full
  bool has_full_row_rank = false;  // [G0 G1]: the equations and their derivatives are independent
  // rank of U on what the array leaves free = its number of rows: conditions may be given.
  bool is_admissible = true;
  int rank_U = 0;
  double gap = 0.0;  // the largest singular value that counted as zero over the smallest that did
                     // not: how clear the decisions were
};

Projectors projectors_of(const ArrayMatrices& array);

// sigma_max/sigma_rank of B, and other signs of a singularity.
struct ArrayCondition {
  double largest = 0.0, smallest = 0.0;  // singular values of B that are not zero
  int rank = 0;
  double condition() const { return largest / smallest; }
};
ArrayCondition condition_of(const ArrayMatrices& array, const Matrix& P);

// All singular values of B, the largest first.
Eigen::VectorXd singular_values(const ArrayMatrices& array, const Matrix& P);
// The direction z that B shrinks most, of those that it does not map to zero by this rank.
Eigen::VectorXd weakest_direction(const ArrayMatrices& array, const Matrix& P, int rank);

// How many of z0, z1, ... follow from P z0: the rows of ker B that vanish.
int num_determined(const ArrayMatrices& array, const Matrix& P);

// A basis of ker A^T by columns, orthonormal; `gap` is raised to the clearness of the decision.
Matrix left_kernel(const Matrix& A, double& gap);
// The orthogonal projector onto ker A; the unit matrix if A has no rows.
Matrix kernel_projector(const Matrix& A, double& gap);

}  // namespace daedal::reduce
