// The coefficients of a schedule's slots, and the stages' steps on them, interpreted: many
// operations and many lanes at once (docs/theory/packed-kernels.md).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "linear/aligned_vector.hpp"
#include "taylor/compiled_stages.hpp"
#include "taylor/kernels.hpp"
#include "taylor/packed_program.hpp"
#include "taylor/series_table.hpp"

namespace daedal::taylor {

class PackedSeries {
 public:
  // Keeps a reference to the schedule.
  PackedSeries(const SeriesSchedule& schedule, const structure::Structure& structure,
               int num_orders, int num_lanes, const Kernels& kernels = best_kernels());

  const PackedProgram& program() const { return program_; }
  SeriesTable<double>& table() { return table_; }
  const SeriesTable<double>& table() const { return table_; }
  int num_lanes() const { return table_.num_lanes(); }
  const Kernels& kernels() const { return kernels_; }

  // Where the series of a lane are taken. The parameters of a lane must be set before
  // evaluate_constants().
  void set_origin(const Origin& origin, int lane);
  void evaluate_constants();

  // A step of a stage up to 0.
  void run(StartStep step, int stage);
  // Solves a diagonal block.
  void divide(int block);
  // Stages above 0, segment by segment, each up to its linear system. Holds what machine code is
  // called with, which is the same for all of them.
  class Segments {
   public:
    explicit Segments(PackedSeries& series)
        : series_(series),
          callbacks_(series.callbacks()),
          table_(series.table_.row(0)),
          work_(series.work_.data()) {}

    void run(int segment, int stage) const {
      if (series_.compiled_ == nullptr)
        return series_.interpret(series_.program_.segments[segment], stage);
      for (const StageFunction function : series_.compiled_->segments[segment])
        function(table_, work_, stage, &callbacks_);
    }

   private:
    PackedSeries& series_;
    StageCallbacks callbacks_;
    double *table_, *work_;
  };
  // From now on steps and segments are run by machine code of this program; the same bits result.
  void use(std::shared_ptr<const CompiledStages> compiled) { compiled_ = std::move(compiled); }
  bool is_compiled() const { return compiled_ != nullptr; }

  std::span<double> right(int block) {
    return {work_.data() + program_.blocks[block].right, block_width(block)};
  }
  std::span<double> pivots(int block) {
    return {work_.data() + program_.blocks[block].pivots, block_width(block)};
  }

  // (q+1)...(q+n)/h^n: what d^n/dt^n multiplies coefficient q + n with.
  double derivative_factor(int q, int n, int lane) const {
    return rising(q, n) * reciprocal_powers(n)[lane];
  }
  double reciprocal_factor(int q, int n, int lane) const {
    return reciprocal_rising(q, n) * powers(n)[lane];
  }

 private:
  double rising(int q, int n) const { return work_[program_.rising + n * program_.num_orders + q]; }
  double reciprocal_rising(int q, int n) const {
    return work_[program_.reciprocal_rising + n * program_.num_orders + q];
  }
  const double* powers(int n) const {
    return work_.data() + program_.powers + n * program_.num_lanes;
  }
  const double* reciprocal_powers(int n) const {
    return work_.data() + program_.reciprocal_powers + n * program_.num_lanes;
  }
  std::size_t block_width(int block) const {
    return schedule_.blocks[block].unknown_slots.size() * program_.num_lanes;
  }
  double* place(Slot slot, int k) { return table_.row(k) + slot * program_.num_lanes; }
  Rows rows(const Operand& operand) {
    return {(operand.is_copy ? work_.data() : table_.row(0)) + operand.first, operand.stride};
  }
  Sums sums(const SumTerms& terms, int first = 0) const {
    return {terms.starts.data() + first, terms.slots.data(), work_.data() + terms.coefficients,
            terms.terms_of_all};
  }
  double* change_of(Slot slot) { return work_.data() + program_.change + slot * num_lanes(); }

  void fill_constants(const Pack& pack, const PackPlan& plan);
  void fill_coefficients(const Pack& pack, bool only_tight, const SumTerms& terms);
  void put_side_by_side(const SumTerms& terms);
  StageCallbacks callbacks();
  void interpret(StartStep step, int stage);
  void interpret(const Segment& segment, int stage);
  // The coefficient of this stage of every operation in the packs; nothing where it is out of
  // range.
  void evaluate(std::span<const PackNumber> packs, int stage);
  void evaluate(const Pack& pack, const PackPlan& plan, int k);
  void evaluate_one_by_one(const Pack& pack, int k);
  void copy_operands(const Pack& pack, const PackPlan& plan, int k);
  void copy(const Operand& operand, int k, double weight);
  void invert(const Operand& operand, std::size_t to, std::size_t width);
  void shift(const Pack& pack, const PackPlan& plan, int k);
  void begin_block(int block, int stage);
  void finish_block(int block, int stage);
  void clear_newest(int block, int stage);
  void find_right_side(int block, int q);
  void take_solution(int block, int q);
  void complete(int number_of_block, int stage);
  void multiply_lanes(const double* from, double* to, std::size_t count, double factor,
                      const double* by) const;
  void correct(const Pack& pack, const PackPlan& plan, int k);

  const SeriesSchedule& schedule_;
  const Kernels& kernels_;
  PackedProgram program_;
  SeriesTable<double> table_;
  linear::AlignedVector<double> work_;
  std::vector<bool> is_constant_;  // by slot
  std::vector<Slot> times_;        // t itself: known with the origin, zero from order 2 on
  std::shared_ptr<const CompiledStages> compiled_;
};

}  // namespace daedal::taylor
