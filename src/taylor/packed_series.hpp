// The coefficients of a schedule's slots and the evaluation of its packs, many operations and many
// lanes at once (docs/theory/packed-kernels.md).
//
// A convolution runs along rows [order][operation]. Where the arguments of a pack do not stand side
// by side in the table, the pack keeps a copy of their series in which they do; one coefficient of
// each is copied per stage.
#pragma once

#include <span>
#include <vector>

#include "taylor/kernels.hpp"
#include "taylor/series_schedule.hpp"
#include "taylor/series_table.hpp"

namespace daedal::taylor {

class PackedSeries {
 public:
  // Keeps a reference to the schedule.
  PackedSeries(const SeriesSchedule& schedule, int num_orders, int num_lanes,
               const Kernels& kernels = best_kernels());

  SeriesTable<double>& table() { return table_; }
  const SeriesTable<double>& table() const { return table_; }
  int num_lanes() const { return table_.num_lanes(); }
  const Kernels& kernels() const { return kernels_; }

  // To be called after the origins of all lanes, with their parameters, are set for the first time
  // or parameters have changed.
  void evaluate_constants();

  // The coefficient of this stage of every operation in the packs; nothing where it is out of
  // range.
  void evaluate(std::span<const PackNumber> packs, int stage);
  void clear(std::span<const PackNumber> packs, int stage);

  // Adds to what is evaluated before a block is solved what follows from the newest coefficients of
  // its unknowns, which were zero then.
  void complete(const BlockSchedule& block, int stage);

 private:
  // An argument's series, of all operations of a pack.
  struct Operand {
    Rows rows;
    const Slot* slots = nullptr;  // to be copied from; null if rows are those of the table
  };
  struct Work {
    Operand u, v;
    std::vector<double> reciprocal;  // of v_0 (divide) or u_0 (power)
    Sums sums;                       // affine
    Sums tight_sums;                 // its terms that change with the newest coefficients
  };

  void prepare(const Pack& pack, Work& work);
  void prepare_operands(const Pack& pack, Work& work);
  Operand operand(const Pack& pack, std::size_t argument);
  Sums collect_sums(const Pack& pack, bool only_tight);
  void fill_coefficients(const Pack& pack, bool only_tight, const Sums& sums);
  template <typename Visit>
  void for_each_term(Slot slot, bool only_tight, Visit visit) const;
  bool is_tight(Slot slot, Slot argument) const;

  void evaluate(const Pack& pack, Work& work, int k);
  void evaluate_one_by_one(const Pack& pack, int k);
  void copy_operands(const Pack& pack, Work& work, int k);
  void copy(const Operand& operand, const Pack& pack, int k, double weight);
  void shift(const Pack& pack, const Work& work, int k);
  void correct(const Pack& pack, const Work& work, int k);
  double* change_of(Slot slot) { return change_.data() + slot * table_.num_lanes(); }

  const SeriesSchedule& schedule_;
  const Kernels& kernels_;
  SeriesTable<double> table_;
  std::vector<bool> is_constant_;  // by slot
  std::vector<std::vector<double>> copies_;
  std::vector<std::vector<Slot>> arguments_;
  std::vector<std::vector<std::uint32_t>> starts_;
  std::vector<std::vector<double>> coefficients_;
  std::vector<Work> works_;     // by pack
  std::vector<double> change_;  // as a row of the table; zero outside complete()
};

}  // namespace daedal::taylor
