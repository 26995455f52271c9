// Operations that do more inside a step than a method of low order can see. Its steps are so short
// that an operation moves like a polynomial of low degree; one that does not, a wall that is met
// and left within the step, was passed unseen.
//
// Most operations hardly move in a step. Those whose arguments go far, by interval arithmetic, are
// followed by their values, from point to point so near that the arguments show what lies between.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "taylor/interpreter.hpp"
#include "taylor/tape_ranges.hpp"

namespace daedal::run {

class PassedFeatures {
 public:
  using Slot = std::uint32_t;

  // Keeps a reference. Parts of operations that do not vary are never looked at.
  PassedFeatures(const taylor::Tape& tape, const std::vector<bool>& varies);

  // Those that may hide something, in the order of the tape.
  const std::vector<Slot>& operations() const { return operations_; }

  // Whether an operation may do more than values at both ends of a step show, where the ranges are
  // those of the step.
  bool may_be_any(const taylor::TapeRanges& ranges, double tolerance);
  // After that: the parts of the step at which these operations are farthest from polynomials of
  // degree 3, one of each that is not near its own. `evaluate` runs the tape at a part of the step.
  std::span<const double> places(const taylor::Interpreter& values,
                                 const std::function<void(double part)>& evaluate,
                                 double tolerance);

 private:
  static constexpr int num_nodes = 4;
  struct Followed {
    Slot slot;
    double nodes[num_nodes] = {};  // values at equal distances
    double argument = 0.0, largest_argument = 0.0;
    double low = 0.0, high = 0.0;    // values so far
    double worst = 0.0, worst_at = 0.0;  // the largest excess over what is near
  };

  bool goes_far(Slot operation, const taylor::TapeRanges& ranges) const;
  void note(Followed& followed, const taylor::Interpreter& values) const;
  double moved_in_resolutions(const taylor::Interpreter& values) const;
  void find_nodes(const taylor::Interpreter& values,
                  const std::function<void(double part)>& evaluate);
  void compare(const taylor::Interpreter& values, double part, double tolerance);

  const taylor::Tape& tape_;
  std::vector<Slot> operations_;
  std::vector<Followed> followed_;
  std::vector<double> places_;
};

}  // namespace daedal::run
