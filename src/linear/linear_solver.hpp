// Linear systems whose pattern stays while the values change: dense when small, sparse when large
// and sparse. Nothing is allocated after construction, except when sparse pivots are chosen anew
// and when a sparse minimum-norm solver meets its first matrix that is too ill-conditioned for A
// A^T.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "linear/determinant.hpp"

namespace daedal::linear {

struct Place {
  int row = 0;
  int column = 0;
  bool is_steady = false;  // a good pivot whatever the values of the others
};

struct LuSchedule;

// The solve of a schedule as machine code, for all lanes: factors as the schedule describes them,
// [slot][lane], the scales of the rows at place_of_scales(); b becomes x.
using CompiledSolve = void (*)(const double* factors, double* b);

// A x = b, A square: `lanes` independent matrices of one pattern. Numbers are given as
// [place][lane] and [row][lane]. What a lane gets depends neither on how many lanes there are nor
// on the others, bit by bit.
class SquareSolver {
 public:
  virtual ~SquareSolver() = default;

  // True if every lane is regular. A lane is not if a pivot vanishes or a value is not finite.
  // Lanes that are not due (all are, if nothing is said) keep their pivots, whatever their values.
  virtual bool factorise(std::span<const double> values, std::span<const char> is_due = {}) = 0;
  virtual bool is_regular(int lane = 0) const = 0;
  // b becomes x; in lanes that are not regular, anything.
  virtual void solve(std::span<double> b) const = 0;

  // Pivots may be kept from one matrix to the next; after this a lane's are not.
  virtual void forget(int /*lane*/) {}

  // The schedule that solves are expected to follow, if they follow one, and machine code for it.
  virtual const LuSchedule* intended_schedule() const { return nullptr; }
  virtual void use(CompiledSolve /*solve*/) {}

  // An estimate of the condition number of a regular lane, rows scaled to largest entry near 1.
  virtual double condition(int lane = 0) const = 0;
  virtual int determinant_sign(int lane = 0) const = 0;
  // That of the matrix as given: its rows are not scaled.
  virtual Determinant determinant(int lane = 0) const = 0;
};

std::unique_ptr<SquareSolver> make_square_solver(int size, std::vector<Place> places,
                                                 int lanes = 1);

// min |x| subject to A x = b, A with fewer rows than columns, of full row rank; lanes as above.
class MinimumNormSolver {
 public:
  virtual ~MinimumNormSolver() = default;

  // Lanes that are not due (none given: all are) keep their factors; their values must be those
  // given before. True if every lane due is regular.
  virtual bool factorise(std::span<const double> values, std::span<const char> is_due = {}) = 0;
  virtual bool is_regular(int lane = 0) const = 0;
  // [row][lane] to [column][lane]; in lanes that are not regular, anything.
  virtual void solve(std::span<const double> b, std::span<double> x) = 0;
  virtual void forget(int /*lane*/) {}

 protected:
  bool are_regular(std::span<const char> is_due, int lanes) const;
};

std::unique_ptr<MinimumNormSolver> make_minimum_norm_solver(int num_rows, int num_columns,
                                                            std::vector<Place> places,
                                                            int lanes = 1);

// Small ones, those that are half full, and those of moderate size whose pivots would have to
// change with the values.
bool is_solved_densely(int size, const std::vector<Place>& places);

// Up to this size a dense factorisation is cheaper than a sparse one that has to find its pivots
// again and again.
inline constexpr int largest_dense_block = 24;

}  // namespace daedal::linear
