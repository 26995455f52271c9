// Maximum matching of equations to unknowns on a sparse pattern [HopcroftKarp1973].
//
// Each phase finds, by breadth-first layers from the unmatched equations, the length of a shortest augmenting path, and
// augments along a maximal set of disjoint paths of that length; then along disjoint paths of any length, as
// [PothenFan1990] do in every phase. O(sqrt(n)) phases, each linear in the places.
#pragma once

#include <vector>

#include "structure/pattern.hpp"

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
  // Grows a matching whose pairs are places of the pattern until it is maximum. Matched equations and unknowns stay
  // matched, though perhaps to another partner.
  void grow(const Pattern& pattern, Matching& matching);

 private:
  void match_greedily();
  bool build_layers();
  void augment_along_layers();
  void augment_along_any_path();
  template <typename MayStep>
  void augment_free_equations(MayStep may_step);
  template <typename MayStep>
  void augment_from(int equation, MayStep may_step);
  template <typename MayStep>
  int find_step(int equation, MayStep may_step);
  int find_free_unknown(int equation);
  void flip_path(int free_unknown);

  const Pattern* pattern_ = nullptr;  // of the current call to grow()
  Matching* matching_ = nullptr;
  std::vector<int> layer_;       // by equation: number of matched pairs on a shortest path to it
  std::vector<int> next_look_;   // by equation: first place not yet looked at for a free unknown
  std::vector<int> next_place_;  // by equation: first place not yet tried for a longer path
  std::vector<bool> is_visited_;  // by equation
  std::vector<int> queue_;
  std::vector<int> path_;        // equations of the alternating path under construction
  int last_layer_ = 0;           // where the first free unknown is seen
};

Matching maximum_matching(const Pattern& pattern);

}  // namespace daedal::structure
