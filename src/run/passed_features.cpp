#include "run/passed_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taylor/state_operations.hpp"

namespace daedal::run {
namespace {

using taylor::Instruction;
using taylor::TapeEntry;

// An argument that moves by no more of its resolutions than this is seen by any method: it has
// values inside the step, or some steps before it, as near as that.
constexpr double resolutions_seen = 4.0;
constexpr double least_points = 12.0;
constexpr int most_points = 4000;
// A value that is off the polynomial by this part of all that the operation does in the step.
constexpr double part_of_motion = 0.3;

// The polynomial through values at 0, 1/3, 2/3 and 1.
double cubic(const double (&nodes)[4], double part) {
  const double x = 3.0 * part, a = x - 1.0, b = x - 2.0, c = x - 3.0;
  return -a * b * c / 6.0 * nodes[0] + x * b * c / 2.0 * nodes[1] - x * a * c / 2.0 * nodes[2] +
         x * a * b / 6.0 * nodes[3];
}

// A square of anything else is as smooth as that; high powers are squares of squares.
bool may_do_something(const taylor::Tape& tape, const TapeEntry& entry) {
  switch (entry.instruction) {
    case Instruction::square:
      return tape.entries()[tape.arguments(entry)[0]].instruction == Instruction::square;
    case Instruction::power:
    case Instruction::steady_power:
    case Instruction::varying_power:
    case Instruction::divide:
    case Instruction::function: return true;
    default: return false;
  }
}

}  // namespace

PassedFeatures::PassedFeatures(const taylor::Tape& tape, const std::vector<bool>& varies)
    : tape_(tape) {
  for (Slot slot = 0; slot < tape.entries().size(); ++slot)
    if (may_do_something(tape, tape.entries()[slot]) &&
        varies[taylor::critical_argument(tape, slot)])
      operations_.push_back(slot);
  followed_.reserve(operations_.size());
  places_.reserve(3 * operations_.size());
}

bool PassedFeatures::goes_far(Slot operation, const taylor::TapeRanges& ranges) const {
  const TapeEntry& entry = tape_.entries()[operation];
  const expr::Range argument = ranges.of(taylor::critical_argument(tape_, operation));
  const double low = std::abs(argument.low), high = std::abs(argument.high);
  const double exponent = entry.instruction == Instruction::steady_power
                              ? ranges.of(tape_.arguments(entry)[1]).low
                              : entry.number;
  const double resolution = taylor::resolution(
      entry, exponent, argument.has_zero() ? 0.0 : std::min(low, high), std::max(low, high));
  return !(argument.high - argument.low <= resolutions_seen * resolution);
}

bool PassedFeatures::may_be_any(const taylor::TapeRanges& ranges, double tolerance) {
  followed_.clear();
  for (const Slot operation : operations_) {
    if (!goes_far(operation, ranges)) continue;
    const expr::Range range = ranges.of(operation);
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    if (range.high - range.low <= tolerance * largest) continue;
    followed_.push_back({.slot = operation});
  }
  return !followed_.empty();
}

void PassedFeatures::note(Followed& followed, double part,
                          const taylor::Interpreter& values) const {
  const double value = values.value(followed.slot);
  if (value < followed.low) followed.low_at = part;
  if (value > followed.high) followed.high_at = part;
  followed.argument = values.value(taylor::critical_argument(tape_, followed.slot));
  followed.largest_argument = std::max(followed.largest_argument, std::abs(followed.argument));
  followed.low = std::min(followed.low, value);
  followed.high = std::max(followed.high, value);
}

double PassedFeatures::moved_in_resolutions(const taylor::Interpreter& values) const {
  double most = 0.0;
  for (const Followed& followed : followed_) {
    const TapeEntry& entry = tape_.entries()[followed.slot];
    const double argument = values.value(taylor::critical_argument(tape_, followed.slot));
    const double exponent = entry.instruction == Instruction::steady_power
                                ? values.value(tape_.arguments(entry)[1])
                                : entry.number;
    const double size = std::min(std::abs(argument), std::abs(followed.argument));
    const double moved = std::abs(argument - followed.argument) /
                         taylor::resolution(entry, exponent, size, followed.largest_argument);
    if (!(moved <= most)) most = moved;
  }
  return most;
}

// How far values are from the polynomials, beyond a part of the motion.
void PassedFeatures::compare(const taylor::Interpreter& values, double part, double tolerance) {
  for (Followed& followed : followed_) {
    note(followed, part, values);
    const double size = std::max(std::abs(followed.low), std::abs(followed.high));
    const double off = std::abs(values.value(followed.slot) - cubic(followed.nodes, part));
    const double excess = off - part_of_motion * (followed.high - followed.low) - tolerance * size;
    if (excess <= followed.worst) continue;
    followed.worst = std::isfinite(excess) ? excess : std::numeric_limits<double>::infinity();
    followed.worst_at = part;
  }
}

// The begin last: operations are followed from there.
void PassedFeatures::find_nodes(const taylor::Interpreter& values,
                                const std::function<void(double part)>& evaluate) {
  constexpr int last = num_nodes - 1;
  for (int node = last; node >= 0; --node) {
    const double part = static_cast<double>(node) / last;
    evaluate(part);
    for (Followed& followed : followed_) {
      followed.nodes[node] = values.value(followed.slot);
      if (node == last) followed.low = followed.high = followed.nodes[node];
      note(followed, part, values);
    }
  }
}

std::span<const double> PassedFeatures::places(const taylor::Interpreter& values,
                                               const std::function<void(double part)>& evaluate,
                                               double tolerance) {
  constexpr double grow = 2.0, shrink = 0.1, aim = 0.8, shortest = 0x1p-20;
  find_nodes(values, evaluate);
  double at = 0.0, distance = 1.0 / least_points;
  for (int number = 0; at < 1.0 && number < most_points; ++number) {
    const double next = std::min(1.0, at + distance);
    evaluate(next);
    const double moved = moved_in_resolutions(values);
    const bool is_too_far = !(moved <= 1.0) && distance > shortest;
    const double by = moved > 0.0 ? std::clamp(aim / moved, shrink, grow) : grow;
    distance = std::min((is_too_far ? std::min(by, aim) : by) * distance, 1.0 / least_points);
    if (is_too_far) continue;
    at = next;
    compare(values, at, tolerance);
  }
  places_.clear();
  for (const Followed& followed : followed_)
    if (followed.worst_at > 0.0)
      for (const double part : {followed.worst_at, followed.low_at, followed.high_at})
        places_.push_back(part);
  std::ranges::sort(places_);
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  return places_;
}

}  // namespace daedal::run
