#include "base/linear_solver.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/dense_lu.hpp"
#include "base/scheduled_lu.hpp"

namespace daedal::base {
namespace {

// Matrices up to Largest by Largest live inside the object, temporaries included: no allocation.
template <int Largest>
using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, Largest, Largest>;
template <int Largest>
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Largest, 1>;

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// A^T = Q R, x = Q R^-T b.
template <int Largest>
class DenseMinimumNorm final : public MinimumNormSolver {
 public:
  DenseMinimumNorm(int num_rows, int num_columns, std::vector<Place> places)
      : places_(std::move(places)),
        transposed_(num_columns, num_rows),
        qr_(num_columns, num_rows),
        work_(num_columns) {}

  bool factorise(std::span<const double> values) override {
    if (!are_finite(values)) return false;
    transposed_.setZero();
    for (std::size_t k = 0; k < places_.size(); ++k)
      transposed_(places_[k].column, places_[k].row) += values[k];
    for (Eigen::Index i = 0; i < transposed_.cols(); ++i)
      if (transposed_.col(i).cwiseAbs().maxCoeff() == 0.0) return false;
    qr_.compute(transposed_);
    for (Eigen::Index i = 0; i < transposed_.cols(); ++i)
      if (std::abs(qr_.matrixQR()(i, i)) <= smallest_pivot_ratio * transposed_.col(i).norm())
        return false;
    return true;
  }

  void solve(std::span<const double> b, std::span<double> x) override {
    const Eigen::Index rows = transposed_.cols();
    work_.setZero();
    for (Eigen::Index i = 0; i < rows; ++i) work_[i] = b[i];
    const auto& R = qr_.matrixQR();
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index k = 0; k < i; ++k) work_[i] -= R(k, i) * work_[k];
      work_[i] /= R(i, i);
    }
    for (Eigen::Index k = rows - 1; k >= 0; --k) apply_reflection(k);
    std::copy(work_.data(), work_.data() + work_.size(), x.begin());
  }

 private:
  // work = H_k work
  void apply_reflection(Eigen::Index k) {
    const Eigen::Index below = work_.size() - k - 1;
    const auto essential = qr_.matrixQR().col(k).tail(below);
    const double factor = qr_.hCoeffs()[k] * (work_[k] + essential.dot(work_.tail(below)));
    work_[k] -= factor;
    work_.tail(below) -= factor * essential;
  }

  std::vector<Place> places_;
  Matrix<Largest> transposed_;
  Eigen::HouseholderQR<Matrix<Largest>> qr_;
  Vector<Largest> work_;
};

// [I A^T; A 0] (x, y) = (0, b)
class SparseMinimumNorm final : public MinimumNormSolver {
 public:
  SparseMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places)
      : num_columns_(num_columns),
        values_(num_columns + 2 * places.size(), 1.0),
        right_(num_rows + num_columns) {
    std::vector<Place> augmented;
    for (int j = 0; j < num_columns; ++j) augmented.push_back({j, j});
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

bool is_dense(int size, std::size_t num_places) {
  // A block that is half full fills up anyway.
  return size <= largest_size && num_places * 2 > static_cast<std::size_t>(size) * size;
}

// A model may have thousands of small blocks: each gets the smallest kind that holds `size`.
template <typename Interface, template <int> typename Kind, typename... Arguments>
std::unique_ptr<Interface> smallest_fitting(int size, Arguments... arguments) {
  if (size <= 3) return std::make_unique<Kind<3>>(std::move(arguments)...);
  if (size <= 6) return std::make_unique<Kind<6>>(std::move(arguments)...);
  if (size <= 12) return std::make_unique<Kind<12>>(std::move(arguments)...);
  return std::make_unique<Kind<largest_dense_block>>(std::move(arguments)...);
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
    return smallest_fitting<MinimumNormSolver, DenseMinimumNorm>(num_columns, num_rows, num_columns,
                                                                 std::move(places));
  return std::make_unique<SparseMinimumNorm>(num_rows, num_columns, places);
}

}  // namespace daedal::base
