// Which Taylor coefficients a start is searched in, and which coefficients of the equations they
// must satisfy: the stacked stages of the Sigma-method (docs/theory/consistent-points.md, rule C1).
//
// Stage k solves the coefficients k + c_i of the f_i for the coefficients k + d_j of the x_j
// [NedialkovPryce2007]. Each fine block b has a top stage s_b of its own; included are the x_j up
// to coefficient s_b + d_j and the f_i up to coefficient s_b + c_i, for i, j in block b.
#pragma once

#include <span>
#include <vector>

#include "structure/signature_matrix.hpp"
#include "structure/structure.hpp"

namespace daedal::init {

// Coefficient `order` of unknown or equation `index`.
struct Coefficient {
  int index = 0;
  int order = 0;
};

class StageLayout {
 public:
  // `sigma` is that of the equations; `tops[b]` the top stage asked for in block b. Tops are raised
  // until every coefficient that an included equation contains is included (rule C2).
  StageLayout(const structure::Structure& structure, const structure::SignatureMatrix& sigma,
              std::vector<int> tops);

  std::span<const int> tops() const { return tops_; }
  std::span<const Coefficient> unknowns() const { return unknowns_; }
  std::span<const Coefficient> rows() const { return rows_; }  // of the equations
  int highest_row_order() const { return highest_row_order_; }

  // Position of coefficient `order` of unknown j, or -1 if it is not included.
  int position(int unknown, int order) const {
    return order < first_[unknown + 1] - first_[unknown] ? first_[unknown] + order : -1;
  }

 private:
  std::vector<int> tops_;
  std::vector<int> first_;  // by unknown: position of its coefficient 0
  std::vector<Coefficient> unknowns_, rows_;
  int highest_row_order_ = 0;
};

// The block of each unknown.
std::vector<int> blocks_of_unknowns(const structure::Structure& structure);

}  // namespace daedal::init
