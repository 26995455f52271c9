// A manufactured problem: a model and its exact solution, made from a seed and choices
// (docs/theory/manufactured-problems.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daedal/model.hpp"
#include "manufactured/disguise.hpp"

namespace daedal::manufactured {

// What is given at the start, rule F11.
enum class Start {
  asked,  // exact values of what analysis asks for, fixed
  exact,  // exact values of all unknowns, and derivatives that occur, as guesses
  off,    // the same values, moved by up to 0.1
};

class Problem {
 public:
  explicit Problem(std::uint64_t seed, const Choice& choice = {});

  const Choice& choice() const { return choice_; }
  int size() const { return system_.size(); }
  const Canonical& system() const { return system_; }
  double from() const { return from_; }
  double to() const { return to_; }
  // 8 times inside the interval, and its end.
  std::vector<double> times() const;

  // The model, built through the C++ interface or from its text.
  Model model(Start start) const;
  std::string text(Start start) const;

  // Parts of models that contain this one: z of x, left - right of every equation; as text.
  const std::vector<Term>& unknowns() const { return unknowns_; }
  const std::vector<Term>& equations() const { return equations_; }
  std::vector<std::string> names() const;
  std::string declarations(Start start) const;

  // Series of the exact solution, x_j at t, so many coefficients.
  std::vector<Series> exact(double t, int length) const;
  // The chosen functions z at t.
  std::vector<Series> exact_unknowns(double t, int length) const;
  // z for values of x.
  std::vector<Real> unknowns_at(const std::vector<Real>& x, double t) const;
  // left - right of every equation for series x at t.
  std::vector<Real> residuals(const std::vector<Series>& x, double t) const;
  // Highest derivative of a variable that the equations contain.
  int depth() const;

 private:
  struct Given {
    std::vector<double> values;
    std::vector<bool> fixed;
  };
  std::vector<Given> given(Start start) const;
  Model build(const std::vector<Given>& given) const;
  void fix_what_is_asked(std::vector<Given>& given) const;

  std::uint64_t seed_;
  Choice choice_;
  Canonical system_;
  Disguise disguise_;
  std::vector<Term> unknowns_;   // z, of x
  std::vector<Term> equations_;  // of x
  double from_ = 0.0, to_ = 1.0;
};

Series time_series(double t, int length);

}  // namespace daedal::manufactured
