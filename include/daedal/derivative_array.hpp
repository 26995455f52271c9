// The derivative array of a model [CampbellHollenbeck1996, eq. (4)]: its equations and their total
// derivatives in time, and the Jacobian of all of them,
//
//   G = (f_i, d/dt f_i, ..., d^r/dt^r f_i),     J = dG/d(x, x', ..., x^(r+q)),
//
// q the highest derivative in the model, f_i = left - right. Recorded once, evaluated many times;
// sparse; exact up to rounding.
//
//   daedal::DerivativeArray array(model, {.differentiations = 2});
//   std::vector<double> z(array.num_columns());
//   z[array.column("x", 1)] = 0.5;                    // der(x)
//   array.linearise(t, z);
//   array.values(), array.jacobian()                  // G by row, J by row and column
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daedal/model.hpp"

namespace daedal {

enum class ArrayEntries {
  derivatives,   // d^k f/dt^k by x^(m)
  coefficients,  // of Taylor series: 1/k! d^k f/dt^k by 1/m! x^(m)
};

enum class ArrayColumns {
  ascending,          // x, x', x'', ...
  derivatives_first,  // x', x'', ..., x: J = [G_x' G_w G_x]
};

struct DerivativeArrayOptions {
  int differentiations = 1;  // of every equation, >= 0
  // How often each equation is differentiated, in the order of the equations; if not empty, it
  // counts instead.
  std::vector<int> differentiations_by_equation = {};
  ArrayEntries entries = ArrayEntries::derivatives;
  ArrayColumns columns = ArrayColumns::ascending;
  // A model with modes: those equations that hold at the guesses at this time. Default: the model's
  // StartTime, else 0.
  std::optional<double> t = {};
};

// A sparse matrix by rows: entries row_starts[i] to row_starts[i + 1] - 1 belong to row i, their
// columns ascend.
struct SparseMatrix {
  std::vector<int> row_starts = {0};
  std::vector<int> columns;
  std::vector<double> values;
};

// Row: equation `index` differentiated `order` times. Column: derivative `order` of variable
// `index`. Both count from 0 in the order of declaration.
struct ArrayPlace {
  int index = 0;
  int order = 0;
};

// One array of one model, which may go away after construction. One thread at a time may use it.
class DerivativeArray {
 public:
  // Throws E-ARR-001 for options that make no sense, and what analyze() throws.
  explicit DerivativeArray(const Model& model, const DerivativeArrayOptions& options = {});
  ~DerivativeArray();
  DerivativeArray(DerivativeArray&&) noexcept;
  DerivativeArray& operator=(DerivativeArray&&) noexcept;

  int num_rows() const { return static_cast<int>(row_names().size()); }
  int num_columns() const { return static_cast<int>(column_names().size()); }
  // By order, then equation: "path_x", "d/dt path_x", "d^2/dt^2 path_x".
  const std::vector<std::string>& row_names() const;
  // "x", "der(x)", "der(x, 2)".
  const std::vector<std::string>& column_names() const;
  const std::vector<ArrayPlace>& rows() const;
  const std::vector<ArrayPlace>& columns() const;
  // Throws E-ARR-003 if there is no such variable or derivative.
  int column(const std::string& variable, int order = 0) const;

  // Gives parameters other values; those that are not named have the model's. Throws E-MOD-003,
  // E-MOD-007, E-MOD-011.
  void set_parameters(const ParameterValues& parameters);

  // evaluate() computes G, linearise() G and J, at a time and at values by column. What values()
  // and jacobian() return stays valid, and its content is that of the last call; after evaluate(),
  // jacobian() is still that of the last linearise(). Nothing is allocated. Results are not finite
  // where an operation is not defined. Both throw E-ARR-002 for a wrong number of values.
  void evaluate(double t, std::span<const double> values);
  void linearise(double t, std::span<const double> values);
  std::span<const double> values() const;
  const SparseMatrix& jacobian() const;

  // What was not defined in the last evaluation: "log(x)".
  std::vector<std::string> undefined_operations() const;

  // The same computation as one file of C99 that needs nothing of daedal: functions
  // PREFIX_residual(t, X, p, G) and PREFIX_jacobian(t, X, p, G, J), X by column, p the parameters,
  // G and J as values() and jacobian() have them, with sizes, pattern, names, a driver and
  // interfaces for Fortran (docs/theory/derivative-array.md). Without a prefix it is made of the
  // model's name. Of a model with modes: the equations of this array; the file says where they
  // hold. Throws E-ARR-004 for a prefix that is none: a letter, then letters, digits and
  // underscores, 40 at most.
  std::string source(const std::string& prefix = {}) const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace daedal
