// The Taylor coefficients of a tape's slots, stored [order][slot], and the operations on them. The
// rules are numbered in docs/theory/taylor-rules.md.
#pragma once

#include <span>
#include <vector>

#include "base/rounded.hpp"
#include "taylor/rules.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {

// Where the series are taken: coefficients belong to powers of (t - time)/scale.
struct Origin {
  double time = 0.0;
  double scale = 1.0;
  std::span<const double> parameters = {};
};

// Scalar: double, or base::Rounded for a running bound of the rounding error beside each
// coefficient.
template <typename Scalar>
class SeriesTable {
 public:
  SeriesTable(const Tape& tape, int num_orders);

  void set_origin(const Origin& origin);
  const Origin& origin() const { return origin_; }

  Scalar& at(std::uint32_t slot, int k) { return table_[k * stride_ + slot]; }
  const Scalar& at(std::uint32_t slot, int k) const { return table_[k * stride_ + slot]; }
  SeriesView<Scalar> series(std::uint32_t slot) const { return {table_.data() + slot, stride_}; }
  int num_orders() const { return num_orders_; }

  // Coefficient k of an operation, from its arguments' up to k and its own below k. Unknowns and
  // given derivatives are the caller's to set.
  void evaluate(std::uint32_t slot, int k) { at(slot, k) = coefficient(slot, k); }

  // The change of coefficient k of an operation that follows from changes of its arguments'
  // coefficients k: `changes` by slot, of the coefficient k + offset[argument] - offset[slot] of
  // each argument, zero where nothing changed.
  Scalar change(std::uint32_t slot, int k, std::span<const Scalar> changes,
                std::span<const int> offset) const;

 private:
  using View = SeriesView<Scalar>;

  Scalar coefficient(std::uint32_t slot, int k) const;
  double shift_factor(const TapeEntry& entry, int k) const;
  Scalar affine(const TapeEntry& entry, int k) const;
  Scalar function(const TapeEntry& entry, int k) const;
  Scalar piecewise(const TapeEntry& entry, int k) const;
  std::uint32_t active_branch(const TapeEntry& entry) const;

  const Tape* tape_;
  std::size_t stride_;
  int num_orders_;
  Origin origin_;
  std::vector<double> reciprocal_powers_;  // of the scale: 1, 1/h, 1/h^2, ...
  std::vector<Scalar> table_;
};

}  // namespace daedal::taylor
