// The consistent point nearest to the guesses, or why there is none.
//
// The search, in order (docs/theory/consistent-points.md):
//
//   lay out the stages that constrain the start, those that conditions reach included
//                                                                             rules C1, C2
//   restore the constraints from the guesses                                  rule C8
//   minimise the distance from the guesses                                    rules C5, C6
//   judge whether the conditions are independent there                        rule C7
//   complete the highest derivatives, block by block
//   judge the system Jacobian there
//
// If the constraints cannot be restored: without the conditions they can, then a minimal set of
// conditions is to blame; or not, then the equations are.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "init/condition.hpp"
#include "init/search_input.hpp"
#include "init/stage_layout.hpp"

namespace daedal::init {

enum class Outcome {
  found,
  undefined,    // an operation is not defined at the guesses, or anywhere that was tried
  no_solution,  // the equations alone have no solution that was found
  conflict,     // some conditions cannot hold together
  dependent,    // conditions hold together, but do not determine what they should
  singular,     // the system Jacobian is singular at the point found
};

struct ConditionConflict {
  std::vector<Condition> conditions;  // minimal
  int free = 0;                       // of `conditions`: the one whose release moves it least
  double freed_value = 0.0;           // what a fixed value would be then; 0 for an initial equation
};

// A start value with which every operation is defined.
struct StartThatWorks {
  int unknown = 0;
  int order = 0;
  double value = 0.0;
};

// What is left of an equation, differentiated `order` times and divided by order!.
struct Defect {
  int equation = 0;
  int order = 0;
  double residual = 0.0;
};

// A value that follows from others, so large that rounding in it decides what follows from it.
struct Overgrown {
  int unknown = 0;
  int order = 0;
  double value = 0.0;
};

struct PointFound {
  Outcome outcome = Outcome::found;
  // By unknown: x, x', ... up to the highest derivative that its block alone determines, or higher
  // where others need it. The best point found if the outcome is another.
  std::vector<std::vector<double>> derivatives;
  double residual = 0.0;                     // largest |coefficient| of the constraints
  double distance = 0.0;                     // from the guesses, in nominal values
  double condition = 1.0;                    // of the worst block of the system Jacobian
  std::vector<ConditionConflict> conflicts;  // outcome conflict
  Independence independence;                 // of conditions_of(input)
  std::vector<Defect> defects;               // outcome no_solution: the largest first
  std::optional<Overgrown> overgrown;        // outcome no_solution: the largest value on the way
  expr::NodeId undefined;                    // outcome undefined
  std::optional<StartThatWorks> works;       // outcome undefined: instead of the one given
  int singular_block = -1;                   // outcome singular; -1: a multiple root
  std::vector<Coefficient> undetermined;     // start values that nothing determines, ascending
};

// A search prepared once, for many starts of one model: whatever does not depend on values
// (derivatives of the equations, programs that evaluate them, which coefficients are unknowns) is
// built once. A start does not depend on those before it.
class PointSearch {
 public:
  // The graph, residuals and structure that the input refers to must outlive the search; its values
  // are not used.
  explicit PointSearch(SearchInput input);
  ~PointSearch();
  PointSearch(const PointSearch&) = delete;
  PointSearch& operator=(const PointSearch&) = delete;

  struct GivenValues {
    double time = 0.0;
    std::span<const double> parameters;
    std::vector<GivenStart> starts;  // the same ones fixed as in the input
  };
  PointFound run(GivenValues given);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

PointFound find_consistent_point(const SearchInput& input);

}  // namespace daedal::init
