#include "structure/signature_matrix.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.hpp"

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

}  // namespace daedal::structure
