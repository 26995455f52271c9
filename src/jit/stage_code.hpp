// What a compiler is given: the stages of a packed program as one list of operations on two arrays
// (docs/theory/compiled-kernels.md). Everything that does not depend on the values of
// parameters is a number in this list; values are read from the work array, so that one machine
// code serves all of them. Plain data without pointers into a run: its bytes are the key of the
// cache.
//
// Shared with the compiler's module: nothing but numbers here.
#pragma once

#include <cstdint>
#include <vector>

namespace daedal::jit {

using Number = std::int64_t;

enum class Array : Number { table, work };

// Row n begins at first + n * stride of an array, in doubles. stride 0: there is only one.
struct Rows {
  Array array = Array::table;
  Number first = 0;
  Number stride = 0;
};

// What an operation does for element e of a row, from 0 to width - 1. k = stage + order; z means
// row k of z; u and v are named with the rows that are read; u[.] and v[.] are taken at the
// elements listed, if any.
enum class Kind : Number {
  clear,             // z = 0
  copy,              // z = u[.], u of row stage + source_order
  weighted_copy,     // z = (stage + source_order) u[.]
  invert,            // z = 1/u[.], rows fixed
  scale,             // z = u[.] * factor
  quotient,          // z = u[.]/v, v of row k
  root_or_product,   // z = u[.]^exponent, as expr::apply_power does it without a library
  sum,               // z = sum of coefficients * u, plus constants
  sum_and_scale,     // z = -factor * (sum of coefficients * u, plus constants)
  multiply,          // the rules of docs/theory/taylor-rules.md: rows 0 to k of u and v
  square,            //
  divide,            // u: row k; v, and own below k
  power,             // u, and own below k
  function,          // u: weighted; v: partner
  correct_sum,       // d = sum of coefficients * changes;  z += d
  correct_multiply,  // d = v0 du + u0 dv;  z += d
  correct_square,    // d = 2 u0 du;  z += d
  correct_divide,    // d = (du - z0 dv)/v0;  z += d
  correct_power,     // d = exponent z0/u0 du;  z += d
  correct_function,  // d = v0 du;  z += d
  evaluate_pack,     // by the interpreter
  correct_pack,      // by the interpreter
  substitute,        // a linear system along its schedule; see below
};

inline constexpr Number all_in_order = -1;        // instead of a list of elements
inline constexpr std::uint32_t no_element = ~0u;  // in a list of elements: 0.0
inline constexpr Number no_constants = -1;
inline constexpr Number any_stage_above_0 = 1;

struct Operation {
  Kind kind = Kind::clear;
  Number first_stage = 1, last_stage = 0;  // at which it happens
  Number order = 0;                        // k - stage
  Number source_order = 0;                 // of the row of u, less the stage
  Number width = 0;
  Rows z, u, v;
  Rows own;                             // z once more, where it is read
  Number elements_of_u = all_in_order;  // where the list begins
  Number elements_of_v = all_in_order;
  // factor = work[rising + stage + factor_order] * work[powers + lane]
  Number rising = 0, powers = 0, factor_order = 0;
  Number reciprocal = 0;  // in the work array: divide, power
  Number exponent_bits = 0;
  // Sums: terms of destination i from starts[i] to starts[i+1], i to width/lanes; the slots of all
  // of them; the coefficient of term a of destination i is at places[i] + a * steps[i] of the work
  // array, for every lane.
  Number starts = 0, slots = 0, places = 0, steps = 0;
  Number constants = no_constants;  // in the work array: added to the sums
  // Corrections: the row of changes in the work array, and the elements of the changes of u and v.
  Number change = 0;
  Number changes_of_u = all_in_order, changes_of_v = all_in_order;
  Number pack = 0;
  // Substitution, linear::LuSchedule: the factors are in the table, the scales of the rows begin at
  // `scales`; the right side in the work array becomes the solution. In the list from `slots` on:
  // rows of the chunks and sources of the slots of L, the same of V, row_of and column_of.
  Number num_lower = 0, num_upper = 0, scales = 0;  // slots
};

inline constexpr Number solve_of_block = 1000;  // no stage

// Operations first to last - 1 become one function. Above stage 0 it is one of those of a segment,
// which are called in order; otherwise it serves one stage only, and is all of a step of a start;
// or it solves the linear system of a block.
struct Piece {
  Number stage = any_stage_above_0;
  Number number = 0;  // of the segment; of the step (PackedProgram::number_of); of the block
  Number first = 0, last = 0;
};

struct StageCode {
  Number num_lanes = 1;
  Number last_stage = 0;
  Number num_segments = 0, num_start_steps = 0, num_blocks = 0;
  std::vector<Operation> operations;
  std::vector<std::uint32_t> lists;  // elements, starts and slots
  std::vector<Piece> pieces;
};

}  // namespace daedal::jit
