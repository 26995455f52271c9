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

bool is_polynomial(const TapeEntry& entry) {
  return entry.number >= 0.0 && entry.number == std::floor(entry.number);
}

Edges edges_of(const TapeEntry& entry) {
  switch (entry.instruction) {
    case Instruction::divide: return {at_zero, 1};
    case Instruction::power: return is_polynomial(entry) ? Edges{} : Edges{at_zero, 0};
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
      if (entry.number < 0.0 && entry.number == std::floor(entry.number)) return "the denominator";
      return entry.number == 0.5 ? "the argument of sqrt"
                                 : fmt::format("the base of ^{}", entry.number);
    case Instruction::steady_power: return "the base of the power";
    default: return fmt::format("the argument of {}", expr::name_of(entry.op));
  }
}

}  // namespace

namespace {

// Operations come to their edges together with their derivatives, 1/sqrt(1 - x^2) with asin(x): of
// those that are about as near, the one that was there first is the user's.
bool is_nearer(NodeId node, double distance, const DomainBoundary& than) {
  constexpr double about = 4.0;
  if (distance > about * than.distance) return false;
  return about * distance < than.distance || node.index() < than.node.index();
}

}  // namespace

std::vector<DomainEdge> domain_edges(const SeriesSchedule& schedule) {
  std::vector<bool> is_constant(schedule.offset.size(), false);
  for (const Slot slot : schedule.constant) is_constant[slot] = true;
  std::vector<DomainEdge> found;
  for (Slot slot = 0; slot < schedule.offset.size(); ++slot) {
    const TapeEntry& entry = schedule.tape.entries()[slot];
    const Edges edges = edges_of(entry);
    if (edges.values.empty() || schedule.highest[slot] != SeriesSchedule::unlimited) continue;
    const auto arguments = schedule.tape.arguments(entry);
    const Slot argument = arguments[edges.argument];
    if (is_constant[argument]) continue;
    const bool is_quotient = entry.instruction == Instruction::divide && !is_constant[arguments[0]];
    for (const double value : edges.values)
      found.push_back({slot, argument, is_quotient ? arguments[0] : no_slot, value});
  }
  return found;
}

std::optional<DomainBoundary> nearest_domain_boundary(const SeriesSolver& series, int lane) {
  std::optional<DomainBoundary> nearest;
  const Tape& tape = series.schedule().tape;
  for (const DomainEdge& edge : domain_edges(series.schedule())) {
    const TapeEntry& entry = tape.entries()[edge.operation];
    const double value = series.slot_coefficient(edge.argument, 0, lane);
    const double speed = series.slot_coefficient(edge.argument, 1, lane) / series.scale(lane);
    if (!std::isfinite(value) || speed == 0.0 || !std::isfinite(speed)) continue;
    if (std::abs(value - edge.value) > near) continue;  // fast, but far away
    const double distance = std::abs((value - edge.value) / speed);
    if (nearest && !is_nearer(entry.source, distance, *nearest)) continue;
    constexpr double few_units = 8 * std::numeric_limits<double>::epsilon();
    nearest = {entry.source, distance,
               std::abs(value - edge.value) <= few_units * std::abs(edge.value),
               fmt::format("{} is {:.6g} and reaches {} within {:.2g} of t", name_of(entry), value,
                           edge.value, distance)};
  }
  return nearest;
}

}  // namespace daedal::taylor
