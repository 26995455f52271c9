// A x = b for large sparse A: a search by KLU [Davis2010] chooses the order and the pivots
// (pivot_search.hpp), a schedule of our own does the rest until the pivots are no longer good
// enough (docs/theory/linear-solves.md, rules S).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "linear/aligned_array.hpp"
#include "linear/linear_solver.hpp"
#include "linear/lu_schedule.hpp"
#include "linear/pivot_search.hpp"

namespace daedal::linear {

class ScheduledLu final : public SquareSolver {
 public:
  // `kernels`: those of an instruction set, by width of a group.
  ScheduledLu(int size, const std::vector<Place>& places, int lanes,
              SparseKernels (*kernels)(int width) = sparse_kernels);

  bool factorise(std::span<const double> values, std::span<const char> is_due = {}) override;
  bool is_regular(int lane) const override { return lanes_[lane].is_regular; }
  void solve(std::span<double> b) const override;
  void forget(int lane) override;
  double condition(int lane) const override { return lanes_[lane].condition; }
  int determinant_sign(int lane) const override;
  Determinant determinant(int lane) const override;
  const LuSchedule* intended_schedule() const override { return intended_.get(); }
  // Used as long as the pivots of all lanes are the intended ones.
  void use(CompiledSolve compiled) override { compiled_ = compiled; }

  // That of a lane which was regular once; lanes may share it. Valid until the version changes.
  const LuSchedule* schedule(int lane) const { return lanes_[lane].schedule.get(); }
  // Its factor of a slot, as the schedule describes them, and the scale of a row of A.
  double factor(int lane, int slot) const {
    const SparseGroup& data = groups_[lanes_[lane].group].data;
    return data.factor[std::size_t{1} * slot * data.width + lanes_[lane].place];
  }
  double scale(int lane, int row) const {
    const SparseGroup& data = groups_[lanes_[lane].group].data;
    return data.scale[std::size_t{1} * row * data.width + lanes_[lane].place];
  }

 private:
  struct Lane {
    std::shared_ptr<const LuSchedule> schedule;  // none before the first regular values
    bool is_regular = false;
    bool needs_pivots = true;    // those of the schedule, if there is one, are not good enough
    bool has_no_pivots = false;  // a pivot vanishes, whatever the choice
    double condition = 0.0;
    double chosen_condition = 0.0;  // when the pivots were chosen, or confirmed
    bool is_new = false;            // the schedule
    int group = -1, place = 0;
  };
  struct Group {
    std::shared_ptr<const LuSchedule> schedule;
    std::vector<int> lanes;
    SparseGroup data = {};
    SparseKernels kernels = {};
    AlignedArray<double> memory = {};
    std::unique_ptr<bool[]> verdicts = {};
  };

  bool choose_pivots(int lane, std::span<const double> values);
  std::shared_ptr<const LuSchedule> schedule_with(std::vector<std::int32_t> row_of,
                                                  std::vector<std::int32_t> column_of);
  void regroup();
  Group make_group(std::shared_ptr<const LuSchedule> schedule, std::vector<int> lanes) const;
  void run(const Group& group, std::span<const double> values, std::span<const char> is_due);

  int size_;
  SparseKernels (*kernels_)(int width);
  PivotSearch search_;
  std::shared_ptr<const LuSchedule> intended_;
  CompiledSolve compiled_ = nullptr;
  bool is_as_intended_ = false;  // all lanes stand side by side in one group with this schedule
  std::vector<std::int32_t> entry_row_, entry_column_;
  std::vector<Lane> lanes_;
  std::vector<Group> groups_;
  std::array<std::shared_ptr<const LuSchedule>, 64>
      recent_;  // what swings comes back to its pivots
  std::size_t oldest_ = 0;
  std::vector<double> entries_;  // of one lane
};

}  // namespace daedal::linear
