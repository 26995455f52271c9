#include "linear/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace daedal::linear {

// ---------------------------------------------------------------------------------------------------------------------
// A x = b

namespace {

int round_up(int count, int unit) { return (count + unit - 1) / unit * unit; }

}  // namespace

DenseLu::DenseLu(int size, const std::vector<Place>& places, int lanes)
    : DenseLu(size, places, lanes, dense_kernels(size, lanes)) {}

DenseLu::DenseLu(int size, const std::vector<Place>& places, int lanes, DenseKernels kernels)
    : kernels_(kernels),
      norm_(lanes),
      condition_(lanes),
      is_negative_(std::make_unique<bool[]>(lanes)),
      is_uniform_(std::make_unique<bool[]>(std::size_t{1} * lanes * size)),
      is_regular_(std::make_unique<bool[]>(lanes)) {
  DAEDAL_CHECK(size >= 1 && lanes >= 1);
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
  scratch_ = AlignedArray<double>(std::size_t{1} * stride *
                                  (is_single ? scratch_columns : 2 * kernels.group_width));
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
              .scratch = scratch_.data(),
              .row = row_.data(),
              .norm = norm_.data(),
              .condition = condition_.data(),
              .is_negative = is_negative_.get(),
              .is_uniform = is_uniform_.get(),
              .is_regular = is_regular_.get()};
}

bool DenseLu::factorise(std::span<const double> values, std::span<const char> /*is_due*/) {
  kernels_.factorise(factors_, values.data());
  return std::all_of(factors_.is_regular, factors_.is_regular + factors_.lanes,
                     [](bool is_regular) { return is_regular; });
}

void DenseLu::solve(std::span<double> b) const { kernels_.solve(factors_, b.data()); }

bool DenseLu::is_regular(int lane) const { return factors_.is_regular[lane]; }

double DenseLu::condition(int lane) const {
  return is_regular(lane) ? condition_[lane] : std::numeric_limits<double>::infinity();
}

int DenseLu::determinant_sign(int lane) const { return is_negative_[lane] ? -1 : 1; }

// The reciprocals of the pivots of P S A = L U, and the scales S, are [k], or [group][k][lane in
// group].
Determinant DenseLu::determinant(int lane) const {
  const int width = factors_.group_width;
  const std::size_t first = std::size_t{1} * (lane / width) * factors_.size * width + lane % width;
  Determinant inverse{.mantissa = determinant_sign(lane) < 0 ? -1.0 : 1.0, .exponent = 0};
  const double *const reciprocal = factors_.reciprocal + first, *const scale =
                                                                    factors_.scale + first;
  const auto at = [&](int k) { return std::size_t{1} * k * width; };
  inverse.multiply_all(
      factors_.size, [&](int k) { return std::abs(reciprocal[at(k)]); },
      [&](int k) { return scale[at(k)]; });
  return inverse.inverse();
}

// ---------------------------------------------------------------------------------------------------------------------
// min |x| subject to A x = b

namespace {

int row_stride(int num_columns, int lanes) {
  return lanes == 1 ? (num_columns + 3) / 4 * 4 : num_columns;
}
std::size_t padded(int lanes, int width) {
  return static_cast<std::size_t>((lanes + width - 1) / width * width);
}

}  // namespace

DenseMinimumNorm::DenseMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places,
                                   int lanes)
    : DenseMinimumNorm(num_rows, num_columns, places, lanes,
                       minimum_norm_kernels(num_columns, lanes)) {}

DenseMinimumNorm::DenseMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places,
                                   int lanes, MinimumNormKernels kernels)
    : kernels_(kernels), is_regular_(std::make_unique<bool[]>(lanes)) {
  const int stride = row_stride(num_columns, lanes);
  targets_ = PlaceTargets(places, num_rows * stride,
                          [&](const Place& place) { return place.row * stride + place.column; });
  const std::size_t width = padded(lanes, kernels.group_width);
  q_ = AlignedArray<double>((num_rows * stride + 1) * width);
  lower_ = AlignedArray<double>(num_rows * num_rows * width);
  for (AlignedArray<double>* by_row : {&scale_, &reciprocal_, &removed_, &y_})
    *by_row = AlignedArray<double>(num_rows * width);
  x_ = AlignedArray<double>(stride * width);
  factors_ = {.num_rows = num_rows,
              .num_columns = num_columns,
              .lanes = lanes,
              .group_width = kernels.group_width,
              .stride = stride,
              .num_places = static_cast<int>(targets_.target.size()),
              .num_repeated = static_cast<int>(targets_.repeated.size()),
              .target = targets_.target.data(),
              .repeated = targets_.repeated.data(),
              .repeated_target = targets_.repeated_target.data(),
              .q = q_.data(),
              .lower = lower_.data(),
              .scale = scale_.data(),
              .reciprocal = reciprocal_.data(),
              .removed = removed_.data(),
              .y = y_.data(),
              .x = x_.data(),
              .is_regular = is_regular_.get()};
}

// A lane that is not due has the values it had, and gets the factors it had.
bool DenseMinimumNorm::factorise(std::span<const double> values, std::span<const char> is_due) {
  kernels_.factorise(factors_, values.data());
  return are_regular(is_due, factors_.lanes);
}

bool DenseMinimumNorm::is_regular(int lane) const { return is_regular_[lane]; }

void DenseMinimumNorm::solve(std::span<const double> b, std::span<double> x) {
  kernels_.solve(factors_, b.data(), x.data());
}

}  // namespace daedal::linear
