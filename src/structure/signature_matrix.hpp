// The signature matrix of a DAE, sparse, by rows:
//   sigma_ij = order of the highest derivative of x_j in f_i, -infinity (no entry) if x_j does not
//   occur [Pryce2018, eq. (7)].
// Its pattern says where it has entries, and nothing of orders. Functions: signature.cpp.
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

// A sparse 0/1 matrix by rows: which unknown occurs in which equation, without the orders. Built
// row by row; `reset` keeps the memory, so that one object serves many matrices.
class Pattern {
 public:
  explicit Pattern(int num_columns = 0) : num_columns_(num_columns) {}

  void reset(int num_columns);
  void add(int column) { columns_.push_back(column); }  // to the row being built
  void end_row() { row_start_.push_back(static_cast<int>(columns_.size())); }

  int num_rows() const { return static_cast<int>(row_start_.size()) - 1; }
  int num_columns() const { return num_columns_; }
  // Places are numbered row by row; row i has the places first_place(i) .. first_place(i + 1) - 1.
  int first_place(int row) const { return row_start_[row]; }
  int column(int place) const { return columns_[place]; }
  std::span<const int> row(int row) const {
    return std::span(columns_).subspan(row_start_[row], row_start_[row + 1] - row_start_[row]);
  }

 private:
  int num_columns_;
  std::vector<int> row_start_{0};
  std::vector<int> columns_;
};

// Where sigma has entries.
Pattern pattern_of(const SignatureMatrix& sigma);

Pattern transpose(const Pattern& pattern);

}  // namespace daedal::structure
