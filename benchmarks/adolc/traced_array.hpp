// G and J of a derivative array by ADOL-C, as Campbell and Hollenbeck (1996) use it: F traced once
// with x^(q) and time as independent variables, G from a forward sweep of degree r, J from that
// sweep and one reverse sweep for many weights, by their eqs. (12), (17) and (18).
//
// ADOL-C gets the operations of daedal's own graph: simplified, common parts once, parameters as
// numbers. It gets every help that we know of: independent variables only for what occurs, tapes in
// memory, weights that are sums of equations without common variables (a colouring, so that a
// sparse system needs few).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "reduce/array/derivative_array.hpp"

namespace daedal::benchmarks {

enum class Weights { one_per_equation, coloured };

class TracedArray {
 public:
  // For the rows and entries that `array` has, of the same differentiations r of all equations, in
  // derivatives.
  TracedArray(const expr::Graph& graph, std::span<const expr::NodeId> residuals, int r,
              std::span<const double> parameters, const reduce::DerivativeArray& array,
              Weights weights);
  ~TracedArray();

  void evaluate(const reduce::ArrayPoint& point);
  void linearise(const reduce::ArrayPoint& point);
  const std::vector<double>& values() const;           // by row of the array
  const std::vector<double>& jacobian_values() const;  // by entry of its J

  int num_weights() const;
  // What the tape and the sweeps use of ADOL-C's buffers, and our tables beside them.
  std::size_t num_bytes() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace daedal::benchmarks
