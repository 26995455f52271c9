// All of it is a matter of one matrix, A = U Z (Z^T S Z)^-1/2: rows for conditions, columns for
// directions of T. Its diagonal of A A^T tells which condition moves at all (TangentResponse); if
// one does not, the rank of A is needed. It is told without A where it is full:
//
//   (A A^T)^-1 b   is -q of   [S E^T U^T; E 0 0; U 0 0] (p, m, q) = (0, 0, b)          by rows
//   (A^T A)^-1     is       [U^T U  E^T; E 0]^-1 S on T                                  by columns
//
// so that the largest eigenvalue of the inverse, 1/(smallest singular value)^2, is found by a power
// iteration with a sparse factorisation.
#include "init/independence.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "init/restoration.hpp"
#include "init/tangent_response.hpp"
#include "linear/balance.hpp"

namespace daedal::init {

// ---------------------------------------------------------------------------------------------------------------------
// Are they independent

namespace {

// A condition that changes by less than this over a unit step in T, measured in nominal values,
// does not depend on where in T one is. Square root of the rounding errors, times 100: a point
// where conditions touch the constraints is found to the square root of rounding only.
constexpr double least_slope = 1e-6;
constexpr double least_response = least_slope * least_slope;
// Weight of the values that follow from the start; small, since they can grow with each
// differentiation.
constexpr double weight_of_followers = 1e-10;
// So many conditions are judged by a full Gram matrix.
constexpr std::size_t most_dense = 300;
constexpr int most_iterations = 12;  // of a power iteration, which is then right to a factor of 10

class Judge {
 public:
  Judge(RowMatrix E, RowMatrix U, const std::vector<bool>& is_start)
      : E_(std::move(E)), U_(std::move(U)), S_(norm_of_start(is_start)), response_(S_, E_) {}

  Independence judge() const {
    Independence result;
    result.dimension = static_cast<int>(E_.cols() - E_.rows());
    const std::vector<bool> moves = response_.exceeds(U_, least_response);
    const auto fixed_there = std::find(moves.begin(), moves.end(), false);
    if (fixed_there == moves.end()) return result;  // perhaps repeated, but each a coordinate
    result.dependent = {static_cast<int>(fixed_there - moves.begin())};
    std::vector<int> moving;
    for (int a = 0; a < static_cast<int>(moves.size()); ++a)
      if (moves[a]) moving.push_back(a);
    result.rank = rank_of(moving, result.dimension);
    return result;
  }

 private:
  static Vector norm_of_start(const std::vector<bool>& is_start) {
    Vector S(static_cast<Eigen::Index>(is_start.size()));
    for (int k = 0; k < S.size(); ++k) S[k] = is_start[k] ? 1.0 : weight_of_followers;
    return S;
  }

  // The rank of some conditions on T.
  int rank_of(const std::vector<int>& some, int dimension) const {
    if (some.size() <= most_dense) return rank_of_gram(some);
    if (have_full_column_rank()) return dimension;
    return have_full_row_rank(some) ? static_cast<int>(some.size()) : rank_of_gram(some);
  }

  // Does any direction of T change some condition?
  bool have_full_column_rank() const {
    std::vector<Triplet> entries;
    const Eigen::SparseMatrix<double> squares = U_.transpose() * U_;
    for (int k = 0; k < squares.outerSize(); ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(squares, k); entry; ++entry)
        entries.emplace_back(static_cast<int>(entry.row()), k, entry.value());
    KktSystem kkt;
    if (!kkt.factorise(entries, E_)) return false;
    return largest_eigenvalue(response_.random_tangent(0), [&](const Vector& z) {
             return Vector(kkt.solve(S_.cwiseProduct(z), Vector::Zero(E_.rows())).p);
           }) < 1 / least_response;
  }

  // Does no combination of the conditions vanish on T?
  bool have_full_row_rank(const std::vector<int>& some) const {
    RowMatrix G(E_.rows() + static_cast<Eigen::Index>(some.size()), E_.cols());
    std::vector<Triplet> entries;
    for (int row = 0; row < G.rows(); ++row) {
      const bool is_equation = row < E_.rows();
      const int place = is_equation ? row : some[row - E_.rows()];
      for (RowMatrix::InnerIterator entry(is_equation ? E_ : U_, place); entry; ++entry)
        entries.emplace_back(row, static_cast<int>(entry.col()), entry.value());
    }
    G.setFromTriplets(entries.begin(), entries.end());
    KktSystem kkt;
    if (!kkt.factorise(diagonal(S_), G)) return false;
    const auto count = static_cast<Eigen::Index>(some.size());
    Vector start(count);
    for (int k = 0; k < count; ++k) start[k] = random_fraction(static_cast<std::uint64_t>(k));
    return largest_eigenvalue(std::move(start), [&](const Vector& b) {
             Vector right = Vector::Zero(G.rows());
             right.tail(count) = b;
             return Vector(kkt.solve(Vector::Zero(G.cols()), right).q.tail(count));
           }) < 1 / least_response;
  }

  // In size; infinite if the iteration breaks down.
  template <typename Apply>
  static double largest_eigenvalue(Vector v, Apply apply) {
    double eigenvalue = 0.0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      v = apply(v / v.norm());
      eigenvalue = v.norm();
      if (!std::isfinite(eigenvalue)) return std::numeric_limits<double>::infinity();
      if (eigenvalue == 0.0) break;
    }
    return eigenvalue;
  }

  // Cholesky with pivoting on the Gram matrix A A^T; what is left below least_response is zero.
  int rank_of_gram(const std::vector<int>& some) const {
    Eigen::MatrixXd rest = gram_matrix(some);
    Vector left = rest.diagonal();
    int rank = 0;
    for (; rank < left.size(); ++rank) {
      Eigen::Index place = 0;
      const double largest = left.maxCoeff(&place);
      if (!(largest > least_response)) break;
      const Vector column = rest.col(place);
      rest.noalias() -= column / largest * column.transpose();
      left = left.cwiseMin(rest.diagonal());
      left[place] = 0.0;
    }
    return rank;
  }

  Eigen::MatrixXd gram_matrix(const std::vector<int>& some) const {
    const auto count = static_cast<Eigen::Index>(some.size());
    Eigen::MatrixXd gram(count, count);
    for (Eigen::Index a = 0; a < count; ++a) {
      const Vector moved = U_ * response_.projected(U_.row(some[a]).transpose());
      for (Eigen::Index b = 0; b < count; ++b) gram(b, a) = moved[some[b]];
    }
    return (gram + gram.transpose()) / 2;
  }

  RowMatrix E_, U_;
  Vector S_;  // the squared norm on T
  TangentResponse response_;
};

// The rows of the equations, each of norm 1.
RowMatrix scaled_equations(const ConstraintSystem& system, const RowMatrix& jacobian) {
  const Selection all{std::vector<bool>(static_cast<std::size_t>(system.num_unknowns()), false),
                      std::vector<bool>(static_cast<std::size_t>(system.num_rows()), true)};
  Vector scale;
  return scaled_jacobian(jacobian, all, scale).topRows(system.num_equation_rows());
}

// The gradients of the conditions, each of norm 1.
RowMatrix gradients(const ConstraintSystem& system, const RowMatrix& jacobian,
                    const std::vector<Condition>& conditions) {
  std::vector<Triplet> entries;
  for (int a = 0; a < static_cast<int>(conditions.size()); ++a) {
    const Condition& condition = conditions[a];
    if (condition.is_fixed_value()) {
      entries.emplace_back(a, system.layout().position(condition.unknown, condition.order), 1.0);
      continue;
    }
    const int row = system.num_equation_rows() + condition.initial_equation;
    const double norm = jacobian.row(row).norm();
    for (RowMatrix::InnerIterator entry(jacobian, row); entry && norm > 0.0; ++entry)
      entries.emplace_back(a, static_cast<int>(entry.col()), entry.value() / norm);
  }
  RowMatrix U(static_cast<Eigen::Index>(conditions.size()), system.num_unknowns());
  U.setFromTriplets(entries.begin(), entries.end());
  return U;
}

// The Jacobian with zeros where an entry may be one: where moving the point by what it is uncertain
// by moves the entry by as much as its size.
RowMatrix certain_entries(ConstraintSystem& system, const Vector& v, RowMatrix jacobian) {
  constexpr double uncertainty = 1e-7;  // the square root of rounding, times 7: see least_slope
  constexpr double many = 10.0;         // an entry is certain if it is as many times its motion
  const double scale = value_scale(v);
  for (const std::uint64_t direction : {0U, 1U}) {
    Vector moved = v;
    for (Eigen::Index k = 0; k < v.size(); ++k)
      moved[k] += uncertainty * (std::abs(v[k]) + scale) *
                  random_fraction(direction * static_cast<std::uint64_t>(v.size()) +
                                  static_cast<std::uint64_t>(k));
    const RowMatrix there = system.linearise(moved).jacobian;
    for (int row = 0; row < jacobian.rows(); ++row) {
      RowMatrix::InnerIterator other(there, row);
      for (RowMatrix::InnerIterator entry(jacobian, row); entry; ++entry, ++other)
        if (!(std::abs(entry.value()) > many * std::abs(other.value() - entry.value())))
          entry.valueRef() = 0.0;
    }
  }
  return jacobian;
}

// The Jacobian with columns in balanced units, which follow from the equations and not from the
// units that the user chose for the unknowns.
RowMatrix in_balanced_units(const RowMatrix& jacobian) {
  std::vector<linear::Triplet> entries;
  for (int row = 0; row < jacobian.rows(); ++row)
    for (RowMatrix::InnerIterator entry(jacobian, row); entry; ++entry)
      entries.push_back({row, static_cast<int>(entry.col()), entry.value()});
  const linear::Balance balance = linear::balance(static_cast<int>(jacobian.rows()),
                                                  static_cast<int>(jacobian.cols()), entries);
  RowMatrix balanced = jacobian;
  for (int row = 0; row < balanced.rows(); ++row)
    for (RowMatrix::InnerIterator entry(balanced, row); entry; ++entry)
      entry.valueRef() *= balance.columns[static_cast<std::size_t>(entry.col())];
  return balanced;
}

bool has_empty_row(const RowMatrix& matrix) {
  for (int row = 0; row < matrix.rows(); ++row)
    if (matrix.row(row).norm() == 0.0) return true;
  return false;
}

}  // namespace

Independence judge_independence(ConstraintSystem& system, const Vector& v,
                                const ConstraintSystem::Linearisation& at,
                                const std::vector<Condition>& conditions,
                                const std::vector<bool>& is_start) {
  if (conditions.empty()) return {};
  const auto judge = [&](const RowMatrix& jacobian) {
    return Judge(scaled_equations(system, jacobian), gradients(system, jacobian, conditions),
                 is_start)
        .judge();
  };
  Independence found = judge(at.jacobian);
  if (found.is_accepted()) return found;
  // In the units chosen some condition hardly changes: does it in those that the equations have?
  const RowMatrix certain = certain_entries(system, v, at.jacobian);
  if (has_empty_row(certain)) return found;
  const Independence in_own_units = judge(in_balanced_units(certain));
  return in_own_units.is_accepted() ? in_own_units : found;
}

// ---------------------------------------------------------------------------------------------------------------------
// Which conditions there are, and which of them conflict

namespace {

using CanHold = std::function<bool(const std::vector<Condition>&)>;
using Conditions = std::vector<Condition>;

Conditions joined(const Conditions& a, const Conditions& b) {
  Conditions all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// QuickXplain [Junker2004]: the part of `candidates` in a minimal conflict that
// contains what of `background` it needs.
Conditions explain(const Conditions& background, bool background_grew, const Conditions& candidates,
                   const CanHold& can_hold) {
  if (background_grew && !can_hold(background)) return {};
  if (candidates.size() == 1) return candidates;
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
  const Conditions first(candidates.begin(), middle), second(middle, candidates.end());
  const Conditions of_second = explain(joined(background, first), !first.empty(), second, can_hold);
  const Conditions of_first =
      explain(joined(background, of_second), !of_second.empty(), first, can_hold);
  return joined(of_first, of_second);
}

}  // namespace

std::vector<Condition> conditions_of(const SearchInput& input) {
  std::vector<Condition> conditions;
  for (std::size_t j = 0; j < input.starts.size(); ++j)
    for (std::size_t m = 0; m < input.starts[j].derivatives.size(); ++m)
      if (input.starts[j].derivatives[m].fixed)
        conditions.push_back({static_cast<int>(j), static_cast<int>(m), -1});
  for (std::size_t e = 0; e < input.initial_residuals.size(); ++e)
    conditions.push_back({-1, 0, static_cast<int>(e)});
  return conditions;
}

std::vector<Condition> minimal_conflict(
    const std::vector<Condition>& conditions,
    const std::function<bool(const std::vector<Condition>&)>& can_hold) {
  return explain({}, false, conditions, can_hold);
}

}  // namespace daedal::init
