#include "linear/dense_minimum_norm.hpp"

namespace daedal::linear {
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
