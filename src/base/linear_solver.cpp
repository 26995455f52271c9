#include "base/linear_solver.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/dense_lu.hpp"
#include "base/scheduled_lu.hpp"

namespace daedal::base {
namespace {

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// A^T = Q R by Householder reflections, x = Q R^-T b. Rows of A are scaled by powers of two, which
// changes no digit but keeps squares in range.
class DenseMinimumNorm final : public MinimumNormSolver {
 public:
  DenseMinimumNorm(int num_rows, int num_columns, std::vector<Place> places)
      : num_rows_(num_rows),
        num_columns_(num_columns),
        places_(std::move(places)),
        rows_(std::size_t{1} * num_rows * num_columns),
        scale_(num_rows),
        diagonal_(num_rows),
        tau_(num_rows),
        work_(num_columns) {}

  bool factorise(std::span<const double> values) override {
    if (!are_finite(values)) return false;
    std::fill(rows_.begin(), rows_.end(), 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k)
      row(places_[k].row)[places_[k].column] += values[k];
    for (int i = 0; i < num_rows_; ++i)
      if (!scale_row(i)) return false;
    for (int k = 0; k < num_rows_; ++k)
      if (!reflect(k)) return false;
    return true;
  }

  void solve(std::span<const double> b, std::span<double> x) override {
    double* const y = work_.data();
    for (int i = 0; i < num_rows_; ++i) {
      double sum = b[i] * scale_[i];
      for (int k = 0; k < i; ++k) sum -= row(i)[k] * y[k];
      y[i] = sum * diagonal_[i];
    }
    std::fill(work_.begin() + num_rows_, work_.end(), 0.0);
    for (int k = num_rows_ - 1; k >= 0; --k) apply_reflection(k, y);
    std::copy(work_.begin(), work_.end(), x.begin());
  }

 private:
  double* row(int i) { return rows_.data() + std::size_t{1} * i * num_columns_; }

  bool scale_row(int i) {
    double largest = 0.0;
    for (int j = 0; j < num_columns_; ++j) largest = std::max(largest, std::abs(row(i)[j]));
    if (largest == 0.0 || !std::isfinite(largest)) return false;
    scale_[i] = std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
    for (int j = 0; j < num_columns_; ++j) row(i)[j] *= scale_[i];
    return true;
  }

  // H_k = I - tau v v^T, v = (0 ... 0, 1, v_{k+1} ...), takes row k to (.. R_kk, 0 ...); the rest
  // of v is kept in its place. False if what is left of the row is rounding error of it.
  bool reflect(int k) {
    double* const v = row(k);
    double before = 0.0, rest = 0.0;
    for (int j = 0; j < k; ++j) before += v[j] * v[j];
    for (int j = k + 1; j < num_columns_; ++j) rest += v[j] * v[j];
    const double alpha = v[k], size = std::sqrt(alpha * alpha + rest);
    if (!(size > smallest_pivot_ratio * std::sqrt(before + size * size))) return false;
    const double R_kk = alpha > 0.0 ? -size : size;
    const double unit = 1.0 / (alpha - R_kk);
    for (int j = k + 1; j < num_columns_; ++j) v[j] *= unit;
    tau_[k] = (R_kk - alpha) / R_kk;
    diagonal_[k] = 1.0 / R_kk;
    for (int i = k + 1; i < num_rows_; ++i) apply_reflection(k, row(i));
    return true;
  }
  // u = H_k u
  void apply_reflection(int k, double* u) {
    const double* const v = row(k);
    double even = u[k], odd = 0.0;
    int j = k + 1;
    for (; j + 1 < num_columns_; j += 2) {
      even += v[j] * u[j];
      odd += v[j + 1] * u[j + 1];
    }
    if (j < num_columns_) even += v[j] * u[j];
    const double factor = tau_[k] * (even + odd);
    u[k] -= factor;
    for (j = k + 1; j < num_columns_; ++j) u[j] -= factor * v[j];
  }

  int num_rows_, num_columns_;
  std::vector<Place> places_;
  std::vector<double> rows_, scale_;
  std::vector<double> diagonal_, tau_;  // 1 / R_kk
  std::vector<double> work_;
};

// [I A^T; A 0] (x, y) = (0, b)
class AugmentedMinimumNorm final : public MinimumNormSolver {
 public:
  AugmentedMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places)
      : num_columns_(num_columns),
        values_(num_columns + 2 * places.size(), 1.0),
        right_(num_rows + num_columns) {
    std::vector<Place> augmented;
    for (int j = 0; j < num_columns; ++j) augmented.push_back({j, j, true});
    for (const Place& place : places) {
      augmented.push_back({num_columns + place.row, place.column});
      augmented.push_back({place.column, num_columns + place.row});
    }
    solver_ = std::make_unique<ScheduledLu>(num_rows + num_columns, augmented, 1);
  }

  bool factorise(std::span<const double> values) override {
    for (std::size_t k = 0; k < values.size(); ++k)
      values_[num_columns_ + 2 * k] = values_[num_columns_ + 2 * k + 1] = values[k];
    return solver_->factorise(values_);
  }

  void solve(std::span<const double> b, std::span<double> x) override {
    std::fill(right_.begin(), right_.begin() + num_columns_, 0.0);
    std::copy(b.begin(), b.end(), right_.begin() + num_columns_);
    solver_->solve(right_);
    std::copy(right_.begin(), right_.begin() + num_columns_, x.begin());
  }

 private:
  int num_columns_;
  std::vector<double> values_, right_;
  std::unique_ptr<SquareSolver> solver_;
};

// A A^T y = b, x = A^T y: positive definite, so that pivots need not follow A as it turns. It
// squares the condition; where that is too much, the augmented system does it.
class NormalMinimumNorm final : public MinimumNormSolver {
 public:
  NormalMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places)
      : num_rows_(num_rows), num_columns_(num_columns), places_(places), y_(num_rows) {
    std::vector<std::vector<int>> in_column(num_columns);
    for (std::size_t k = 0; k < places.size(); ++k)
      in_column[places[k].column].push_back(static_cast<int>(k));
    std::vector<Place> products;
    for (const std::vector<int>& entries : in_column)
      for (const int first : entries)
        for (const int second : entries) {
          products.push_back({places[first].row, places[second].row, first == second});
          factors_.push_back({first, second});
        }
    values_.resize(products.size());
    normal_ = std::make_unique<ScheduledLu>(num_rows, products, 1);
  }

  bool factorise(std::span<const double> values) override {
    constexpr double largest_condition = 1e8;  // of A A^T
    for (std::size_t k = 0; k < factors_.size(); ++k)
      values_[k] = values[factors_[k].first] * values[factors_[k].second];
    given_.assign(values.begin(), values.end());
    is_normal_ = normal_->factorise(values_) && normal_->condition() < largest_condition;
    if (is_normal_) return true;
    if (augmented_ == nullptr)
      augmented_ = std::make_unique<AugmentedMinimumNorm>(num_rows_, num_columns_, places_);
    return augmented_->factorise(values);
  }

  void solve(std::span<const double> b, std::span<double> x) override {
    if (!is_normal_) return augmented_->solve(b, x);
    std::copy(b.begin(), b.end(), y_.begin());
    normal_->solve(y_);
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k)
      x[places_[k].column] += given_[k] * y_[places_[k].row];
  }

  // A column with many entries makes A A^T full.
  static bool is_worth_it(int num_columns, const std::vector<Place>& places) {
    constexpr std::size_t most_products = 8;  // per entry
    std::vector<std::size_t> count(num_columns, 0);
    for (const Place& place : places) ++count[place.column];
    std::size_t products = 0;
    for (const std::size_t entries : count) products += entries * entries;
    return products <= most_products * places.size();
  }

 private:
  struct Product {
    int first, second;
  };
  int num_rows_, num_columns_;
  std::vector<Place> places_;
  std::vector<Product> factors_;
  std::vector<double> values_, given_, y_;
  std::unique_ptr<SquareSolver> normal_;
  std::unique_ptr<AugmentedMinimumNorm> augmented_;  // made when first needed
  bool is_normal_ = false;
};

bool is_dense(int size, std::size_t num_places) {
  // A block that is half full fills up anyway.
  return size <= largest_size && num_places * 2 > static_cast<std::size_t>(size) * size;
}

}  // namespace

std::unique_ptr<SquareSolver> make_square_solver(int size, std::vector<Place> places, int lanes) {
  if (size <= largest_dense_block || is_dense(size, places.size()))
    return std::make_unique<DenseLu>(size, places, lanes);
  return std::make_unique<ScheduledLu>(size, places, lanes);
}

std::unique_ptr<MinimumNormSolver> make_minimum_norm_solver(int num_rows, int num_columns,
                                                            std::vector<Place> places) {
  DAEDAL_CHECK(num_rows <= num_columns);
  if (num_columns <= largest_dense_block)
    return std::make_unique<DenseMinimumNorm>(num_rows, num_columns, std::move(places));
  if (NormalMinimumNorm::is_worth_it(num_columns, places))
    return std::make_unique<NormalMinimumNorm>(num_rows, num_columns, places);
  return std::make_unique<AugmentedMinimumNorm>(num_rows, num_columns, places);
}

}  // namespace daedal::base
