#include "taylor/operation_count.hpp"

namespace daedal::taylor {
namespace {

// In units of a term of a convolution, of which eight are done at once. The numbers are typical of
// the kernels (docs/theory/packed-kernels.md) and need not be exact: near the best order the cost
// hardly depends on it.
constexpr double term_of_sum = 3.0;  // one at a time, from anywhere in a row
constexpr double copied = 2.5;
constexpr double pack_itself = 30.0;
constexpr double library_call = 60.0;
constexpr double row_of_diagonal = 10.0;
constexpr double entry_of_dense_solve = 2.0, entry_of_dense_factors = 3.0;  // times the size
constexpr double entry_of_sparse_solve = 4.0, entry_of_sparse_factors = 18.0;
constexpr double fill_in = 3.0;  // entries of sparse factors per entry, typical of chains and nets
constexpr double step_itself = 2000.0, step_of_unknown = 200.0;

double num_arguments(const SeriesSchedule& schedule, const Pack& pack) {
  double count = 0.0;
  for (Slot slot = pack.first; slot < pack.first + pack.count; ++slot)
    count += schedule.tape.entries()[slot].num_arguments;
  return count;
}

void count_packs(const SeriesSchedule& schedule, std::span<const PackNumber> packs,
                 OperationCount& count) {
  for (const PackNumber number : packs) {
    const Pack& pack = schedule.packs[number];
    const double size = pack.count, arguments = num_arguments(schedule, pack);
    if (pack.highest != SeriesSchedule::unlimited) {
      count.start += pack_itself + term_of_sum * arguments;
      continue;
    }
    count.stage += pack_itself;
    switch (pack.instruction) {
      case Instruction::affine: count.stage += term_of_sum * arguments; break;
      case Instruction::multiply:
      case Instruction::divide:
        count.convolution += size;
        count.stage += copied * arguments;
        break;
      case Instruction::square:
        count.convolution += 0.5 * size;
        count.stage += copied * arguments;
        break;
      case Instruction::power:
      case Instruction::steady_power:
        count.convolution += 1.5 * size;
        count.stage += copied * arguments;
        count.start += library_call * size;
        break;
      case Instruction::varying_power:
      case Instruction::function:
        count.convolution += size;
        count.stage += copied * arguments;
        count.start += library_call * size;
        break;
      default: count.stage += copied * size;
    }
  }
}

void count_linear_algebra(const BlockSchedule& block, OperationCount& count) {
  const double size = block.size();
  if (block.is_diagonal) {
    count.stage += row_of_diagonal * size;
    return;
  }
  const bool is_dense = linear::is_solved_densely(block.size(), block.places);
  const double filled = is_dense ? size * size : fill_in * static_cast<double>(block.places.size());
  count.stage += (is_dense ? entry_of_dense_solve : entry_of_sparse_solve) * filled;
  // projections take about as long as the block's own matrix
  count.start +=
      2.0 * (is_dense ? entry_of_dense_factors * size : entry_of_sparse_factors) * filled;
}

}  // namespace

OperationCount count_operations(const SeriesSchedule& schedule) {
  OperationCount count;
  count_packs(schedule, schedule.before, count);
  count_packs(schedule, schedule.values_before, count);
  for (const BlockSchedule& block : schedule.blocks) {
    count_packs(schedule, block.known, count);
    count_packs(schedule, block.after, count);
    count_packs(schedule, block.values_after, count);
    for (const auto* packs : {&block.completed, &block.shifted})
      for (const PackNumber pack : *packs)
        count.stage += pack_itself + 2.0 * copied * schedule.packs[pack].count;
    for (const auto& terms : block.residual)
      count.stage += term_of_sum * static_cast<double>(terms.size());
    count_linear_algebra(block, count);
  }
  count.start += (1.0 - schedule.first_stage) * (count.stage + count.convolution);
  count.start +=
      step_itself + step_of_unknown * static_cast<double>(schedule.slot_of_unknown.size());
  return count;
}

}  // namespace daedal::taylor
