// The chosen solutions: functions of time whose derivatives of any order are written down (rule F1
// of docs/theory/manufactured-problems.md).
#pragma once

#include <vector>

#include "manufactured/random.hpp"
#include "manufactured/term.hpp"

namespace daedal::manufactured {

class Signal {
 public:
  explicit Signal(Random& random);
  Term derivative(int order) const;

 private:
  enum class Kind { wave, decay, parabola, pole };
  struct Part {
    Kind kind;
    double size, rate, shift;
  };
  static Term derivative(const Part& part, int order);

  std::vector<Part> parts_;
};

}  // namespace daedal::manufactured
