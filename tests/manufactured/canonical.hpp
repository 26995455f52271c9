// Systems of a known index with chosen solutions, before disguise (rules F1 to F5 of
// docs/theory/manufactured-problems.md).
#pragma once

#include <string>
#include <vector>

#include "manufactured/random.hpp"
#include "manufactured/signal.hpp"
#include "manufactured/term.hpp"

namespace daedal::manufactured {

struct Choice {
  int size = -1;  // of unknowns, at least; -1 in any field: drawn from the seed
  int index = -1;
  int order = -1;         // highest derivative of an unknown, 1 to 4
  int nonlinearity = -1;  // 0 to 3, rule F4
  int coupling = -1;      // 0 to 3, rule F8
};

inline constexpr int max_index = 20;
inline constexpr int max_order = 4;

// The choice with everything drawn that is not given.
Choice complete(Choice choice, Random& random);

struct Unknown {
  std::string role;  // "ode", "chain", "position", "multiplier"
  Signal exact;
  int lag = 0;        // rule F3
  int order = 0;      // of the unknown as a state; 0 if it is none
  int response = -1;  // how often the state of an ODE is differentiated in it; -1: not at all
};

struct CanonicalEquation {
  Term left;            // of variable_term(j), and derivatives of it, for z_j
  int lag = 0;          // of the unknown that it determines
  int state = -1;       // for an ODE: its unknown,
  int state_order = 0;  // and the derivative of it that is solved for
};

struct Canonical {
  std::vector<Unknown> unknowns;
  std::vector<CanonicalEquation> equations;

  int size() const { return static_cast<int>(unknowns.size()); }
  int index() const;
};

Canonical make_canonical(const Choice& choice, Random& random);

// A random term of one or two of the candidates, as nonlinear as asked for (rule F4).
Term random_term(const std::vector<Term>& candidates, int nonlinearity, Random& random);

}  // namespace daedal::manufactured
