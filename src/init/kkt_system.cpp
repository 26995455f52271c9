#include "init/kkt_system.hpp"

#include <klu.h>

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/klu_memory.hpp"

namespace daedal::init {

// ---------------------------------------------------------------------------------------------------------------------
// In which order to eliminate

namespace {

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

// ---------------------------------------------------------------------------------------------------------------------
// Factors and solutions

namespace {

// delta, where rows of G (norm 1) depend on each other.
constexpr double smallest_pivot = 1e-13;
// A step that answers residuals of size 1; longer ones mean dependent rows.
constexpr double longest_response = 1e13;

// The largest entry of H in columns that G has entries in; 1 if there is none.
double largest_entry(const std::vector<Triplet>& hessian, const RowMatrix& jacobian) {
  std::vector<bool> is_moved(static_cast<std::size_t>(jacobian.cols()), false);
  for (int row = 0; row < jacobian.rows(); ++row)
    for (RowMatrix::InnerIterator entry(jacobian, row); entry; ++entry)
      if (entry.value() != 0.0) is_moved[entry.col()] = true;
  double largest = 0.0;
  for (const Triplet& entry : hessian)
    if (is_moved[entry.col()]) largest = std::max(largest, std::abs(entry.value()));
  return largest > 0.0 ? largest : 1.0;
}

}  // namespace

struct KktSystem::Factors {
  Factors() {
    klu_defaults(&common);
    // Symmetric indefinite: a small diagonal pivot must not be preferred to a large one beside it.
    common.tol = 0.1;
  }
  ~Factors() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;

  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

KktSystem::KktSystem() = default;
KktSystem::~KktSystem() = default;

bool KktSystem::factorise(const std::vector<Triplet>& hessian, const RowMatrix& jacobian) {
  const int n = static_cast<int>(jacobian.cols()), m = static_cast<int>(jacobian.rows());
  size_of_hessian_ = largest_entry(hessian, jacobian);
  std::vector<Triplet> entries;
  entries.reserve(hessian.size() + 2 * static_cast<std::size_t>(jacobian.nonZeros() + m));
  for (const Triplet& entry : hessian)
    entries.emplace_back(entry.row(), entry.col(), entry.value() / size_of_hessian_);
  for (int row = 0; row < m; ++row) {
    bool is_zero = true;
    for (RowMatrix::InnerIterator entry(jacobian, row); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      is_zero = false;
      const int column = static_cast<int>(entry.col());
      entries.emplace_back(n + row, column, entry.value());
      entries.emplace_back(column, n + row, entry.value());
    }
    if (is_zero) entries.emplace_back(n + row, n + row, -1.0);  // moves nothing
  }
  num_unknowns_ = n;
  matrix_.resize(n + m, n + m);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  if (n + m == 0) return true;
  const KktOrder order = order_kkt(matrix_, jacobian);
  if (factorise(matrix_, &order) && is_well_posed()) return true;
  for (int row = 0; row < m; ++row) entries.emplace_back(n + row, n + row, -smallest_pivot);
  Eigen::SparseMatrix<double> regularised(n + m, n + m);
  regularised.setFromTriplets(entries.begin(), entries.end());
  return factorise(regularised, &order);
}

bool KktSystem::factorise(Eigen::SparseMatrix<double>& matrix, const KktOrder* order) {
  factors_ = std::make_unique<Factors>();
  Factors& f = *factors_;
  const int size = static_cast<int>(matrix.cols());
  f.common.btf = order == nullptr ? 1 : 0;
  f.symbolic = order == nullptr
                   ? klu_analyze(size, matrix.outerIndexPtr(), matrix.innerIndexPtr(), &f.common)
                   : klu_analyze_given(size, matrix.outerIndexPtr(), matrix.innerIndexPtr(),
                                       const_cast<int*>(order->rows.data()),     // not changed
                                       const_cast<int*>(order->columns.data()),  // NOLINT
                                       &f.common);
  linear::require_memory(f.common);
  if (f.symbolic == nullptr) return false;
  f.numeric = klu_factor(matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr(),
                         f.symbolic, &f.common);
  linear::require_memory(f.common);
  return f.numeric != nullptr && f.common.status == KLU_OK;
}

// Tried on a right-hand side that no dependence of rows would forgive.
bool KktSystem::is_well_posed() const {
  const Eigen::Index m = matrix_.cols() - num_unknowns_;
  Vector b(m);
  for (Eigen::Index k = 0; k < m; ++k) b[k] = 1.0 + 0.3 * std::sin(1.7 * static_cast<double>(k));
  const Solution solution = solve(Vector::Zero(num_unknowns_), b);
  return solution.p.allFinite() && solution.p.norm() <= longest_response * b.norm();
}

KktSystem::Solution KktSystem::solve(const Vector& a, const Vector& b) const {
  const int size = static_cast<int>(matrix_.cols());
  Vector right(size);
  right << a / size_of_hessian_, b;
  Vector solution = Vector::Zero(size), defect = right;
  for (int refinement = 0; refinement < 3 && size > 0; ++refinement) {
    klu_solve(factors_->symbolic, factors_->numeric, size, 1, defect.data(), &factors_->common);
    solution += defect;
    defect = right - matrix_ * solution;
  }
  return {solution.head(num_unknowns_), size_of_hessian_ * solution.tail(size - num_unknowns_)};
}

bool KktSystem::factorise_square(const RowMatrix& jacobian, const std::vector<int>& rows,
                                 const std::vector<int>& columns) {
  rows_ = rows;
  columns_ = columns;
  num_unknowns_ = jacobian.cols();
  std::vector<int> place(static_cast<std::size_t>(jacobian.cols()), -1);
  for (std::size_t k = 0; k < columns.size(); ++k) place[columns[k]] = static_cast<int>(k);
  std::vector<Triplet> entries;
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (RowMatrix::InnerIterator entry(jacobian, rows[k]); entry; ++entry)
      if (place[entry.col()] >= 0)
        entries.emplace_back(static_cast<int>(k), place[entry.col()], entry.value());
  matrix_.resize(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
  matrix_.setFromTriplets(entries.begin(), entries.end());
  if (!factorise(matrix_, nullptr)) return false;
  klu_rcond(factors_->symbolic, factors_->numeric, &factors_->common);
  return factors_->common.rcond > 0.0;
}

Vector KktSystem::solve_square(const Vector& b) const {
  const int size = static_cast<int>(matrix_.cols());
  Vector right(size), solution = Vector::Zero(num_unknowns_);
  for (int k = 0; k < size; ++k) right[k] = b[rows_[k]];
  klu_solve(factors_->symbolic, factors_->numeric, size, 1, right.data(), &factors_->common);
  for (int k = 0; k < size; ++k) solution[columns_[k]] = right[k];
  return solution;
}

std::vector<Triplet> diagonal(const Vector& d) {
  std::vector<Triplet> entries;
  for (int k = 0; k < d.size(); ++k) entries.emplace_back(k, k, d[k]);
  return entries;
}

}  // namespace daedal::init
