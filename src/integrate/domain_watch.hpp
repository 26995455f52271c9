// Arguments of roots, logarithms, quotients and the like that must not come to the edge of their
// domain within a step (docs/theory/taylor-method.md, Edges of domains). A polynomial goes on
// behind the edge as if nothing were there, and where the solution is smaller than the tolerance
// nothing else tells: the level of a tank that runs empty, h' = -sqrt(h), is (1 - t/2)^2 before t =
// 2 and would be so behind it.
#pragma once

#include <vector>

#include "hybrid/event_location.hpp"
#include "taylor/domain_boundary.hpp"

namespace daedal::integrate {

class DomainWatch {
 public:
  // Keeps a reference; nothing is allocated later.
  DomainWatch(const taylor::SeriesSolver& series, int lane);

  // Before a step from the present series to s, in units of their scale: keeps the arguments that
  // may come near an edge.
  void begin_step(double s);

  // The step to s, or the part of it at whose end the first argument has come so near to its edge
  // that a tenth of its distance is left. Repeated, this leads to the edge in a few steps.
  double inside(double s);
  // The same for a step that ends at an event, which may be at an edge, but not behind it.
  double inside_until_event(double s);

 private:
  struct Approach {
    std::vector<double> distance, numerator;  // polynomials; none: it does not vary
  };
  double first_below(double part, double s);
  bool grows(const Approach& approach, double s) const;

  const taylor::SeriesSolver& series_;
  int lane_;
  std::vector<taylor::DomainEdge> edges_;
  std::vector<Approach> approaches_;
  std::size_t num_approaches_ = 0;
  hybrid::RootFinder finder_;
  std::vector<double> lowered_;
};

}  // namespace daedal::integrate
