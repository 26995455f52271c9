// Runs a tape: Taylor coefficients of every slot at a point. Portable and plain; the rules are
// numbered in docs/theory/taylor-rules.md.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "taylor/tape.hpp"

namespace daedal::taylor {

struct SeriesPoint {
  double time = 0.0;
  std::span<const double> parameters;
  std::function<double(expr::UnknownId, int order)> derivative;  // x^(order), not divided by order!
};

class Interpreter {
 public:
  explicit Interpreter(const Tape& tape);

  void run(const SeriesPoint& point);

  // Coefficient k of a root's series, k up to the order asked for.
  double coefficient(NodeId root, int k = 0) const { return series_[first_[tape_.slot(root)] + k]; }

  // Graph nodes with a coefficient that is not finite although their arguments' are, ascending.
  std::vector<NodeId> undefined_operations() const;

 private:
  bool is_finite(std::uint32_t slot) const;
  std::span<double> series(std::uint32_t slot) {
    return {series_.data() + first_[slot], first_[slot + 1] - first_[slot]};
  }
  double coefficient_of(const TapeEntry& entry, std::uint32_t slot, int k,
                        const SeriesPoint& point);
  double affine(const TapeEntry& entry, int k);
  double function(const TapeEntry& entry, int k);
  double power(const TapeEntry& entry, std::span<const double> z, int k);
  double piecewise(const TapeEntry& entry, int k);

  const Tape& tape_;
  std::vector<std::size_t> first_;  // of each slot's coefficients in series_
  std::vector<double> series_;
};

}  // namespace daedal::taylor
