// Guards: the functions whose signs decide which equations a model has (docs/theory/hybrid.md).
//
//   relation   a > b, a >= b      a - b
//   abs, sign  of v               v
//   min, max   of a and b         a - b
//   discrete variables and parameters used as conditions: themselves, plus if true, else zero
//
// Expressions that are equal up to a factor are one guard.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model_data.hpp"

namespace daedal::hybrid {

using expr::NodeId;

// Where a guard is just after the present time. `zero` stays zero; `slides` is kept at zero,
// because on either side the equations lead back to it.
enum class Side : signed char { minus, zero, plus, slides };
using Sides = std::vector<Side>;  // by guard

// Whether a side that was read from a file is one of them.
inline bool is_side(Side side) { return side >= Side::minus && side <= Side::slides; }
Side opposite(Side side);
Side side_of(double value);

struct Guard {
  NodeId node;
  NodeId written;         // the relation, abs, min, ... that it was first found in
  bool is_strict = true;  // written as g > 0 (or g <= 0), not as g >= 0 (or g < 0)
  // Only guards of abs, min and max are: where one is zero, both sides have the same equations.
  bool is_continuous = true;
};

// How an operation depends on a guard.
struct GuardUse {
  int guard = -1;            // none: the side is always the same
  Side always = Side::zero;  // then
  bool is_opposite = false;  // on the guard's negative
};

class Guards {
 public:
  // Finds the guards of equations, initial equations and when clauses. Adds differences to the
  // model's graph, to which it keeps a reference.
  explicit Guards(model::ModelData& model);

  int size() const { return static_cast<int>(guards_.size()); }
  const Guard& operator[](int k) const { return guards_[k]; }
  // How a relation, abs, sign, min, max, or a parameter used as a condition depends on its guard.
  GuardUse use(NodeId node) const { return uses_.at(node); }
  bool has_use(NodeId node) const { return uses_.contains(node); }
  // The guard that another one around a relation or sign becomes where that is on a side, plus or
  // minus: none if it is not around it.
  std::optional<GuardUse> on_side(int around, int inside, Side side) const;
  // Whether another guard becomes this one where one inside it is on a side.
  bool is_on_side_of_another(int guard) const { return is_on_side_[guard]; }
  // Whether it depends on parameters alone, and changes at events only.
  bool is_constant(int guard) const { return !graph_.varies(guards_[guard].node); }

  // "x > 1": what a side means, in the model's words.
  std::string text(int guard, Side side) const;
  std::string function(int guard) const;  // "x - 1"
  // "file:line:column" of each, or of the model where none is known (models built in C++).
  std::string where(std::span<const int> guards, const model::Place& model) const;

 private:
  // What a guard becomes where one inside it is on a side.
  struct Around {
    int inside;
    GuardUse on_plus, on_minus;
  };

  void add(NodeId piecewise);
  void add_condition(NodeId condition);
  GuardUse use_of_function(NodeId function, NodeId written);
  void add_surroundings();
  NodeId with_side(NodeId node, int guard, Side side, std::unordered_map<NodeId, NodeId>& known);

  expr::Graph& graph_;
  std::vector<Guard> guards_;
  std::unordered_map<NodeId, int> guard_of_;
  std::unordered_map<NodeId, GuardUse> uses_;
  std::vector<std::vector<Around>> around_;  // by guard
  std::vector<bool> is_on_side_;             // by guard
};

// Whether the arguments of a min or max depend on different derivatives.
bool changes_signature(const expr::Graph& graph, NodeId node);

// Whether the equations of a model depend on modes, or something happens at events: `if`, `when`,
// sign, min and max of arguments that differ in structure. Branches of abs, and of other min and
// max, are continuous and of one structure: alone they need no modes.
bool is_hybrid(const model::ModelData& model);

// Whether a model that is not hybrid has branches of abs, min or max, which series follow.
bool has_branches(const model::ModelData& model);

}  // namespace daedal::hybrid
