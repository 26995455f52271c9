#include "manufactured/signal.hpp"

#include <cmath>

namespace daedal::manufactured {

Signal::Signal(Random& random) {
  const int count = random.between(1, 3);
  for (int k = 0; k < count; ++k) {
    const auto kind = static_cast<Kind>(random.pick(4));
    parts_.push_back(
        {kind, random.signed_number(0.2, 1.0), random.number(0.4, 1.8), random.number(-1.5, 1.5)});
  }
}

Term Signal::derivative(int order) const {
  Term sum = 0.0;
  for (const Part& part : parts_) sum = sum + derivative(part, order);
  return sum;
}

Term Signal::derivative(const Part& part, int order) {
  const Term t = time_term();
  switch (part.kind) {
    case Kind::wave: {
      const Term angle = part.rate * t + part.shift;
      const double size = part.size * std::pow(part.rate, order);
      return (order % 4 < 2 ? size : -size) * (order % 2 == 0 ? sin(angle) : cos(angle));
    }
    case Kind::decay: return part.size * std::pow(-part.rate, order) * exp(-part.rate * t);
    case Kind::parabola:
      if (order == 0) return part.size + part.shift * t + (0.3 * part.size) * t * t;
      return order == 1   ? part.shift + (0.6 * part.size) * t
             : order == 2 ? Term(0.6 * part.size)
                          : Term(0.0);
    case Kind::pole:  // at t = -2.5 - rate
      return part.size * std::tgamma(order + 1.0) * (order % 2 == 0 ? 1.0 : -1.0) *
             power(t + (2.5 + part.rate), -order - 1.0);
  }
  return 0.0;
}

}  // namespace daedal::manufactured
