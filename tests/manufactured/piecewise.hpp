// Known functions of time with branches: where they break, their values, and their integrals, by
// brute force (rule F12 of docs/theory/manufactured-problems.md). Nothing of the library is used.
#pragma once

#include <unordered_map>
#include <vector>

#include "manufactured/series.hpp"
#include "manufactured/term.hpp"

namespace daedal::manufactured {

// An instant at which some condition, or branch, changes.
struct Break {
  Real t = 0.0;
  Real slope = 0.0;  // of the flattest function that goes through zero there; infinite if none
};

class Piecewise {
 public:
  // Terms of time alone.
  Piecewise(const std::vector<Term>& roots, double from, double to);

  const std::vector<Break>& breaks() const { return breaks_; }
  // Whether no function on which a branch depends comes near zero without going through it, or is
  // as good as zero at an end.
  bool is_clear() const { return is_clear_; }

  Real value(std::size_t root, Real t);
  // From the beginning to t.
  Real integral(std::size_t root, Real t);
  // Whether the rule that computes it is fine enough.
  bool has_fine_integral(std::size_t root);
  // How often it becomes positive after the beginning and before t.
  int rises(std::size_t root, Real t);

 private:
  struct Step {
    Op op;
    Real value;
    int index;
    int arguments[3];
  };
  using Sides = std::vector<signed char>;

  int add(const Term& term, std::unordered_map<const Node*, int>& known);
  void evaluate(Real t);
  Sides sides_at(Real t);
  void find_breaks();
  void find_breaks_between(Real a, Real b);
  Break break_at(Real before, Real after);
  Real guard(std::size_t k) const;
  void look_for_touches();
  Real integral(std::size_t root, Real t, int cells);
  Real integral_over(std::size_t root, Real a, Real b);

  double from_, to_;
  std::vector<Step> steps_;
  std::vector<Real> values_;
  std::vector<int> roots_;
  std::vector<std::pair<int, int>> guards_;  // functions whose sides matter: a - b, b < 0: a
  std::vector<Break> breaks_;
  bool is_clear_ = true;
};

}  // namespace daedal::manufactured
