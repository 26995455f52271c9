// What linear combination and expression substitution share: expressions with derivatives replaced
// or shown not to occur, and the model that results.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "daedal/analysis.hpp"
#include "reduce/conversion/analysed_model.hpp"
#include "reduce/generic_values.hpp"

namespace daedal::reduce {

// A model with a block rewritten, and how it was done.
struct Rewritten {
  model::ModelData model;
  ConversionStep step;
};
// Or what is in the way, and whether nothing else can help either.
struct Obstacle {
  std::string text;
  bool is_final = false;
};
using Attempt = std::variant<Rewritten, Obstacle>;

// x_j^(order).
struct Derivative {
  int unknown = 0;
  int order = 0;
  friend auto operator<=>(const Derivative&, const Derivative&) = default;
};

// The root with other nodes in place of derivatives. Derivatives of composite expressions must have
// been carried out (expr::expand_derivatives).
using Substitution = std::map<Derivative, expr::NodeId>;
expr::NodeId substituted(expr::Graph& graph, expr::NodeId root, const Substitution& images);

// By unknown that occurs below the root: the highest order to which it does.
std::map<int, int> orders_in(const expr::Graph& graph, expr::NodeId root);

// An expression whose value depends on none of these derivatives, which are the highest of their
// unknowns in it, written without them: by collecting terms, or, where an identity hides that they
// cancel, with a number in their place. Nothing if the value does depend on one of them. The result
// is a graph of its own.
std::optional<expr::Simplified> written_without(expr::Graph& graph, expr::NodeId root,
                                                std::span<const Derivative> derivatives,
                                                const GenericValues& values);

// The node of one graph in another that has its unknowns and parameters.
expr::NodeId transplanted(const expr::Graph& from, expr::NodeId root, expr::Graph& to);

// "left = right", as one would write it.
std::string equation_text(const model::ModelData& model, const model::Equation& equation);

// Describes the block and the null vector.
ConversionStep begin_step(const AnalysedModel& model, int block, std::string kind);
// "cos(x) != 0" of the factor on which an equivalence rests; empty for a number.
std::string where_not_zero(const expr::Graph& graph, expr::NodeId factor);

}  // namespace daedal::reduce
