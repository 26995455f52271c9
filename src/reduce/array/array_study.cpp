#include "reduce/array/array_study.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "expr/evaluate.hpp"
#include "init/tangent_series.hpp"
#include "reduce/array/array_solver.hpp"
#include "taylor/rules.hpp"

namespace daedal::reduce {
namespace {

constexpr int largest_index = 20;
// Above this size of B its singular values are not computed, only ranks.
constexpr int largest_condition = 300;
constexpr double negligible = 1e-14;  // in a projector

structure::Structure layout_of_array(int n) {
  structure::Structure s;
  s.transversal.resize(static_cast<std::size_t>(n));
  std::iota(s.transversal.begin(), s.transversal.end(), 0);
  s.c.assign(static_cast<std::size_t>(n), 0);
  s.d.assign(static_cast<std::size_t>(n), 1);
  s.fine_blocks.push_back({s.transversal, s.transversal});
  return s;
}

double derivative_at(const Derivatives& point, int unknown, int order) {
  const std::vector<double>& known = point[unknown];
  return order < static_cast<int>(known.size()) ? known[order] : 0.0;
}

// x0 and what else the array determines.
void keep_determined(int count, Derivatives& derivatives) {
  for (std::vector<double>& known : derivatives)
    known.resize(std::min(known.size(), static_cast<std::size_t>(std::max(count, 1))));
}

}  // namespace

ArrayStudy::ArrayStudy(FirstOrderForm& form, std::vector<init::GivenStart> starts,
                       std::vector<double> parameters)
    : form_(form),
      starts_(std::move(starts)),
      parameters_(std::move(parameters)),
      layout_(layout_of_array(form.num_unknowns())),
      leads_(1, 0),
      condition_partials_(init::partials_of(*form.graph, form.conditions)) {}
ArrayStudy::~ArrayStudy() = default;

std::vector<double> ArrayStudy::nominals() const {
  std::vector<double> nominals;
  for (const init::GivenStart& start : starts_) nominals.push_back(start.nominal);
  return nominals;
}

DerivativeArray& ArrayStudy::array(int k) {
  if (arrays_.size() <= static_cast<std::size_t>(k)) arrays_.resize(k + 1);
  if (!arrays_[k])
    arrays_[k] = std::make_unique<DerivativeArray>(*form_.graph, form_.residuals,
                                                   std::vector<int>(form_.residuals.size(), k - 1),
                                                   Entries::coefficients);
  return *arrays_[k];
}

std::vector<double> ArrayStudy::values_of(const Derivatives& point,
                                          const DerivativeArray& array) const {
  std::vector<double> values(static_cast<std::size_t>(array.num_columns()));
  for (int column = 0; column < array.num_columns(); ++column) {
    const auto [unknown, order] = array.place_of_column(column);
    values[column] = derivative_at(point, unknown, order) / taylor::factorial(order);
  }
  return values;
}

ArrayMatrices ArrayStudy::matrices(double t, const Derivatives& point, int k, Scaling scaling) {
  DerivativeArray& G = array(k);
  const std::vector<double> values = values_of(point, G);
  G.linearise({t, parameters_, values});
  const int n = form_.num_unknowns();
  Matrix all = Matrix::Zero(n * k, n * (k + 1));
  const SparseRows& J = G.jacobian();
  for (int row = 0; row < G.num_rows(); ++row)
    for (int e = J.starts[row]; e < J.starts[row + 1]; ++e) all(row, J.columns[e]) = J.values[e];
  for (int column = 0; column < all.cols(); ++column) {
    const int order = column / n;
    all.col(column) *= starts_[column % n].nominal;
    if (scaling != Scaling::none) all.col(column) /= std::pow(time_scale_, order);
  }
  for (int row = 0; row < all.rows() && scaling != Scaling::none; ++row) {
    const double norm = scaling == Scaling::as_at_start ? row_norms_[row] : all.row(row).norm();
    if (norm > 0.0) all.row(row) /= norm;
  }
  ArrayMatrices result;
  result.A = all.block(0, n, n, n);
  result.G0 = all.leftCols(n);
  result.G1 = all.rightCols(n * k);
  result.U = Matrix(0, n);
  return result;
}

void ArrayStudy::keep_row_norms(double t, const Derivatives& point, int k) {
  row_norms_.assign(static_cast<std::size_t>(form_.num_unknowns() * k), 1.0);
  const ArrayMatrices array = matrices(t, point, k, Scaling::as_at_start);
  for (std::size_t row = 0; row < row_norms_.size(); ++row) {
    const auto at = static_cast<Eigen::Index>(row);
    row_norms_[row] = std::hypot(array.G0.row(at).norm(), array.G1.row(at).norm());
  }
}

Matrix ArrayStudy::differentiated_projector(double t, const Derivatives& point) {
  double gap = 0.0;
  const int n = form_.num_unknowns();
  return Matrix::Identity(n, n) - kernel_projector(matrices(t, point, 1, Scaling::balanced).A, gap);
}

double ArrayStudy::time_scale(double t, const Derivatives& point) {
  const ArrayMatrices raw = matrices(t, point, 1, Scaling::none);
  double sum = 0.0;
  int count = 0;
  for (int row = 0; row < raw.A.rows(); ++row) {
    const double fast = raw.A.row(row).norm(), slow = raw.G0.row(row).norm();
    if (!(fast > 0.0 && slow > 0.0)) continue;
    sum += std::log(fast / slow);
    ++count;
  }
  const double scale = std::exp(sum / std::max(count, 1));
  return std::isfinite(scale) ? scale : 1.0;
}

Derivatives ArrayStudy::guesses() const {
  Derivatives point(starts_.size());
  for (std::size_t j = 0; j < point.size(); ++j)
    for (const init::GivenValue& value : starts_[j].derivatives)
      point[j].push_back(value.is_given() ? value.value : 0.0);
  return point;
}

init::SearchInput ArrayStudy::input(double t) const {
  return {.graph = *form_.graph,
          .residuals = form_.residuals,
          .initial_residuals = {},
          .structure = layout_,
          .leads = leads_,
          .is_linear = is_linear_,
          .time = t,
          .parameters = parameters_,
          .starts = starts_,
          .metric = {},
          .may_be_any = false,
          .pace = time_scale_};
}

init::PointFound ArrayStudy::search(double t, int k, const Derivatives& last,
                                    bool with_conditions) {
  leads_[0] = 1 - k;
  init::SearchInput given = input(t);
  if (with_conditions) given.initial_residuals = form_.conditions;
  given.may_be_any = !with_conditions;
  for (std::size_t j = 0; j < given.starts.size(); ++j) {
    std::vector<init::GivenValue>& values = given.starts[j].derivatives;
    if (!with_conditions)
      for (init::GivenValue& value : values) value.fixed = false;
    if (last.empty()) continue;
    values.resize(std::max(values.size(), last[j].size()));
    for (std::size_t m = 1; m < last[j].size(); ++m)
      if (!values[m].fixed) values[m].value = last[j][m];
  }
  given.beginning = last;
  given.metric = [&](const init::DerivativeAt& derivative) {
    Derivatives point(starts_.size());
    for (std::size_t j = 0; j < point.size(); ++j)
      point[j] = {derivative(static_cast<int>(j), 0), derivative(static_cast<int>(j), 1)};
    const Matrix P = differentiated_projector(t, point);
    std::vector<init::MetricEntry> entries;
    for (int column = 0; column < P.cols(); ++column)
      for (int row = 0; row < P.rows(); ++row)
        if (std::abs(P(row, column)) > negligible) entries.push_back({row, column, P(row, column)});
    return entries;
  };
  return init::find_consistent_point(given);
}

// Rows of the conditions' derivatives by x0; where a condition contains derivatives, these follow
// from x0, z = -G1^+ G0 z0, in an array of size k that determines them.
Matrix ArrayStudy::conditions_at(double t, const Derivatives& point, int k) {
  init::SearchInput given = input(t);
  given.initial_residuals = form_.conditions;
  const std::vector<init::Condition> conditions = init::conditions_of(given);
  const int n = form_.num_unknowns();
  Matrix U = Matrix::Zero(static_cast<Eigen::Index>(conditions.size()), n * (k + 1));
  expr::Evaluator evaluator(*form_.graph);
  const expr::Point place{
      .time = t, .parameters = parameters_, .unknown = [&](expr::UnknownId j, int order) {
        return derivative_at(point, static_cast<int>(j.index()), order);
      }};
  for (std::size_t a = 0; a < conditions.size(); ++a) {
    const init::Condition& condition = conditions[a];
    const auto row = U.row(static_cast<Eigen::Index>(a));
    const auto add = [&](int unknown, int order, double value) {
      if (order > k) return;
      U(static_cast<Eigen::Index>(a), order * n + unknown) += value * taylor::factorial(order) *
                                                              starts_[unknown].nominal /
                                                              std::pow(time_scale_, order);
    };
    if (condition.is_fixed_value())
      add(condition.unknown, condition.order, 1.0);
    else
      for (const init::Partial& partial : condition_partials_[condition.initial_equation])
        add(partial.unknown, partial.order, evaluator.value(partial.value, place));
    if (const double norm = row.norm(); norm > 0.0) U.row(static_cast<Eigen::Index>(a)) /= norm;
  }
  if (U.rightCols(n * k).isZero(0.0)) return U.leftCols(n);
  const ArrayMatrices array = matrices(t, point, k, Scaling::balanced);
  const Matrix follows = -array.G1.completeOrthogonalDecomposition().solve(array.G0);
  return U.leftCols(n) + U.rightCols(n * k) * follows;
}

// The first condition that adds no rank, then the next, ...
std::vector<int> ArrayStudy::find_inadmissible(const ArrayMatrices& array) const {
  std::vector<int> found;
  ArrayMatrices some = array;
  some.U = Matrix(0, array.G0.cols());
  int rank = 0;
  for (int a = 0; a < array.U.rows(); ++a) {
    Matrix with(some.U.rows() + 1, some.U.cols());
    with << some.U, array.U.row(a);
    some.U = with;
    const int now = projectors_of(some).rank_U;
    if (now == rank) found.push_back(a);
    rank = now;
  }
  return found;
}

int ArrayStudy::highest_condition() const {
  int highest = 0;
  for (const init::GivenStart& start : starts_)
    for (std::size_t m = 0; m < start.derivatives.size(); ++m)
      if (start.derivatives[m].fixed) highest = std::max(highest, static_cast<int>(m));
  for (const auto& partials : condition_partials_)
    for (const init::Partial& partial : partials) highest = std::max(highest, partial.order);
  return highest;
}

// Taylor coefficients beyond those that the search needed, from the nearly triangular array; false,
// and nothing is changed, if they are not found.
bool ArrayStudy::add_coefficients(double t, int index, int count, ArrayFinding& finding) {
  const int n = form_.num_unknowns();
  const std::vector<double> units = nominals();
  ArraySolver solver(form_, parameters_, units, index, finding.projectors.rank_Pi,
                     finding.projectors.has_full_row_rank, count);
  Derivatives& known = finding.point.derivatives;
  const ArraySolver::Found found =
      solver.find({.t = t,
                   .scale = time_scale_,
                   .z = scaled_coefficients(known, solver.num_coefficients(), time_scale_)},
                  1e-14);
  if (!found.is_converged) return false;
  for (int j = 0; j < n; ++j) {
    known[j].resize(static_cast<std::size_t>(solver.num_coefficients()));
    double power = 1.0;
    for (int m = 1; m < solver.num_coefficients(); ++m) {
      power *= m / time_scale_;
      known[j][m] = found.z[m * n + j] * power;
    }
  }
  return true;
}

ArrayFinding ArrayStudy::at(double t, int extra) {
  ArrayFinding finding;
  Derivatives last;
  time_scale_ = time_scale(t, guesses());
  int k = 1;
  for (; k <= largest_index; ++k) {
    finding.size_tried = k;
    finding.point = search(t, k, last, false);
    if (finding.point.outcome != init::Outcome::found) return finding;
    last = finding.point.derivatives;
    time_scale_ = time_scale(t, last);
    finding.projectors = projectors_of(matrices(t, last, k, Scaling::balanced));
    if (finding.projectors.is_one_full) break;
  }
  if (!finding.projectors.is_one_full) return finding;
  finding.index = finding.projectors.rank_Q == 0 ? 0 : k;

  // Where the conditions hold the index can be another one.
  const int reach = highest_condition();
  for (;; ++k) {
    finding.size_tried = k;
    finding.point = search(t, k + reach, last, true);
    if (finding.point.outcome != init::Outcome::found) return finding;
    time_scale_ = time_scale(t, finding.point.derivatives);
    finding.projectors =
        projectors_of(matrices(t, finding.point.derivatives, k, Scaling::balanced));
    if (finding.projectors.is_one_full) break;
    finding.index = -1;
    if (k == largest_index) return finding;
  }
  finding.index = finding.projectors.rank_Q == 0 ? 0 : k;
  finding.time_scale = time_scale_;
  describe(t, k, std::max(extra, reach), finding);
  return finding;
}

// What there is to say of the point and the index found.
void ArrayStudy::describe(double t, int k, int extra, ArrayFinding& finding) {
  const bool has_extra = extra > 0 && add_coefficients(t, k, extra, finding);
  const int num_extra = has_extra ? extra : 0, size = k + num_extra;
  const bool is_small = form_.num_unknowns() * (size + 1) <= largest_condition;
  const Derivatives& found = finding.point.derivatives;
  keep_row_norms(t, found, k);
  ArrayMatrices array = matrices(t, found, k, Scaling::balanced);
  array.U = conditions_at(t, found, k + highest_condition());
  finding.projectors = projectors_of(array);
  if (!finding.projectors.is_admissible) finding.inadmissible = find_inadmissible(array);
  if (is_small)
    finding.condition = condition_of(matrices(t, found, k, Scaling::none), finding.projectors.P);
  finding.num_determined =
      is_small ? num_determined(matrices(t, found, size, Scaling::balanced), finding.projectors.P)
               : num_extra + 1;
  finding.whole = found;
  keep_determined(finding.num_determined, finding.point.derivatives);
}

}  // namespace daedal::reduce
