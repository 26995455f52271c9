#include "manufactured/canonical.hpp"

#include <algorithm>

namespace daedal::manufactured {
namespace {

constexpr int max_response = 3;  // rule F5

// Builds the system part by part; an equation contains unknowns of its own and earlier parts.
class Builder {
 public:
  Builder(const Choice& choice, Random& random) : choice_(choice), random_(random) {}

  Canonical build() {
    if (random_.chance(0.5) && choice_.size > choice_.index + 1) add_filler();
    add_core();
    while (system_.size() < choice_.size) add_filler();
    return std::move(system_);
  }

 private:
  int budget() const { return choice_.index - 1; }  // the largest lag

  void add_core() {
    if (choice_.index == 0) return add_ode(random_.between(1, choice_.order));
    const int s = choice_.index - 1;
    if (s >= 1 && s <= choice_.order && random_.chance(0.5)) return add_hessenberg(s);
    add_chain(s);
  }

  void add_filler() {
    const int room = choice_.size - system_.size();
    const int kind = random_.pick(4);
    const int s = std::min(budget(), choice_.order);
    if (kind == 0 && s >= 1 && room >= 3) return add_hessenberg(random_.between(1, s));
    if (kind == 1 && choice_.index >= 1)
      return add_chain(random_.between(0, std::min(budget(), room - 1)));
    add_ode(random_.between(1, choice_.order));
  }

  int add_unknown(const std::string& role, int lag, int order, int response) {
    system_.unknowns.push_back({role, Signal(random_), lag, order, response});
    return system_.size() - 1;
  }

  // Unknowns that have at most this lag, differentiate states at most so often, and come before.
  std::vector<Term> earlier(int num_before, int largest_lag, int largest_response, int& lag,
                            int& response) {
    std::vector<Term> chosen;
    for (int j = 0; j < num_before; ++j) {
      const Unknown& unknown = system_.unknowns[static_cast<std::size_t>(j)];
      const bool differentiates = unknown.response >= 0 && unknown.response > largest_response;
      if (unknown.lag > largest_lag || differentiates || !random_.chance(2.0 / num_before))
        continue;
      chosen.push_back(variable_term(j));
      lag = std::max(lag, unknown.lag);
      response = std::max(response, unknown.response);
    }
    return chosen;
  }

  // An increasing function of v: v itself, or nonlinear.
  Term increasing(const Term& v) {
    switch (choice_.nonlinearity) {
      case 1: {
        const double rate = random_.number(0.5, 2.0), size = random_.number(0.2, 0.8);
        return (1.5 + size * sin(rate * time_term())) * v;
      }
      case 2: return random_.chance(0.5) ? v + 0.2 * sin(v) : v;
      case 3: return random_.chance(0.5) ? v + 0.1 * v * v * v : v + 0.4 * tanh(v);
      default: return v;
    }
  }

  Term coupling(const std::vector<Term>& candidates) {
    Term sum = 0.0;
    if (candidates.empty()) return sum;
    const int count = random_.between(0, 2);
    for (int k = 0; k < count; ++k)
      sum = sum + random_term(candidates, choice_.nonlinearity, random_);
    return sum;
  }

  // sum_{k<s} a_k u^(k) with the coefficients of a polynomial whose roots are given.
  Term dynamics(int unknown, int s) {
    std::vector<double> a = {1.0};
    for (int k = 0; k < s; ++k) {
      const double root = random_.number(-1.5, 0.3);
      a.push_back(0.0);
      for (std::size_t m = a.size(); m-- > 0;) a[m] = (m > 0 ? a[m - 1] : 0.0) - root * a[m];
    }
    Term sum = 0.0;
    for (int k = 0; k < s; ++k)
      sum = sum + a[static_cast<std::size_t>(k)] * derivative(variable_term(unknown), k);
    return sum;
  }

  void add_ode(int s) {
    int lag = 0, response = 0;
    const int before = system_.size();
    std::vector<Term> others = earlier(before, budget(), max_response, lag, response);
    const int u = add_unknown("ode", -s + lag, s, 0);
    for (int k = 0; k < s; ++k) others.push_back(derivative(variable_term(u), k));
    const Term others_act = coupling(others), slower = dynamics(u, s),
               fastest = increasing(derivative(variable_term(u), s));
    add_equation(fastest + slower + others_act, lag, u, s);
  }

  // Lags of the links add up to `total`.
  void add_chain(int total) {
    const int before = system_.size();
    int z = -1, lag = 0, response = -1, left = total;
    while (z < 0 || left > 0) {
      const int r = z < 0 ? 0 : random_.between(1, std::min(left, choice_.order));
      left -= r;
      lag += r;
      if (response >= 0) response += r;
      std::vector<Term> others =
          earlier(before, budget() - left, max_response - left, lag, response);
      const int next = add_unknown("chain", lag, 0, response);
      const Term link = z < 0 ? Term(0.0) : derivative(variable_term(z), r);
      if (z >= 0) others.push_back(variable_term(z));
      const Term others_act = coupling(others), own = increasing(variable_term(next));
      add_equation(own - link + others_act, lag);
      z = next;
    }
  }

  void add_hessenberg(int s) {
    int lag = 0, response = 0;
    const std::vector<Term> others =
        earlier(system_.size(), budget() - s, max_response - s, lag, response);
    const int u = add_unknown("position", lag, s, response),
              v = add_unknown("position", lag, s, response),
              lambda = add_unknown("multiplier", lag + s, 0, response);
    const Term x = variable_term(u), y = variable_term(v), force = variable_term(lambda);
    const bool is_linear = choice_.nonlinearity < 2;
    const Term alpha = is_linear ? Term(random_.number(-0.5, 0.5)) : 0.4 * cos(x);
    const Term beta = is_linear ? Term(1.0) : 1.0 + 0.2 * sin(y);
    const Term gamma = is_linear                   ? random_.number(-0.5, 0.5) * x
                       : choice_.nonlinearity == 2 ? 0.3 * sin(x)
                                                   : 0.6 * atan(x);
    add_equation(derivative(x, s) + dynamics(u, s) + alpha * force, lag + s, u, s);
    add_equation(derivative(y, s) + dynamics(v, s) + beta * force, lag + s, v, s);
    add_equation(y + gamma + coupling(others), lag);
  }

  void add_equation(const Term& left, int lag, int state = -1, int state_order = 0) {
    system_.equations.push_back({left, lag, state, state_order});
  }

  Choice choice_;
  Random& random_;
  Canonical system_;
};

Term coefficient(int nonlinearity, Random& random) {
  const double size = random.signed_number(0.1, 0.8);
  if (nonlinearity == 0 || random.chance(0.3)) return size;
  const Term angle = random.number(0.5, 2.0) * time_term();
  return size * (random.chance(0.5) ? sin(angle) : cos(angle));
}

}  // namespace

Term random_term(const std::vector<Term>& candidates, int nonlinearity, Random& random) {
  const auto any = [&] {
    return candidates[static_cast<std::size_t>(random.pick(static_cast<int>(candidates.size())))];
  };
  const Term a = any(), b = any();
  if (nonlinearity < 2) return coefficient(nonlinearity, random) * a;
  const double size = random.signed_number(0.1, nonlinearity == 2 ? 0.4 : 0.8);
  switch (random.pick(nonlinearity == 2 ? 5 : 10)) {
    case 0: return size * sin(a);
    case 1: return size * cos(a + b);
    case 2: return size * tanh(a);
    case 3: return size * atan(b);
    case 4: return coefficient(1, random) * a;
    case 5: return size * a * b;
    case 6: return size * exp(-0.5 * a * a);
    case 7: return size * a / (2.0 + b * b);
    case 8: return size * power(1.0 + a * a, 0.5);
    default: return size * power(1.5 + b * b, 0.7);
  }
}

Choice complete(Choice choice, Random& random) {
  const auto draw = [](int& field, int value) { field = field < 0 ? value : field; };
  draw(choice.coupling, random.pick(4));
  draw(choice.nonlinearity, random.pick(4));
  // Where structure misleads a run needs the derivative array, which takes minutes for large ones.
  // Rounding of a series is multiplied by k! in its k-th derivative: 19! eps is 27.
  const int largest = choice.coupling >= 2 ? 6 : choice.nonlinearity >= 2 ? 12 : max_index;
  draw(choice.index, random.chance(0.6) ? random.between(0, 4) : random.between(5, largest));
  draw(choice.order, random.chance(0.6) ? 1 : random.between(2, max_order));
  draw(choice.size, random.between(1, choice.coupling < 2 ? 8 : 5));
  return choice;
}

int Canonical::index() const {
  int index = 0;
  for (const Unknown& unknown : unknowns)
    index = std::max(index, unknown.lag + std::max(1, unknown.order));
  return index;
}

Canonical make_canonical(const Choice& choice, Random& random) {
  return Builder(choice, random).build();
}

}  // namespace daedal::manufactured
