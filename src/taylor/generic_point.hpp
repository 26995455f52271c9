// Random points near the guesses at which given nodes are defined.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/graph.hpp"
#include "taylor/interpreter.hpp"
#include "taylor/regularity.hpp"

namespace daedal::taylor {

// Deterministic in `seed`: the same model gets the same points on every machine.
class GenericPoint {
 public:
  // `reach` scales the distance from the guesses.
  GenericPoint(const expr::Graph& graph, const GenericPointInput& input, std::uint64_t seed,
               double reach);

  // Runs the interpreter here; moves unknowns below operations that are not defined and tries
  // again, a bounded number of times. Returns an unset id on success, else an operation that stayed
  // undefined.
  expr::NodeId evaluate(RoundedInterpreter& interpreter);

 private:
  double derivative(expr::UnknownId unknown, int order) const;
  void move_below(expr::NodeId node);

  const expr::Graph& graph_;
  expr::Cone cone_;
  const GenericPointInput& input_;
  std::uint64_t seed_;
  double reach_;
  std::vector<std::uint32_t> num_moves_;  // by unknown
};

}  // namespace daedal::taylor
