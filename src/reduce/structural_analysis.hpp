// Structural analysis of a model, the one pipeline of all who need it: plans, `analyze`, modes,
// conversions. In order:
//
//   simplify     what cancels does not occur
//   signature    sigma_ij; orders are small enough for what follows
//   diagnosis    is there a full matching? if not, nothing follows
//   structure    offsets and blocks
//   verdict      is the system Jacobian regular at generic points? (GenericJacobian, for those who
//                ask)
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "expr/simplify.hpp"
#include "model/model_data.hpp"
#include "structure/quasilinear.hpp"
#include "structure/signature_matrix.hpp"
#include "structure/structure.hpp"
#include "taylor/regularity.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::reduce {

// To read: residuals as the user's equations have them. To solve: without factors that canonical
// sums pull out (c*f = 0 is f = 0), followed by the residuals of the initial equations.
enum class Purpose { to_read, to_solve };

struct StructuralAnalysis {
  expr::Simplified equations;  // roots: the residuals, and what the purpose adds
  structure::SignatureMatrix sigma;
  structure::Diagnosis diagnosis;
  structure::Structure structure;  // of a model that has a full matching

  expr::Graph& graph() { return *equations.graph; }
  std::span<const expr::NodeId> residuals() const {
    return std::span(equations.roots).first(static_cast<std::size_t>(sigma.num_equations()));
  }
  bool is_structurally_regular() const { return diagnosis.is_regular(); }
  // By fine block; see structure::linear_blocks.
  std::vector<bool> linear_blocks(std::span<const int> levels) const {
    return structure::linear_blocks(*equations.graph, residuals(), structure, levels);
  }
};

// Throws E-MOD-008 for derivatives of orders that add up beyond reason.
StructuralAnalysis analyse_structure(const model::ModelData& model, Purpose purpose);

// What is known of a model's unknowns before any solution exists, by unknown: start values and
// nominals, for these values of the parameters.
std::vector<taylor::Guess> guesses_of(const model::ModelData& model,
                                      const std::vector<double>& parameters);

// The system Jacobian as far as solving block by block needs it, and the verdict on it near the
// model's guesses. Holds references to what it is given, but not to the parameters.
class GenericJacobian {
 public:
  // The graph grows by derivatives.
  GenericJacobian(const model::ModelData& model, expr::Graph& graph,
                  std::span<const expr::NodeId> residuals, const structure::Structure& structure,
                  const std::vector<double>& parameters);

  // For these values of the parameters; guesses stay those of the values given first.
  taylor::Regularity judged_at(std::span<const double> parameters);

  const expr::Graph& graph() const { return graph_; }
  std::vector<taylor::JacobianEntry> take_entries() { return std::move(entries_); }

 private:
  expr::Graph& graph_;
  std::span<const expr::NodeId> residuals_;
  const structure::Structure& structure_;
  std::vector<taylor::JacobianEntry> entries_;
  std::vector<taylor::Guess> guesses_;
  double start_, stop_;
};

}  // namespace daedal::reduce
