// What a step of a BDF method solves: G(z) = F(t, z, alpha z + beta) = 0, by Newton's method with
//
//   M = dG/dz = dF/dz + alpha dF/dz',
//
// scaled so that its condition does not grow when steps become short (docs/theory/bdf.md, rule B7).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "integrate/bdf/bdf_lu.hpp"
#include "reduce/array/derivative_array.hpp"
#include "reduce/index_form.hpp"

namespace daedal::integrate {

class BdfSystem {
 public:
  // The form's graph grows by partial derivatives and must outlive the system.
  BdfSystem(reduce::IndexForm& form, const std::vector<double>& parameters);

  int size() const { return num_unknowns_; }

  // F; the results stay until the next call. False: not finite.
  bool evaluate(double t, std::span<const double> z, std::span<const double> slope);
  std::span<const double> residual() const { return array_.values(); }
  // F and its partial derivatives, which are kept for the following factorisations.
  bool linearise(double t, std::span<const double> z, std::span<const double> slope);

  // M from the partial derivatives kept. `sizes`: of z. False: singular.
  bool factorise(double alpha, std::span<const double> sizes);
  double factorised_alpha() const { return factorised_alpha_; }
  // Solution of M d = b, with the powers of h that belong to this alpha and the factors of a matrix
  // made for another that is not far.
  void solve(double alpha, std::span<double> b);

  // How much relative errors of z in the past are amplified in the z that is solved for, of the
  // matrix factorised last: estimates, at most a few times too small.
  void find_gains(std::span<double> gains);

  // What was factorised, row_scale M column_scale: dense, by rows.
  std::vector<double> scaled_matrix() const;
  double row_scale(int row) const { return row_units_[row] * row_powers_[row]; }
  double column_scale(int column) const { return column_units_[column] * column_powers_[column]; }

 private:
  // Partial derivative -> entry of M; a slope's counts alpha times.
  struct Term {
    int partial = 0, entry = 0;
    bool is_slope = false;
  };

  void lay_out();
  void load(std::span<const double> z, std::span<const double> slope);
  void find_powers(double alpha);
  void fill(double alpha);
  void equilibrate_rows();

  const reduce::IndexForm& form_;
  int num_unknowns_;
  const std::vector<double>& parameters_;
  reduce::DerivativeArray array_;
  std::vector<double> point_;  // z, z'

  std::vector<int> starts_, rows_, columns_;  // of M, by columns; the column of each entry
  std::vector<Term> terms_;
  std::vector<double> entries_, probe_;
  std::vector<double> column_units_, row_units_;    // frozen with the factors
  std::vector<double> column_powers_, row_powers_;  // h^power for the alpha in use
  std::unique_ptr<BdfLu> lu_;
  double factorised_alpha_ = 0.0, powers_alpha_ = 0.0;
};

}  // namespace daedal::integrate
