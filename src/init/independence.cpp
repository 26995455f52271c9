#include "init/independence.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "init/kkt_system.hpp"
#include "init/restoration.hpp"

namespace daedal::init {
namespace {

// A condition that changes by less than this over a unit step in T, measured in nominal values,
// does not depend on where in T one is. Square root of the rounding errors, times 100: a point
// where conditions touch the constraints is found to the square root of rounding only.
constexpr double least_slope = 1e-6;
// Weight of the values that follow from the start; small, since they can grow with each
// differentiation.
constexpr double weight_of_followers = 1e-10;
// Far from 1/least_slope, so that three tries out of all directions do.
constexpr double moderate_step = 1e3;

Vector gradient_of(const Condition& condition, const ConstraintSystem& system,
                   const ConstraintSystem::Linearisation& at) {
  Vector u = Vector::Zero(system.num_unknowns());
  if (condition.is_fixed_value())
    u[system.layout().position(condition.unknown, condition.order)] = 1.0;
  else
    u = at.jacobian.row(system.num_equation_rows() + condition.initial_equation).transpose();
  const double norm = u.norm();
  return norm > 0.0 ? Vector(u / norm) : u;
}

// The squared norm on T.
Vector norm_of_start(const std::vector<bool>& is_start) {
  Vector S(static_cast<Eigen::Index>(is_start.size()));
  for (int k = 0; k < S.size(); ++k) S[k] = is_start[k] ? 1.0 : weight_of_followers;
  return S;
}

// A cheap answer for many conditions: if all rows of equations and conditions together can be moved
// by any small amounts with moderate steps, no combination of them vanishes.
bool are_surely_independent(const ConstraintSystem& system,
                            const ConstraintSystem::Linearisation& at,
                            const std::vector<Condition>& conditions,
                            const std::vector<bool>& is_start) {
  const Selection everything{std::vector<bool>(is_start.size(), false),
                             std::vector<bool>(at.residual.size(), true)};
  Vector scale;
  RowMatrix G = scaled_jacobian(at.jacobian, everything, scale);
  std::vector<bool> is_fixed(is_start.size(), false);
  for (const Condition& condition : conditions)
    if (condition.is_fixed_value())
      is_fixed[system.layout().position(condition.unknown, condition.order)] = true;
  for (int row = 0; row < G.rows(); ++row)
    for (RowMatrix::InnerIterator entry(G, row); entry; ++entry)
      if (is_fixed[entry.col()]) entry.valueRef() = 0.0;
  KktSystem kkt;
  const Vector S = norm_of_start(is_start);
  if (!kkt.factorise(diagonal(S), G)) return false;
  for (const double frequency : {1.7, 2.9, 0.6}) {
    Vector b(G.rows());
    for (int row = 0; row < b.size(); ++row) b[row] = 1.0 + std::sin(frequency * row);
    const Vector p = kkt.solve(Vector::Zero(G.cols()), b).p;
    const double length = std::sqrt(S.dot(p.cwiseAbs2()));
    if (!(length <= moderate_step * b.norm()) || !((G * p - b).norm() <= 1e-6 * b.norm()))
      return false;
  }
  return true;
}

// U (Z (Z^T S Z)^-1 Z^T) U^T, Z a basis of T, S the squared norm on T.
Eigen::MatrixXd gram_matrix(const ConstraintSystem& system,
                            const ConstraintSystem::Linearisation& at,
                            const std::vector<Condition>& conditions,
                            const std::vector<bool>& is_start) {
  Selection equations{std::vector<bool>(is_start.size(), false),
                      std::vector<bool>(at.residual.size(), false)};
  std::fill_n(equations.is_active.begin(), system.num_equation_rows(), true);
  Vector scale;
  KktSystem kkt;
  kkt.factorise(diagonal(norm_of_start(is_start)), scaled_jacobian(at.jacobian, equations, scale));
  const auto count = static_cast<Eigen::Index>(conditions.size());
  Eigen::MatrixXd U(system.num_unknowns(), count), P(system.num_unknowns(), count);
  for (Eigen::Index a = 0; a < count; ++a) {
    U.col(a) = gradient_of(conditions[a], system, at);
    P.col(a) = kkt.solve(U.col(a), Vector::Zero(system.num_rows())).p;
  }
  const Eigen::MatrixXd gram = U.transpose() * P;
  return (gram + gram.transpose()) / 2;
}

// Places where the combination of column `place` with earlier pivots is not zero: the dependent
// set.
std::vector<int> dependent_set(const Eigen::MatrixXd& gram, const std::vector<int>& pivots,
                               int place) {
  const auto rank = static_cast<Eigen::Index>(pivots.size());
  Eigen::MatrixXd inner(rank, rank);
  Vector right(rank);
  for (Eigen::Index a = 0; a < rank; ++a) {
    right[a] = gram(pivots[a], place);
    for (Eigen::Index b = 0; b < rank; ++b) inner(a, b) = gram(pivots[a], pivots[b]);
  }
  const Vector weights = inner.ldlt().solve(right);
  std::vector<int> members = {place};
  for (Eigen::Index a = 0; a < rank; ++a)
    if (std::abs(weights[a]) > least_slope) members.push_back(pivots[a]);
  std::sort(members.begin(), members.end());
  return members;
}

}  // namespace

// Cholesky with pivoting on the Gram matrix; what is left below least_slope^2 is zero.
Independence judge_independence(const ConstraintSystem& system,
                                const ConstraintSystem::Linearisation& at,
                                const std::vector<Condition>& conditions,
                                const std::vector<bool>& is_start) {
  Independence result;
  result.dimension = system.num_unknowns() - system.num_equation_rows();
  if (conditions.empty()) return result;
  if (are_surely_independent(system, at, conditions, is_start)) {
    result.rank = static_cast<int>(conditions.size());
    return result;
  }
  const Eigen::MatrixXd gram = gram_matrix(system, at, conditions, is_start);
  Eigen::MatrixXd rest = gram;
  std::vector<int> pivots;
  std::vector<bool> is_pivot(conditions.size(), false);
  while (pivots.size() < conditions.size()) {
    Eigen::Index place = 0;
    Vector left = rest.diagonal();
    for (const int pivot : pivots) left[pivot] = -1.0;
    const double largest = left.maxCoeff(&place);
    if (largest <= least_slope * least_slope) break;
    pivots.push_back(static_cast<int>(place));
    is_pivot[place] = true;
    const Vector column = rest.col(place);
    rest -= column * column.transpose() / largest;
  }
  result.rank = static_cast<int>(pivots.size());
  const auto alone = gram.diagonal();
  if (alone.minCoeff() > least_slope * least_slope)
    return result;  // repeated, but each a coordinate
  for (std::size_t a = 0; a < conditions.size() && result.dependent.empty(); ++a)
    if (!is_pivot[a]) result.dependent = dependent_set(gram, pivots, static_cast<int>(a));
  return result;
}

}  // namespace daedal::init
