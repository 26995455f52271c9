#include "linear/linear_solver.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "linear/dense_solvers.hpp"
#include "linear/pivot_search.hpp"
#include "linear/scheduled_lu.hpp"

namespace daedal::linear {
namespace {

// What one lane needs: A is given, then x follows from b.
class LeastNormOfLane {
 public:
  virtual ~LeastNormOfLane() = default;
  virtual bool factorise(std::span<const double> values) = 0;
  virtual void solve(std::span<const double> b, std::span<double> x) = 0;
  virtual void forget() = 0;
};

// [I A^T; A 0] (x, y) = (0, b)
class AugmentedMinimumNorm final : public LeastNormOfLane {
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
  void forget() override { solver_->forget(0); }

 private:
  int num_columns_;
  std::vector<double> values_, right_;
  std::unique_ptr<SquareSolver> solver_;
};

// A A^T y = b, x = A^T y: positive definite, so that pivots need not follow A as it turns. It
// squares the condition; where that is too much, the augmented system does it.
class NormalMinimumNorm final : public LeastNormOfLane {
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
  void forget() override {
    normal_->forget(0);
    if (augmented_ != nullptr) augmented_->forget();
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

// Sparse pivots follow the values that a lane has had, so every lane has a solver of its own.
class SparseMinimumNorm final : public MinimumNormSolver {
 public:
  SparseMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places, int lanes)
      : values_(places.size()), b_(num_rows), x_(num_columns), is_regular_(lanes, false) {
    const bool is_normal = NormalMinimumNorm::is_worth_it(num_columns, places);
    for (int lane = 0; lane < lanes; ++lane) {
      if (is_normal)
        lanes_.push_back(std::make_unique<NormalMinimumNorm>(num_rows, num_columns, places));
      else
        lanes_.push_back(std::make_unique<AugmentedMinimumNorm>(num_rows, num_columns, places));
    }
  }

  bool factorise(std::span<const double> values, std::span<const char> is_due) override {
    for (int lane = 0; lane < num_lanes(); ++lane) {
      if (!is_due.empty() && !is_due[lane]) continue;
      take(values, lane, values_);
      is_regular_[lane] = lanes_[lane]->factorise(values_);
    }
    return are_regular(is_due, num_lanes());
  }
  bool is_regular(int lane) const override { return is_regular_[lane]; }
  void forget(int lane) override { lanes_[lane]->forget(); }

  void solve(std::span<const double> b, std::span<double> x) override {
    for (int lane = 0; lane < num_lanes(); ++lane) {
      if (!is_regular_[lane]) continue;
      take(b, lane, b_);
      lanes_[lane]->solve(b_, x_);
      for (std::size_t k = 0; k < x_.size(); ++k) x[k * lanes_.size() + lane] = x_[k];
    }
  }

 private:
  int num_lanes() const { return static_cast<int>(lanes_.size()); }
  void take(std::span<const double> all, int lane, std::vector<double>& mine) const {
    for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = all[k * lanes_.size() + lane];
  }

  std::vector<std::unique_ptr<LeastNormOfLane>> lanes_;
  std::vector<double> values_, b_, x_;  // of one lane
  std::vector<bool> is_regular_;
};

// A block that is half full fills up anyway.
bool is_half_full(int size, std::size_t num_places) {
  return num_places * 2 > static_cast<std::size_t>(size) * size;
}

bool has_pivots_that_stay(int size, const std::vector<Place>& places) {
  const PivotSearch search(size, places);
  const EliminationOrder& order = search.intended();
  return !order.row_of.empty() && order.is_steady;
}

}  // namespace

bool is_solved_densely(int size, const std::vector<Place>& places) {
  constexpr int never_sparse = 8;
  if (size <= never_sparse || is_half_full(size, places.size())) return true;
  return size <= largest_dense_block && !has_pivots_that_stay(size, places);
}

std::unique_ptr<SquareSolver> make_square_solver(int size, std::vector<Place> places, int lanes) {
  if (is_solved_densely(size, places)) return std::make_unique<DenseLu>(size, places, lanes);
  return std::make_unique<ScheduledLu>(size, places, lanes);
}

bool MinimumNormSolver::are_regular(std::span<const char> is_due, int lanes) const {
  for (int lane = 0; lane < lanes; ++lane)
    if ((is_due.empty() || is_due[lane] != 0) && !is_regular(lane)) return false;
  return true;
}

std::unique_ptr<MinimumNormSolver> make_minimum_norm_solver(int num_rows, int num_columns,
                                                            std::vector<Place> places, int lanes) {
  DAEDAL_CHECK(num_rows <= num_columns);
  if (num_columns <= largest_dense_block)
    return std::make_unique<DenseMinimumNorm>(num_rows, num_columns, places, lanes);
  return std::make_unique<SparseMinimumNorm>(num_rows, num_columns, places, lanes);
}

}  // namespace daedal::linear
