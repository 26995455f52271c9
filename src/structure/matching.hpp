// Maximum matching of equations to unknowns on a sparse pattern [HopcroftKarp1973]; diagnose() of
// structure.hpp follows from it.
//
// Each phase arranges the equations in breadth-first layers from the unmatched ones and augments
// along a maximal set of disjoint shortest paths through the layers: O(sqrt(n)) phases, each linear
// in the places. We then augment along longer paths through the same layers, which keeps that bound
// (docs/theory/structural-analysis.md) and saves most phases: 12 were left on a random pattern of
// 1e6 equations, against 80 with paths that ignore the layers, as in [PothenFan1990].
#pragma once

#include <vector>

#include "structure/signature_matrix.hpp"

namespace daedal::structure {

inline constexpr int unmatched = -1;

struct Matching {
  std::vector<int> unknown_of;   // by equation: the unknown matched to it, or unmatched
  std::vector<int> equation_of;  // by unknown: the equation matched to it, or unmatched
  int size = 0;

  void reset(int num_equations, int num_unknowns);
};

// Keeps its work arrays from call to call.
class MaximumMatcher {
 public:
  // Grows a matching whose pairs are places of the pattern until it is maximum. Matched equations
  // and unknowns stay matched, though perhaps to another partner.
  void grow(const Pattern& pattern, Matching& matching);

 private:
  void match_greedily();
  bool build_layers();
  void augment_along_layers(int limit);
  void augment_from(int equation, int limit);
  int find_free_unknown(int equation);
  int find_step(int equation);
  void flip_path(int free_unknown);

  const Pattern* pattern_ = nullptr;  // of the current call to grow()
  Matching* matching_ = nullptr;
  std::vector<int> layer_;      // by equation: number of matched pairs on a shortest path to it
  std::vector<int> next_look_;  // by equation: first place not yet looked at for a free unknown
  std::vector<int> next_step_;  // by equation: first place not yet tried for a longer path
  std::vector<int> queue_;
  std::vector<int> path_;  // equations of the alternating path under construction
  int shortest_ = 0;       // the first layer with a free unknown
};

Matching maximum_matching(const Pattern& pattern);

}  // namespace daedal::structure
