#include "taylor/block_jacobian.hpp"

#include <algorithm>

namespace daedal::taylor {
namespace {

int largest_lag(const Tape& tape) {
  int largest = 0;
  for (const TapeEntry& entry : tape.entries()) largest = std::max(largest, entry.lag);
  return largest;
}

}  // namespace

BlockJacobian::BlockJacobian(const SeriesSolver& series, int fine_block, int lane)
    : series_(series),
      tape_(series.schedule().tape),
      values_(tape_, largest_lag(tape_) + 1),
      is_visited_(tape_.entries().size(), false) {
  for (const Slot slot : series.schedule().constant) {
    is_visited_[slot] = true;
    values_.at(slot, 0) = series.slot_coefficient(slot, 0, lane);
  }
  const auto [block, row] = series.place_of(fine_block);
  std::vector<linear::Place> places;
  for (std::size_t e = 0; e < block.places.size(); ++e) {
    linear::Place place = block.places[e];
    if (block.is_diagonal && place.row != row) continue;
    if (block.is_diagonal) place.row = place.column = 0;
    places.push_back(place);
    slots_.push_back(block.jacobian_slots[e]);
    visit(block.jacobian_slots[e]);
  }
  entries_.resize(slots_.size());
  solver_ = linear::make_square_solver(block.is_diagonal ? 1 : block.size(), std::move(places));
  for (std::size_t n = 0; highest_order_ > 0 && n < evaluated_.size(); ++n)
    for (const Slot argument : tape_.arguments(tape_.entries()[evaluated_[n]])) visit(argument);
}

// Adds what a slot needs and the slot itself, arguments first. Partners of functions, which are
// needed at lower orders only, come later.
void BlockJacobian::visit(Slot first) {
  std::vector<Slot> pending = {first};
  while (!pending.empty()) {
    const Slot slot = pending.back();
    if (is_visited_[slot]) {
      pending.pop_back();
      continue;
    }
    const TapeEntry& entry = tape_.entries()[slot];
    const std::size_t num_pending = pending.size();
    tape_.for_each_value_argument(entry, [&](Slot argument) {
      if (!is_visited_[argument]) pending.push_back(argument);
    });
    if (pending.size() > num_pending) continue;
    pending.pop_back();
    is_visited_[slot] = true;
    if (entry.instruction == Instruction::unknown) {
      unknowns_.push_back(static_cast<int>(entry.index));
      continue;
    }
    evaluated_.push_back(slot);
    highest_order_ = std::max(highest_order_, entry.lag);
  }
}

// Coefficients belong to powers of t. Those above 0 are needed below derivatives only; a slot lags
// after its arguments by the derivatives below it (tape.hpp).
void BlockJacobian::evaluate(double t,
                             const std::function<double(int unknown, int order)>& derivative) {
  values_.set_origin({.time = t});
  for (const int j : unknowns_) {
    double factorial = 1.0;
    for (int n = 0; n <= highest_order_; factorial *= ++n)
      values_.at(series_.schedule().slot_of_unknown[j], n) = derivative(j, n) / factorial;
  }
  for (int sweep = 0; sweep <= highest_order_; ++sweep)
    for (const Slot slot : evaluated_)
      if (const int k = sweep - tape_.entries()[slot].lag; k >= 0) values_.evaluate(slot, k);
}

int BlockJacobian::determinant_sign(
    double t, const std::function<double(int unknown, int order)>& derivative) {
  evaluate(t, derivative);
  for (std::size_t e = 0; e < slots_.size(); ++e) entries_[e] = values_.at(slots_[e], 0);
  return solver_->factorise(entries_) ? solver_->determinant_sign() : 0;
}

}  // namespace daedal::taylor
