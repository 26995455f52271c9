#include "structure/signature.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.hpp"
#include "expr/graph.hpp"
#include "structure/signature_matrix.hpp"

namespace daedal::structure {
namespace {

bool in_row_order(const SignatureEntry& a, const SignatureEntry& b) {
  return std::tie(a.equation, a.unknown) < std::tie(b.equation, b.unknown);
}

bool same_place(const SignatureEntry& a, const SignatureEntry& b) {
  return a.equation == b.equation && a.unknown == b.unknown;
}

}  // namespace

SignatureMatrix::SignatureMatrix(int num_equations, int num_unknowns,
                                 std::vector<SignatureEntry> entries)
    : num_equations_(num_equations), num_unknowns_(num_unknowns) {
  DAEDAL_CHECK(num_equations >= 0 && num_unknowns >= 0);
  std::sort(entries.begin(), entries.end(), in_row_order);
  DAEDAL_CHECK(std::adjacent_find(entries.begin(), entries.end(), same_place) == entries.end());
  row_start_.assign(static_cast<std::size_t>(num_equations) + 1, 0);
  unknowns_.reserve(entries.size());
  orders_.reserve(entries.size());
  for (const SignatureEntry& entry : entries) {
    DAEDAL_CHECK(0 <= entry.equation && entry.equation < num_equations);
    DAEDAL_CHECK(0 <= entry.unknown && entry.unknown < num_unknowns);
    DAEDAL_CHECK(entry.order >= 0);
    ++row_start_[entry.equation + 1];
    unknowns_.push_back(entry.unknown);
    orders_.push_back(entry.order);
  }
  for (int i = 0; i < num_equations; ++i) row_start_[i + 1] += row_start_[i];
}

std::span<const int> SignatureMatrix::unknowns(int equation) const {
  return std::span(unknowns_).subspan(row_start_[equation],
                                      row_start_[equation + 1] - row_start_[equation]);
}

std::span<const int> SignatureMatrix::orders(int equation) const {
  return std::span(orders_).subspan(row_start_[equation],
                                    row_start_[equation + 1] - row_start_[equation]);
}

std::optional<int> SignatureMatrix::order(int equation, int unknown) const {
  const std::span<const int> row = unknowns(equation);
  const auto place = std::lower_bound(row.begin(), row.end(), unknown);
  if (place == row.end() || *place != unknown) return std::nullopt;
  return orders(equation)[place - row.begin()];
}

void Pattern::reset(int num_columns) {
  num_columns_ = num_columns;
  row_start_.resize(1);
  columns_.clear();
}

Pattern pattern_of(const SignatureMatrix& sigma) {
  Pattern pattern(sigma.num_unknowns());
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (const int j : sigma.unknowns(i)) pattern.add(j);
    pattern.end_row();
  }
  return pattern;
}

Pattern transpose(const Pattern& pattern) {
  // Sort the places by column, keeping the order of rows: count, add up, distribute.
  std::vector<int> start(static_cast<std::size_t>(pattern.num_columns()) + 1, 0);
  const int num_places = pattern.first_place(pattern.num_rows());
  for (int place = 0; place < num_places; ++place) ++start[pattern.column(place) + 1];
  for (int j = 0; j < pattern.num_columns(); ++j) start[j + 1] += start[j];
  std::vector<int> rows(num_places);
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int i = 0; i < pattern.num_rows(); ++i) {
    for (const int j : pattern.row(i)) rows[next[j]++] = i;
  }
  Pattern result(pattern.num_rows());
  for (int j = 0; j < pattern.num_columns(); ++j) {
    for (int k = start[j]; k < start[j + 1]; ++k) result.add(rows[k]);
    result.end_row();
  }
  return result;
}

using expr::NodeId;
using expr::Op;

SignatureMatrix signature_of(const expr::Graph& graph, std::span<const NodeId> residuals) {
  std::vector<SignatureEntry> entries;
  std::vector<int> order(
      graph.size());  // of differentiation, from the root down to a node; largest over all paths
  expr::Cone cone(graph);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const auto nodes = cone.below(residuals[i]);
    for (const NodeId node : nodes) order[node.index()] = 0;
    for (std::size_t k = nodes.size(); k-- > 0;) {
      const NodeId node = nodes[k];
      const int below = order[node.index()] + (graph.op(node) == Op::diff ? graph.order(node) : 0);
      for (const NodeId argument : graph.arguments(node))
        order[argument.index()] = std::max(order[argument.index()], below);
      if (graph.op(node) == Op::unknown)
        entries.push_back({static_cast<int>(i), static_cast<int>(graph.unknown(node).index()),
                           order[node.index()]});
    }
  }
  return {static_cast<int>(residuals.size()), static_cast<int>(graph.num_unknowns()),
          std::move(entries)};
}

}  // namespace daedal::structure
