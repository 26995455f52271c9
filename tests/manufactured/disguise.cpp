#include "manufactured/disguise.hpp"

#include <algorithm>
#include <numeric>

namespace daedal::manufactured {
namespace {

// By lags, lowest first; at random where they are equal, or altogether.
std::vector<int> sequence(const std::vector<int>& lags, bool by_lag, Random& random) {
  std::vector<int> order(lags.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  if (by_lag)
    std::ranges::stable_sort(order, {}, [&](int j) { return lags[static_cast<std::size_t>(j)]; });
  return order;
}

Layer make_layer(std::vector<int> order, int max_terms, int nonlinearity, Random& random) {
  Layer layer{std::move(order), std::vector<Term>()};
  layer.additions.assign(layer.order.size(), Term(0.0));
  std::vector<Term> before;
  for (const int j : layer.order) {
    const int count = before.empty() ? 0 : random.between(0, max_terms);
    Term& addition = layer.additions[static_cast<std::size_t>(j)];
    for (int k = 0; k < count; ++k) addition = addition + random_term(before, nonlinearity, random);
    before.push_back(variable_term(j));
  }
  return layer;
}

// A number, a function of time, or of an unknown.
Term factor(const std::vector<Term>& unknowns, int nonlinearity, Random& random) {
  const double size = random.signed_number(0.2, 0.9);
  if (nonlinearity == 0) return size;
  if (nonlinearity == 1 || unknowns.empty() || random.chance(0.5))
    return size * cos(random.number(0.5, 2.0) * time_term());
  const Term any =
      unknowns[static_cast<std::size_t>(random.pick(static_cast<int>(unknowns.size())))];
  return size * (random.chance(0.5) ? sin(any) : tanh(any));
}

// f_i + sum m_ij f_j over j before i. `allowed`: the unknowns that may stand in the m_ij of i.
std::vector<Term> mix(const std::vector<Term>& residuals, const std::vector<int>& order,
                      const std::vector<std::vector<Term>>& allowed, int max_terms,
                      int nonlinearity, Random& random) {
  std::vector<Term> mixed = residuals;
  std::vector<int> before;
  for (const int row : order) {
    const auto i = static_cast<std::size_t>(row);
    const int count = before.empty() ? 0 : random.between(0, max_terms);
    for (int k = 0; k < count; ++k) {
      const int j = before[static_cast<std::size_t>(random.pick(static_cast<int>(before.size())))];
      mixed[i] = mixed[i] +
                 factor(allowed[i], nonlinearity, random) * residuals[static_cast<std::size_t>(j)];
    }
    before.push_back(row);
  }
  return mixed;
}

std::vector<int> lags_of_unknowns(const Canonical& system) {
  std::vector<int> lags;
  for (const Unknown& unknown : system.unknowns) lags.push_back(unknown.lag);
  return lags;
}

std::vector<int> lags_of_equations(const Canonical& system) {
  std::vector<int> lags;
  for (const CanonicalEquation& equation : system.equations) lags.push_back(equation.lag);
  return lags;
}

// Of equation i: all, or those of no larger lag than its own.
std::vector<std::vector<Term>> unknowns_allowed(const Canonical& system, bool by_lag) {
  std::vector<std::vector<Term>> allowed(system.equations.size());
  for (std::size_t i = 0; i < allowed.size(); ++i)
    for (int j = 0; j < system.size(); ++j)
      if (!by_lag || system.unknowns[static_cast<std::size_t>(j)].lag <= system.equations[i].lag)
        allowed[i].push_back(variable_term(j));
  return allowed;
}

}  // namespace

Disguise make_disguise(const Canonical& system, const std::vector<Term>& residuals,
                       const Choice& choice, Random& random) {
  Disguise disguise{{}, sequence(lags_of_unknowns(system), false, random), residuals};
  if (choice.coupling > 0) {
    const bool by_lag = choice.coupling == 1;
    const int max_terms = choice.coupling == 3 ? 3 : 1;
    std::vector<int> order = sequence(lags_of_unknowns(system), by_lag, random);
    disguise.layers.push_back(make_layer(order, max_terms, choice.nonlinearity, random));
    std::vector<int> rows = sequence(lags_of_equations(system), by_lag, random);
    const auto allowed = unknowns_allowed(system, by_lag);
    disguise.mixed = mix(residuals, rows, allowed, max_terms, choice.nonlinearity, random);
    if (choice.coupling == 3) {
      std::ranges::reverse(order);
      std::ranges::reverse(rows);
      disguise.layers.push_back(make_layer(order, 1, choice.nonlinearity, random));
      disguise.mixed = mix(disguise.mixed, rows, allowed, 1, choice.nonlinearity, random);
    }
  }
  random.shuffle(disguise.mixed);
  return disguise;
}

std::vector<Term> unknowns_of(const Disguise& disguise) {
  std::vector<Term> terms;
  for (const int place : disguise.places) terms.push_back(variable_term(place));
  for (auto layer = disguise.layers.rbegin(); layer != disguise.layers.rend(); ++layer) {
    const std::vector<Term> inner = terms;
    const auto replace = [&](int variable, int) {
      return inner[static_cast<std::size_t>(variable)];
    };
    for (std::size_t j = 0; j < terms.size(); ++j)
      terms[j] = inner[j] + substitute(layer->additions[j], replace);
  }
  return terms;
}

std::vector<Series> solve_for_variables(const Disguise& disguise, std::vector<Series> z,
                                        const Series& time) {
  const Series minus_one = constant(-1, static_cast<int>(time.size()));
  for (const Layer& layer : disguise.layers)
    for (const int j : layer.order) {  // those before it are x already, in place
      Series& value = z[static_cast<std::size_t>(j)];
      value = add(value, multiply(minus_one,
                                  evaluate(layer.additions[static_cast<std::size_t>(j)], z, time)));
    }
  std::vector<Series> x(z.size());
  for (std::size_t j = 0; j < z.size(); ++j)
    x[static_cast<std::size_t>(disguise.places[j])] = std::move(z[j]);
  return x;
}

}  // namespace daedal::manufactured
