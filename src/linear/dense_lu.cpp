#include "linear/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace daedal::linear {
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

}  // namespace daedal::linear
