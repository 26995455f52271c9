#include "linear/elimination_order.hpp"

#include <algorithm>
#include <compare>
#include <set>

namespace daedal::linear {
namespace {

// What changes in a column with more rows is noticed only when one of them is about to be chosen.
constexpr std::size_t most_rows_told = 16;

// The pattern that is left during an elimination.
class Elimination {
 public:
  Elimination(int size, std::span<const Place> entries)
      : rows_(size), columns_(size), choice_(size) {
    for (const Place& entry : entries) {
      rows_[entry.row].entries.push_back({entry.column, entry.is_steady, false});
      columns_[entry.column].rows.push_back(entry.row);
      ++rows_[entry.row].num_given;
      ++columns_[entry.column].num_given;
    }
    for (int i = 0; i < size; ++i) choose_in(i);
  }

  EliminationOrder run() {
    EliminationOrder order;
    while (!open_.empty()) {
      const std::int32_t row = open_.begin()->row;
      const Choice expected = choice_[row];
      choose_in(row);  // what it was chosen by may have changed
      if (expected != choice_[row]) continue;
      order.row_of.push_back(row);
      order.column_of.push_back(expected.column);
      order.is_steady = order.is_steady && !expected.is_unsteady;
      eliminate(expected);
    }
    return order;
  }

 private:
  struct Entry {
    std::int32_t column;
    bool is_steady;
    bool is_fill;
  };
  struct Row {
    std::vector<Entry> entries;
    int num_given = 0;  // entries that are not fill-in
    int level = 0;      // pivots that have come before, one after the other
  };
  struct Column {
    std::vector<std::int32_t> rows;
    int num_given = 0;
    int level = 0;
  };
  // The best pivot of a row; better is less.
  struct Choice {
    bool is_unsteady = true;
    std::int64_t fill = 0;
    int level = 0;
    std::int32_t row = -1, column = -1;
    auto operator<=>(const Choice&) const = default;
    bool exists() const { return row >= 0; }
  };

  static bool is_made_of_fill(const Row& row, const Column& column) {
    return row.num_given == 0 && column.num_given == 0;
  }

  void choose_in(std::int32_t number) {
    Choice& best = choice_[number];
    if (best.exists()) open_.erase(best);
    best = {};
    const Row& row = rows_[number];
    const auto others_in_row = static_cast<std::int64_t>(row.entries.size()) - 1;
    for (const Entry& entry : row.entries) {
      const Column& column = columns_[entry.column];
      const auto others_in_column = static_cast<std::int64_t>(column.rows.size()) - 1;
      const Choice choice{!entry.is_steady && !is_made_of_fill(row, column),
                          others_in_row * others_in_column, std::max(row.level, column.level),
                          number, entry.column};
      if (!best.exists() || choice < best) best = choice;
    }
    if (best.exists()) open_.insert(best);
  }

  void eliminate(const Choice pivot) {
    open_.erase(pivot);
    choice_[pivot.row] = {};
    const std::vector<Entry> across = std::move(rows_[pivot.row].entries);
    for (const Entry& entry : across) {
      std::erase(columns_[entry.column].rows, pivot.row);
      if (!entry.is_fill) --columns_[entry.column].num_given;
    }
    const std::vector<std::int32_t> below = std::move(columns_[pivot.column].rows);
    std::set<std::int32_t> told(below.begin(), below.end());
    for (const std::int32_t i : below) {
      remove(pivot.column, rows_[i]);
      rows_[i].level = std::max(rows_[i].level, pivot.level + 1);
    }
    for (const Entry& entry : across) {
      if (entry.column == pivot.column) continue;
      Column& column = columns_[entry.column];
      for (const std::int32_t i : below) fill(i, entry.column);
      column.level = std::max(column.level, pivot.level + 1);
      if (column.rows.size() <= most_rows_told) told.insert(column.rows.begin(), column.rows.end());
    }
    for (const std::int32_t i : told) choose_in(i);
  }

  static void remove(std::int32_t column, Row& row) {
    const auto entry = std::ranges::find(row.entries, column, &Entry::column);
    if (!entry->is_fill) --row.num_given;
    row.entries.erase(entry);
  }

  void fill(std::int32_t row, std::int32_t column) {
    std::vector<Entry>& entries = rows_[row].entries;
    if (std::ranges::find(entries, column, &Entry::column) != entries.end()) return;
    entries.push_back({column, false, true});
    columns_[column].rows.push_back(row);
  }

  std::vector<Row> rows_;
  std::vector<Column> columns_;
  std::vector<Choice> choice_;  // by row
  std::set<Choice> open_;
};

}  // namespace

EliminationOrder find_elimination_order(int size, std::span<const Place> entries) {
  return Elimination(size, entries).run();
}

}  // namespace daedal::linear
