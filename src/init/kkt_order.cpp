#include "init/kkt_order.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedal::init {
namespace {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// Entries below this part of the largest in their column are no good pivots: as of KktSystem's.
constexpr double pivot_tolerance = 0.1;
// Rows looked at to find an unknown for one of them; more is not worth it, since a row left alone
// costs only some fill.
constexpr int most_visits = 64;

class Pairing {
 public:
  explicit Pairing(const RowMatrix& G)
      : G_(G),
        unknown_of_(G.rows(), -1),
        row_of_(G.cols(), -1),
        largest_(G.cols(), 0.0),
        degree_(G.cols(), 0),
        visited_(G.rows(), -1) {
    for (int row = 0; row < G.rows(); ++row)
      for (RowMatrix::InnerIterator entry(G, row); entry; ++entry) {
        largest_[entry.col()] = std::max(largest_[entry.col()], std::abs(entry.value()));
        if (entry.value() != 0.0) ++degree_[entry.col()];
      }
  }

  std::vector<int> run() {
    for (int row = 0; row < G_.rows(); ++row) {
      const int unknown = best_free(row);
      if (unknown >= 0) pair(row, unknown);
    }
    for (int row = 0; row < G_.rows(); ++row) {
      num_visits_ = 0;
      if (unknown_of_[row] < 0) find_by_exchange(row, row);
    }
    return unknown_of_;
  }

 private:
  bool is_good(const RowMatrix::InnerIterator& entry) const {
    return entry.value() != 0.0 &&
           std::abs(entry.value()) >= pivot_tolerance * largest_[entry.col()];
  }

  // The free unknown with a good pivot that is in the fewest rows; -1 if there is none.
  int best_free(int row) const {
    int best = -1;
    for (RowMatrix::InnerIterator entry(G_, row); entry; ++entry) {
      const auto k = static_cast<int>(entry.col());
      if (row_of_[k] < 0 && is_good(entry) && (best < 0 || degree_[k] < degree_[best])) best = k;
    }
    return best;
  }

  void pair(int row, int unknown) {
    unknown_of_[row] = unknown;
    row_of_[unknown] = row;
  }

  // Takes an unknown from a row that finds another one; `search` marks the rows visited.
  bool find_by_exchange(int row, int search) {
    if (num_visits_++ >= most_visits) return false;
    visited_[row] = search;
    const int free = best_free(row);
    if (free >= 0) {
      pair(row, free);
      return true;
    }
    for (RowMatrix::InnerIterator entry(G_, row); entry; ++entry) {
      const auto k = static_cast<int>(entry.col());
      if (!is_good(entry) || visited_[row_of_[k]] == search) continue;
      if (!find_by_exchange(row_of_[k], search)) continue;
      pair(row, k);
      return true;
    }
    return false;
  }

  const RowMatrix& G_;
  std::vector<int> unknown_of_, row_of_;
  std::vector<double> largest_;  // entry, by column
  std::vector<int> degree_;      // entries, by column
  std::vector<int> visited_;     // by row: the last search that did
  int num_visits_ = 0;
};

}  // namespace

std::vector<int> pair_rows(const RowMatrix& G) { return Pairing(G).run(); }

KktOrder order_kkt(const Eigen::SparseMatrix<double>& matrix, const RowMatrix& G) {
  const auto num_unknowns = static_cast<int>(G.cols()), size = static_cast<int>(matrix.cols());
  const std::vector<int> unknown_of = pair_rows(G);
  std::vector<int> node_of(size), partner(size, -1);  // a row takes the node of its unknown
  for (int row = 0; row < G.rows(); ++row)
    if (unknown_of[row] >= 0) partner[num_unknowns + row] = unknown_of[row];
  int num_nodes = 0;
  for (int k = 0; k < size; ++k) node_of[k] = partner[k] >= 0 ? node_of[partner[k]] : num_nodes++;

  std::vector<Eigen::Triplet<char>> places;
  places.reserve(static_cast<std::size_t>(matrix.nonZeros()));
  for (int k = 0; k < size; ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, k); entry; ++entry)
      places.emplace_back(node_of[entry.row()], node_of[k], 1);
  Eigen::SparseMatrix<char> nodes(num_nodes, num_nodes);
  nodes.setFromTriplets(places.begin(), places.end(), [](char, char) { return char{1}; });
  Eigen::AMDOrdering<int>::PermutationType order;
  Eigen::AMDOrdering<int>()(nodes, order);  // indices(k): the node that comes k-th

  std::vector<int> first(num_nodes), second(num_nodes, -1);  // members of a node
  for (int k = 0; k < size; ++k) (partner[k] >= 0 ? second : first)[node_of[k]] = k;
  KktOrder result;
  for (int k = 0; k < num_nodes; ++k) {
    const int node = order.indices()[k], a = first[node], b = second[node];
    result.columns.push_back(a);
    result.rows.push_back(b >= 0 ? b : a);
    if (b < 0) continue;
    result.columns.push_back(b);
    result.rows.push_back(a);
  }
  return result;
}

}  // namespace daedal::init
