// Runs a tape: Taylor coefficients of every slot at a point. Portable and plain; the rules are
// numbered in docs/theory/taylor-rules.md.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/rounded.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {

struct SeriesPoint {
  double time = 0.0;
  std::span<const double> parameters;
  std::function<double(expr::UnknownId, int order)> derivative;  // x^(order), not divided by order!
};

// Scalar: double, or base::Rounded for a running bound of the rounding error beside each
// coefficient.
template <typename Scalar>
class BasicInterpreter {
 public:
  explicit BasicInterpreter(const Tape& tape);

  void run(const SeriesPoint& point);

  // Coefficient k of a root's series, k up to the order asked for.
  Scalar coefficient(NodeId root, int k = 0) const { return series_[first_[tape_.slot(root)] + k]; }

  // Graph nodes with a coefficient that is not finite although their arguments' are, ascending.
  std::vector<NodeId> undefined_operations() const;

 private:
  using Series = std::span<const Scalar>;

  bool is_finite(std::uint32_t slot) const;
  Series series(std::uint32_t slot) const {
    return {series_.data() + first_[slot], first_[slot + 1] - first_[slot]};
  }
  Scalar coefficient_of(const TapeEntry& entry, std::uint32_t slot, int k,
                        const SeriesPoint& point) const;
  Scalar affine(const TapeEntry& entry, int k) const;
  Scalar function(const TapeEntry& entry, int k) const;
  Scalar power(const TapeEntry& entry, Series z, int k) const;
  Scalar piecewise(const TapeEntry& entry, int k) const;

  const Tape& tape_;
  std::vector<std::size_t> first_;  // of each slot's coefficients in series_
  std::vector<Scalar> series_;
};

using Interpreter = BasicInterpreter<double>;
using RoundedInterpreter = BasicInterpreter<base::Rounded>;

}  // namespace daedal::taylor
