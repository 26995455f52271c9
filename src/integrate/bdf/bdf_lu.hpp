// LU factors of a sparse matrix whose pattern stays: KLU [Davis2010].
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace daedal::integrate {

class BdfLu {
 public:
  // By columns: rows of column j at starts[j] .. starts[j + 1], ascending.
  BdfLu(std::vector<int> starts, std::vector<int> rows);
  ~BdfLu();
  BdfLu(const BdfLu&) = delete;
  BdfLu& operator=(const BdfLu&) = delete;

  // False: singular, or not finite. Pivots are kept from matrix to matrix while they are good;
  // memory is allocated only when they are chosen anew.
  bool factorise(std::span<double> values);
  void solve(std::span<double> b);  // b becomes x

 private:
  struct Klu;
  std::unique_ptr<Klu> klu_;
};

}  // namespace daedal::integrate
