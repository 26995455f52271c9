#include "linear/lu_schedule.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <queue>

namespace daedal::linear {
namespace {

// Patterns of the rows of L and V, strictly below and above the diagonal, ascending.
struct FilledRows {
  std::vector<std::vector<std::int32_t>> lower, upper;
};

// Row i fills with the rows of V of all j < i in it.
FilledRows fill_in(const std::vector<std::vector<std::int32_t>>& rows) {
  const auto size = static_cast<std::int32_t>(rows.size());
  FilledRows filled{std::vector<std::vector<std::int32_t>>(size),
                    std::vector<std::vector<std::int32_t>>(size)};
  std::vector<std::int32_t> seen_by(size, -1);
  std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> open;
  for (std::int32_t i = 0; i < size; ++i) {
    const auto add = [&](std::int32_t j) {
      if (seen_by[j] == i) return;
      seen_by[j] = i;
      if (j < i) open.push(j);
      if (j > i) filled.upper[i].push_back(j);
    };
    for (const std::int32_t j : rows[i]) add(j);
    while (!open.empty()) {
      const std::int32_t j = open.top();
      open.pop();
      filled.lower[i].push_back(j);
      for (const std::int32_t m : filled.upper[j]) add(m);
    }
    std::sort(filled.upper[i].begin(), filled.upper[i].end());
  }
  return filled;
}

// How many rows have to be known, one after the other, before a row of L or of V is.
std::vector<int> lower_depths(const FilledRows& filled) {
  std::vector<int> depth(filled.lower.size(), 0);
  for (std::size_t i = 0; i < depth.size(); ++i)
    for (const std::int32_t j : filled.lower[i]) depth[i] = std::max(depth[i], depth[j] + 1);
  return depth;
}
std::vector<int> upper_depths(const FilledRows& filled) {
  std::vector<int> depth(filled.upper.size(), 0);
  for (std::size_t i = depth.size(); i-- > 0;)
    for (const std::int32_t j : filled.upper[i]) depth[i] = std::max(depth[i], depth[j] + 1);
  return depth;
}

std::vector<std::int32_t> inverse(std::span<const std::int32_t> permutation) {
  std::vector<std::int32_t> result(permutation.size());
  for (std::size_t k = 0; k < result.size(); ++k)
    result[permutation[k]] = static_cast<std::int32_t>(k);
  return result;
}

FilledRows fill_in(std::span<const Place> entries, std::span<const std::int32_t> row_of,
                   std::span<const std::int32_t> column_of) {
  const std::vector<std::int32_t> row = inverse(row_of), column = inverse(column_of);
  std::vector<std::vector<std::int32_t>> rows(row.size());
  for (const Place& entry : entries) rows[row[entry.row]].push_back(column[entry.column]);
  return fill_in(rows);
}

std::vector<std::int32_t> by_depth(const std::vector<int>& depth) {
  std::vector<std::int32_t> order(depth.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int32_t>(k);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[a] < depth[b]; });
  return order;
}

int parity(std::span<const std::int32_t> permutation) {
  std::vector<bool> seen(permutation.size(), false);
  int sign = 1;
  for (std::size_t start = 0; start < permutation.size(); ++start) {
    for (std::size_t k = permutation[start]; !seen[start] && k != start; k = permutation[k]) {
      seen[k] = true;
      sign = -sign;
    }
    seen[start] = true;
  }
  return sign;
}

class Builder {
 public:
  Builder(int size, std::span<const Place> entries, std::vector<std::int32_t> row_of,
          std::vector<std::int32_t> column_of)
      : entries_(entries), slot_(size) {
    s_.size = size;
    s_.row_of = std::move(row_of);
    s_.column_of = std::move(column_of);
    s_.permutation_sign = parity(s_.row_of) * parity(s_.column_of);
  }

  LuSchedule build() {
    static std::atomic<int> next_version = 1;
    s_.version = next_version++;
    filled_ = fill_in(entries_, s_.row_of, s_.column_of);
    const std::vector<int> lower_depth = lower_depths(filled_), upper_depth = upper_depths(filled_);
    s_.num_lower = lay_out(filled_.lower, lower_depth, s_.row_of, 0, s_.lower, lower_slots_);
    s_.num_upper =
        lay_out(filled_.upper, upper_depth, s_.column_of, s_.num_lower, s_.upper, upper_slots_);
    find_targets();
    add_levels(lower_depth);
    return std::move(s_);
  }

 private:
  using Rows = std::vector<std::vector<std::int32_t>>;

  // Chunks of the rows in the order of their depth. Returns the number of slots.
  static int lay_out(const Rows& rows, const std::vector<int>& depth,
                     const std::vector<std::int32_t>& label, int first_slot,
                     LuSchedule::Substitution& chunks, Rows& slots) {
    slots.resize(rows.size());
    std::vector<std::int32_t> order;
    for (const std::int32_t i : by_depth(depth)) {
      const std::vector<std::int32_t>& row = rows[i];
      const auto length = static_cast<std::int32_t>(row.size());
      order.resize(length);
      for (std::int32_t k = 0; k < length; ++k) order[k] = k;
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return depth[row[a]] < depth[row[b]]; });
      const int num_chunks = (length + LuSchedule::chunk - 1) / LuSchedule::chunk;
      chunks.row.insert(chunks.row.end(), num_chunks, label[i]);
      chunks.source.insert(chunks.source.end(), num_chunks * LuSchedule::chunk - length, label[i]);
      slots[i].resize(length);
      for (const std::int32_t k : order) {
        slots[i][k] = first_slot + static_cast<std::int32_t>(chunks.source.size());
        chunks.source.push_back(label[row[k]]);
      }
    }
    return static_cast<int>(chunks.source.size());
  }

  // slot_[j]: of column j in row i.
  void find_slots(std::int32_t i) {
    for (std::size_t k = 0; k < filled_.lower[i].size(); ++k)
      slot_[filled_.lower[i][k]] = lower_slots_[i][k];
    for (std::size_t k = 0; k < filled_.upper[i].size(); ++k)
      slot_[filled_.upper[i][k]] = upper_slots_[i][k];
    slot_[i] = s_.diagonal() + i;
  }

  void find_targets() {
    const std::vector<std::int32_t> row = inverse(s_.row_of), column = inverse(s_.column_of);
    Rows entries_of(s_.size);
    for (std::size_t e = 0; e < entries_.size(); ++e)
      entries_of[row[entries_[e].row]].push_back(static_cast<std::int32_t>(e));
    s_.target.resize(entries_.size());
    for (std::int32_t i = 0; i < s_.size; ++i) {
      find_slots(i);
      for (const std::int32_t e : entries_of[i]) s_.target[e] = slot_[column[entries_[e].column]];
    }
  }

  void add_levels(const std::vector<int>& depth) {
    const std::vector<std::int32_t> order = by_depth(depth);
    for (std::size_t at = 0; at < order.size();) {
      const int this_depth = depth[order[at]];
      for (; at < order.size() && depth[order[at]] == this_depth; ++at) add_row(order[at]);
      s_.levels.push_back({static_cast<std::int32_t>(s_.to.size()),
                           static_cast<std::int32_t>(s_.pivot_order.size()),
                           static_cast<std::int32_t>(s_.scaled.size())});
    }
  }

  // w_im -= w_ij v_jm for the j of row i, ascending, w = L D; then its pivot d_i and v_im = u_im /
  // d_i.
  void add_row(std::int32_t i) {
    find_slots(i);
    for (const std::int32_t j : filled_.lower[i]) {
      for (std::size_t k = 0; k < filled_.upper[j].size(); ++k) {
        s_.to.push_back(slot_[filled_.upper[j][k]]);
        s_.left.push_back(slot_[j]);
        s_.right.push_back(upper_slots_[j][k]);
      }
      s_.lower_slot.push_back(slot_[j]);
      s_.lower_pivot.push_back(j);
    }
    s_.pivot_order.push_back(i);
    for (const std::int32_t m : filled_.upper[i]) {
      s_.scaled.push_back(slot_[m]);
      s_.scaled_pivot.push_back(i);
      s_.scaled_column.push_back(s_.column_of[m]);
    }
  }

  LuSchedule s_;
  std::span<const Place> entries_;
  FilledRows filled_;
  Rows lower_slots_, upper_slots_;  // parallel to filled_
  std::vector<std::int32_t> slot_;
};

}  // namespace

double substitution_cost(int size, std::span<const Place> entries,
                         std::span<const std::int32_t> row_of,
                         std::span<const std::int32_t> column_of) {
  constexpr double per_operation = 2.0, per_row = 5.0, per_dependency = 14.0;  // rough
  const FilledRows filled = fill_in(entries, row_of, column_of);
  double operations = 0.0;
  for (const auto* rows : {&filled.lower, &filled.upper})
    for (const auto& row : *rows) operations += static_cast<double>(row.size());
  const std::vector<int> lower = lower_depths(filled), upper = upper_depths(filled);
  const int depth =
      *std::max_element(lower.begin(), lower.end()) + *std::max_element(upper.begin(), upper.end());
  return std::max(per_operation * operations + per_row * size, per_dependency * depth);
}

LuSchedule make_lu_schedule(int size, std::span<const Place> entries,
                            std::vector<std::int32_t> row_of, std::vector<std::int32_t> column_of) {
  return Builder(size, entries, std::move(row_of), std::move(column_of)).build();
}

}  // namespace daedal::linear
