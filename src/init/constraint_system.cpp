#include "init/constraint_system.hpp"

#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace daedal::init {
namespace {

// The sum that a root is, up to its sign.
NodeId outermost_sum(const expr::Graph& graph, NodeId root) {
  while (graph.op(root) == expr::Op::affine && graph.arguments(root).size() == 1 &&
         graph.number(root) == 0.0 && std::abs(graph.coefficients(root)[0]) == 1.0)
    root = graph.arguments(root)[0];
  return root;
}

// Sum of the sizes of coefficient m of the terms of a sum.
double size_of_terms(const expr::Graph& graph, NodeId sum, const SeriesOf& series, int m) {
  if (graph.op(sum) != expr::Op::affine) return 0.0;  // one term: the residual itself
  double size = m == 0 ? std::abs(graph.number(sum)) : 0.0;
  for (std::size_t k = 0; k < graph.arguments(sum).size(); ++k)
    size += std::abs(graph.coefficients(sum)[k] * series.coefficient(graph.arguments(sum)[k], m));
  return size;
}

}  // namespace

ConstraintSystem::ConstraintSystem(const SearchInput& input, std::span<const NodeId> residuals,
                                   const std::vector<std::vector<Partial>>& partials,
                                   const StageLayout& layout)
    : input_(input),
      residuals_(residuals.begin(), residuals.end()),
      partials_(partials),
      layout_(layout),
      num_initial_rows_(static_cast<int>(residuals.size() - input.residuals.size())),
      values_(input.graph, residuals_, layout.highest_row_order()) {}

std::size_t ConstraintSystem::root_of_row(int row) const {
  return row < num_equation_rows()
             ? static_cast<std::size_t>(layout_.rows()[row].index)
             : input_.residuals.size() + static_cast<std::size_t>(row - num_equation_rows());
}

int ConstraintSystem::order_of_row(int row) const {
  return row < num_equation_rows() ? layout_.rows()[row].order : 0;
}

// The position of a coefficient that a row contains (rule C2).
int ConstraintSystem::included_position(int unknown, int order) const {
  const int k = layout_.position(unknown, order);
  DAEDAL_CHECK(k >= 0);
  return k;
}

double ConstraintSystem::derivative(const Vector& v, int unknown, int order) const {
  const int k = layout_.position(unknown, order);
  if (k < 0 || v[k] == 0.0) return 0.0;
  return v[k] * unit(unknown, order) * falling_factorial(order, order);
}

double ConstraintSystem::coefficient(int unknown, int order, double derivative) const {
  return derivative / unit(unknown, order) / falling_factorial(order, order);
}

double ConstraintSystem::unit(int unknown, int order) const {
  return input_.starts[unknown].nominal / std::pow(input_.pace, order);
}

taylor::SeriesPoint ConstraintSystem::point(const Vector& v) const {
  return {.time = input_.time,
          .parameters = input_.parameters,
          .derivative = [this, &v](expr::UnknownId unknown, int order) {
            return derivative(v, static_cast<int>(unknown.index()), order);
          }};
}

template <typename Series>
Vector ConstraintSystem::residual_from(const Series& series) const {
  Vector residual(num_rows());
  for (int row = 0; row < num_rows(); ++row)
    residual[row] = series.coefficient(residuals_[root_of_row(row)], order_of_row(row));
  return residual;
}

Vector ConstraintSystem::residual(const Vector& v) {
  values_.run(point(v));
  return residual_from(values_);
}

void ConstraintSystem::build_gradients() {
  std::vector<NodeId> nodes = residuals_;
  for (const auto& partials : partials_)
    for (const Partial& partial : partials) nodes.push_back(partial.value);
  for (const NodeId residual : residuals_)
    for (const NodeId term : input_.graph.arguments(outermost_sum(input_.graph, residual)))
      nodes.push_back(term);
  gradients_ = std::make_unique<SeriesOf>(input_.graph, nodes, layout_.highest_row_order());
}

Vector ConstraintSystem::terms_from_gradients() const {
  Vector terms(num_rows());
  for (int row = 0; row < num_rows(); ++row) {
    const NodeId sum = outermost_sum(input_.graph, residuals_[root_of_row(row)]);
    terms[row] = size_of_terms(input_.graph, sum, *gradients_, order_of_row(row));
  }
  return terms;
}

ConstraintSystem::Linearisation ConstraintSystem::linearise(const Vector& v) {
  if (gradients_ == nullptr) build_gradients();
  gradients_->run(point(v));
  std::vector<Triplet> entries;
  for (int row = 0; row < num_rows(); ++row)
    visit_gradient(partials_[root_of_row(row)], *gradients_, order_of_row(row),
                   [&](int unknown, int order, double value) {
                     entries.emplace_back(row, included_position(unknown, order),
                                          value * unit(unknown, order));
                   });
  Linearisation result{residual_from(*gradients_), RowMatrix(num_rows(), num_unknowns()),
                       terms_from_gradients()};
  result.jacobian.setFromTriplets(entries.begin(), entries.end());
  return result;
}

bool ConstraintSystem::Linearisation::is_finite() const {
  const Eigen::Map<const Vector> values(jacobian.valuePtr(), jacobian.nonZeros());
  return residual.allFinite() && values.allFinite();
}

std::vector<bool> ConstraintSystem::Linearisation::undefined_rows() const {
  if (is_finite()) return {};
  std::vector<bool> is_undefined;
  for (int row = 0; row < residual.size(); ++row) {
    bool is_row_finite = std::isfinite(residual[row]);
    for (RowMatrix::InnerIterator entry(jacobian, row); entry; ++entry)
      is_row_finite = is_row_finite && std::isfinite(entry.value());
    is_undefined.push_back(!is_row_finite);
  }
  return is_undefined;
}

Vector ConstraintSystem::Linearisation::rounding(const Vector& v) const {
  const Vector changes = jacobian.cwiseAbs() * v.cwiseAbs();
  return 4 * std::numeric_limits<double>::epsilon() * changes.cwiseMax(terms);
}

void ConstraintSystem::build_second_partials() {
  second_partials_ = second_partials_of(input_.graph, partials_);
  std::vector<NodeId> nodes;
  for (const auto& partials : second_partials_)
    for (const SecondPartial& partial : partials) nodes.push_back(partial.value);
  curvatures_ = std::make_unique<SeriesOf>(input_.graph, nodes, layout_.highest_row_order());
}

std::vector<Triplet> ConstraintSystem::hessian(const Vector& v, const Vector& multipliers) {
  if (curvatures_ == nullptr) build_second_partials();
  curvatures_->run(point(v));
  std::vector<Triplet> entries;
  for (int row = 0; row < num_rows(); ++row) {
    if (multipliers[row] == 0.0) continue;
    visit_hessian(second_partials_[root_of_row(row)], *curvatures_, order_of_row(row),
                  [&](int j, int p, int k, int r, double value) {
                    entries.emplace_back(included_position(j, p), included_position(k, r),
                                         multipliers[row] * value * unit(j, p) * unit(k, r));
                  });
  }
  return entries;
}

}  // namespace daedal::init
