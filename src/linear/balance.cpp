#include "linear/balance.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::linear {
namespace {

// The logarithm of the largest entry's size is halved in each round, so that 1e300 takes 11.
constexpr int most_rounds = 20;
constexpr double near_one = 2.0;  // as near as the rank of a matrix has use for

// By row or column: the factor that takes its largest entry half of the way to 1, in logarithms.
std::vector<double> factors(const std::vector<double>& largest) {
  std::vector<double> result;
  for (const double size : largest) result.push_back(size > 0.0 ? 1 / std::sqrt(size) : 1.0);
  return result;
}

bool are_near_one(const std::vector<double>& largest) {
  return std::all_of(largest.begin(), largest.end(), [](double size) {
    return size == 0.0 || (size <= near_one && size >= 1 / near_one);
  });
}

}  // namespace

Balance balance(int num_rows, int num_columns, std::span<const Triplet> entries) {
  const auto m = static_cast<std::size_t>(num_rows), n = static_cast<std::size_t>(num_columns);
  Balance result{std::vector<double>(m, 1.0), std::vector<double>(n, 1.0)};
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<double> of_rows(m, 0.0), of_columns(n, 0.0);
    for (const Triplet& entry : entries) {
      const double size = result.rows[entry.row] * static_cast<double>(std::abs(entry.value)) *
                          result.columns[entry.column];
      of_rows[entry.row] = std::max(of_rows[entry.row], size);
      of_columns[entry.column] = std::max(of_columns[entry.column], size);
    }
    if (are_near_one(of_rows) && are_near_one(of_columns)) break;
    const std::vector<double> by_row = factors(of_rows), by_column = factors(of_columns);
    for (std::size_t i = 0; i < m; ++i) result.rows[i] *= by_row[i];
    for (std::size_t j = 0; j < n; ++j) result.columns[j] *= by_column[j];
  }
  return result;
}

}  // namespace daedal::linear
