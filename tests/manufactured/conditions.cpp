#include "manufactured/conditions.hpp"

namespace daedal::manufactured {

Term ConditionTrees::leaf() { return random_.chance(0.35) ? Term(number()) : smooth(); }

Term ConditionTrees::smooth() {
  const Term any = known_[static_cast<std::size_t>(random_.pick(static_cast<int>(known_.size())))];
  const double shift = random_.number(-1.0, 1.0), rate = random_.number(0.5, 6.0);
  switch (random_.pick(6)) {
    case 0: return any;
    case 1: return any - shift;
    case 2: return time_term() - random_.number(0.0, 3.0);
    case 3: return sin(rate * time_term() + shift);
    case 4: return rate * any * any - 1.0;
    default: return sin(rate * any) + shift;
  }
}

Term ConditionTrees::value(int depth) {
  if (depth == 0) return leaf();
  const int below = depth - 1;
  const int kind = random_.pick(10);
  const Term a = value(random_.chance(0.8) ? below : 0);
  if (kind == 0) return abs(a);
  if (kind == 1) return sign(a);
  if (kind == 2) return number() * a;
  const Term b = value(random_.chance(0.8) ? below : 0);
  if (kind == 3) return a + b;
  if (kind == 4) return min(a, b);
  if (kind == 5) return max(a, b);
  return choose(condition(below), a, b);
}

Term ConditionTrees::condition(int depth) {
  const int kind = depth == 0 ? 3 : random_.pick(8);
  const int below = depth == 0 ? 0 : depth - 1;
  if (kind == 0) return negated(condition(below));
  if (kind <= 2) {
    const Term a = condition(below), b = condition(below);
    return kind == 1 ? both(a, b) : either(a, b);
  }
  const Term a = value(below);
  const Term difference = random_.chance(0.3) ? a - value(below) : a - number();
  return random_.chance(0.5) ? positive(difference) : nonnegative(difference);
}

}  // namespace daedal::manufactured
