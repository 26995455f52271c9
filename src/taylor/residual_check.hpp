// Do the rows of a block hold? Each residual is compared with the sizes of its terms.
#pragma once

#include <span>
#include <vector>

#include "taylor/series_schedule.hpp"
#include "taylor/series_table.hpp"

namespace daedal::taylor {

class ResidualCheck {
 public:
  // c: offsets less the lead.
  ResidualCheck(const BlockSchedule& plan, const std::vector<int>& c, const Tape& tape, int lanes);

  // After constants have changed.
  void set_constants(const SeriesTable<double>& table);

  // Over all rows that exist at this local stage the largest residual relative to the largest sum
  // of the sizes of the row's terms over its coefficients so far. Local stages come one after the
  // other, from the first at which a row exists.
  std::span<const double> relative_residuals(const SeriesTable<double>& table, int local_stage);

 private:
  struct Row {
    Slot residual;
    int c;
    std::size_t first_term, end_term;
    double constant;  // its size
  };
  struct Term {
    Slot slot;
    const TapeEntry* entry;  // whose argument it is,
    std::size_t argument;    // with this number
  };
  template <typename Lanes>
  void add_sizes(const SeriesTable<double>& table, const Row& row, int k, double* largest,
                 Lanes lanes);

  int lanes_;
  std::vector<Row> rows_;  // those that are sums; others have no terms to compare with
  std::vector<Term> terms_;
  std::vector<double> factors_;       // [term][lane]: sizes
  std::vector<double> largest_;       // [row][lane]: sum of sizes, so far
  std::vector<double> sums_, worst_;  // [lane]
};

}  // namespace daedal::taylor
