// Which rows and columns are eliminated in which order: fill-in is kept small by KLU [Davis2010] or
// by find_elimination_order, pivots are chosen by KLU.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linear/elimination_order.hpp"
#include "linear/linear_solver.hpp"

namespace daedal::linear {

class PivotSearch {
 public:
  PivotSearch(int size, const std::vector<Place>& places);
  ~PivotSearch();

  // By columns, each place once.
  std::span<const Place> entries() const { return entries_; }
  // The pivots that the order means to be taken; none if KLU is free to choose.
  const EliminationOrder& intended() const { return intended_; }
  // Entries that are meant to be pivots whatever the values; and, by column, whether it has none of
  // them. The unit of those columns is chosen so that they do not outweigh the steady ones.
  std::span<const std::int32_t> steady() const { return steady_; }
  std::span<const char> is_loose() const { return is_loose_; }
  // Place -> entry. Of places given repeatedly the first has the entry, the others a spare one
  // after the last; they are to be added afterwards.
  std::vector<std::int32_t> entry_of, repeated, repeated_entry;

  // Values by entry; they become scaled. False if a pivot vanishes.
  bool find(std::span<double> values, std::vector<std::int32_t>& row_of,
            std::vector<std::int32_t>& column_of);

 private:
  struct Klu;
  void choose_order();
  void scale(std::span<double> values) const;

  int size_;
  std::vector<Place> entries_;
  std::vector<int> start_, row_;
  EliminationOrder intended_;
  std::vector<std::int32_t> steady_;
  std::vector<char> is_loose_;
  std::unique_ptr<Klu> klu_;
};

}  // namespace daedal::linear
