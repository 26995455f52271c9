// The derivative array of a model at its start: the nearest consistent point, the numerical index,
// projectors, which conditions may be given [EstevezLamour2019]; docs/theory/derivative-array.md.
#pragma once

#include <memory>
#include <vector>

#include "init/consistent_point.hpp"
#include "init/tangent_series.hpp"
#include "reduce/array/derivative_array.hpp"
#include "reduce/array/first_order.hpp"
#include "reduce/array/projectors.hpp"

namespace daedal::reduce {

// Derivatives of every unknown of a first-order form, by unknown: x, x', ...
using Derivatives = std::vector<std::vector<double>>;

struct ArrayFinding {
  init::PointFound point;  // in unknowns of the first-order form; determined coefficients only, if
                           // the index was found
  Derivatives whole;       // the point with all coefficients, undetermined ones too
  int index = -1;          // -1: no array up to the largest one tried determines the solution
  int size_tried = 0;      // k of the last B^[k]
  Projectors projectors;
  ArrayCondition condition;  // of B^[index]; zero for large systems
  int num_determined = 0;    // Taylor coefficients x_0, x_1, ... that the array above determines
  double time_scale = 1.0;   // by which columns were scaled for decisions on ranks
  std::vector<int> inadmissible = {};  // conditions that the others and the array determine
};

class ArrayStudy {
 public:
  // `form` and `parameters` must outlive the study. `starts` by unknown of the form.
  ArrayStudy(FirstOrderForm& form, std::vector<init::GivenStart> starts,
             std::vector<double> parameters);
  ~ArrayStudy();
  ArrayStudy(const ArrayStudy&) = delete;
  ArrayStudy& operator=(const ArrayStudy&) = delete;

  const FirstOrderForm& form() const { return form_; }
  const std::vector<init::GivenStart>& starts() const { return starts_; }

  // The index at the consistent point nearest to the guesses, min |P(x - guess)|. `extra`: how many
  // derivatives are wanted beside x.
  ArrayFinding at(double t, int extra = 1);

  // B^[k]'s parts at a point, k >= 1; derivatives up to x^(k) are read, missing ones are 0.
  // Scaled: rows of norm 1, columns in nominal values and in powers of the time scale.
  // As at start: with the row norms of the point that at() found, k = index; an equation that
  // vanishes then shows.
  enum class Scaling { none, balanced, as_at_start };
  ArrayMatrices matrices(double t, const Derivatives& point, int k, Scaling scaling);

  // In units of nominal values.
  Matrix differentiated_projector(double t, const Derivatives& point);

  // t such that df/dx' and df/dx h are of one size: the pace of the model.
  double time_scale(double t, const Derivatives& point);

  std::vector<double> nominals() const;

 private:
  init::SearchInput input(double t) const;
  Derivatives guesses() const;
  init::PointFound search(double t, int k, const Derivatives& last, bool with_conditions);
  DerivativeArray& array(int k);
  std::vector<double> values_of(const Derivatives& point, const DerivativeArray& array) const;
  Matrix conditions_at(double t, const Derivatives& point, int k);
  void keep_row_norms(double t, const Derivatives& point, int k);
  int highest_condition() const;  // the highest derivative in a condition
  void describe(double t, int k, int extra, ArrayFinding& finding);
  bool add_coefficients(double t, int index, int count, ArrayFinding& finding);
  std::vector<int> find_inadmissible(const ArrayMatrices& array) const;

  FirstOrderForm& form_;
  std::vector<init::GivenStart> starts_;
  std::vector<double> parameters_;
  structure::Structure layout_;  // c = 0, d = 1, one block
  std::vector<int> leads_;       // by which the array at hand runs ahead
  std::vector<bool> is_linear_ = {false};
  std::vector<std::unique_ptr<DerivativeArray>> arrays_;  // by k
  std::vector<std::vector<init::Partial>> condition_partials_;
  double time_scale_ = 1.0;
  std::vector<double> row_norms_;  // of the balanced array, where at() found the index
};

}  // namespace daedal::reduce
