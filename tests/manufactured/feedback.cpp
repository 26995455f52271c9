// Rule F17 of docs/theory/manufactured-problems.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "manufactured/conditions.hpp"
#include "manufactured/hybrid_problem.hpp"
#include "manufactured/program.hpp"
#include "manufactured/signal.hpp"

namespace daedal::manufactured {
namespace {

constexpr int num_times = 8;
constexpr int steps_per_time = 2500;
constexpr double to = 3.0;
// Euler's method chatters along a surface within a step of it; runs that differ by more are not
// compared with.
constexpr Real disturbance = 1e-4L;
constexpr Real largest_spread = 0.01L;

struct March {
  std::vector<Real> values;  // at the sample times; none if y leaves all bounds
  Real longest_step = 0;     // of y, relative
};

// By so many steps between sample times, from y0.
March march(const Term& rate, const Function& x, Real y0, int steps) {
  Real y = y0;
  Program program({rate}, {x, [&y](Real) { return y; }});
  March march;
  const Real h = static_cast<Real>(to) / (num_times * steps);
  for (int n = 0; n < num_times; ++n) {
    for (int k = 0; k < steps; ++k) {
      program.evaluate((n * steps + k) * h);
      const Real step = h * program.value(0);
      march.longest_step = std::max(march.longest_step, std::abs(step) / (1 + std::abs(y)));
      y += step;
      if (!(std::abs(y) < 50)) return {};
    }
    march.values.push_back(y);
  }
  return march;
}

std::optional<HybridProblem> build(Random& random, const std::string& name) {
  const Signal signal(random);
  const Term s = signal.derivative(0), x = variable_term(0), y = variable_term(1);
  const std::vector<Term> leaves = {x, y, y};
  ConditionTrees trees(leaves, random);
  // v has no part in the feedback: where it would jump at what slides, means of it are no means of
  // what is made of it.
  const Term inner = ConditionTrees({x}, random).value(random.between(0, 3));
  const double begin = random.number(-1.5, 1.5), damping = random.number(0.0, 1.0);
  const bool has_unknown = random.chance(0.3);
  const Term v = variable_term(2);
  const Term with_v = has_unknown ? ConditionTrees({x, y, v, v}, random).value(random.between(2, 4))
                                  : trees.value(random.between(2, 5));
  const Term rate = with_v - damping * y;
  const Term full = substitute(rate, [&](int k, int) { return k == 2 ? inner : variable_term(k); });
  const auto smooth = std::make_shared<Program>(std::vector<Term>{s});
  const Function x_of = [smooth](Real t) {
    smooth->evaluate(t);
    return smooth->value(0);
  };
  const March truth = march(full, x_of, begin, steps_per_time);
  const std::vector<Real>& fine = truth.values;
  if (fine.empty()) return std::nullopt;
  Real spread = 0;
  for (const Real sign : {-1.0L, 0.0L, 1.0L}) {
    const std::vector<Real> other = march(full, x_of, begin + sign * disturbance,
                                          sign == 0 ? steps_per_time / 2 : steps_per_time)
                                        .values;
    if (other.empty()) return std::nullopt;
    for (std::size_t k = 0; k < fine.size(); ++k)
      spread = std::max(spread, std::abs(other[k] - fine[k]) / (1 + std::abs(fine[k])));
  }
  if (spread > largest_spread) return std::nullopt;

  HybridProblem problem;
  problem.to = to;
  problem.uncertainty = static_cast<double>(4 * std::max(spread, truth.longest_step)) + 0.002;
  for (int n = 0; n < num_times; ++n) {
    const double t = n + 1 < num_times ? to * (n + 1) / num_times : to;
    problem.times.push_back(t);
    problem.exact.push_back({x_of(t), fine[static_cast<std::size_t>(n)]});
  }
  const std::vector<std::string> names = {"x", "y", "v"};
  problem.text = fmt::format(
      "model {0}\n  Real x;\n  Real y(start = {1}, fixed = true);\n{2}equation\n  x = {3};\n{4}"
      "  der(y) = {5};\nannotation(experiment(StopTime = {6}));\nend {0};\n",
      name, begin, has_unknown ? "  Real v;\n" : "", to_text(s, names),
      has_unknown ? fmt::format("  v = {};\n", to_text(inner, names)) : "", to_text(rate, names),
      to);
  return problem;
}

}  // namespace

HybridProblem with_feedback(std::uint64_t seed) {
  Random random(seed);
  while (true)
    if (auto problem = build(random, fmt::format("Feedback{}", seed))) return *problem;
}

}  // namespace daedal::manufactured
