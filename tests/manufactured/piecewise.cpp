#include "manufactured/piecewise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::manufactured {
namespace {

constexpr int grid_cells = 500;     // between breaks that are looked for
constexpr int integral_cells = 60;  // of a whole interval, with a Gauss rule of degree 15 on each
constexpr Real largest_integration_error = 1e-12L;
constexpr int num_bisections = 60;
constexpr Real nearest = 0.02L;  // to zero that a function may turn back
constexpr Real nearest_at_end = 1e-3L;
constexpr Real noise = 1e-9L;     // what is nonzero and below it is not meant to be told from zero
constexpr Real steepest = 1e3L;   // slope; beyond, a jump
constexpr Real instant = 1e-12L;  // what is shorter is one
constexpr Real flattest = 0.05L;  // slope at a zero

struct GaussPoint {
  Real place, weight;
};
constexpr GaussPoint gauss[] = {{0.1834346424956498049395L, 0.3626837833783619829652L},
                                {0.5255324099163289858177L, 0.3137066458778872873380L},
                                {0.7966664774136267395916L, 0.2223810344533744705444L},
                                {0.9602898564975362316836L, 0.1012285362903762591525L}};

signed char side_of(Real value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

Piecewise::Piecewise(Program program, double from, double to, std::vector<Real> kinks)
    : program_(std::move(program)), from_(from), to_(to), kinks_(std::move(kinks)) {
  find_breaks();
  look_for_touches();
}

Piecewise::Sides Piecewise::sides_at(Real t) {
  program_.evaluate(t);
  Sides sides(program_.num_guards());
  for (std::size_t k = 0; k < sides.size(); ++k) sides[k] = side_of(program_.guard(k));
  return sides;
}

void Piecewise::find_breaks() {
  if (program_.num_guards() == 0) return;
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
  program_.evaluate(before - width);
  std::vector<Real> left;
  for (std::size_t k = 0; k < program_.num_guards(); ++k) left.push_back(program_.guard(k));
  program_.evaluate(after + width);
  for (std::size_t k = 0; k < program_.num_guards(); ++k) {
    if (left_sides[k] == right_sides[k]) continue;
    const Real slope = std::abs(program_.guard(k) - left[k]) / (2 * width);
    if (slope < steepest) result.slope = std::min(result.slope, slope);
  }
  if (result.slope < flattest) is_clear_ = false;
  return result;
}

void Piecewise::look_for_touches() {
  std::vector<Real> before(program_.num_guards()), last(program_.num_guards());
  for (int n = 0; n <= grid_cells; ++n) {
    program_.evaluate(from_ + (to_ - from_) * n / grid_cells);
    for (std::size_t k = 0; k < program_.num_guards(); ++k) {
      const Real g = program_.guard(k), size = std::abs(last[k]);
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

Real Piecewise::value(std::size_t root, Real t) {
  program_.evaluate(t);
  return program_.value(root);
}

bool Piecewise::has_fine_integral(std::size_t root) {
  const Real whole = integral(root, to_), coarse = table_of(root, integral_cells / 2).sums.back();
  return std::abs(whole - coarse) <= largest_integration_error * (1 + std::abs(whole));
}

Piecewise::Table Piecewise::table_of(std::size_t root, int cells) {
  Table table;
  for (int k = 0; k <= cells; ++k) table.ends.push_back(from_ + (to_ - from_) * k / cells);
  for (const Break& each : breaks_) table.ends.push_back(each.t);
  for (const Real kink : kinks_) table.ends.push_back(kink);
  std::ranges::sort(table.ends);
  table.sums.push_back(0);
  for (std::size_t k = 1; k < table.ends.size(); ++k)
    table.sums.push_back(table.sums.back() + integral_over(root, table.ends[k - 1], table.ends[k]));
  return table;
}

Real Piecewise::integral(std::size_t root, Real t) {
  auto found = tables_.find(root);
  if (found == tables_.end()) found = tables_.emplace(root, table_of(root, integral_cells)).first;
  const Table& table = found->second;
  const auto next = std::ranges::lower_bound(table.ends, t);
  if (next == table.ends.begin()) return 0;
  const auto k = static_cast<std::size_t>(next - table.ends.begin()) - 1;
  return table.sums[k] + integral_over(root, table.ends[k], t);
}

Real Piecewise::integral_over(std::size_t root, Real a, Real b) {
  Real sum = 0;
  for (const GaussPoint& point : gauss)
    for (const int sign : {-1, 1})
      sum += point.weight * value(root, (a + b) / 2 + sign * point.place * (b - a) / 2);
  return sum * (b - a) / 2;
}

std::vector<Real> Piecewise::rises(std::size_t root) {
  std::vector<Real> ends = {from_};
  for (const Break& each : breaks_) ends.push_back(each.t);
  ends.push_back(to_);
  std::vector<Real> rises;
  bool was_positive = true;  // what holds from the beginning does not become so
  for (std::size_t k = 1; k < ends.size(); ++k) {
    if (ends[k] - ends[k - 1] < instant) continue;
    const bool is_positive = value(root, (ends[k - 1] + ends[k]) / 2) > 0;
    if (is_positive && !was_positive) rises.push_back(ends[k - 1]);
    was_positive = is_positive;
  }
  return rises;
}

}  // namespace daedal::manufactured
