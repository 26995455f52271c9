// Known functions of time with branches: where they break, their values, and their integrals, by
// brute force (rule F12 of docs/theory/manufactured-problems.md). Nothing of the library is used.
#pragma once

#include <map>
#include <vector>

#include "manufactured/program.hpp"

namespace daedal::manufactured {

// An instant at which some condition, or branch, changes.
struct Break {
  Real t = 0.0;
  Real slope = 0.0;  // of the flattest function that goes through zero there; infinite if none
};

class Piecewise {
 public:
  // `kinks`: where functions behind variables of the program are not smooth.
  Piecewise(Program program, double from, double to, std::vector<Real> kinks = {});

  const std::vector<Break>& breaks() const { return breaks_; }
  // Whether no function on which a branch depends comes near zero without going through it, or is
  // as good as zero at an end.
  bool is_clear() const { return is_clear_; }

  Real value(std::size_t root, Real t);
  // From the beginning to t.
  Real integral(std::size_t root, Real t);
  // Whether the rule that computes it is fine enough.
  bool has_fine_integral(std::size_t root);
  // When it becomes positive, after the beginning.
  std::vector<Real> rises(std::size_t root);

 private:
  // Integrals from the beginning to the ends of pieces on which the functions are smooth.
  struct Table {
    std::vector<Real> ends, sums;
  };
  Table table_of(std::size_t root, int cells);
  using Sides = std::vector<signed char>;

  Sides sides_at(Real t);
  void find_breaks();
  void find_breaks_between(Real a, Real b);
  Break break_at(Real before, Real after);
  void look_for_touches();
  Real integral_over(std::size_t root, Real a, Real b);

  Program program_;
  double from_, to_;
  std::vector<Real> kinks_;
  std::vector<Break> breaks_;
  std::map<std::size_t, Table> tables_;  // by root
  bool is_clear_ = true;
};

}  // namespace daedal::manufactured
