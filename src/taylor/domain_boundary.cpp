#include "taylor/domain_boundary.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "expr/node.hpp"

namespace daedal::taylor {
namespace {

using expr::Op;

// An argument this far from an edge has not come there, however fast it moves.
constexpr double near = 1e-3;

constexpr std::array at_zero = {0.0};
constexpr std::array at_one = {1.0};
constexpr std::array at_both_ones = {-1.0, 1.0};

// The values of an operation's critical argument at which it or its derivatives end, and which
// argument that is.
struct Edges {
  std::span<const double> values = {};
  std::size_t argument = 0;
};

Edges edges_of(const TapeEntry& entry) {
  switch (entry.instruction) {
    case Instruction::divide: return {at_zero, 1};
    case Instruction::power:
    case Instruction::steady_power: return {at_zero, 0};
    case Instruction::function: break;
    default: return {};
  }
  switch (entry.op) {
    case Op::log: return {at_zero, 0};
    case Op::asin:
    case Op::acos:
    case Op::atanh: return {at_both_ones, 0};
    case Op::acosh: return {at_one, 0};
    default: return {};
  }
}

std::string name_of(const TapeEntry& entry) {
  switch (entry.instruction) {
    case Instruction::divide: return "the denominator";
    case Instruction::power:
      return entry.number == 0.5 ? "the argument of sqrt"
                                 : fmt::format("the base of ^{}", entry.number);
    case Instruction::steady_power: return "the base of the power";
    default: return fmt::format("the argument of {}", expr::name_of(entry.op));
  }
}

}  // namespace

std::optional<DomainBoundary> nearest_domain_boundary(const SeriesSolver& series, int lane) {
  std::optional<DomainBoundary> nearest;
  const Tape& tape = series.schedule().tape;
  for (const TapeEntry& entry : tape.entries()) {
    const Edges edges = edges_of(entry);
    for (const double edge : edges.values) {
      const Slot argument = tape.arguments(entry)[edges.argument];
      const double value = series.slot_coefficient(argument, 0, lane);
      const double speed = series.slot_coefficient(argument, 1, lane) / series.scale(lane);
      if (!std::isfinite(value) || speed == 0.0 || !std::isfinite(speed)) continue;
      if (std::abs(value - edge) > near) continue;  // fast, but far away
      const double distance = std::abs((value - edge) / speed);
      if (nearest && nearest->distance <= distance) continue;
      nearest = {entry.source, distance,
                 fmt::format("{} is {:.6g} and reaches {} within {:.2g} of t", name_of(entry),
                             value, edge, distance)};
    }
  }
  return nearest;
}

}  // namespace daedal::taylor
