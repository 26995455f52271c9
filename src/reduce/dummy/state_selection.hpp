// Which derivatives are the variables of the ODE that a DAE is locally equivalent to
// (docs/theory/dummy-derivatives.md, rules D1 to D5).
#pragma once

#include <span>
#include <vector>

#include "linear/dense_decompositions.hpp"
#include "structure/structure.hpp"

namespace daedal::reduce {

// delta_j: the state items of x_j are x_j, x_j', ..., x_j^(delta_j - 1).
using DeltaSpec = std::vector<int>;

// J_ij, a value for each place; places that are not listed are zero.
struct JacobianPlace {
  int equation = 0;
  int unknown = 0;
};

class StateSelection {
 public:
  // The places of the diagonal (fine) blocks; others may be among them. Nominal sizes by unknown.
  StateSelection(const structure::Structure& structure, std::span<const JacobianPlace> places,
                 std::vector<double> nominals);

  // Rule D3: no numbers needed, never structurally singular.
  DeltaSpec by_transversal() const;
  // Rule D4: growth of about 1 at these values of J; nothing if J is singular there.
  DeltaSpec by_pivoting(std::span<const double> jacobian) const;
  // By transversal if that is good enough there.
  DeltaSpec choose(std::span<const double> jacobian) const;

  // Infinite if a matrix G_k is singular.
  double growth(std::span<const double> jacobian, const DeltaSpec& delta) const;
  bool is_good(double growth) const { return growth <= largest_growth; }
  // Whether there is any choice.
  bool has_choice() const;

  static constexpr double largest_growth = 3.0;

 private:
  // The part of J_k in one block, where it does not yet have all rows and differs from the stage
  // before.
  struct Entry {
    int row = 0, column = 0, place = 0;
  };
  struct Stage {
    int block = 0;
    int k = 0;
    int num_rows = 0;
    std::vector<int> unknowns = {};  // by column
    std::vector<Entry> entries = {};
    bool is_square() const { return num_rows == static_cast<int>(unknowns.size()); }
  };
  using Matrix = Eigen::MatrixXd;

  void add_stages(int number, std::span<const JacobianPlace> places);
  Matrix matrix_of(const Stage& stage, std::span<const double> jacobian) const;
  // Numbers of columns.
  std::vector<int> select(const Stage& stage, std::span<const double> jacobian,
                          std::vector<int> bound) const;

  const structure::Structure& structure_;
  std::vector<double> nominals_;
  std::vector<Stage> stages_;  // blocks one after another, k ascending
  DeltaSpec latest_;           // of columns that are selected only when their block has all rows
};

}  // namespace daedal::reduce
