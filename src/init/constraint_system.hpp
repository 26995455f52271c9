// The constraints of a consistent point as one sparse nonlinear system g(v) = 0, with its Jacobian
// and the Hessians of its rows.
//
// Unknowns v are the Taylor coefficients of a StageLayout in units of the nominal values and of the
// pace h of the input,
//   v_{j,m} = h^m x_j^(m) / (m! nominal_j).
// Rows are the coefficients (f_i)_m of the layout, then the initial equations.
#pragma once

#include <Eigen/Sparse>
#include <memory>
#include <vector>

#include "init/search_input.hpp"
#include "init/stage_layout.hpp"
#include "init/tangent_series.hpp"

namespace daedal::init {

using Vector = Eigen::VectorXd;
using Triplet = Eigen::Triplet<double>;
using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

class ConstraintSystem {
 public:
  // `residuals`: expanded, equations first, then initial equations. Keeps references to the input
  // and the layout.
  ConstraintSystem(const SearchInput& input, std::span<const NodeId> residuals,
                   const std::vector<std::vector<Partial>>& partials, const StageLayout& layout);

  int num_unknowns() const { return static_cast<int>(layout_.unknowns().size()); }
  int num_rows() const { return num_equation_rows() + num_initial_rows_; }
  int num_equation_rows() const { return static_cast<int>(layout_.rows().size()); }
  const StageLayout& layout() const { return layout_; }

  // g(v); not finite where a function is not defined.
  Vector residual(const Vector& v);

  // g(v) and g'(v).
  struct Linearisation {
    Vector residual;
    RowMatrix jacobian;
    Vector terms;  // sum of |terms| of each row, those without unknowns included
    bool is_finite() const;
    // By row: whether the residual or a derivative of it is not finite. Empty if all rows are.
    std::vector<bool> undefined_rows() const;
    // What rounding alone can leave in each row: 4 eps times the larger one of sum_k |g'_rk v_k|
    // and the terms.
    Vector rounding(const Vector& v) const;
  };
  Linearisation linearise(const Vector& v);

  // Terms of sum_r multipliers_r g_r''(v), to be added up. Second partials are built at the first
  // call.
  std::vector<Triplet> hessian(const Vector& v, const Vector& multipliers);

  // The operations that were not defined when residual() ran last.
  std::vector<NodeId> undefined_operations() const { return values_.undefined_operations(); }

  // x_j^(m) from v, and back.
  double derivative(const Vector& v, int unknown, int order) const;
  double coefficient(int unknown, int order, double derivative) const;

 private:
  taylor::SeriesPoint point(const Vector& v) const;
  std::size_t root_of_row(int row) const;
  int order_of_row(int row) const;
  int included_position(int unknown, int order) const;
  double unit(int unknown, int order) const;
  template <typename Series>
  Vector residual_from(const Series& series) const;
  Vector terms_from_gradients() const;
  void build_gradients();
  void build_second_partials();

  const SearchInput& input_;
  std::vector<NodeId> residuals_;
  const std::vector<std::vector<Partial>>& partials_;
  const StageLayout& layout_;
  int num_initial_rows_;
  SeriesOf values_;
  std::unique_ptr<SeriesOf> gradients_, curvatures_;  // built when first needed
  std::vector<std::vector<SecondPartial>> second_partials_;
};

}  // namespace daedal::init
