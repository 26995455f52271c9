// One manufactured problem solved by one method, and the judgement (rules F9 to F11 of
// docs/theory/manufactured-problems.md).
#pragma once

#include <string>
#include <vector>

#include "manufactured/problem.hpp"

namespace daedal::manufactured {

// Methods of SolveOptions::method with the tolerances that they are asked for here.
struct Method {
  std::string name;
  double smallest_tolerance;
};
const std::vector<Method>& methods();

// Does the method claim such problems, in this time? docs/guide/methods.md.
bool claims(const std::string& method, const Problem& problem);

// Drawn from the seed: 1e-4, 1e-6, 1e-8 or 1e-10, or the smallest that the method takes.
double drawn_tolerance(std::uint64_t seed, const std::string& method);

enum class Verdict { right, said, wrong };

struct Outcome {
  Verdict verdict = Verdict::right;
  std::string words;      // what was said, or what is wrong
  double achieved = 0.0;  // largest error over tol (1 + |x|)
  double fair = 1.0;      // what it may be
  long steps = 0;
  double seconds = 0.0;
};

struct Trial {
  std::string method = "auto";
  double tolerance = 1e-9;
  Start start = Start::asked;
  bool through_text = false;
};

Outcome run(const Problem& problem, const Trial& trial);

}  // namespace daedal::manufactured
