// The signature matrix of a DAE, sparse, by rows:
//   sigma_ij = order of the highest derivative of x_j in f_i, -infinity (no entry) if x_j does not
//   occur [Pryce2018, eq. (7)].
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace daedal::structure {

struct SignatureEntry {
  int equation = 0;
  int unknown = 0;
  int order = 0;
};

class SignatureMatrix {
 public:
  // Entries in any order; at most one per place. Indices must be in range, orders >= 0.
  SignatureMatrix(int num_equations, int num_unknowns, std::vector<SignatureEntry> entries);

  int num_equations() const { return num_equations_; }
  int num_unknowns() const { return num_unknowns_; }
  int num_entries() const { return static_cast<int>(unknowns_.size()); }

  // Row i: the unknowns that occur in f_i, ascending, and the order of each.
  std::span<const int> unknowns(int equation) const;
  std::span<const int> orders(int equation) const;
  std::optional<int> order(int equation, int unknown) const;

 private:
  int num_equations_;
  int num_unknowns_;
  std::vector<int> row_start_;
  std::vector<int> unknowns_;
  std::vector<int> orders_;
};

}  // namespace daedal::structure
