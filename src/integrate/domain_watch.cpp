#include "integrate/domain_watch.hpp"

#include <algorithm>
#include <cmath>

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
  approaches_.resize(edges_.size());
  const std::size_t size = series.highest_degree() + 1;
  lowered_.reserve(size);
  for (Approach& approach : approaches_) {
    approach.distance.reserve(size);
    approach.numerator.reserve(size);
  }
}

void DomainWatch::begin_step(double s) {
  num_approaches_ = 0;
  for (const taylor::DomainEdge& edge : edges_) {
    const int degree = std::min(series_.last_stage() + series_.schedule().offset[edge.operation],
                                series_.highest_degree());
    const auto coefficient = [&](taylor::Slot slot, int k) {
      return series_.slot_coefficient(slot, k, lane_);
    };
    const double distance = coefficient(edge.argument, 0) - edge.value;
    double motion = 0.0;
    for (int k = degree; k > 0; --k)
      motion = std::abs(s) * (motion + std::abs(coefficient(edge.argument, k)));
    if (!(motion > part_without_search * std::abs(distance)) || distance == 0.0) continue;
    Approach& approach = approaches_[num_approaches_++];
    approach.distance.assign(1, distance);
    approach.numerator.clear();
    for (int k = 1; k <= degree; ++k) approach.distance.push_back(coefficient(edge.argument, k));
    if (edge.numerator == taylor::no_slot) continue;
    for (int k = 0; k <= degree; ++k) approach.numerator.push_back(coefficient(edge.numerator, k));
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
