// Which operation is about to leave its domain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taylor/series_solver.hpp"

namespace daedal::taylor {

// An operation and a value of its argument at which it or its derivatives end.
struct DomainEdge {
  Slot operation;
  Slot argument;   // of a quotient, the denominator
  Slot numerator;  // of a quotient that varies; no_slot otherwise
  double value;
};
// Those of operations whose series are computed and whose arguments vary in time.
std::vector<DomainEdge> domain_edges(const SeriesSchedule& schedule);

struct DomainBoundary {
  NodeId node;            // the operation
  double distance = 0.0;  // in t, at the present speed of its argument
  bool is_there = false;  // to rounding: the argument cannot come nearer
  std::string text;       // "the argument of sqrt is 3e-14 and falls towards 0"
};

// The nearest in time, from the first two coefficients of the arguments; none if no argument is
// near an edge. Looks both ways in t.
std::optional<DomainBoundary> nearest_domain_boundary(const SeriesSolver& series, int lane = 0);

}  // namespace daedal::taylor
