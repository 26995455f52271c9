// Runs a tape at a point where every derivative of every unknown is given: Taylor coefficients of
// every slot.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "linear/rounded.hpp"
#include "taylor/series_table.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {

struct SeriesPoint {
  double time = 0.0;
  std::span<const double> parameters;
  std::function<double(expr::UnknownId, int order)> derivative;  // x^(order), not divided by order!
};

template <typename Scalar>
class BasicInterpreter {
 public:
  explicit BasicInterpreter(const Tape& tape);

  void run(const SeriesPoint& point);

  // Coefficient k of a root's series, k up to the order asked for.
  Scalar coefficient(NodeId root, int k = 0) const { return table_.at(tape_.slot(root), k); }

  Scalar value(std::uint32_t slot) const { return table_.at(slot, 0); }

  // Graph nodes with a coefficient that is not finite although their arguments' are, ascending.
  std::vector<NodeId> undefined_operations() const;

 private:
  bool is_finite(std::uint32_t slot) const;

  const Tape& tape_;
  SeriesTable<Scalar> table_;
};

using Interpreter = BasicInterpreter<double>;
using RoundedInterpreter = BasicInterpreter<linear::Rounded>;

}  // namespace daedal::taylor
