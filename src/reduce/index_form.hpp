// The system that a method for F(t, z, z') = 0 integrates, as written or in a form of a given
// index, and what its structure says of errors at small steps (docs/theory/bdf.md, rules B1 to B3).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reduce/array/first_order.hpp"
#include "structure/structure.hpp"

namespace daedal::reduce {

// Where a derivative of a user's unknown is found: an unknown z of the form, or its slope z'.
struct FormPlace {
  int unknown = 0;
  bool is_slope = false;
};

struct IndexForm {
  FirstOrderForm system;       // F; its graph may grow by derivatives
  std::vector<Place> meaning;  // by unknown z: the derivative of a user's unknown that it is

  // z is X_j of the form of index 0: solved for at each instant, of no influence on later ones.
  std::vector<char> is_auxiliary;
  // Errors of F of size e are errors of z of size e h^(1 - level).
  std::vector<int> levels;
  // h^-row_powers[i] dF_i/dz_u h^column_powers[u] has a condition that does not depend on h.
  std::vector<int> row_powers, column_powers;

  std::vector<int> orders;                     // by user's unknown: derivatives in z and z'
  std::vector<std::vector<FormPlace>> places;  // by user's unknown and derivative up to orders

  int num_unknowns() const { return static_cast<int>(meaning.size()); }
  int highest_level() const;
};

// No index: the equations as written. Index q >= 1: f_i differentiated max(0, c_i + 1 - q) times.
// Index 0: an implicit ODE, all constraints are lost.
IndexForm index_form(const expr::Graph& graph, std::span<const NodeId> residuals,
                     const structure::Structure& structure, std::optional<int> index);

}  // namespace daedal::reduce
