// A schedule laid out in memory: what the interpreter (packed_series.cpp) and the compiler work
// from. Plain data; docs/theory/packed-kernels.md says what each step computes.
//
// There are two arrays. The table has a row per order, [order][slot][lane]. The work array has
// everything else: copies of arguments, coefficients of sums, right-hand sides, factors. Places in
// both are given in doubles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

// The series of one argument of all operations of a pack, or of their results, row k at
// first + k * stride: in the table, where they stand side by side there, else a copy in the work
// array. What convolutions read is also copied where vectors would reach from one cache line to the
// next, which takes twice as long.
struct Operand {
  std::size_t first = 0;
  std::size_t stride = 0;
  bool is_copy = false;
  std::vector<Slot> slots;  // whose coefficients are copied
};

// sum_a coefficients[a] * x[slots[a]], one sum per destination i, a from starts[i] to starts[i+1].
struct SumTerms {
  std::vector<std::uint32_t> starts;
  std::vector<Slot> slots;
  std::size_t coefficients = 0;  // in the work array, [term][lane]
  // Those for machine code, if there is one lane: neighbouring sums with equally many terms have
  // their coefficients side by side, [term][sum], in the place of those of the first of them.
  std::size_t side_by_side = 0;
  std::uint32_t terms_of_all = 0;  // if all sums have so many terms; else 0

  struct Neighbours {
    std::size_t first, last;
  };
  // Sums around sum i, and as many terms as it has.
  Neighbours neighbours(std::size_t i) const {
    const auto has_as_many = [&](std::size_t k) {
      return starts[k + 1] - starts[k] == starts[i + 1] - starts[i];
    };
    Neighbours result{i, i + 1};
    while (result.first > 0 && has_as_many(result.first - 1)) --result.first;
    while (result.last + 1 < starts.size() && has_as_many(result.last)) ++result.last;
    return result;
  }

  void find_terms_of_all() {
    const std::uint32_t terms = starts.size() > 1 ? starts[1] : 0;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      if (starts[i + 1] - starts[i] != terms) return;
    terms_of_all = terms;
  }
};

struct PackPlan {
  bool has_kernel = false;     // otherwise its operations are evaluated one by one
  Operand u, v;                // arguments 0 and 1
  Operand own;                 // divide, power: results, up to the last but newest
  std::size_t reciprocal = 0;  // in the work array: of v_0 (divide) or u_0 (power)
  std::size_t constants = 0;   // in the work array: what is constant in a sum, needed at k = 0
  SumTerms sums;               // affine: terms that vary
  SumTerms tight_sums;         // those that change with the newest coefficients
};

// Equations of a block, one after the other, with one offset c (less the lead).
struct ResidualRun {
  int first = 0, last = 0;
  int c = 0;
};

// Unknowns of a block, one after the other, with one offset d (less the lead), whose slots stand
// side by side.
struct UnknownRun {
  int first = 0, last = 0;
  int d = 0;
  Slot slot = 0;  // of the first
};

struct BlockPlan {
  std::vector<int> c, d;      // offsets less the lead
  std::size_t right = 0;      // in the work array, [row][lane]: right-hand side, then solution
  std::size_t pivots = 0;     // the same, of a diagonal block
  SumTerms residual;          // by equation, without what is proportional to newest unknowns
  std::size_t constants = 0;  // in the work array, [row][lane]: what is constant in a residual
  std::vector<ResidualRun> runs;
  std::vector<UnknownRun> unknown_runs;
};

// What happens at a stage above 0, in order.
struct StageStep {
  enum class Kind {
    before,        // packs that need no newest unknown
    begin_block,   // clear what is newest, evaluate what is known, right-hand side
    divide,        // solve a diagonal block
    finish_block,  // new coefficients, what follows from them
  };
  Kind kind;
  int block = -1;
};

// What happens at a stage up to 0, between iterations and linear solves.
struct StartStep {
  enum class Kind {
    before,  // packs that need no newest unknown
    own,     // newest unknowns are given: what residuals and Jacobian need
    rest,    // and what else there is
    begin,   // they are found by one linear solve: its right-hand side
    finish,  // and what follows from the solution; a diagonal block is solved here
  };
  static constexpr std::size_t num_kinds = 5;
  Kind kind;
  int block = 0;
};

// Steps up to the next linear system; then that of `solved` is to be solved.
struct Segment {
  std::vector<StageStep> steps;
  int solved = -1;  // block, or -1 at the end of the stage
};

struct PackedProgram {
  int num_lanes = 1;
  int num_orders = 0;
  int first_stage = 0;
  std::size_t table_stride = 0;
  std::size_t work_size = 0;
  std::vector<PackPlan> packs;  // as in the schedule
  std::vector<BlockPlan> blocks;
  std::vector<Segment> segments;

  std::size_t change = 0;  // like a row of the table: of the newest coefficients; else zero
  // [n][q], q up to num_orders: (q+1)...(q+n) and its reciprocal; [n][lane]: scale^n and its
  // reciprocal.
  std::size_t rising = 0, reciprocal_rising = 0;
  std::size_t powers = 0, reciprocal_powers = 0;
  int num_powers = 0;  // n below this

  PackedProgram(const SeriesSchedule& schedule, const structure::Structure& structure, int orders,
                int lanes);

  // Steps of all stages up to 0 have numbers below this.
  std::size_t num_start_steps() const {
    return (1 - first_stage) * std::max<std::size_t>(blocks.size(), 1) * StartStep::num_kinds;
  }
  std::size_t number_of(StartStep step, int stage) const {
    const std::size_t place = (stage - first_stage) * blocks.size() + step.block;
    return place * StartStep::num_kinds + static_cast<std::size_t>(step.kind);
  }
};

}  // namespace daedal::taylor
