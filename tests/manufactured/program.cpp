#include "manufactured/program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::manufactured {

Program::Program(const std::vector<Term>& roots, std::vector<Function> variables)
    : variables_(std::move(variables)) {
  std::unordered_map<const Node*, int> known;
  for (const Term& root : roots) roots_.push_back(add(root, known));
  values_.resize(steps_.size());
}

int Program::add(const Term& term, std::unordered_map<const Node*, int>& known) {
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

void Program::evaluate(Real t) {
  for (std::size_t k = 0; k < steps_.size(); ++k) values_[k] = apply(steps_[k], t);
}

Real Program::guard(std::size_t k) const {
  const auto [a, b] = guards_[k];
  const Real value = values_[static_cast<std::size_t>(a)];
  return b < 0 ? value : value - values_[static_cast<std::size_t>(b)];
}

Real Program::apply(const Step& step, Real t) const {
  const auto of = [&](int n) { return values_[static_cast<std::size_t>(step.arguments[n])]; };
  switch (step.op) {
    case Op::number: return step.value;
    case Op::time: return t;
    case Op::variable: return variables_[static_cast<std::size_t>(step.index)](t);
    case Op::derivative: return std::numeric_limits<Real>::quiet_NaN();
    case Op::add: return of(0) + of(1);
    case Op::multiply: return of(0) * of(1);
    case Op::divide: return of(0) / of(1);
    case Op::sine: return std::sin(of(0));
    case Op::cosine: return std::cos(of(0));
    case Op::exponential: return std::exp(of(0));
    case Op::hyperbolic_tangent: return std::tanh(of(0));
    case Op::arc_tangent: return std::atan(of(0));
    case Op::power: return std::pow(of(0), step.value);
    case Op::absolute: return std::abs(of(0));
    case Op::sign: return of(0) > 0 ? 1 : of(0) < 0 ? -1 : 0;
    case Op::minimum: return std::min(of(0), of(1));
    case Op::maximum: return std::max(of(0), of(1));
    case Op::positive: return of(0) > 0 ? 1 : 0;
    case Op::nonnegative: return of(0) >= 0 ? 1 : 0;
    case Op::conjunction: return of(0) != 0 && of(1) != 0 ? 1 : 0;
    case Op::disjunction: return of(0) != 0 || of(1) != 0 ? 1 : 0;
    case Op::negation: return of(0) == 0 ? 1 : 0;
    case Op::choice: return of(0) != 0 ? of(1) : of(2);
  }
  return 0;
}

}  // namespace daedal::manufactured
