// A sparse 0/1 matrix by rows: which unknown occurs in which equation, without the orders. Built
// row by row; `reset` keeps the memory, so that one object serves many matrices.
#pragma once

#include <span>
#include <vector>

#include "structure/signature_matrix.hpp"

namespace daedal::structure {

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
