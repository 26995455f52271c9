#include "report/extremes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedal::report {
namespace {

using solution::Formulas;
using solution::StepView;
using solution::Trajectory;

constexpr double seen_part = 1.0 / 2000.0;  // of a curve's range: less than a pixel of a plot
// Polynomials of high degree turn more than once in a step; a parabola through three neighbours
// finds the peak between them.
constexpr std::size_t most_intervals = 16;
// Evaluations of outputs, of all together: about a second of work.
constexpr std::size_t most_formula_values = 2'000'000;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return high > low ? high - low : 0.0; }
};

// A point at which a curve leaves the range of the points drawn on both sides, and how far.
struct Extreme {
  double value = 0.0;
  double missed = 0.0;
  SamplePoint point;
};

// The order of points in the run: of two at one instant, the point of the later step comes later.
struct Order {
  bool is_forward;

  bool operator()(const SamplePoint& a, const SamplePoint& b) const {
    if (a.step != b.step) return a.step < b.step;
    return is_forward ? a.t < b.t : a.t > b.t;
  }
};

// One curve, from the first step to the last.
class Scan {
 public:
  Scan(const Trajectory& trajectory, const Formulas& formulas, const Drawn& curve,
       const std::vector<SamplePoint>& drawn, std::size_t num_intervals)
      : trajectory_(trajectory),
        formulas_(formulas),
        curve_(curve),
        drawn_(drawn),
        num_intervals_(num_intervals),
        is_before_{trajectory.end() >= trajectory.begin()} {
    for (const SamplePoint& point : drawn) {
      drawn_values_.push_back(value(point));
      range_.include(drawn_values_.back());
    }
    open_gap(0);
  }

  // As parts of the curve's range; the curve's own extremes come first.
  std::vector<Extreme> run() {
    const Trajectory::Leg* leg = nullptr;
    for (std::size_t k = 0; k < trajectory_.num_steps(); ++k) {
      const Trajectory::Place place = trajectory_.step(k);
      const bool is_same_leg = std::exchange(leg, &place.leg) == &place.leg;
      if (curve_.kind == Drawn::Kind::discrete && is_same_leg) continue;
      look_into(k, place);
    }
    close_gap();
    for (Extreme& each : found_) {
      const bool is_farthest = each.value == range_.low || each.value == range_.high;
      each.missed = each.missed / range_.width() + (is_farthest ? 1.0 : 0.0);
    }
    return std::move(found_);
  }

 private:
  double value(const SamplePoint& point) const {
    return curve_.value(trajectory_.step(point.step), point.t, formulas_);
  }

  void look_into(std::size_t step, const Trajectory::Place& place) {
    take({step, place.step.begin});
    if (curve_.kind != Drawn::Kind::discrete && may_be_seen(step, place))
      look_between_ends(step, place);
    take({step, place.step.end});
  }

  // Whether the polynomial could leave what is drawn of the present gap, by the sizes of its terms.
  bool may_be_seen(std::size_t number, const Trajectory::Place& place) const {
    if (curve_.kind != Drawn::Kind::variable || curve_.order > 0) return true;
    const StepView& step = place.step;
    const bool is_in_one_gap = !is_before_(drawn_[gap_number_ + 1], {number, step.end});
    if (!is_in_one_gap) return true;
    const solution::Polynomial polynomial = step.polynomial(place.leg.layout, curve_.number);
    const double motion =
        solution::largest_motion(polynomial, 0, std::abs((step.end - step.begin) / step.scale));
    const double slack = seen_part * range_.width();
    return !(polynomial[0] + motion <= gap_.high + slack &&
             polynomial[0] - motion >= gap_.low - slack);
  }

  void look_between_ends(std::size_t step, const Trajectory::Place& place) {
    const auto time_of = [&](double i) {
      const double part = i / static_cast<double>(num_intervals_);
      return place.step.begin + part * (place.step.end - place.step.begin);
    };
    double values[most_intervals + 1];
    for (std::size_t i = 0; i <= num_intervals_; ++i)
      values[i] = curve_.value(place, time_of(static_cast<double>(i)), formulas_);
    for (std::size_t i = 1; i < num_intervals_; ++i) {
      const double before = values[i] - values[i - 1], after = values[i + 1] - values[i];
      if (before * after > 0.0 || before == after) continue;
      // of the parabola through the three, from the middle one
      const double peak = 0.5 * (before + after) / (before - after);
      take({step, time_of(static_cast<double>(i) + peak)});
    }
  }

  void take(const SamplePoint& point) {
    while (gap_number_ + 2 < drawn_.size() && !is_before_(point, drawn_[gap_number_ + 1])) {
      close_gap();
      open_gap(gap_number_ + 1);
    }
    const double found = value(point);
    if (!std::isfinite(found)) return;
    range_.include(found);
    if (found > high_.value) high_ = {found, 0.0, point};
    if (found < low_.value) low_ = {found, 0.0, point};
  }

  // Between drawn point `number` and the next one.
  void open_gap(std::size_t number) {
    gap_number_ = number;
    gap_ = {};
    gap_.include(drawn_values_[number]);
    gap_.include(drawn_values_[std::min(number + 1, drawn_.size() - 1)]);
    high_.value = gap_.high;
    low_.value = gap_.low;
  }
  void close_gap() {
    const double seen = seen_part * range_.width();
    // Nothing is drawn beside values that are not finite: what is there is missed entirely.
    const bool is_blank = gap_.high < gap_.low;
    const auto add = [&](Extreme& extreme, double missed) {
      if (!std::isfinite(extreme.value)) return;
      extreme.missed = is_blank ? range_.width() : missed;
      if (extreme.missed > seen) found_.push_back(extreme);
    };
    add(high_, high_.value - gap_.high);
    add(low_, gap_.low - low_.value);
  }

  const Trajectory& trajectory_;
  const Formulas& formulas_;
  const Drawn& curve_;
  const std::vector<SamplePoint>& drawn_;
  std::size_t num_intervals_;
  Order is_before_;
  std::vector<double> drawn_values_;
  Range range_;  // of the curve, as far as it is known
  std::size_t gap_number_ = 0;
  Range gap_;  // of the two points drawn
  Extreme high_, low_;
  std::vector<Extreme> found_;
};

std::size_t intervals_of_outputs(const Trajectory& trajectory, const std::vector<Drawn>& curves) {
  const auto num_outputs =
      static_cast<std::size_t>(std::count_if(curves.begin(), curves.end(), [](const Drawn& curve) {
        return curve.kind == Drawn::Kind::output;
      }));
  const std::size_t num_values = std::max<std::size_t>(1, trajectory.num_steps() * num_outputs);
  return std::clamp<std::size_t>(most_formula_values / num_values, 1, most_intervals);
}

bool is_same(const SamplePoint& a, const SamplePoint& b) { return a.step == b.step && a.t == b.t; }

}  // namespace

double Drawn::value(const Trajectory::Place& place, double t, const Formulas& formulas) const {
  constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();
  const auto derivative = [&](int unknown, int times) {
    return times > place.leg.layout.degree(unknown) ? unknown_value
                                                    : place.value(unknown, t, times);
  };
  if (kind == Kind::variable) return derivative(number, order);
  return formulas.value(static_cast<std::size_t>(number), t, place.leg.parameters, derivative);
}

std::vector<SamplePoint> missed_extremes(const Trajectory& trajectory, const Formulas& formulas,
                                         const std::vector<Drawn>& curves,
                                         const std::vector<SamplePoint>& drawn, std::size_t most) {
  if (drawn.size() < 2) return {};
  const std::size_t of_outputs = intervals_of_outputs(trajectory, curves);
  std::vector<Extreme> found;
  for (const Drawn& curve : curves) {
    const std::size_t num_intervals =
        curve.kind == Drawn::Kind::variable ? most_intervals : of_outputs;
    const std::vector<Extreme> more = Scan(trajectory, formulas, curve, drawn, num_intervals).run();
    found.insert(found.end(), more.begin(), more.end());
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Extreme& a, const Extreme& b) { return a.missed > b.missed; });
  std::vector<SamplePoint> points;
  for (std::size_t k = 0; k < std::min(most, found.size()); ++k) points.push_back(found[k].point);
  return points;
}

std::vector<SamplePoint> merged(const Trajectory& trajectory, std::vector<SamplePoint> points,
                                const std::vector<SamplePoint>& more) {
  points.insert(points.end(), more.begin(), more.end());
  std::sort(points.begin(), points.end(), Order{trajectory.end() >= trajectory.begin()});
  points.erase(std::unique(points.begin(), points.end(), is_same), points.end());
  return points;
}

}  // namespace daedal::report
