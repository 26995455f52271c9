// Structural analysis of a model: offsets, index, degrees of freedom, blocks, and a diagnosis when
// something is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daedal/error.hpp"
#include "daedal/model.hpp"

namespace daedal {

enum class AnalysisStatus {
  ok,
  structurally_singular,      // no assignment of unknowns to equations exists: the model cannot be
                              // right
  structural_analysis_fails,  // offsets exist, but the system Jacobian is singular: index and DOF
                              // are not to be trusted
};

// "ok", "structurally-singular", "structural-analysis-fails".
std::string to_string(AnalysisStatus status);

// x_j occurs in f_i with derivatives up to `order`. Indices count from 0 in the order of
// declaration.
struct Occurrence {
  int equation = 0;
  int variable = 0;
  int order = 0;
};

// An irreducible diagonal block of the system Jacobian: equations and variables that must be solved
// together, by their indices.
struct AnalysisBlock {
  std::vector<int> equations;
  std::vector<int> variables;
  int index = 0;       // structural index of the block taken alone
  bool linear = true;  // whether the block is linear in its highest derivatives

  friend bool operator==(const AnalysisBlock&, const AnalysisBlock&) = default;
};

// A diagonal block of the pattern of the equations, before offsets refine it.
struct CoarseBlock {
  std::vector<int> equations;
  std::vector<int> variables;

  friend bool operator==(const CoarseBlock&, const CoarseBlock&) = default;
};

// One rewriting of a block whose Jacobian is singular.
struct ConversionStep {
  std::string kind;  // "linear combination", "expression substitution"
  // The block's equations, and the variables that they should determine.
  std::vector<std::string> equations;
  std::vector<std::string> variables;
  // The null vector of the block's Jacobian: factors[k] belongs to members[k], an equation with its
  // differentiations ("d/dt total") or a derivative of a variable ("der(x)").
  std::vector<std::string> members;
  std::vector<std::string> factors;
  std::vector<std::string> replaced;  // equations that the rewriting replaces
  // The equations that take the place of these, and those that define new variables.
  std::vector<std::string> new_equations;
  std::vector<std::string> new_variables;
  std::string holds_where;  // the rewriting is equivalent where this holds; empty if everywhere
};

// What daedal makes of a model whose structural analysis fails: an equivalent one on which it
// succeeds, or the reason why there is none (docs/theory/conversion.md).
struct Conversion {
  bool succeeded = false;
  std::string reason;  // why there is no equivalent model; empty if succeeded
  // "sign = -1": parameters whose values are built into the new model, which holds for them alone.
  std::vector<std::string> fixed_parameters;
  std::vector<ConversionStep> steps;
  // The following members describe the new model, and are meaningful only if succeeded.
  std::vector<std::string> variables;
  std::vector<std::string> equations;
  std::vector<std::string> equation_texts;
  std::vector<int> c;  // offsets of the new model, as in Analysis
  std::vector<int> d;
  int structural_index = 0;
  int dof = 0;
  std::vector<std::string> initial_values;  // what to give at the start
};

struct Analysis {
  std::string model;
  AnalysisStatus status = AnalysisStatus::ok;
  std::vector<std::string> variables;
  std::vector<std::string> equations;       // names, or "equation 3"
  std::vector<std::string> equation_texts;  // "der(x, 2) + x*lambda = 0"
  std::vector<std::string> outputs;         // names of what is reported beside the variables
  std::vector<std::string> output_texts;
  // In a model with modes, the conditions that hold at the guesses; everything else here is the
  // analysis of the mode that they select. Empty in a model without modes.
  std::vector<std::string> conditions;
  std::vector<Occurrence> signature;

  // If the model is structurally singular, the lists down to initial_values are empty.
  std::vector<int> transversal;             // variable matched to each equation
  std::vector<int> c;                       // how often each equation is differentiated
  std::vector<int> d;                       // highest derivative of each variable that then occurs
  std::vector<AnalysisBlock> blocks;        // in the order in which they can be solved
  std::vector<CoarseBlock> coarse_blocks;   // blocks of the pattern of the equations, in that order
  std::vector<std::string> initial_values;  // what to give at the start: "x", "der(x)", "der(x, 2)"
  bool quasilinear = true;                  // every block is linear in its highest derivatives

  // Meaningful only if status is ok.
  int structural_index = 0;
  int dof = 0;

  // What initialize() and solve() solve instead, if structural analysis fails; absent if it does
  // not, and where the reason is that constraints of a Lagrangian depend on each other.
  std::optional<Conversion> conversion;
  // The index that the derivative array shows. It is computed only where the structural index is
  // above 1 or structural analysis fails, and only for models of at most 24 unknowns (counted in
  // order one, where x'' = f has two).
  std::optional<int> numerical_index;

  std::uint64_t nodes_recorded = 0;  // operations written, before sharing
  std::uint64_t nodes = 0;           // nodes of the shared, simplified graph, leaves included
  std::vector<Problem> diagnosis;  // what is wrong and what to do; with status ok at most S-STR-002

  int size() const { return static_cast<int>(equations.size()); }
};

// Analyses a model. A model that is ill-posed is a result (status and diagnosis), not an exception;
// throws Error only for what makes no sense as a model: an equation without unknowns, a parameter
// without value, a name used twice.
Analysis analyze(const Model& model);

// The analysis as `daedal analyze` prints it: for people, and as one JSON object with stable keys
// (docs/reference/json.md). `with_equations`: every equation as understood.
std::string to_text(const Analysis& analysis, bool with_equations = false);
std::string to_json(const Analysis& analysis);

}  // namespace daedal
