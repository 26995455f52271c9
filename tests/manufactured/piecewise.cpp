#include "manufactured/piecewise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::manufactured {
namespace {

constexpr int grid_cells = 500;      // between breaks that are looked for
constexpr int integral_cells = 60;   // of a whole interval, with a Gauss rule of degree 15 on each
constexpr Real largest_integration_error = 1e-12L;
constexpr int num_bisections = 60;
constexpr Real nearest = 0.02L;      // to zero that a function may turn back
constexpr Real nearest_at_end = 1e-3L;
constexpr Real noise = 1e-9L;        // what is nonzero and below it is not meant to be told from zero
constexpr Real steepest = 1e3L;      // slope; beyond, a jump
constexpr Real instant = 1e-12L;     // what is shorter is one
constexpr Real flattest = 0.05L;     // slope at a zero

struct GaussPoint {
  Real place, weight;
};
constexpr GaussPoint gauss[] = {{0.1834346424956498049395L, 0.3626837833783619829652L},
                                {0.5255324099163289858177L, 0.3137066458778872873380L},
                                {0.7966664774136267395916L, 0.2223810344533744705444L},
                                {0.9602898564975362316836L, 0.1012285362903762591525L}};

signed char side_of(Real value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

Piecewise::Piecewise(const std::vector<Term>& roots, double from, double to)
    : from_(from), to_(to) {
  std::unordered_map<const Node*, int> known;
  for (const Term& root : roots) roots_.push_back(add(root, known));
  values_.resize(steps_.size());
  find_breaks();
  look_for_touches();
}

int Piecewise::add(const Term& term, std::unordered_map<const Node*, int>& known) {
  const Node* node = &*term;
  if (const auto found = known.find(node); found != known.end()) return found->second;
  Step step{node->op, node->value, node->index, {-1, -1, -1}};
  for (std::size_t k = 0; k < node->arguments.size(); ++k)
    step.arguments[k] = add(node->arguments[k], known);
  const auto [a, b, c] = step.arguments;
  switch (step.op) {
    case Op::absolute:
    case Op::sign:
    case Op::positive:
    case Op::nonnegative: guards_.emplace_back(a, -1); break;
    case Op::minimum:
    case Op::maximum: guards_.emplace_back(a, b); break;
    default: break;
  }
  steps_.push_back(step);
  const int index = static_cast<int>(steps_.size()) - 1;
  known.emplace(node, index);
  return index;
}

void Piecewise::evaluate(Real t) {
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    const auto of = [&](int n) {
      return values_[static_cast<std::size_t>(step.arguments[n])];
    };
    Real& value = values_[k];
    switch (step.op) {
      case Op::number: value = step.value; break;
      case Op::time: value = t; break;
      case Op::variable:
      case Op::derivative: value = std::numeric_limits<Real>::quiet_NaN(); break;
      case Op::add: value = of(0) + of(1); break;
      case Op::multiply: value = of(0) * of(1); break;
      case Op::divide: value = of(0) / of(1); break;
      case Op::sine: value = std::sin(of(0)); break;
      case Op::cosine: value = std::cos(of(0)); break;
      case Op::exponential: value = std::exp(of(0)); break;
      case Op::hyperbolic_tangent: value = std::tanh(of(0)); break;
      case Op::arc_tangent: value = std::atan(of(0)); break;
      case Op::power: value = std::pow(of(0), step.value); break;
      case Op::absolute: value = std::abs(of(0)); break;
      case Op::sign: value = side_of(of(0)); break;
      case Op::minimum: value = std::min(of(0), of(1)); break;
      case Op::maximum: value = std::max(of(0), of(1)); break;
      case Op::positive: value = of(0) > 0 ? 1 : 0; break;
      case Op::nonnegative: value = of(0) >= 0 ? 1 : 0; break;
      case Op::conjunction: value = of(0) != 0 && of(1) != 0 ? 1 : 0; break;
      case Op::disjunction: value = of(0) != 0 || of(1) != 0 ? 1 : 0; break;
      case Op::negation: value = of(0) == 0 ? 1 : 0; break;
      case Op::choice: value = of(0) != 0 ? of(1) : of(2); break;
    }
  }
}

Real Piecewise::guard(std::size_t k) const {
  const auto [a, b] = guards_[k];
  const Real value = values_[static_cast<std::size_t>(a)];
  return b < 0 ? value : value - values_[static_cast<std::size_t>(b)];
}

Piecewise::Sides Piecewise::sides_at(Real t) {
  evaluate(t);
  Sides sides(guards_.size());
  for (std::size_t k = 0; k < sides.size(); ++k) sides[k] = side_of(guard(k));
  return sides;
}

void Piecewise::find_breaks() {
  if (guards_.empty()) return;
  for (int k = 0; k < grid_cells; ++k)
    find_breaks_between(from_ + (to_ - from_) * k / grid_cells,
                        from_ + (to_ - from_) * (k + 1) / grid_cells);
}

// The first, by bisection, then those after it.
void Piecewise::find_breaks_between(Real a, Real b) {
  const Sides last = sides_at(b);
  for (Sides sides = sides_at(a); sides != last; sides = sides_at(a)) {
    Real before = a, after = b;
    for (int k = 0; k < num_bisections; ++k) {
      const Real middle = (before + after) / 2;
      (sides_at(middle) == sides ? before : after) = middle;
    }
    breaks_.push_back(break_at(before, after));
    a = after;
  }
}

Break Piecewise::break_at(Real before, Real after) {
  Break result{after, std::numeric_limits<Real>::infinity()};
  const Sides left_sides = sides_at(before), right_sides = sides_at(after);
  const Real width = 1e-6L;
  evaluate(before - width);
  std::vector<Real> left;
  for (std::size_t k = 0; k < guards_.size(); ++k) left.push_back(guard(k));
  evaluate(after + width);
  for (std::size_t k = 0; k < guards_.size(); ++k) {
    if (left_sides[k] == right_sides[k]) continue;
    const Real slope = std::abs(guard(k) - left[k]) / (2 * width);
    if (slope < steepest) result.slope = std::min(result.slope, slope);
  }
  if (result.slope < flattest) is_clear_ = false;
  return result;
}

void Piecewise::look_for_touches() {
  std::vector<Real> before(guards_.size()), last(guards_.size());
  for (int n = 0; n <= grid_cells; ++n) {
    evaluate(from_ + (to_ - from_) * n / grid_cells);
    for (std::size_t k = 0; k < guards_.size(); ++k) {
      const Real g = guard(k), size = std::abs(last[k]);
      const bool is_at_end = n == 0 || n == grid_cells;
      if (g != 0 && std::abs(g) < (is_at_end ? nearest_at_end : noise)) is_clear_ = false;
      const bool turns = n >= 2 && size < std::abs(g) && size < std::abs(before[k]) &&
                         side_of(g) == side_of(before[k]) && size < nearest;
      const bool leaves_zero = n == 1 && (last[k] == 0) != (g == 0);
      if (turns || leaves_zero) is_clear_ = false;
      before[k] = last[k];
      last[k] = g;
    }
  }
}

Real Piecewise::integral(std::size_t root, Real t) { return integral(root, t, integral_cells); }

Real Piecewise::value(std::size_t root, Real t) {
  evaluate(t);
  return values_[static_cast<std::size_t>(roots_[root])];
}

bool Piecewise::has_fine_integral(std::size_t root) {
  const Real whole = integral(root, to_), coarse = integral(root, to_, integral_cells / 2);
  return std::abs(whole - coarse) <= largest_integration_error * (1 + std::abs(whole));
}

Real Piecewise::integral(std::size_t root, Real t, int cells) {
  std::vector<Real> ends;
  for (int k = 0; k <= cells; ++k) ends.push_back(from_ + (to_ - from_) * k / cells);
  for (const Break& each : breaks_) ends.push_back(each.t);
  std::ranges::sort(ends);
  Real sum = 0;
  for (std::size_t k = 1; k < ends.size() && ends[k - 1] < t; ++k)
    sum += integral_over(root, ends[k - 1], std::min(ends[k], t));
  return sum;
}

Real Piecewise::integral_over(std::size_t root, Real a, Real b) {
  Real sum = 0;
  for (const GaussPoint& point : gauss)
    for (const int sign : {-1, 1})
      sum += point.weight * value(root, (a + b) / 2 + sign * point.place * (b - a) / 2);
  return sum * (b - a) / 2;
}

int Piecewise::rises(std::size_t root, Real t) {
  std::vector<Real> ends = {from_};
  for (const Break& each : breaks_) ends.push_back(each.t);
  std::erase_if(ends, [&](Real end) { return end >= t; });
  ends.push_back(t);
  int count = 0;
  bool was_positive = true;  // what holds from the beginning does not become so
  for (std::size_t k = 1; k < ends.size(); ++k) {
    if (ends[k] - ends[k - 1] < instant) continue;
    const bool is_positive = value(root, (ends[k - 1] + ends[k]) / 2) > 0;
    if (is_positive && !was_positive) ++count;
    was_positive = is_positive;
  }
  return count;
}

}  // namespace daedal::manufactured
