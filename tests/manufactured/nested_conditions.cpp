// Rule F13 of docs/theory/manufactured-problems.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "manufactured/conditions.hpp"
#include "manufactured/hybrid_problem.hpp"
#include "manufactured/piecewise.hpp"
#include "manufactured/signal.hpp"

namespace daedal::manufactured {
namespace {

constexpr int num_times = 9;
constexpr Real nearest_sample = 1e-3L;  // to a break
constexpr int most_breaks = 60;

std::size_t index(int k) { return static_cast<std::size_t>(k); }

int count_before(const std::vector<Real>& times, double t) {
  return static_cast<int>(std::ranges::count_if(times, [&](Real each) { return each < t; }));
}

// One model that may turn out to be too near to a case that no tolerance decides.
class Builder {
 public:
  explicit Builder(Random& random) : random_(random) {}

  std::optional<HybridProblem> build(const std::string& name);

 private:
  int add(const std::string& name) {
    names_.push_back(name);
    starts_.emplace_back("");
    return static_cast<int>(names_.size()) - 1;
  }
  void add_trajectory();
  void add_branching(const std::string& name);
  void add_integral(const std::string& name);
  void add_counter();
  std::string text(const Term& term) const { return to_text(term, names_); }
  Term known(const Term& term) const {
    return substitute(term, [&](int variable, int) { return exact_[index(variable)]; });
  }

  Random& random_;
  double to_ = 3.0;
  std::vector<std::string> names_, starts_;
  std::vector<Term> exact_;  // of time, by variable; of an integral its derivative
  std::vector<bool> is_integral_;
  std::vector<Term> conditions_;  // that are counted, as 1 or 0
  std::string declarations_, equations_;
};

// x = s(t), or an equation that has this solution.
void Builder::add_trajectory() {
  const Signal signal(random_);
  const Term s = signal.derivative(0), slope = signal.derivative(1);
  const int x = add(fmt::format("x{}", names_.size() + 1));
  exact_.push_back(s);
  is_integral_.push_back(false);
  const int kind = random_.pick(3);
  if (kind == 0) {
    equations_ += fmt::format("  {} = {};\n", names_[index(x)], text(s));
    return;
  }
  const double rate = kind == 1 ? 0.0 : random_.number(-1.0, 0.2);
  equations_ += fmt::format("  der({0}) = {1} + {2}*({0} - ({3}));\n", names_[index(x)],
                            text(slope), text(rate), text(s));
  starts_[index(x)] = fmt::format("(start = {:.17g}, fixed = true)",
                                  static_cast<double>(evaluate(s, {}, {0.0L, 1.0L})[0]));
}

void Builder::add_branching(const std::string& name) {
  std::vector<Term> leaves;
  for (int j = 0; j < static_cast<int>(names_.size()); ++j) leaves.push_back(variable_term(j));
  const Term tree = ConditionTrees(leaves, random_).value(random_.between(1, 3));
  equations_ += fmt::format("  {} = {};\n", name, text(tree));
  exact_.push_back(known(tree));
  add(name);
  is_integral_.push_back(false);
}

void Builder::add_integral(const std::string& name) {
  std::vector<Term> leaves;
  for (int j = 0; j < static_cast<int>(names_.size()); ++j)
    if (!is_integral_[index(j)]) leaves.push_back(variable_term(j));
  const Term tree = ConditionTrees(leaves, random_).value(random_.between(3, 6));
  equations_ += fmt::format("  der({}) = {};\n", name, text(tree));
  exact_.push_back(known(tree));
  starts_[index(add(name))] = "(start = 0, fixed = true)";
  is_integral_.push_back(true);
}

void Builder::add_counter() {
  std::vector<Term> leaves;
  for (int j = 0; j < static_cast<int>(names_.size()); ++j)
    if (!is_integral_[index(j)]) leaves.push_back(variable_term(j));
  const Term condition = ConditionTrees(leaves, random_).condition(random_.between(0, 3));
  declarations_ += "  discrete Real n(start = 0);\n";
  equations_ +=
      fmt::format("  when {} then n = pre(n) + 1; end when;\n  count = n;\n", text(condition));
  conditions_.push_back(known(choose(condition, 1.0, 0.0)));
  add("count");
}

std::optional<HybridProblem> Builder::build(const std::string& name) {
  const int num_trajectories = random_.between(1, 3);
  for (int k = 0; k < num_trajectories; ++k) add_trajectory();
  if (random_.chance(0.4)) add_branching("v");
  if (random_.chance(0.2)) add_branching("w");
  add_integral("y");
  if (random_.chance(0.3)) add_integral("z");
  if (random_.chance(0.4)) add_counter();

  std::vector<Term> roots = exact_;
  roots.insert(roots.end(), conditions_.begin(), conditions_.end());
  // One walk, so that what is shared is evaluated once.
  Piecewise truth(Program(roots), 0.0, to_);
  if (!truth.is_clear() || truth.breaks().empty() ||
      static_cast<int>(truth.breaks().size()) > most_breaks)
    return std::nullopt;
  for (std::size_t j = 0; j < exact_.size(); ++j)
    if (is_integral_[j] && !truth.has_fine_integral(j)) return std::nullopt;
  HybridProblem problem;
  problem.to = to_;
  for (int k = 1; k <= num_times; ++k) {
    double t = to_ * k / num_times;
    const auto is_near = [&](const Break& each) {
      return std::abs(each.t - static_cast<Real>(t)) < nearest_sample;
    };
    if (std::ranges::any_of(truth.breaks(), is_near)) continue;
    problem.times.push_back(t);
    std::vector<Real>& values = problem.exact.emplace_back();
    for (std::size_t j = 0; j < exact_.size(); ++j)
      values.push_back(is_integral_[j] ? truth.integral(j, t) : truth.value(j, t));
    for (std::size_t c = 0; c < conditions_.size(); ++c)
      values.push_back(count_before(truth.rises(exact_.size() + c), t));
  }
  if (problem.times.empty()) return std::nullopt;
  // The instant of a break is off by an error over a slope, and an integral by what its integrand
  // jumps there.
  Real growth = 1;
  for (const Break& each : truth.breaks())
    for (std::size_t j = 0; j < exact_.size(); ++j)
      if (is_integral_[j])
        growth +=
            std::abs(truth.value(j, each.t + 1e-9L) - truth.value(j, each.t - 1e-9L)) / each.slope;
  problem.growth = static_cast<double>(growth);
  problem.text = fmt::format("model {}\n", name);
  for (std::size_t j = 0; j < names_.size(); ++j)
    problem.text += fmt::format("  Real {}{};\n", names_[j], starts_[j]);
  problem.text += declarations_ + "equation\n" + equations_ +
                  fmt::format("annotation(experiment(StopTime = {}));\nend {};\n", to_, name);
  return problem;
}

}  // namespace

HybridProblem nested_conditions(std::uint64_t seed) {
  Random random(seed);
  while (true)
    if (auto problem = Builder(random).build(fmt::format("Nested{}", seed))) return *problem;
}

}  // namespace daedal::manufactured
