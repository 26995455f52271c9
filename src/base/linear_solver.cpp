#include "base/linear_solver.hpp"

#include <klu.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace daedal::base {
namespace {

// Matrices up to Largest by Largest live inside the object, temporaries included: no allocation.
template <int Largest>
using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, Largest, Largest>;
template <int Largest>
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Largest, 1>;

constexpr double infinite = std::numeric_limits<double>::infinity();
// Below this a pivot is rounding error of the entries it came from.
constexpr double smallest_pivot_ratio = 1e-15;
// A diagonal entry is taken as pivot if it is at least this part of the largest in its column. The
// default of 1e-3 costs up to seven digits on augmented systems.
constexpr double pivot_tolerance = 0.5;

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Rows scaled to largest entry 1, so that the choice of pivots does not depend on units.
template <int Largest>
class DenseLu final : public SquareSolver {
 public:
  DenseLu(int size, std::vector<Place> places)
      : places_(std::move(places)), matrix_(size, size), lu_(size), row_scale_(size), work_(size) {}

  bool factorise(std::span<const double> values) override {
    if (!are_finite(values)) return false;
    matrix_.setZero();
    for (std::size_t k = 0; k < places_.size(); ++k)
      matrix_(places_[k].row, places_[k].column) += values[k];
    for (Eigen::Index i = 0; i < matrix_.rows(); ++i) {
      const double largest = matrix_.row(i).cwiseAbs().maxCoeff();
      if (largest == 0.0) return false;
      row_scale_[i] = 1.0 / largest;
      matrix_.row(i) *= row_scale_[i];
    }
    lu_.compute(matrix_);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    return pivots.minCoeff() > smallest_pivot_ratio * pivots.maxCoeff();
  }

  void solve(std::span<double> b) const override {
    const auto& factors = lu_.matrixLU();
    const auto& rows = lu_.permutationP().indices();
    const Eigen::Index size = factors.rows();
    for (Eigen::Index i = 0; i < size; ++i) work_[rows[i]] = b[i] * row_scale_[i];
    for (Eigen::Index k = 0; k < size; ++k)
      for (Eigen::Index i = k + 1; i < size; ++i) work_[i] -= factors(i, k) * work_[k];
    for (Eigen::Index k = size - 1; k >= 0; --k) {
      work_[k] /= factors(k, k);
      for (Eigen::Index i = 0; i < k; ++i) work_[i] -= factors(i, k) * work_[k];
    }
    std::copy(work_.data(), work_.data() + size, b.begin());
  }

  double condition() const override {
    const double reciprocal = lu_.rcond();
    return reciprocal > 0.0 ? 1.0 / reciprocal : infinite;
  }
  int determinant_sign() const override {
    const auto diagonal = lu_.matrixLU().diagonal();
    auto sign = static_cast<int>(lu_.permutationP().determinant());
    for (Eigen::Index k = 0; k < diagonal.size(); ++k)
      if (diagonal[k] < 0.0) sign = -sign;
    return sign;
  }

 private:
  std::vector<Place> places_;
  Matrix<Largest> matrix_;
  Eigen::PartialPivLU<Matrix<Largest>> lu_;
  Vector<Largest> row_scale_;
  mutable Vector<Largest> work_;
};

// `seen`: scratch of at least this size.
int parity(const int* permutation, int size, std::vector<bool>& seen) {
  std::fill(seen.begin(), seen.end(), false);
  int sign = 1;
  for (int start = 0; start < size; ++start) {
    for (int k = permutation[start]; !seen[start] && k != start; k = permutation[k]) {
      seen[k] = true;
      sign = -sign;
    }
    seen[start] = true;
  }
  return sign;
}

class SparseLu final : public SquareSolver {
 public:
  SparseLu(int size, std::vector<Place> places) : size_(size), seen_(size) {
    compress(std::move(places));
    klu_defaults(&common_);
    common_.tol = pivot_tolerance;
    symbolic_ = klu_analyze(size_, start_.data(), row_.data(), &common_);
    DAEDAL_CHECK(symbolic_ != nullptr);
  }
  ~SparseLu() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  bool factorise(std::span<const double> values) override {
    if (!are_finite(values)) return false;
    std::fill(value_.begin(), value_.end(), 0.0);
    for (std::size_t k = 0; k < values.size(); ++k) value_[target_[k]] += values[k];
    if (!refactorise_with_old_pivots() && !factorise_with_new_pivots()) return false;
    return common_.rcond > smallest_pivot_ratio;
  }

  void solve(std::span<double> b) const override {
    klu_solve(symbolic_, numeric_, size_, 1, b.data(), &common_);
  }

  double condition() const override { return common_.rcond > 0.0 ? 1.0 / common_.rcond : infinite; }
  int determinant_sign() const override {
    const auto* diagonal = static_cast<const double*>(numeric_->Udiag);
    int sign = parity(numeric_->Pnum, size_, seen_) * parity(symbolic_->Q, size_, seen_);
    for (int k = 0; k < size_; ++k)
      if (diagonal[k] < 0.0) sign = -sign;
    return sign;
  }

 private:
  void compress(std::vector<Place> places) {
    std::vector<int> order(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) order[k] = static_cast<int>(k);
    const auto key = [&](int k) { return std::pair(places[k].column, places[k].row); };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    start_.assign(size_ + 1, 0);
    target_.resize(places.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
      const int k = order[n];
      if (n == 0 || key(order[n - 1]) != key(k)) {
        row_.push_back(places[k].row);
        ++start_[places[k].column + 1];
      }
      target_[k] = static_cast<int>(row_.size()) - 1;
    }
    for (int k = 0; k < size_; ++k) start_[k + 1] += start_[k];
    value_.resize(row_.size());
  }

  // Old pivots are kept as long as the factors do not grow [Davis2010].
  bool refactorise_with_old_pivots() {
    constexpr double smallest_growth = 1e-3;  // reciprocal pivot growth that is still harmless
    constexpr double smallest_decay = 0.01;   // of the pivots' ratio since they were chosen
    if (numeric_ == nullptr) return false;
    if (klu_refactor(start_.data(), row_.data(), value_.data(), symbolic_, numeric_, &common_) ==
            0 ||
        common_.status != KLU_OK)
      return false;
    klu_rgrowth(start_.data(), row_.data(), value_.data(), symbolic_, numeric_, &common_);
    klu_rcond(symbolic_, numeric_, &common_);
    return common_.rgrowth > smallest_growth && common_.rcond > smallest_decay * chosen_rcond_;
  }

  bool factorise_with_new_pivots() {
    klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(start_.data(), row_.data(), value_.data(), symbolic_, &common_);
    if (numeric_ == nullptr || common_.status != KLU_OK) return false;
    klu_rcond(symbolic_, numeric_, &common_);
    chosen_rcond_ = common_.rcond;
    return true;
  }

  int size_;
  mutable std::vector<bool> seen_;
  std::vector<int> start_, row_, target_;
  std::vector<double> value_;
  mutable klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  double chosen_rcond_ = 0.0;  // when the pivots were chosen
};

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
    solver_ = std::make_unique<SparseLu>(num_rows + num_columns, std::move(augmented));
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
  constexpr int largest_dense_full = 200;  // a block that is half full fills up anyway
  return size <= largest_dense_full && num_places * 2 > static_cast<std::size_t>(size) * size;
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

std::unique_ptr<SquareSolver> make_square_solver(int size, std::vector<Place> places) {
  if (size <= largest_dense_block)
    return smallest_fitting<SquareSolver, DenseLu>(size, size, std::move(places));
  if (is_dense(size, places.size()))
    return std::make_unique<DenseLu<Eigen::Dynamic>>(size, std::move(places));
  return std::make_unique<SparseLu>(size, std::move(places));
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
