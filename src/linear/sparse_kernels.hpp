// Sparse LU along a schedule, the loops; compiled once for each instruction set.
#pragma once

#include <cstdint>

namespace daedal::linear {

// Rows that depend only on rows of earlier levels; what belongs to them begins where it ended for
// the level before.
struct LuLevel {
  std::int32_t end_update, end_pivot, end_scaled;
};

// What lu_schedule.hpp describes, and the places of A's entries, by raw pointer.
struct SparseProgram {
  int size = 0, num_slots = 0, diagonal = 0;
  int num_places = 0, num_repeated = 0, num_entries = 0, num_steady = 0, num_levels = 0;
  int num_lower = 0, num_lower_chunks = 0, num_upper_chunks = 0;
  // Place -> entry. Of places given repeatedly the first has the entry, the others a spare one;
  // they are added afterwards.
  const std::int32_t *entry_of = nullptr, *repeated = nullptr, *repeated_entry = nullptr;
  const std::int32_t *entry_row = nullptr, *entry_column = nullptr, *target = nullptr;
  const std::int32_t* steady = nullptr;  // entries that are meant to be pivots
  const char* is_loose = nullptr;        // by column: is none of theirs
  const LuLevel* levels = nullptr;
  const std::int32_t *to = nullptr, *left = nullptr, *right = nullptr;
  const std::int32_t* pivot_order = nullptr;
  const std::int32_t *scaled = nullptr, *scaled_pivot = nullptr, *scaled_column = nullptr;
  const std::int32_t *lower_slot = nullptr, *lower_pivot = nullptr;
  const std::int32_t *lower_row = nullptr, *lower_source = nullptr;
  const std::int32_t *upper_row = nullptr, *upper_source = nullptr;
  const std::int32_t *row_of = nullptr, *column_of = nullptr;
};

// A group of lanes that share pivots; arrays are [k][lane in group].
struct SparseGroup {
  SparseProgram program;
  int width = 1;               // 1, 4 or 8
  int count = 1;               // lanes in use
  int lanes = 1;               // of all groups
  const int* lane = nullptr;   // numbers of those in use
  bool is_contiguous = false;  // `width` lanes of consecutive numbers
  double *entry = nullptr, *factor = nullptr, *scale = nullptr;
  double *row_size = nullptr, *column_size = nullptr, *factor_size = nullptr;
  double *y = nullptr, *z = nullptr;
  // By lane in group.
  bool* is_proper = nullptr;    // entries are finite, no row vanishes
  bool* has_grown = nullptr;    // the factors, beyond what is harmless
  double* condition = nullptr;  // ratio of the largest to the smallest pivot
};

// The largest entry of loose columns is brought to this power of two beside the largest steady
// pivot. Steady pivots that are smaller than that are not taken: at most so many digits are lost.
inline constexpr int loose_exponent = -4;

struct SparseKernels {
  void (*factorise)(const SparseGroup&, const double* values) = nullptr;
  void (*solve)(const SparseGroup&, double* b) = nullptr;
};

// Those for the best instruction set of this machine.
SparseKernels sparse_kernels(int width);

namespace baseline {
SparseKernels sparse_kernels(int width);
}
namespace avx2 {
SparseKernels sparse_kernels(int width);
}
namespace avx512 {
SparseKernels sparse_kernels(int width);
}

}  // namespace daedal::linear
