// Invertible changes of unknowns and mixtures of equations (rules F6 to F8 of
// docs/theory/manufactured-problems.md).
#pragma once

#include <vector>

#include "manufactured/canonical.hpp"

namespace daedal::manufactured {

// y_j = x_j + h_j(the x_k before it in `order`, t). Of x and y as lists of terms or series.
struct Layer {
  std::vector<int> order;
  std::vector<Term> additions;  // h_j, of variable_term(k) for x_k
};

struct Disguise {
  std::vector<Layer> layers;  // z = layers[0](layers[1](... (x')))
  std::vector<int> places;    // z_j of the innermost layer is x_places[j]
  // The equations as mixed, of z, and their sequence.
  std::vector<Term> mixed;
};

Disguise make_disguise(const Canonical& system, const std::vector<Term>& residuals,
                       const Choice& choice, Random& random);

// z as expressions of x.
std::vector<Term> unknowns_of(const Disguise& disguise);
// x from z, as series or values.
std::vector<Series> solve_for_variables(const Disguise& disguise, std::vector<Series> z,
                                        const Series& time);

}  // namespace daedal::manufactured
