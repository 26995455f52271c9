// In which order the coefficients of a DAE's series can be computed (docs/theory/series.md).
//
// At stage k every slot v gets its coefficient k + offset(v), where
//   offset(v) = min over unknowns x_j in v of d_j - (order of x_j in v)   [NedialkovPryce2007];
// it is d_j for x_j and c_i for the residual f_i. The newest coefficient of v needs the newest ones
// of those arguments only that have the same offset (after d/dt is counted): the tight arguments.
// Through tight arguments each slot belongs to the last block whose newest unknowns it contains.
//
// A block whose newest coefficients enter linearly is solved with them set to zero first: `known`
// slots give the residual, the solution follows, and `completed` slots are corrected by what is
// linear in the newest coefficients.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "linear/linear_solver.hpp"
#include "structure/structure.hpp"
#include "taylor/system_jacobian.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {

using Slot = std::uint32_t;

// Like operations side by side, evaluated together: slots first ... first + count - 1.
struct Pack {
  Instruction instruction = Instruction::constant;
  expr::Op op = expr::Op::constant;
  double number = 0.0;  // power: exponent
  int shift = 0;        // shift: order
  int offset = 0;
  int highest = 0;
  Slot first = 0;
  Slot count = 0;
  bool is_provisional = false;  // evaluated before the block is solved, corrected or final later

  // The coefficients of t follow from the point alone: no stage evaluates them.
  bool is_given() const { return instruction == Instruction::time; }
};
using PackNumber = int;

// A term of a residual that is not simply proportional to a newest unknown of its own block.
struct ResidualTerm {
  Slot slot;
  double coefficient;
  Slot factor;  // constant, or no_slot
};

// A fine block, or several of one equation each that do not need each other at the same stage.
struct BlockSchedule {
  std::vector<int> fine_blocks;
  std::vector<int> equations, unknowns;
  std::vector<Slot> residual_slots, unknown_slots;
  int lead = 0;
  bool is_diagonal = false;  // fine blocks of size 1
  bool is_linear = true;     // at local stage 0: in the highest derivatives
  bool has_constant_jacobian = true;
  std::vector<linear::Place> places;  // of the Jacobian's entries in the block
  std::vector<Slot> jacobian_slots;   // their values

  // When the newest coefficients are given and then corrected: what residuals and Jacobian need,
  // and the rest.
  std::vector<PackNumber> own, rest;
  // When they are found by one linear solve.
  std::vector<PackNumber> shifted;                  // derivatives of own unknowns: zero at first
  std::vector<PackNumber> known;                    // before the solve
  std::vector<std::vector<ResidualTerm>> residual;  // by equation of the block
  std::vector<double> residual_constant;
  std::vector<PackNumber> completed;     // after it, by correction
  std::vector<PackNumber> after;         // after it, evaluated
  std::vector<PackNumber> values_after;  // the same for what only a Jacobian needs

  int size() const { return static_cast<int>(equations.size()); }
};

struct SeriesSchedule {
  explicit SeriesSchedule(Tape program) : tape(std::move(program)) {}

  Tape tape;
  std::vector<int> offset;     // by slot
  std::vector<int> highest;    // by slot: highest coefficient needed; unlimited for series
  std::vector<Slot> constant;  // independent of time: evaluated once
  std::vector<Pack> packs;
  std::vector<PackNumber> before;         // need no newest unknown
  std::vector<PackNumber> values_before;  // the same for what only a Jacobian needs
  std::vector<BlockSchedule> blocks;
  std::vector<Slot> slot_of_unknown;  // a permutation of 0 ... n-1: by falling local order
  int first_stage = 0;

  static constexpr int unlimited = 1 << 29;
  int largest_offset() const { return -first_stage; }
};

struct SeriesProblem {
  expr::Graph& graph;
  std::span<const NodeId> residuals;
  const structure::Structure& structure;
  std::span<const int> leads;          // by fine block
  const std::vector<bool>& is_linear;  // by fine block
};

// Adds the Jacobian's and partner nodes to the graph.
SeriesSchedule make_series_schedule(const SeriesProblem& problem);

}  // namespace daedal::taylor
