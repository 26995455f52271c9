// The derivative array of a model at a consistent point: numerical index, projectors, degrees of
// freedom, condition, which conditions may be given. For models of moderate size, whatever their
// structure (docs/theory/derivative-array.md).
//
//   daedal::ArrayAnalysis a = daedal::analyze_array(model);
//   a.index, a.dof, a.Pi
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daedal/derivative_array.hpp"
#include "daedal/error.hpp"
#include "daedal/initialize.hpp"
#include "daedal/model.hpp"
#include "daedal/status.hpp"

namespace daedal {

struct ArrayAnalysisOptions {
  std::optional<double> t = {};  // default: the model's StartTime, else 0
  // How many derivatives of each variable are wanted at the point; below 0 counts as 0.
  int derivatives = 1;
};

using MatrixRows = std::vector<std::vector<double>>;

// What the derivative array says of a model. The equations are written in order one first, so that
// x'' = f has the variables x and der(x); indices, ranks and matrices belong to that form.
struct ArrayAnalysis {
  std::string model;
  Status status = Status::ok;
  std::vector<Problem> problems;  // empty if ok
  double t = 0.0;
  std::vector<std::string> variables;       // of the system of order one
  std::vector<std::vector<double>> values;  // by variable: x, x', ... as far as determined
  int index = -1;                           // -1: none was found
  int dof = 0;                              // rank of Pi
  // Projectors, in units of nominal values: Q onto the kernel of df/dx', P = I - Q, Pi onto the
  // values that may be prescribed at the start, Pi_u onto those that may still be prescribed once
  // the user's conditions hold.
  MatrixRows P, Q, Pi, Pi_u;
  int rank_P = 0, rank_W1 = 0, rank_W2 = 0, rank_Pi_u = 0;
  // B is the matrix B^[index] of the array at the point (docs/theory/derivative-array.md).
  int rank = 0;            // rank of B; 0: B was too large, its singular values were not computed
  double condition = 0.0;  // largest singular value of B over its smallest that is not 0
  double smallest = 0.0;   // smallest singular value of B that is not 0
  double gap = 0.0;        // how clear the decisions on ranks were: 0 very, 1 not at all
  bool full_row_rank = false;  // equations and their derivatives are independent
  int determined = 0;          // Taylor coefficients x_0, x_1, ... that the array determines
  double residual = 0.0;  // largest |left - right| of the rows; of a k-th derivative, divided by k!
  double distance = 0.0;  // |P(x - guess)|
  // The user's conditions that must not be given, because the equations and the other conditions
  // determine the values that they prescribe already.
  std::vector<std::string> inadmissible;

  bool ok() const { return status == Status::ok; }
};

// Throws Error for wrong input, which includes a structurally singular model (E-STR-001,
// E-STR-002). A model that no array determines has a status.
ArrayAnalysis analyze_array(const Model& model, const ArrayAnalysisOptions& options = {});

// G and J of a derivative array (daedal/derivative_array.hpp) at a point, for the equations as the
// model has them: not rewritten in order one.
struct ArrayEvaluation {
  std::string model;
  Status status = Status::ok;
  std::vector<Problem> problems;
  double t = 0.0;
  std::vector<std::string> rows, columns;  // "d/dt length", "der(x, 2)"
  std::vector<double> point;               // by column
  bool is_point_given = false;             // else it is the consistent one
  std::vector<double> G;                   // by row
  SparseMatrix J;

  bool ok() const { return status == Status::ok; }
};
// At the consistent point of analyze_array(). Throws what analyze_array() and the constructor of
// DerivativeArray throw.
ArrayEvaluation evaluate_array(const Model& model, const DerivativeArrayOptions& options = {});

// Values of variables and derivatives: {{"x", 1.0}, {"der(x)", 0.0}}.
using ArrayPointValues = std::map<std::string, double>;
// At a point that is given, consistent or not; what it does not name is as guessed, else 0. Of a
// model with modes: the equations that hold there. Throws what the constructor of DerivativeArray
// throws, E-ARR-003 for a name that no column has, E-SIM-006 for NaN or infinity. Where an
// operation is not defined there is a status (S-ARR-003), and what depends on it is not finite.
ArrayEvaluation evaluate_array(const Model& model, const DerivativeArrayOptions& options,
                               const ArrayPointValues& point);

// As `daedal array --differentiate R` prints it.
std::string to_text(const ArrayEvaluation& evaluation);
std::string to_json(const ArrayEvaluation& evaluation);

// As `daedal array` prints it.
std::string to_text(const ArrayAnalysis& analysis);
std::string to_json(const ArrayAnalysis& analysis);

}  // namespace daedal
