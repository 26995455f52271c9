#include "integrate/taylor/domain_watch.hpp"

#include <algorithm>
#include <cmath>

#include "taylor/kernels.hpp"

namespace daedal::integrate {
namespace {

// The part of an argument's distance from its edge that is left at the end of a step.
constexpr double part_left = 0.1;
// The part of the distance that all terms of a polynomial together may take before it is looked at.
constexpr double part_without_search = 0.85;
// A quotient that grows by less while its denominator falls to a tenth stays bounded: 0/0.
constexpr double growth = 3.0;
// A step that passes 0/0 goes this part of the way there at least.
constexpr double well_past = 1.25;
// The part of the way to an event after which the step is as good as there.
constexpr double as_good_as_there = 1e-6;

// A power with a positive exponent comes to 0 where its base does: if the base is watched, what
// divides by the power, or takes a root of it, needs no watch of its own. (The r^3 of a planet's
// attraction is a power of r^2.)
std::vector<taylor::DomainEdge> without_implied(std::vector<taylor::DomainEdge> edges,
                                                const taylor::Tape& tape) {
  std::vector<bool> has_edge(tape.entries().size(), false);
  for (const taylor::DomainEdge& edge : edges) has_edge[edge.operation] = true;
  std::erase_if(edges, [&](const taylor::DomainEdge& edge) {
    const taylor::TapeEntry& entry = tape.entries()[edge.argument];
    return edge.value == 0.0 && entry.instruction == taylor::Instruction::power &&
           entry.number > 0.0 && has_edge[edge.argument];
  });
  return edges;
}

}  // namespace

DomainWatch::DomainWatch(const taylor::SeriesSolver& series, int lane)
    : series_(series),
      lane_(lane),
      edges_(without_implied(taylor::domain_edges(series.schedule()), series.schedule().tape)) {
  const auto key = [&](const taylor::DomainEdge& edge) { return argument_of(edge).key(); };
  std::ranges::stable_sort(edges_, {}, key);
  for (std::size_t n = 0; n < edges_.size(); ++n) {
    if (n == 0 || key(edges_[n]) != key(edges_[n - 1])) {
      arguments_.push_back(argument_of(edges_[n]));
      arguments_.back().first = n;
      places_.push_back(std::size_t{edges_[n].argument} * series.num_lanes() + lane);
      edge_values_.push_back(edges_[n].value);
    }
    arguments_.back().last = n + 1;
  }
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    const int degree = arguments_[n].degree;
    if (groups_.empty() || groups_.back().degree != degree) groups_.push_back({degree, n, n});
    groups_.back().last = n + 1;
  }
  edge_values_.resize(arguments_.size() + taylor::kernel_overrun);
  excess_.resize(arguments_.size());
  approaches_.resize(edges_.size());
  const std::size_t size = series.highest_degree() + 1;
  lowered_.reserve(size);
  for (Approach& approach : approaches_) {
    approach.distance.reserve(size);
    approach.numerator.reserve(size);
  }
}

DomainWatch::Argument DomainWatch::argument_of(const taylor::DomainEdge& edge) const {
  return {.degree = std::min(series_.last_stage() + series_.schedule().offset[edge.operation],
                             series_.highest_degree()),
          .slot = edge.argument,
          .edge = edge.value};
}

void DomainWatch::look_closer(double s) {
  const taylor::Rows rows{series_.row(0), series_.stride()};
  for (const Group& group : groups_)
    taylor::best_kernels().excess({.x = rows,
                                   .last = group.degree,
                                   .places = places_.data() + group.first,
                                   .edges = edge_values_.data() + group.first,
                                   .part = part_without_search},
                                  group.last - group.first, std::abs(s),
                                  excess_.data() + group.first);
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    if (!(excess_[n] > 0.0)) continue;
    const double distance = rows.first[places_[n]] - edge_values_[n];
    if (distance != 0.0 && may_arrive(arguments_[n], distance, s))
      note_approaches(arguments_[n], distance);
  }
}

// Only terms that lead towards the edge bring the argument there.
bool DomainWatch::may_arrive(const Argument& argument, double distance, double s) const {
  double motion = 0.0, power = 1.0;
  for (int k = 1; k <= argument.degree; ++k) {
    power *= s;
    const double term = power * series_.slot_coefficient(argument.slot, k, lane_);
    if (term * distance < 0.0) motion += std::abs(term);
  }
  return !(motion <= part_without_search * std::abs(distance));
}

void DomainWatch::note_approaches(const Argument& argument, double distance) {
  const auto coefficient = [&](taylor::Slot slot, int k) {
    return series_.slot_coefficient(slot, k, lane_);
  };
  for (std::size_t n = argument.first; n < argument.last; ++n) {
    Approach& approach = approaches_[num_approaches_++];
    approach.distance.assign(1, distance);
    approach.numerator.clear();
    for (int k = 1; k <= argument.degree; ++k)
      approach.distance.push_back(coefficient(argument.slot, k));
    if (edges_[n].numerator == taylor::no_slot) continue;
    for (int k = 0; k <= argument.degree; ++k)
      approach.numerator.push_back(coefficient(edges_[n].numerator, k));
  }
}

double DomainWatch::before_edges(double s) { return first_below(part_left, s); }

double DomainWatch::up_to_edges(double s) {
  return first_below(0.0, (1 - as_good_as_there) * s) == (1 - as_good_as_there) * s
             ? s
             : before_edges(s);
}

double DomainWatch::first_below(double part, double s) {
  for (std::size_t n = 0; n < num_approaches_; ++n) {
    const auto place = place_of(approaches_[n], part, s);
    if (place && grows(approaches_[n], *place)) s = *place;
  }
  return s;
}

// Where this part of the distance from the edge is left, on the way to s.
std::optional<double> DomainWatch::place_of(const Approach& approach, double part, double s) {
  const double distance = approach.distance[0];
  lowered_.assign(approach.distance.begin(), approach.distance.end());
  lowered_[0] -= part * distance;
  const auto root = finder_.first_root(lowered_, distance > 0.0 ? 1 : -1, s, 0.0);
  return root ? std::optional(root->s) : std::nullopt;
}

// The place follows from where a tenth of the distance is left.
double DomainWatch::zero_by_zero(double s) {
  for (std::size_t n = 0; n < num_approaches_; ++n) {
    if (approaches_[n].numerator.empty()) continue;  // it has no limit
    const auto place = place_of(approaches_[n], part_left, s);
    if (place && !grows(approaches_[n], *place)) return *place / (1 - part_left);
  }
  return 0.0;
}

// At a distance d from 0/0 a quotient's coefficients carry rounding errors that grow like d^-k: the
// polynomial passes the point if it goes to some multiple of d, and from a point much nearer no
// polynomial does.
double DomainWatch::away_from_zero_by_zero(double s) {
  const double zero = zero_by_zero(s);
  return std::abs(s) < well_past * std::abs(zero) ? zero / 2 : s;
}

bool DomainWatch::grows(const Approach& approach, double s) const {
  if (approach.numerator.empty()) return true;
  const double now = std::abs(solution::scaled_derivative(approach.numerator, 0, s));
  return now >= growth * part_left * std::abs(approach.numerator[0]);
}

}  // namespace daedal::integrate
