// The derivative array of equations f_i and its Jacobian [CampbellHollenbeck1996, eq. (4)],
//
//   G = (d^k f_i / dt^k),  k = 0..r_i,     J = dG / d(x, x', ..., x^(r+q)),
//
// q the highest derivative in the equations. Entries are true derivatives, or Taylor coefficients
// 1/k! d^k f_i/dt^k by 1/m! x_j^(m).
//
// J is never differentiated by itself: its entries are coefficients of the series of df_i/dx_j^(q),
// the same ones all along a subdiagonal up to a factor (rule C3 of init/tangent_series.hpp; Lemma
// 5.1 of the source follows from it). Recorded once, evaluated many times; sparse.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "reduce/array/series_program.hpp"

namespace daedal::reduce {

// Row: equation `index` differentiated `order` times. Column: derivative `order` of unknown
// `index`.
struct Place {
  int index = 0;
  int order = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// A sparse matrix by rows; the pattern is fixed, columns of a row ascend.
struct SparseRows {
  std::vector<int> starts = {0};
  std::vector<int> columns;
  std::vector<double> values;
};

// What rows of G and entries of J are sums of: factor * coefficient `order` of the series of
// `node`.
struct ArrayPart {
  NodeId node;
  int order = 0;
  double factor = 1.0;
};

// A derivative array as data, for those who write it out (array_source.hpp).
struct ArrayRecipe {
  // Series by equation: the residual, then its partial derivatives; all up to the same order.
  std::vector<std::vector<NodeId>> series;
  std::vector<int> orders;  // by equation
  Entries entries = Entries::derivatives;
  std::vector<ArrayPart> rows;                 // of G, one part each
  std::vector<std::vector<ArrayPart>> values;  // of J, in the order of its values
};

class DerivativeArray {
 public:
  // `times[i]`: how often equation i is differentiated. Unknowns are those of the graph, which
  // grows by partial derivatives and must outlive the array.
  DerivativeArray(expr::Graph& graph, std::span<const NodeId> residuals, std::vector<int> times,
                  Entries entries);
  ~DerivativeArray();
  DerivativeArray(DerivativeArray&&) noexcept;
  DerivativeArray& operator=(DerivativeArray&&) noexcept;

  int num_unknowns() const;
  int num_rows() const { return static_cast<int>(rows().size()); }
  int num_columns() const;
  int highest_order() const;                 // of a derivative among the columns
  std::span<const Place> rows() const;       // by order, then equation
  int column(int unknown, int order) const;  // by order, then unknown
  Place place_of_column(int column) const;

  // G alone, or G and J; the results stay until the next call. Nothing is allocated. Not finite
  // where a function is not defined.
  void evaluate(const ArrayPoint& point);
  void linearise(const ArrayPoint& point);
  std::span<const double> values() const;  // G, by row
  const SparseRows& jacobian() const;      // J
  // Whether a value of J, by its number there, depends on parameters only.
  bool is_steady(int entry) const;

  std::size_t num_operations(bool with_jacobian) const;  // on series, per evaluation
  std::size_t num_bytes() const;                         // of program, tables and J

  // Operations that were not defined at the point evaluated last.
  std::vector<NodeId> undefined_operations() const;

  expr::Graph& graph() const;
  ArrayRecipe recipe() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace daedal::reduce
