#include "manufactured/motions.hpp"

#include <cmath>

namespace daedal::manufactured {
namespace {

constexpr int grid_cells = 2000;
constexpr int num_bisections = 70;
constexpr int most_phases = 12, most_flights = 8;
constexpr Real nearest = 0.03L;  // of the drive to the limit of friction where something changes
constexpr Real slowest = 0.2L;   // impact
constexpr Real nearest_end = 1e-3L;

}  // namespace

std::optional<Friction> Friction::make(Function g, Function slope, Real k, Real start, double from,
                                       double to) {
  Friction motion(std::move(g), k);
  const auto side_of = [](Real value) { return value > 0 ? 1 : -1; };
  motion.phases_.push_back({from, side_of(start), start});
  const Real cell = (static_cast<Real>(to) - from) / grid_cells;
  // Positive as long as the phase lasts.
  const auto margin = [&](const Phase& phase, Real t) {
    return phase.side == 0 ? k - std::abs(slope(t)) : phase.side * motion.value(t);
  };
  for (int n = 0; n < grid_cells; ++n) {
    const Phase phase = motion.phases_.back();
    Real before = std::max(from + n * cell, phase.t), after = from + (n + 1) * cell;
    if (margin(phase, after) > 0 && margin(phase, after) < nearest &&
        margin(phase, after) < margin(phase, after - cell) &&
        margin(phase, after) < margin(phase, after + cell))
      return std::nullopt;  // as good as torn loose, or arrived
    if (margin(phase, after) > 0) continue;
    for (int b = 0; b < num_bisections; ++b) {
      const Real middle = (before + after) / 2;
      (margin(phase, middle) > 0 ? before : after) = middle;
    }
    const Real drive = slope(after);
    if (phase.side != 0 && std::abs(std::abs(drive) - k) < nearest) return std::nullopt;
    const bool rests = phase.side != 0 && std::abs(drive) < k;
    motion.phases_.push_back({after, rests ? 0 : side_of(drive), 0});
    if (static_cast<int>(motion.phases_.size()) > most_phases) return std::nullopt;
  }
  if (std::abs(to - motion.phases_.back().t) < nearest_end) return std::nullopt;
  return motion;
}

Real Friction::value(Real t) const {
  std::size_t n = phases_.size() - 1;
  while (n > 0 && phases_[n].t > t) --n;
  const Phase& phase = phases_[n];
  if (phase.side == 0) return 0;
  return phase.value + g_(t) - g_(phase.t) - phase.side * k_ * (t - phase.t);
}

std::vector<Real> Friction::kinks() const {
  std::vector<Real> kinks;
  for (std::size_t k = 1; k < phases_.size(); ++k) kinks.push_back(phases_[k].t);
  return kinks;
}

Bounces::Bounces(Real height, Real speed, Real gravity, Real restitution, double from, double to)
    : gravity_(gravity) {
  flights_.push_back({from, height, speed});
  while (true) {
    const auto [t, h, v] = flights_.back();
    const Real impact = std::sqrt(v * v + 2 * gravity * h);
    const Real landing = t + (v + impact) / gravity;
    is_clear_ = is_clear_ && std::abs(landing - to) > nearest_end && impact > slowest;
    if (landing > to || !is_clear_) return;
    flights_.push_back({landing, 0, restitution * impact});
    is_clear_ = is_clear_ && static_cast<int>(flights_.size()) <= most_flights;
  }
}

Real Bounces::value(Real t) const {
  std::size_t n = flights_.size() - 1;
  while (n > 0 && flights_[n].t > t) --n;
  const Real s = t - flights_[n].t;
  return flights_[n].height + flights_[n].speed * s - gravity_ * s * s / 2;
}

std::vector<Real> Bounces::instants() const {
  std::vector<Real> instants;
  for (std::size_t k = 1; k < flights_.size(); ++k) instants.push_back(flights_[k].t);
  return instants;
}

}  // namespace daedal::manufactured
