#include "manufactured/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "daedal/analysis.hpp"

namespace daedal::manufactured {
namespace {

// E_i(z) - E_i(s(t)), rule F1.
std::vector<Term> residuals_of(const Canonical& system) {
  std::vector<Term> residuals;
  for (const CanonicalEquation& equation : system.equations) {
    const Term exact = substitute(equation.left, [&](int variable, int order) {
      return system.unknowns[static_cast<std::size_t>(variable)].exact.derivative(order);
    });
    residuals.push_back(equation.left - exact);
  }
  return residuals;
}

// "x3", 0 from "x3"; "x3", 2 from "der(x3, 2)".
std::pair<std::string, int> parse_value_name(const std::string& text) {
  if (!text.starts_with("der(")) return {text, 0};
  const std::size_t end = text.find_first_of(",)");
  const std::string name = text.substr(4, end - 4);
  return {name, text[end] == ')' ? 1 : std::stoi(text.substr(end + 1))};
}

std::vector<Real> values_of(const std::vector<Series>& series) {
  std::vector<Real> values;
  for (const Series& s : series) values.push_back(s[0]);
  return values;
}

}  // namespace

Series time_series(double t, int length) {
  Series time = constant(t, length);
  if (length > 1) time[1] = 1;
  return time;
}

Problem::Problem(std::uint64_t seed, const Choice& choice) : seed_(seed) {
  Random random(seed);
  choice_ = complete(choice, random);
  system_ = make_canonical(choice_, random);
  disguise_ = make_disguise(system_, residuals_of(system_), choice_, random);
  unknowns_ = unknowns_of(disguise_);
  for (const Term& mixed : disguise_.mixed)
    equations_.push_back(substitute(mixed, [&](int variable, int order) {
      return derivative(unknowns_[static_cast<std::size_t>(variable)], order);
    }));
  from_ = random.chance(0.5) ? 0.0 : random.number(-0.5, 0.5);
  to_ = from_ + random.number(0.5, 2.0);
}

std::vector<double> Problem::times() const {
  std::vector<double> times;
  for (int k = 1; k < 9; ++k) times.push_back(from_ + (to_ - from_) * k / 9.0);
  times.push_back(to_);
  return times;
}

std::vector<std::string> Problem::names() const {
  std::vector<std::string> names;
  for (int j = 1; j <= size(); ++j) names.push_back(fmt::format("x{}", j));
  return names;
}

std::vector<Series> Problem::exact_unknowns(double t, int length) const {
  const Series time = time_series(t, length);
  std::vector<Series> z;
  for (const Unknown& unknown : system_.unknowns)
    z.push_back(evaluate(unknown.exact.derivative(0), {}, time));
  return z;
}

std::vector<Series> Problem::exact(double t, int length) const {
  return solve_for_variables(disguise_, exact_unknowns(t, length), time_series(t, length));
}

std::vector<Real> Problem::unknowns_at(const std::vector<Real>& x, double t) const {
  std::vector<Series> variables;
  for (const Real value : x) variables.push_back({value});
  std::vector<Series> z;
  for (const Term& unknown : unknowns_) z.push_back(evaluate(unknown, variables, {t}));
  return values_of(z);
}

std::vector<Real> Problem::residuals(const std::vector<Series>& x, double t) const {
  const Series time = time_series(t, static_cast<int>(x.front().size()));
  std::vector<Series> values;
  for (const Term& equation : equations_) values.push_back(evaluate(equation, x, time));
  return values_of(values);
}

int Problem::depth() const {
  int deepest = 0;
  for (const Term& equation : equations_)
    deepest = std::max(deepest, manufactured::depth(equation));
  return deepest;
}

void Problem::fix_what_is_asked(std::vector<Given>& given) const {
  const Analysis analysis = analyze(build({}));
  const bool is_trusted = analysis.status == AnalysisStatus::ok &&
                          analysis.dof == static_cast<int>(analysis.initial_values.size());
  if (!is_trusted) return;  // some of them are not free; guesses that are exact do
  const std::vector<std::string> all = names();
  int longest = 1;
  for (const std::string& value : analysis.initial_values)
    longest = std::max(longest, parse_value_name(value).second + 1);
  const std::vector<Series> x = exact(from_, longest);
  for (Given& each : given) each = {};
  for (const std::string& value : analysis.initial_values) {
    const auto [name, order] = parse_value_name(value);
    const auto j = static_cast<std::size_t>(std::ranges::find(all, name) - all.begin());
    while (static_cast<int>(given[j].values.size()) <= order) {
      const int k = static_cast<int>(given[j].values.size());
      given[j].values.push_back(static_cast<double>(derivative(x[j], k)[0]));
      given[j].fixed.push_back(false);
    }
    given[j].fixed[static_cast<std::size_t>(order)] = true;
  }
  // A nonlinear system may have other solutions: guesses say which one is meant.
  for (std::size_t j = 0; j < given.size(); ++j)
    if (given[j].values.empty()) given[j] = {{static_cast<double>(x[j][0])}, {false}};
}

std::vector<Problem::Given> Problem::given(Start start) const {
  Random random(seed_ + 1);
  const int highest = depth();
  const std::vector<Series> x = exact(from_, highest + 1);
  std::vector<Given> given(x.size());
  for (std::size_t j = 0; j < x.size(); ++j)
    for (int k = 0; k <= highest; ++k) {
      const double off = start == Start::off && k == 0 ? random.number(-0.1, 0.1) : 0.0;
      given[j].values.push_back(static_cast<double>(derivative(x[j], k)[0]) + off);
      given[j].fixed.push_back(false);
    }
  if (start == Start::asked) fix_what_is_asked(given);
  return given;
}

Model Problem::build(const std::vector<Given>& given) const {
  Model model(fmt::format("Manufactured{}", seed_));
  std::vector<Expression> variables;
  for (std::size_t j = 0; j < system_.unknowns.size(); ++j) {
    VariableOptions options;
    if (!given.empty()) {
      options.start.assign(given[j].values.begin(), given[j].values.end());
      options.fixed = given[j].fixed;
    }
    variables.push_back(model.variable(names()[j], options));
  }
  for (const Term& equation : equations_)
    model.equation(to_expression(equation, variables, model.time()) == 0.0);
  return model;
}

Model Problem::model(Start start) const { return build(given(start)); }

std::string Problem::declarations(Start start) const {
  std::string text;
  const std::vector<Given> values = given(start);
  const std::vector<std::string> all = names();
  for (std::size_t j = 0; j < all.size(); ++j)
    text += fmt::format("  Real {}(start = {{{}}}, fixed = {{{}}});\n", all[j],
                        fmt::join(values[j].values, ", "), fmt::join(values[j].fixed, ", "));
  return text;
}

std::string Problem::text(Start start) const {
  std::string text = fmt::format("model Manufactured{}\n", seed_) + declarations(start);
  text += "equation\n";
  for (const Term& equation : equations_)
    text += fmt::format("  {} = 0;\n", to_text(equation, names()));
  return text + fmt::format("end Manufactured{};\n", seed_);
}

}  // namespace daedal::manufactured
