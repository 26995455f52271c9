#include "integrate/domain_watch.hpp"

#include <algorithm>
#include <cmath>

#include "taylor/kernels.hpp"

namespace daedal::integrate {
namespace {

// Of the distance of an argument from its edge that is left at the end of a step.
constexpr double part_left = 0.1;
// Of the distance that all terms of a polynomial together may take before it is looked at.
constexpr double part_without_search = 0.85;
// A quotient that grows by less while its denominator falls to a tenth stays bounded: 0/0.
constexpr double growth = 3.0;
// Of the way to an event.
constexpr double as_good_as_there = 1e-6;

}  // namespace

DomainWatch::DomainWatch(const taylor::SeriesSolver& series, int lane)
    : series_(series), lane_(lane), edges_(taylor::domain_edges(series.schedule())) {
  const auto key = [&](const taylor::DomainEdge& edge) { return argument_of(edge).key(); };
  std::ranges::stable_sort(edges_, {}, key);
  for (std::size_t n = 0; n < edges_.size(); ++n) {
    if (n == 0 || key(edges_[n]) != key(edges_[n - 1])) {
      arguments_.push_back(argument_of(edges_[n]));
      arguments_.back().first = n;
      places_.push_back(std::size_t{edges_[n].argument} * series.num_lanes() + lane);
    }
    arguments_.back().last = n + 1;
  }
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    const int degree = arguments_[n].degree;
    if (groups_.empty() || groups_.back().degree != degree) groups_.push_back({degree, n, n});
    groups_.back().last = n + 1;
  }
  motion_.resize(arguments_.size());
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

void DomainWatch::begin_step(double s) {
  num_approaches_ = 0;
  for (const Group& group : groups_) {
    taylor::best_kernels().motion({series_.row(0), series_.stride()}, group.degree,
                                  places_.data() + group.first, group.last - group.first,
                                  std::abs(s), motion_.data() + group.first);
    for (std::size_t n = group.first; n < group.last; ++n) {
      const double distance = series_.row(0)[places_[n]] - arguments_[n].edge;
      if (motion_[n] > part_without_search * std::abs(distance) && distance != 0.0 &&
          may_arrive(arguments_[n], distance, s))
        note_approaches(arguments_[n], distance);
    }
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

double DomainWatch::inside(double s) { return first_below(part_left, s); }

double DomainWatch::inside_until_event(double s) {
  return first_below(0.0, (1 - as_good_as_there) * s) == (1 - as_good_as_there) * s ? s : inside(s);
}

double DomainWatch::first_below(double part, double s) {
  for (std::size_t n = 0; n < num_approaches_; ++n) {
    const Approach& approach = approaches_[n];
    const double distance = approach.distance[0];
    lowered_.assign(approach.distance.begin(), approach.distance.end());
    lowered_[0] -= part * distance;
    const auto root = finder_.first_root(lowered_, distance > 0.0 ? 1 : -1, s, 0.0);
    if (root && grows(approach, root->s)) s = root->s;
  }
  return s;
}

bool DomainWatch::grows(const Approach& approach, double s) const {
  if (approach.numerator.empty()) return true;
  const double now = std::abs(solution::scaled_derivative(approach.numerator, 0, s));
  return now >= growth * part_left * std::abs(approach.numerator[0]);
}

}  // namespace daedal::integrate
