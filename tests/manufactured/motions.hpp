// Scalar motions with events that are known by bisection: with friction, and bouncing (rule F15 of
// docs/theory/manufactured-problems.md).
#pragma once

#include <optional>
#include <vector>

#include "manufactured/program.hpp"

namespace daedal::manufactured {

// e' = g' - k sign(e): slides at zero while |g'| < k.
class Friction {
 public:
  // Nothing where it arrives or leaves in a way that no tolerance decides.
  static std::optional<Friction> make(Function g, Function slope, Real k, Real start, double from,
                                      double to);
  Real value(Real t) const;
  // Instants at which the motion changes.
  std::vector<Real> kinks() const;

 private:
  struct Phase {
    Real t;
    int side;  // of e; 0: at rest
    Real value;
  };
  Friction(Function g, Real k) : g_(std::move(g)), k_(k) {}

  Function g_;
  Real k_;
  std::vector<Phase> phases_;
};

// h'' = -g, thrown up again with a part of its speed where it comes down to zero.
class Bounces {
 public:
  Bounces(Real height, Real speed, Real gravity, Real restitution, double from, double to);
  Real value(Real t) const;
  // Whether nothing happens at the very end, and the bounces do not accumulate.
  bool is_clear() const { return is_clear_; }
  std::vector<Real> instants() const;

 private:
  struct Flight {
    Real t, height, speed;
  };
  Real gravity_;
  std::vector<Flight> flights_;
  bool is_clear_ = true;
};

}  // namespace daedal::manufactured
