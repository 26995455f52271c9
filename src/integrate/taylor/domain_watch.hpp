// Arguments of roots, logarithms, quotients and the like that must not come to the edge of their
// domain within a step (docs/theory/taylor-method.md, Edges of domains). A polynomial goes on
// after the edge as if nothing were there, and where the solution is smaller than the tolerance
// nothing else shows it: the level of a tank that runs empty, h' = -sqrt(h), is (1 - t/2)^2 before
// t = 2 and would be so after it.
//
// On an ordinary step each argument costs one sum of the sizes of its terms, all arguments side by
// side; only an argument whose terms could take it to its edge is looked at closely.
#pragma once

#include <optional>
#include <tuple>
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
  void begin_step(double s) {
    num_approaches_ = 0;
    if (!arguments_.empty()) look_closer(s);
  }

  // The step to s, or the part of it at whose end the first argument has come so near to its edge
  // that a tenth of its distance is left. Repeated, this leads to the edge in a few steps.
  // Nor does it end next to a point where a quotient is 0/0, from which nothing gets on: it passes
  // that point by some way, or ends half way to it.
  double inside(double s) {
    return num_approaches_ == 0 ? s : away_from_zero_by_zero(before_edges(s));
  }
  // Where a quotient is 0/0 on the way to s, or just after it; 0 if none is.
  double zero_by_zero(double s);
  // That of a step which ends at an event: it may be at an edge, but not beyond it.
  double inside_until_event(double s) { return num_approaches_ == 0 ? s : up_to_edges(s); }

 private:
  // An argument, up to a degree of its series, and a value that is an edge of some operations.
  struct Argument {
    int degree = 0;
    taylor::Slot slot = 0;
    double edge = 0.0;
    std::size_t first = 0, last = 0;  // of these operations, in edges_

    auto key() const { return std::tuple(-degree, slot, edge); }
  };
  // Arguments of one degree.
  struct Group {
    int degree = 0;
    std::size_t first = 0, last = 0;  // in arguments_
  };
  struct Approach {
    std::vector<double> distance, numerator;  // polynomials; none: it does not vary
  };
  Argument argument_of(const taylor::DomainEdge& edge) const;
  bool may_arrive(const Argument& argument, double distance, double s) const;
  void look_closer(double s);
  void note_approaches(const Argument& argument, double distance);
  double before_edges(double s);
  double up_to_edges(double s);
  double away_from_zero_by_zero(double s);
  double first_below(double part, double s);
  std::optional<double> place_of(const Approach& approach, double part, double s);
  bool grows(const Approach& approach, double s) const;

  const taylor::SeriesSolver& series_;
  int lane_;
  std::vector<taylor::DomainEdge> edges_;  // argument by argument
  std::vector<Argument> arguments_;        // group by group
  std::vector<Group> groups_;
  // By argument: its place in a row of coefficients, its edge, and how much farther it may move in
  // the step than it may without a closer look.
  std::vector<std::size_t> places_;
  std::vector<double> edge_values_, excess_;
  std::vector<Approach> approaches_;
  std::size_t num_approaches_ = 0;
  hybrid::RootFinder finder_;
  std::vector<double> lowered_;
};

}  // namespace daedal::integrate
