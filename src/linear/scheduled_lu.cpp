#include "linear/scheduled_lu.hpp"

#include <algorithm>
#include <cmath>

#include "linear/dense_kernels.hpp"

namespace daedal::linear {
namespace {

// Pivots whose ratio has become so many times worse since they were chosen are chosen anew: as a
// system turns, a pivot may pass through zero without any growth beside it.
constexpr double worst_decay = 1e4;

bool is_among(std::span<const char> due, int lane) { return due.empty() || due[lane] != 0; }

}  // namespace

ScheduledLu::ScheduledLu(int size, const std::vector<Place>& places, int lanes,
                         SparseKernels (*kernels)(int width))
    : size_(size), kernels_(kernels), search_(size, places), lanes_(lanes) {
  for (const Place& entry : search_.entries()) {
    entry_row_.push_back(entry.row);
    entry_column_.push_back(entry.column);
  }
  entries_.resize(search_.entries().size() + 1);
  const EliminationOrder& order = search_.intended();
  if (!order.row_of.empty())
    intended_ = std::make_shared<const LuSchedule>(
        make_lu_schedule(size, search_.entries(), order.row_of, order.column_of));
}

bool ScheduledLu::factorise(std::span<const double> values, std::span<const char> is_due) {
  for (const Group& group : groups_) run(group, values, is_due);
  bool is_changed = false;
  const int num_lanes = static_cast<int>(lanes_.size());
  for (int lane = 0; lane < num_lanes; ++lane) {
    if (!is_among(is_due, lane)) continue;
    lanes_[lane].has_no_pivots = false;
    if (lanes_[lane].needs_pivots) is_changed = choose_pivots(lane, values) || is_changed;
  }
  if (is_changed) {
    regroup();
    for (const Group& group : groups_) run(group, values, is_due);
  }
  bool is_regular = true;
  for (int number = 0; number < num_lanes; ++number) {
    Lane& lane = lanes_[number];
    if (!is_among(is_due, number)) continue;
    if (lane.needs_pivots || lane.is_new) lane.chosen_condition = lane.condition;
    lane.is_new = false;
    lane.is_regular =
        lane.is_regular && !lane.has_no_pivots && smallest_pivot_ratio * lane.condition < 1.0;
    is_regular = is_regular && lane.is_regular;
  }
  return is_regular;
}

void ScheduledLu::run(const Group& group, std::span<const double> values,
                      std::span<const char> is_due) {
  group.kernels.factorise(group.data, values.data());
  for (std::size_t k = 0; k < group.lanes.size(); ++k) {
    Lane& lane = lanes_[group.lanes[k]];
    if (!is_among(is_due, group.lanes[k])) continue;
    lane.is_regular = group.data.is_proper[k];
    lane.condition = group.data.condition[k];
    lane.needs_pivots = !lane.is_regular || group.data.has_grown[k] ||
                        lane.condition > worst_decay * lane.chosen_condition;
  }
}

// True if the lane's schedule is another one now.
bool ScheduledLu::choose_pivots(int number, std::span<const double> values) {
  Lane& lane = lanes_[number];
  lane.has_no_pivots = true;
  const auto value = [&](std::int32_t k) { return values[k * lanes_.size() + number]; };
  for (std::size_t k = 0; k < search_.entry_of.size(); ++k)
    entries_[search_.entry_of[k]] = value(static_cast<std::int32_t>(k));
  for (std::size_t k = 0; k < search_.repeated.size(); ++k)
    entries_[search_.repeated_entry[k]] += value(search_.repeated[k]);
  const auto given = std::span(entries_).first(entries_.size() - 1);
  if (!std::all_of(given.begin(), given.end(), [](double v) { return std::isfinite(v); }))
    return false;
  std::vector<std::int32_t> row_of, column_of;
  if (!search_.find(given, row_of, column_of)) return false;
  lane.has_no_pivots = false;
  if (lane.schedule != nullptr && lane.schedule->row_of == row_of) return false;
  lane.schedule = schedule_with(std::move(row_of), std::move(column_of));
  lane.is_new = true;
  return true;
}

std::shared_ptr<const LuSchedule> ScheduledLu::schedule_with(std::vector<std::int32_t> row_of,
                                                             std::vector<std::int32_t> column_of) {
  if (intended_ != nullptr && intended_->row_of == row_of) return intended_;
  for (const Lane& lane : lanes_)
    if (lane.schedule != nullptr && lane.schedule->row_of == row_of) return lane.schedule;
  for (const auto& schedule : recent_)
    if (schedule != nullptr && schedule->row_of == row_of) return schedule;
  recent_[oldest_] = std::make_shared<const LuSchedule>(
      make_lu_schedule(size_, search_.entries(), std::move(row_of), std::move(column_of)));
  const auto& made = recent_[oldest_];
  oldest_ = (oldest_ + 1) % recent_.size();
  return made;
}

void ScheduledLu::regroup() {
  groups_.clear();
  std::vector<bool> is_placed(lanes_.size(), false);
  for (std::size_t first = 0; first < lanes_.size(); ++first) {
    if (is_placed[first] || lanes_[first].schedule == nullptr) continue;
    std::vector<int> members;
    for (std::size_t lane = first; lane < lanes_.size() && members.size() < 8; ++lane) {
      if (is_placed[lane] || lanes_[lane].schedule != lanes_[first].schedule) continue;
      is_placed[lane] = true;
      lanes_[lane].group = static_cast<int>(groups_.size());
      lanes_[lane].place = static_cast<int>(members.size());
      members.push_back(static_cast<int>(lane));
    }
    groups_.push_back(make_group(lanes_[first].schedule, std::move(members)));
  }
  is_as_intended_ = groups_.size() == 1 && groups_[0].schedule == intended_ &&
                    groups_[0].lanes.size() == lanes_.size() &&
                    groups_[0].data.width == static_cast<int>(lanes_.size());
}

ScheduledLu::Group ScheduledLu::make_group(std::shared_ptr<const LuSchedule> schedule,
                                           std::vector<int> lanes) const {
  Group group{.schedule = std::move(schedule), .lanes = std::move(lanes)};
  const LuSchedule& s = *group.schedule;
  const std::size_t count = group.lanes.size();
  const int width = count == 1 ? 1 : count <= 4 ? 4 : 8;
  group.kernels = kernels_(width);
  group.verdicts = std::make_unique<bool[]>(2 * width);
  // Parts begin at cache lines.
  std::size_t total = 0;
  const auto part = [&](std::size_t length) {
    const std::size_t first = total;
    total += (length * width + 7) / 8 * 8;
    return first;
  };
  const std::size_t entry = part(entries_.size()), factor = part(s.num_slots()),
                    scale = part(size_), row_size = part(size_), column_size = part(size_),
                    factor_size = part(size_), y = part(size_), z = part(size_),
                    condition = part(1);
  group.memory = AlignedArray<double>(total);
  double* const memory = group.memory.data();
  group.data = {.program = {.size = size_,
                            .num_slots = s.num_slots(),
                            .diagonal = s.diagonal(),
                            .num_places = static_cast<int>(search_.entry_of.size()),
                            .num_repeated = static_cast<int>(search_.repeated.size()),
                            .num_entries = static_cast<int>(search_.entries().size()),
                            .num_steady = static_cast<int>(search_.steady().size()),
                            .num_levels = static_cast<int>(s.levels.size()),
                            .num_lower = static_cast<int>(s.lower_slot.size()),
                            .num_lower_chunks = static_cast<int>(s.lower.row.size()),
                            .num_upper_chunks = static_cast<int>(s.upper.row.size()),
                            .entry_of = search_.entry_of.data(),
                            .repeated = search_.repeated.data(),
                            .repeated_entry = search_.repeated_entry.data(),
                            .entry_row = entry_row_.data(),
                            .entry_column = entry_column_.data(),
                            .target = s.target.data(),
                            .steady = search_.steady().data(),
                            .is_loose = search_.is_loose().data(),
                            .levels = s.levels.data(),
                            .to = s.to.data(),
                            .left = s.left.data(),
                            .right = s.right.data(),
                            .pivot_order = s.pivot_order.data(),
                            .scaled = s.scaled.data(),
                            .scaled_pivot = s.scaled_pivot.data(),
                            .scaled_column = s.scaled_column.data(),
                            .lower_slot = s.lower_slot.data(),
                            .lower_pivot = s.lower_pivot.data(),
                            .lower_row = s.lower.row.data(),
                            .lower_source = s.lower.source.data(),
                            .upper_row = s.upper.row.data(),
                            .upper_source = s.upper.source.data(),
                            .row_of = s.row_of.data(),
                            .column_of = s.column_of.data()},
                .width = width,
                .count = static_cast<int>(count),
                .lanes = static_cast<int>(lanes_.size()),
                .lane = group.lanes.data(),
                .is_contiguous = static_cast<int>(count) == width &&
                                 group.lanes.back() - group.lanes.front() == width - 1,
                .entry = memory + entry,
                .factor = memory + factor,
                .scale = memory + scale,
                .row_size = memory + row_size,
                .column_size = memory + column_size,
                .factor_size = memory + factor_size,
                .y = memory + y,
                .z = memory + z,
                .is_proper = group.verdicts.get(),
                .has_grown = group.verdicts.get() + width,
                .condition = memory + condition};
  return group;
}

void ScheduledLu::forget(int lane) {
  lanes_[lane] = {};
  regroup();
}

void ScheduledLu::solve(std::span<double> b) const {
  if (compiled_ != nullptr && is_as_intended_) return compiled_(groups_[0].data.factor, b.data());
  for (const Group& group : groups_) group.kernels.solve(group.data, b.data());
}

int ScheduledLu::determinant_sign(int lane) const {
  const Lane& l = lanes_[lane];
  int sign = l.schedule->permutation_sign;
  for (int k = 0; k < size_; ++k)
    if (factor(lane, l.schedule->diagonal() + k) < 0.0) sign = -sign;
  return sign;
}

Determinant ScheduledLu::determinant(int lane) const {
  const LuSchedule& schedule = *lanes_[lane].schedule;
  Determinant inverse{.mantissa = static_cast<double>(schedule.permutation_sign), .exponent = 0};
  const SparseGroup& data = groups_[lanes_[lane].group].data;
  const double* reciprocal =
      data.factor + lanes_[lane].place + std::size_t{1} * schedule.diagonal() * data.width;
  const double* scale = data.scale + lanes_[lane].place;
  const auto at = [&](int k) { return std::size_t{1} * k * data.width; };
  inverse.multiply_all(
      size_, [&](int k) { return reciprocal[at(k)]; }, [&](int k) { return scale[at(k)]; });
  return inverse.inverse();
}

}  // namespace daedal::linear
