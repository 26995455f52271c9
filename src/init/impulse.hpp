// The jump that equations demand of their solution when new constraints come into force
// (docs/theory/hybrid.md).
//
// Let values below order d_j - 1 be continuous. If x_j^(d_j - 1) jumps by delta_j, x_j^(d_j) has an
// impulse of that size (for d_j = 0: x_j itself). Impulses must balance in every equation that is
// not differentiated, and the others must hold after the jump:
//
//   sum_j J_ij delta_j = 0                       c_i = 0
//   f_i^(c_i - 1)(values + delta) = 0            c_i > 0
//
// with the system Jacobian J: one linear system, and Newton where a constraint with c_i = 1 is not
// linear. In mechanics this is the plastic impact with the metric of the masses, for capacitors
// that are connected the conservation of charge; no norm is chosen by anybody.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "init/search_input.hpp"

namespace daedal::init {

struct Impulse {
  // By unknown: by how much x_j^(d_j - 1) jumps; for d_j = 0 the impulse of x_j.
  std::vector<double> delta;
};

class ImpulseSearch {
 public:
  // Keeps references to what the input refers to; its graph grows by derivatives.
  explicit ImpulseSearch(const SearchInput& input);

  // values[j]: x_j, x_j', ... just before. None if the equations that are not differentiated are
  // nonlinear in the highest derivatives, if a value is not known, or if there is no solution.
  std::optional<Impulse> find(double t, std::span<const double> parameters,
                              std::vector<std::vector<double>> values);

 private:
  struct Entry {
    int row, column;
    expr::NodeId value;
  };

  expr::Graph& graph_;
  const structure::Structure& structure_;
  bool is_linear_;
  std::vector<Entry> jacobian_;
  std::vector<expr::NodeId> constraints_;  // f_i^(c_i - 1), unset for c_i = 0
};

}  // namespace daedal::init
