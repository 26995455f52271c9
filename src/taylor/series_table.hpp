// The Taylor coefficients of a tape's slots, stored [order][slot][lane], and the operations on
// them. The rules are numbered in docs/theory/taylor-rules.md.
#pragma once

#include <span>
#include <vector>

#include "linear/aligned_vector.hpp"
#include "linear/rounded.hpp"
#include "taylor/rules.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {

// Where the series are taken: coefficients belong to powers of (t - time)/scale.
struct Origin {
  double time = 0.0;
  double scale = 1.0;
  std::span<const double> parameters = {};
};

// Scalar: double, or linear::Rounded for a running bound of the rounding error beside each
// coefficient. Lanes are independent points, each with an origin and coefficients of its own; a
// slot's coefficients of one order stand side by side.
template <typename Scalar>
class SeriesTable {
 public:
  SeriesTable(const Tape& tape, int num_orders, int num_lanes = 1);

  void set_origin(const Origin& origin, int lane = 0);
  const Origin& origin(int lane = 0) const { return origins_[lane]; }

  Scalar& at(std::uint32_t slot, int k, int lane = 0) {
    return table_[k * stride_ + slot * num_lanes_ + lane];
  }
  const Scalar& at(std::uint32_t slot, int k, int lane = 0) const {
    return table_[k * stride_ + slot * num_lanes_ + lane];
  }
  SeriesView<Scalar> series(std::uint32_t slot, int lane = 0) const {
    return {table_.data() + slot * num_lanes_ + lane, stride_};
  }
  Scalar* row(int k) { return table_.data() + static_cast<std::size_t>(k) * stride_; }
  const Scalar* row(int k) const { return table_.data() + static_cast<std::size_t>(k) * stride_; }
  std::size_t stride() const { return stride_; }
  int num_orders() const { return num_orders_; }
  int num_lanes() const { return static_cast<int>(num_lanes_); }

  // Coefficient k of an operation, from its arguments' up to k and its own below k. Unknowns and
  // given derivatives are the caller's to set.
  void evaluate(std::uint32_t slot, int k, int lane = 0) {
    at(slot, k, lane) = coefficient(slot, k, lane);
  }

  // The change of coefficient k of an operation that follows from changes of its arguments'
  // coefficients k: `changes` as a row of the table, of the coefficient k + offset[argument] -
  // offset[slot] of each argument, zero where nothing changed.
  Scalar change(std::uint32_t slot, int k, std::span<const Scalar> changes,
                std::span<const int> offset, int lane = 0) const;

  // T-shift: z = d^n u/dt^n,  z_k = (k+n)!/k! u_{k+n} / h^n
  double shift_factor(int n, int k, int lane) const {
    return rising_factorial(k, n) * reciprocal_powers_[n * num_lanes_ + lane];
  }
  // What an affine operation multiplies its a-th argument with.
  Scalar term_factor(const TapeEntry& entry, std::size_t a, int lane) const;

 private:
  using View = SeriesView<Scalar>;

  Scalar coefficient(std::uint32_t slot, int k, int lane) const;
  Scalar affine(const TapeEntry& entry, int k, int lane) const;
  Scalar function(const TapeEntry& entry, int k, int lane) const;
  Scalar piecewise(const TapeEntry& entry, int k, int lane) const;
  std::uint32_t active_branch(const TapeEntry& entry, int lane) const;

  const Tape* tape_;
  std::size_t num_lanes_;
  std::size_t stride_;  // of rows
  int num_orders_;
  std::vector<Origin> origins_;            // by lane
  std::vector<double> reciprocal_powers_;  // of the scale, [n][lane]: 1, 1/h, 1/h^2, ...
  linear::AlignedVector<Scalar> table_;    // [order][slot][lane]
};

}  // namespace daedal::taylor
