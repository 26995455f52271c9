// Rules F15 and F16 of docs/theory/manufactured-problems.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "manufactured/conditions.hpp"
#include "manufactured/hybrid_problem.hpp"
#include "manufactured/motions.hpp"
#include "manufactured/piecewise.hpp"
#include "manufactured/problem.hpp"
#include "manufactured/sensitivity.hpp"

namespace daedal::manufactured {
namespace {

constexpr int num_times = 9;
constexpr Real nearest_sample = 1e-3L;  // to an instant at which something changes
constexpr int most_breaks = 40;
constexpr int most_tries = 40;

std::size_t index(int k) { return static_cast<std::size_t>(k); }

Choice core_choice(Random& random) {
  Choice choice;
  choice.size = random.between(1, 4);
  choice.index = random.between(0, 3);
  choice.order = random.between(1, 2);
  choice.coupling = random.between(0, 1);
  return choice;
}

class Builder {
 public:
  Builder(std::uint64_t seed, Random& random)
      : random_(random), core_(seed, core_choice(random)), from_(core_.from()), to_(core_.to()) {
    for (int j = 0; j < core_.size(); ++j) {
      known_.push_back(core_.system().unknowns[index(j)].exact.derivative(0));
      names_.push_back(fmt::format("z{}", j + 1));
    }
  }

  std::optional<HybridProblem> build(const std::string& name);

 private:
  // An unknown y = x + shift: x is what the model has.
  struct Part {
    std::string name;
    Function exact;  // y
    Term shift = 0.0;
    bool is_exact_term = false;
  };

  int size() const { return static_cast<int>(known_.size()); }
  Term variable(int k) const { return variable_term(k); }
  // What may stand in conditions: z, and parts that are known.
  std::vector<Term> leaves() const {
    std::vector<Term> all;
    for (int k = 0; k < size(); ++k) all.push_back(variable(k));
    return all;
  }
  // Of time, and of variables that are functions.
  Term known(const Term& term) const {
    return substitute(term, [&](int k, int order) {
      return order == 0 ? known_[index(k)] : derivative_of(k, order);
    });
  }
  Term derivative_of(int k, int order) const {
    return core_.system().unknowns[index(k)].exact.derivative(order);
  }
  Program program(const std::vector<Term>& terms) const {
    std::vector<Function> functions(index(core_.size()));
    for (const Part& part : parts_) functions.push_back(part.exact);
    return Program(terms, functions);
  }
  std::optional<Piecewise> piecewise(const std::vector<Term>& terms);
  // As the model has it: z and y by x.
  std::string text(const Term& term) const;
  int add_part(const std::string& role, Function exact, std::optional<Term> term, bool is_shifted);
  void add_equation(const Term& residual);
  void set_start(int k, const std::vector<Real>& derivatives);

  bool add_branching();
  bool add_integral();
  bool add_switch();
  bool add_reset();
  bool add_friction();
  bool add_bounces();
  bool add_touch();
  bool add_counter();

  Random& random_;
  Problem core_;
  double from_, to_;
  std::vector<Term> known_;         // by variable: z and y, of time
  std::vector<std::string> names_;  // z are not used
  std::vector<Part> parts_;
  std::vector<Real> kinks_;     // of functions
  std::vector<Real> instants_;  // at which something happens
  double growth_ = 1.0;
  std::string declarations_, equations_;
};

std::optional<Piecewise> Builder::piecewise(const std::vector<Term>& terms) {
  std::vector<Term> all;
  for (const Term& term : terms) all.push_back(known(term));
  Piecewise result(program(all), from_, to_, kinks_);
  if (!result.is_clear() || static_cast<int>(result.breaks().size()) > most_breaks)
    return std::nullopt;
  for (const Break& each : result.breaks()) instants_.push_back(each.t);
  return result;
}

std::string Builder::text(const Term& term) const {
  std::vector<std::string> names = core_.names();
  for (const Part& part : parts_) names.push_back(part.name);
  return to_text(substitute(term,
                            [&](int k, int order) {
                              if (k < core_.size())
                                return derivative(core_.unknowns()[index(k)], order);
                              const Term x = variable_term(k);
                              return derivative(x + parts_[index(k - core_.size())].shift, order);
                            }),
                 names);
}

// A part is shifted by a function of unknowns of the core that are states, so that the shift may be
// differentiated.
int Builder::add_part(const std::string& role, Function exact, std::optional<Term> term,
                      bool is_shifted) {
  Part part{fmt::format("{}{}", role, parts_.size() + 1), std::move(exact)};
  std::vector<Term> states;
  for (int j = 0; j < core_.size(); ++j)
    if (core_.system().unknowns[index(j)].lag < 0) states.push_back(core_.unknowns()[index(j)]);
  if (is_shifted && !states.empty() && random_.chance(0.4))
    part.shift = random_term(states, core_.choice().nonlinearity, random_);
  parts_.push_back(part);
  names_.push_back(part.name);
  known_.push_back(term ? *term : variable_term(size()));
  return size() - 1;
}

// residual = 0, mixed with equations of the core.
void Builder::add_equation(const Term& residual) {
  std::string left = text(residual);
  if (random_.chance(0.3)) {
    const auto k = index(random_.pick(static_cast<int>(core_.equations().size())));
    left += fmt::format(" + {}*cos(time)*({})", random_.number(0.2, 0.9),
                        to_text(core_.equations()[k], core_.names()));
  }
  equations_ += fmt::format("  {} = 0;\n", left);
}

// y and derivatives of it are given at the start; those of x follow.
void Builder::set_start(int k, const std::vector<Real>& derivatives) {
  const Part& part = parts_[index(k - core_.size())];
  const int length = static_cast<int>(derivatives.size()) + 3;
  const Series shift = evaluate(part.shift, core_.exact(from_, length), time_series(from_, length));
  std::string values, fixed;
  Real factorial = 1;
  for (std::size_t order = 0; order < derivatives.size(); ++order) {
    if (order > 0) factorial *= static_cast<Real>(order);
    const char* comma = order == 0 ? "" : ", ";
    values += fmt::format("{}{:.17g}", comma,
                          static_cast<double>(derivatives[order] - factorial * shift[order]));
    fixed += fmt::format("{}true", comma);
  }
  declarations_ +=
      fmt::format("  Real {}(start = {{{}}}, fixed = {{{}}});\n", part.name, values, fixed);
}

// v = tree
bool Builder::add_branching() {
  const Term tree = ConditionTrees(leaves(), random_).value(random_.between(1, 3));
  if (!piecewise({tree})) return false;
  const int v = add_part("v", {}, known(tree), true);
  declarations_ += fmt::format("  Real {};\n", parts_.back().name);
  add_equation(variable(v) - tree);
  return true;
}

// y' = s' + tree
bool Builder::add_integral() {
  const Term tree = ConditionTrees(leaves(), random_).value(random_.between(1, 4));
  auto truth = piecewise({tree});
  if (!truth || !truth->has_fine_integral(0)) return false;
  const Signal signal(random_);
  for (const Break& each : truth->breaks())
    growth_ += static_cast<double>(
        std::abs(truth->value(0, each.t + 1e-9L) - truth->value(0, each.t - 1e-9L)) / each.slope);
  const Term s = signal.derivative(0);
  const auto shared = std::make_shared<Piecewise>(std::move(*truth));
  const auto smooth = std::make_shared<Program>(std::vector<Term>{s});
  const Real from = from_;
  const Function exact = [shared, smooth](Real t) {
    smooth->evaluate(t);
    return smooth->value(0) + shared->integral(0, t);
  };
  const int y = add_part("y", exact, std::nullopt, true);
  set_start(y, {exact(from)});
  add_equation(derivative(variable(y), 1) - signal.derivative(1) - tree);
  return true;
}

// if c then u' + a (u - s) = s' else u = s, or u' alone: the structure changes with the mode.
bool Builder::add_switch() {
  const Term condition = ConditionTrees(leaves(), random_).condition(random_.between(0, 2));
  if (!piecewise({choose(condition, 1.0, 0.0)})) return false;
  const Signal signal(random_);
  const Term s = signal.derivative(0);
  const int u = add_part("u", {}, s, true);
  const Term first = derivative(variable(u), 1) - signal.derivative(1) +
                     random_.number(-0.3, 1.0) * (variable(u) - s);
  const Term second = random_.chance(0.5)
                          ? random_.number(0.5, 2.0) * (variable(u) - s)
                          : 2.0 * (derivative(variable(u), 1) - signal.derivative(1));
  declarations_ +=
      fmt::format("  Real {}(start = {:.17g});\n", parts_.back().name,
                  static_cast<double>(evaluate(s, {}, time_series(from_, 1))[0] -
                                      evaluate(parts_.back().shift, core_.exact(from_, 4),
                                               time_series(from_, 4))[0]));
  add_equation(choose(condition, first, second));
  return true;
}

// u' = s' + a (u - s - delta n), u and n set anew at events; or u'' = s'' and u' set anew.
bool Builder::add_reset() {
  const Term condition = ConditionTrees(leaves(), random_).condition(random_.between(0, 2));
  auto truth = piecewise({choose(condition, 1.0, 0.0)});
  if (!truth) return false;
  const std::vector<Real> rises = truth->rises(0);
  if (rises.empty()) return false;
  const Signal signal(random_);
  const Term s = signal.derivative(0);
  const int order = random_.between(1, 2);
  const double delta = random_.signed_number(0.2, 1.0);
  const auto smooth = std::make_shared<Program>(std::vector<Term>{s});
  const Function exact = [=](Real t) {
    smooth->evaluate(t);
    Real value = smooth->value(0);
    for (const Real rise : rises)
      if (t >= rise) value += delta * (order == 1 ? Real(1) : t - rise);
    return value;
  };
  const int u = add_part("r", exact, std::nullopt, true);
  const std::string name = parts_.back().name, count = "n_" + name;
  std::vector<Real> start;
  for (int k = 0; k < order; ++k)
    start.push_back(evaluate(signal.derivative(k), {}, time_series(from_, 1))[0]);
  set_start(u, start);
  declarations_ += fmt::format("  discrete Real {}(start = 0);\n", count);
  const std::string target = order == 1 ? name : fmt::format("der({})", name);
  equations_ += fmt::format(
      "  when {} then\n    reinit({}, {} + ({}));\n    {} = pre({}) + 1;\n  end when;\n",
      text(condition), target, target, delta, count, count);
  for (const Real rise : rises) kinks_.push_back(rise);
  if (order == 1) {
    const std::string feedback = fmt::format(" + {}*({} - {}*{})", random_.number(0.0, 1.0),
                                             text(variable(u) - s), delta, count);
    equations_ += fmt::format("  {}{} = 0;\n",
                              text(derivative(variable(u), 1) - signal.derivative(1)), feedback);
  } else {
    add_equation(derivative(variable(u), 2) - signal.derivative(2));
    for (const Break& each : truth->breaks())
      growth_ += std::abs(delta) / static_cast<double>(each.slope);
  }
  return true;
}

// w' = F' - k sign(w - s)
bool Builder::add_friction() {
  const Signal drive(random_), surface(random_);
  const double size = random_.number(0.5, 3.0);
  const Term g = size * drive.derivative(0) - surface.derivative(0),
             slope = size * drive.derivative(1) - surface.derivative(1);
  const auto at = [](const Term& term) -> Function {
    const auto program = std::make_shared<Program>(std::vector<Term>{term});
    return [program](Real t) {
      program->evaluate(t);
      return program->value(0);
    };
  };
  const double k = random_.number(0.5, 2.0), begin = random_.signed_number(0.1, 1.0);
  const auto motion = Friction::make(at(g), at(slope), k, begin, from_, to_);
  if (!motion || motion->kinks().empty()) return false;
  const Function s = at(surface.derivative(0));
  const int w = add_part(
      "w", [=](Real t) { return s(t) + motion->value(t); }, std::nullopt, true);
  for (const Real kink : motion->kinks()) {
    kinks_.push_back(kink);
    instants_.push_back(kink);
  }
  set_start(w, {s(from_) + static_cast<Real>(begin)});
  const Term e = variable(w) - surface.derivative(0);
  const Term force = size * drive.derivative(1);
  const Term pull = random_.pick(3) == 0  ? choose(positive(e), force - k, force + k)
                    : random_.chance(0.5) ? choose(nonnegative(-1.0 * e), force + k, force - k)
                                          : force - k * sign(e);
  add_equation(derivative(variable(w), 1) - pull);
  growth_ += 10.0;
  return true;
}

bool Builder::add_bounces() {
  const double height = random_.number(0.1, 0.6), speed = random_.number(-0.5, 0.5),
               gravity = random_.number(4.0, 10.0), restitution = random_.number(0.5, 0.9);
  const auto motion = std::make_shared<Bounces>(height, speed, gravity, restitution, from_, to_);
  if (!motion->is_clear() || motion->instants().empty()) return false;
  const int h = add_part(
      "h", [motion](Real t) { return motion->value(t); }, std::nullopt, false);
  for (const Real instant : motion->instants()) {
    kinks_.push_back(instant);
    instants_.push_back(instant);
    growth_ *= 2.0;
  }
  set_start(h, {height, speed});
  const std::string name = parts_.back().name;
  equations_ += fmt::format("  when {0} <= 0 then reinit(der({0}), -{1}*der({0})); end when;\n",
                            name, restitution);
  add_equation(derivative(variable(h), 2) + gravity);
  growth_ *= 10.0;
  return true;
}

// y' = s' and what a square decides, which touches zero and is never below it.
bool Builder::add_touch() {
  const int k = random_.pick(core_.size());
  const double t = from_ + (to_ - from_) * random_.number(0.1, 0.9);
  const Real level = evaluate(known_[index(k)], {}, time_series(t, 1))[0];
  const Real slope = evaluate(known_[index(k)], {}, time_series(t, 2))[1];
  if (std::abs(slope) < 0.1L) return false;
  const Term distance = variable(k) - static_cast<double>(level), square = distance * distance;
  const int kind = random_.pick(5);
  const Term rate = kind == 0   ? choose(positive(square), 1.0, 5.0)
                    : kind == 1 ? choose(nonnegative(square), 1.0, 5.0)
                    : kind == 2 ? 1.0 - max(0.0, -1.0 * square)
                    : kind == 3 ? sign(square)
                                : choose(positive(-1.0 * square), 5.0, 1.0);
  const Signal signal(random_);
  const auto smooth = std::make_shared<Program>(std::vector<Term>{signal.derivative(0)});
  const Real from = from_;
  const int y = add_part(
      "y",
      [=](Real at) {
        smooth->evaluate(at);
        return smooth->value(0) + at - from;
      },
      std::nullopt, true);
  set_start(y, {evaluate(signal.derivative(0), {}, time_series(from_, 1))[0]});
  add_equation(derivative(variable(y), 1) - signal.derivative(1) - rate);
  return true;
}

bool Builder::add_counter() {
  const Term condition = ConditionTrees(leaves(), random_).condition(random_.between(0, 3));
  auto truth = piecewise({choose(condition, 1.0, 0.0)});
  if (!truth) return false;
  const std::vector<Real> rises = truth->rises(0);
  const std::string when = text(condition);
  add_part(
      "c",
      [rises](Real t) {
        return static_cast<Real>(
            std::ranges::count_if(rises, [&](Real rise) { return rise <= t; }));
      },
      std::nullopt, false);
  const std::string name = parts_.back().name;
  declarations_ += fmt::format("  Real {0};\n  discrete Real n_{0}(start = 0);\n", name);
  equations_ += fmt::format("  when {1} then n_{0} = pre(n_{0}) + 1; end when;\n  {0} = n_{0};\n",
                            name, when);
  return true;
}

std::optional<HybridProblem> Builder::build(const std::string& name) {
  using Adder = bool (Builder::*)();
  constexpr Adder adders[] = {
      &Builder::add_branching, &Builder::add_integral, &Builder::add_switch, &Builder::add_reset,
      &Builder::add_friction,  &Builder::add_bounces,  &Builder::add_touch,  &Builder::add_counter};
  const int count = random_.between(1, 5);
  for (int tries = 0; tries < most_tries && static_cast<int>(parts_.size()) < count; ++tries)
    (this->*adders[random_.pick(8)])();
  if (parts_.empty()) return std::nullopt;

  HybridProblem problem;
  problem.from = from_;
  problem.to = to_;
  for (int k = 1; k <= num_times; ++k) {
    const double t = k < num_times ? from_ + (to_ - from_) * k / num_times : to_;
    const auto is_near = [&](Real instant) { return std::abs(instant - t) < nearest_sample; };
    if (std::ranges::any_of(instants_, is_near)) continue;
    problem.times.push_back(t);
    std::vector<Real>& values = problem.exact.emplace_back();
    const std::vector<Series> x = core_.exact(t, 2);
    for (const Series& each : x) values.push_back(each[0]);
    Program terms = program(known_);
    terms.evaluate(t);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::size_t k_known = index(core_.size()) + p;
      values.push_back(terms.value(k_known) - evaluate(parts_[p].shift, x, time_series(t, 2))[0]);
    }
  }
  if (problem.times.empty()) return std::nullopt;
  problem.growth = growth_ * sensitivity_of(core_).growth;
  problem.text = fmt::format("model {}\n{}{}equation\n{}", name, core_.declarations(Start::exact),
                             declarations_, equations_);
  for (const Term& equation : core_.equations())
    problem.text += fmt::format("  {} = 0;\n", to_text(equation, core_.names()));
  problem.text += fmt::format("annotation(experiment(StartTime = {}, StopTime = {}));\nend {};\n",
                              from_, to_, name);
  return problem;
}

}  // namespace

HybridProblem with_events(std::uint64_t seed) {
  Random random(seed);
  for (std::uint64_t core = seed * 1000;; ++core)
    if (auto problem = Builder(core, random).build(fmt::format("Events{}", seed))) return *problem;
}

}  // namespace daedal::manufactured
