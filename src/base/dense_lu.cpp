#include "base/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace daedal::base {
namespace {

int round_up(int count, int unit) { return (count + unit - 1) / unit * unit; }

// The factors of one lane, whatever the layout. Rows of L^-1 are in the order of the pivots.
class LaneView {
 public:
  LaneView(const DenseFactors& f, int lane)
      : f_(f),
        is_single_(f.lanes == 1),
        width_(f.group_width),
        group_(lane / width_),
        lane_(lane % width_) {}

  double reciprocal(int k) const { return f_.reciprocal[at(k)]; }
  std::int64_t row(int k) const { return f_.row[at(k)]; }
  // Of row p_k.
  double scale(int k) const { return f_.scale[is_single_ ? f_.row[k] : at(k)]; }
  // Of T = L^-1 P S. j < i
  double lower(int i, int j) const {
    return is_single_ ? f_.matrix[j * f_.stride + f_.row[i]] : entry(i, j);
  }
  // Of U^-1. i < j
  double upper(int i, int j) const {
    return is_single_ ? f_.upper[j * f_.stride + i] : entry(i, j);
  }

 private:
  std::size_t at(int k) const { return (std::size_t{1} * group_ * f_.size + k) * width_ + lane_; }
  double entry(int i, int j) const {
    return f_
        .matrix[(std::size_t{1} * group_ * (f_.size * f_.size + 1) + i * f_.size + j) * width_ +
                lane_];
  }

  const DenseFactors& f_;
  bool is_single_;
  int width_, group_, lane_;
};

}  // namespace

DenseLu::DenseLu(int size, const std::vector<Place>& places, int lanes, DenseKernels kernels)
    : kernels_(kernels),
      norm_(lanes),
      is_uniform_(std::make_unique<bool[]>(std::size_t{1} * lanes * size)),
      is_regular_(std::make_unique<bool[]>(lanes)) {
  DAEDAL_CHECK(size >= 1 && size <= largest_size && lanes >= 1);
  const bool is_single = lanes == 1;
  const int stride = is_single ? round_up(size, row_vector(size)) : size;
  const std::size_t padded_lanes = round_up(lanes, kernels.group_width);
  const int num_columns = is_single ? round_up(size, 4) : size;
  const std::size_t vector = padded_lanes * round_up(stride, 4);
  const std::size_t matrix = padded_lanes * (num_columns * stride + 1);
  targets_ = PlaceTargets(places, num_columns * stride, [&](const Place& place) {
    return is_single ? place.column * stride + place.row : place.row * size + place.column;
  });
  matrix_ = AlignedArray<double>(matrix);
  upper_ = AlignedArray<double>(is_single ? matrix : vector);
  if (is_single) work_ = AlignedArray<double>(matrix);
  scale_ = AlignedArray<double>(vector);
  reciprocal_ = AlignedArray<double>(vector);
  row_ = AlignedArray<std::int64_t>(vector);
  factors_ = {.size = size,
              .lanes = lanes,
              .group_width = kernels.group_width,
              .stride = stride,
              .num_columns = num_columns,
              .num_places = static_cast<int>(targets_.target.size()),
              .num_repeated = static_cast<int>(targets_.repeated.size()),
              .target = targets_.target.data(),
              .repeated = targets_.repeated.data(),
              .repeated_target = targets_.repeated_target.data(),
              .matrix = matrix_.data(),
              .upper = upper_.data(),
              .work = work_.data(),
              .scale = scale_.data(),
              .reciprocal = reciprocal_.data(),
              .row = row_.data(),
              .norm = norm_.data(),
              .is_uniform = is_uniform_.get(),
              .is_regular = is_regular_.get()};
}

bool DenseLu::factorise(std::span<const double> values) {
  kernels_.factorise(factors_, values.data());
  return std::all_of(factors_.is_regular, factors_.is_regular + factors_.lanes,
                     [](bool is_regular) { return is_regular; });
}

// |A| |A^-1| in the largest row sum, rows scaled. Of A^-1 = W L^-1 P the sum is computed for one
// row: the one for which |W| |L^-1| has the largest. At most the condition number; in the
// tests at least a third of it.
double DenseLu::condition(int lane) const {
  if (!is_regular(lane)) return std::numeric_limits<double>::infinity();
  const LaneView view(factors_, lane);
  const int n = factors_.size;
  double unscale[largest_size], sums[largest_size], row[largest_size];
  for (int i = 0; i < n; ++i) {
    unscale[i] = 1.0 / view.scale(i);
    sums[i] = 1.0;
    for (int j = 0; j < i; ++j) sums[i] += std::abs(view.lower(i, j)) * unscale[j];
  }
  int worst = 0;
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    double sum = sums[i] * std::abs(view.reciprocal(i));
    for (int j = i + 1; j < n; ++j) sum += std::abs(view.upper(i, j)) * sums[j];
    if (sum > largest) worst = i, largest = sum;
  }
  for (int j = 0; j < n; ++j) {
    row[j] = j == worst ? view.reciprocal(j) : j > worst ? view.upper(worst, j) : 0.0;
  }
  double norm = 0.0;
  for (int j = 0; j < n; ++j) {
    double sum = row[j];
    for (int i = std::max(j + 1, worst); i < n; ++i)
      sum += row[i] * (view.lower(i, j) * unscale[j]);
    norm += std::abs(sum);
  }
  return norm_[lane] * norm;
}

int DenseLu::determinant_sign(int lane) const {
  const LaneView view(factors_, lane);
  int sign = 1;
  for (int k = 0; k < factors_.size; ++k) {
    if (view.reciprocal(k) < 0.0) sign = -sign;
    for (int before = 0; before < k; ++before)
      if (view.row(before) > view.row(k)) sign = -sign;
  }
  return sign;
}

}  // namespace daedal::base
