#include "structure/structure.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/check.hpp"
#include "structure/assignment.hpp"
#include "structure/block_triangular.hpp"
#include "structure/matching.hpp"
#include "structure/offsets.hpp"

namespace daedal::structure {

namespace {

// Offsets, potentials and path lengths are at most a small multiple of n max(sigma); 16 leaves
// ample room.
bool offsets_fit_int(const SignatureMatrix& sigma) {
  int max_order = 0;
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (const int order : sigma.orders(i)) max_order = std::max(max_order, order);
  }
  const double bound = 16.0 * sigma.num_equations() * max_order;
  return bound < std::numeric_limits<int>::max();
}

// The places with d_j - c_i = sigma_ij: the only ones where J can be nonzero [Pryce2018, eq. (6)].
Pattern jacobian_pattern(const SignatureMatrix& sigma, const Offsets& offsets) {
  Pattern pattern(sigma.num_unknowns());
  for (int i = 0; i < sigma.num_equations(); ++i) {
    const std::span<const int> unknowns = sigma.unknowns(i);
    const std::span<const int> orders = sigma.orders(i);
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      if (offsets.d[unknowns[k]] - offsets.c[i] == orders[k]) pattern.add(unknowns[k]);
    }
    pattern.end_row();
  }
  return pattern;
}

// max c, plus 1 if some d_j = 0 [Pryce2018, sec. 2].
int structural_index(const Offsets& offsets) {
  if (offsets.c.empty()) return 0;
  const int max_c = *std::max_element(offsets.c.begin(), offsets.c.end());
  const int min_d = *std::min_element(offsets.d.begin(), offsets.d.end());
  return min_d == 0 ? max_c + 1 : max_c;
}

// sum d - sum c = sum over T of d_j - c_i: the value of the transversal [Pryce2001].
int degrees_of_freedom(const Offsets& offsets, const std::vector<int>& transversal) {
  int dof = 0;
  for (std::size_t i = 0; i < transversal.size(); ++i) {
    dof += offsets.d[transversal[i]] - offsets.c[i];
  }
  return dof;
}

}  // namespace

Structure analyze_structure(const SignatureMatrix& sigma) {
  DAEDAL_CHECK(sigma.num_equations() == sigma.num_unknowns());
  DAEDAL_CHECK(offsets_fit_int(sigma));
  const Pattern pattern = pattern_of(sigma);
  const Matching matching = maximum_matching(pattern);
  DAEDAL_CHECK(matching.size == sigma.num_equations());

  Structure structure;
  structure.coarse_blocks = irreducible_blocks(pattern, matching.unknown_of);
  Assignment assignment = highest_value_assignment(sigma, structure.coarse_blocks);
  Offsets offsets = canonical_offsets(sigma, structure.coarse_blocks, assignment);
  structure.fine_blocks = refine_blocks(structure.coarse_blocks, jacobian_pattern(sigma, offsets),
                                        assignment.unknown_of);
  structure.index = structural_index(offsets);
  structure.dof = degrees_of_freedom(offsets, assignment.unknown_of);
  structure.transversal = std::move(assignment.unknown_of);
  structure.c = std::move(offsets.c);
  structure.d = std::move(offsets.d);
  return structure;
}

}  // namespace daedal::structure
