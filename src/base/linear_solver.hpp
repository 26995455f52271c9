// Linear systems whose pattern stays while the values change: dense LU and QR (Eigen) when small,
// sparse LU (KLU) when large and sparse. Nothing is allocated after construction, except when KLU
// must choose new pivots.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace daedal::base {

struct Place {
  int row = 0;
  int column = 0;
};

// A x = b, A square.
class SquareSolver {
 public:
  virtual ~SquareSolver() = default;

  // Values by place. False if a pivot vanishes or a value is not finite; then solve() must not be
  // called.
  virtual bool factorise(std::span<const double> values) = 0;
  virtual void solve(std::span<double> b) const = 0;  // b becomes x
  // Pivots may be kept from one matrix to the next; after this they are not.
  virtual void forget() {}

  // Estimate of the condition number, rows scaled to largest entry 1.
  virtual double condition() const = 0;
  virtual int determinant_sign() const = 0;
};

std::unique_ptr<SquareSolver> make_square_solver(int size, std::vector<Place> places);

// min |x| subject to A x = b, A with fewer rows than columns, of full row rank.
class MinimumNormSolver {
 public:
  virtual ~MinimumNormSolver() = default;

  virtual bool factorise(std::span<const double> values) = 0;
  virtual void solve(std::span<const double> b, std::span<double> x) = 0;
};

std::unique_ptr<MinimumNormSolver> make_minimum_norm_solver(int num_rows, int num_columns,
                                                            std::vector<Place> places);

// Up to this size a dense factorisation is cheaper than following a sparse pattern.
inline constexpr int largest_dense_block = 24;

}  // namespace daedal::base
