// Terms of time as a list of steps, fast enough to be evaluated on a fine grid. Nothing of the
// library is used.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "manufactured/series.hpp"
#include "manufactured/term.hpp"

namespace daedal::manufactured {

using Function = std::function<Real(Real)>;

class Program {
 public:
  // Without derivatives; `variables` are what its variables stand for.
  explicit Program(const std::vector<Term>& roots, std::vector<Function> variables = {});

  void evaluate(Real t);
  Real value(std::size_t root) const { return values_[static_cast<std::size_t>(roots_[root])]; }
  // Functions on the side of which a branch depends: arguments of abs and the like.
  std::size_t num_guards() const { return guards_.size(); }
  Real guard(std::size_t k) const;

 private:
  struct Step {
    Op op;
    Real value;
    int index;
    int arguments[3];
  };
  int add(const Term& term, std::unordered_map<const Node*, int>& known);
  Real apply(const Step& step, Real t) const;

  std::vector<Function> variables_;
  std::vector<Step> steps_;
  std::vector<Real> values_;
  std::vector<int> roots_;
  std::vector<std::pair<int, int>> guards_;  // a - b; of b = -1 a
};

}  // namespace daedal::manufactured
