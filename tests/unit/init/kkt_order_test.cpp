#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "init/kkt_system.hpp"

namespace daedal::init {
namespace {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

RowMatrix matrix(int num_rows, int num_columns, const std::vector<Eigen::Triplet<double>>& places) {
  RowMatrix result(num_rows, num_columns);
  result.setFromTriplets(places.begin(), places.end());
  return result;
}

TEST(PairRows, takes_an_unknown_from_a_row_that_finds_another_one) {
  // The first row takes unknown 0, which is all that the second has.
  EXPECT_EQ(pair_rows(matrix(2, 2, {{0, 0, 1.0}, {0, 1, 1.0}, {1, 0, 1.0}})), (std::vector{1, 0}));
}

TEST(PairRows, leaves_a_row_alone_if_nothing_is_left_for_it) {
  EXPECT_EQ(pair_rows(matrix(3, 2, {{0, 0, 1.0}, {1, 0, 1.0}, {2, 1, 0.0}})),
            (std::vector{0, -1, -1}));
}

TEST(PairRows, does_not_take_pivots_that_are_small_beside_others_of_their_column) {
  EXPECT_EQ(pair_rows(matrix(2, 2, {{0, 0, 1e-3}, {0, 1, 1.0}, {1, 0, 1.0}, {1, 1, 1.0}})),
            (std::vector{1, 0}));
}

TEST(OrderKkt, takes_each_row_and_column_once_and_entries_of_G_as_pivots_of_pairs) {
  constexpr int n = 50;  // a chain: row r contains the unknowns r and r + 1
  std::vector<Eigen::Triplet<double>> G_places, places;
  for (int r = 0; r + 1 < n; ++r)
    for (const int k : {r, r + 1}) G_places.emplace_back(r, k, 1.0);
  for (int k = 0; k < n; ++k) places.emplace_back(k, k, 1e-8);
  for (const auto& e : G_places) {
    places.emplace_back(n + e.row(), e.col(), e.value());
    places.emplace_back(e.col(), n + e.row(), e.value());
  }
  Eigen::SparseMatrix<double> K(2 * n - 1, 2 * n - 1);
  K.setFromTriplets(places.begin(), places.end());
  const KktOrder order = order_kkt(K, matrix(n - 1, n, G_places));
  std::vector<int> all(2 * n - 1);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_TRUE(std::is_permutation(order.rows.begin(), order.rows.end(), all.begin(), all.end()));
  EXPECT_TRUE(
      std::is_permutation(order.columns.begin(), order.columns.end(), all.begin(), all.end()));
  int num_of_G = 0;
  for (std::size_t k = 0; k < order.rows.size(); ++k) {
    EXPECT_NE(K.coeff(order.rows[k], order.columns[k]), 0.0);
    if (order.rows[k] != order.columns[k]) ++num_of_G;
  }
  EXPECT_EQ(num_of_G, 2 * (n - 1));
}

}  // namespace
}  // namespace daedal::init
