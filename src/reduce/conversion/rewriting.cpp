#include "reduce/conversion/rewriting.hpp"

#include <algorithm>
#include <cmath>

#include "expr/collect_terms.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "expr/rebuild.hpp"
#include "expr/write_out.hpp"
#include "structure/signature.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;
using expr::Simplified;

// The derivative of an unknown that a node is, if it is one.
std::optional<Derivative> derivative_at(const Graph& graph, NodeId node) {
  const bool is_diff = graph.op(node) == Op::diff;
  const NodeId leaf = is_diff ? graph.arguments(node)[0] : node;
  if (graph.op(leaf) != Op::unknown) return std::nullopt;
  return Derivative{static_cast<int>(graph.unknown(leaf).index()), is_diff ? graph.order(node) : 0};
}

NodeId node_of(Graph& graph, const Derivative& derivative) {
  const NodeId unknown = graph.node(expr::UnknownId(static_cast<std::size_t>(derivative.unknown)));
  return derivative.order == 0 ? unknown : graph.diff(unknown, derivative.order);
}

bool contains_any(const Graph& graph, NodeId root, std::span<const Derivative> derivatives) {
  const std::map<int, int> orders = orders_in(graph, root);
  return std::any_of(derivatives.begin(), derivatives.end(), [&](const Derivative& derivative) {
    const auto found = orders.find(derivative.unknown);
    return found != orders.end() && found->second >= derivative.order;
  });
}

bool depends_on_any(Graph& graph, NodeId root, std::span<const Derivative> derivatives,
                    const GenericValues& values) {
  if (derivatives.empty()) return false;
  std::vector<NodeId> leaves;
  for (const Derivative& derivative : derivatives) leaves.push_back(node_of(graph, derivative));
  const std::vector<NodeId> partials = expr::gradient(graph, root, leaves);
  return !values.all_vanish(graph, partials);
}

// An expression in several forms; the first is the expression as it is.
std::vector<Simplified> forms_of(const Graph& graph, NodeId root) {
  std::vector<Simplified> forms;
  forms.push_back(expr::simplify(graph, {&root, 1}));
  for (const bool multiplies_out : {false, true}) {
    const Simplified collected =
        expr::collect_terms(*forms[0].graph, forms[0].roots, multiplies_out);
    forms.push_back(expr::simplify(*collected.graph, collected.roots));
  }
  return forms;
}

std::size_t size_of(const Simplified& form) {
  return expr::reachable(*form.graph, form.roots).size();
}

// Numbers to try in place of a derivative: where it is guessed to be, and others that are likely in
// the domain of any function.
double number_to_try(const GenericValues& values, const Derivative& derivative, int attempt) {
  constexpr double others[] = {0.0, 1.0, 0.5, -0.5};
  const std::vector<double>& guesses = values.guesses()[derivative.unknown].derivatives;
  const auto order = static_cast<std::size_t>(derivative.order);
  const bool is_guessed = order < guesses.size() && std::isfinite(guesses[order]);
  if (attempt == 1 && is_guessed) return guesses[order];
  return others[attempt == 0 ? 0 : attempt - 1];
}

}  // namespace

NodeId substituted(Graph& graph, NodeId root, const Substitution& images) {
  std::map<NodeId, NodeId> image;
  for (const NodeId node : expr::reachable(graph, {&root, 1})) {
    if (const auto derivative = derivative_at(graph, node)) {
      const auto found = images.find(*derivative);
      image[node] = found == images.end() ? node : found->second;
    } else {
      image[node] = expr::rebuild_if_changed(graph, node,
                                             [&](NodeId argument) { return image.at(argument); });
    }
  }
  return image.at(root);
}

std::map<int, int> orders_in(const Graph& graph, NodeId root) {
  const structure::SignatureMatrix sigma = structure::signature_of(graph, {&root, 1});
  std::map<int, int> orders;
  for (std::size_t k = 0; k < sigma.unknowns(0).size(); ++k)
    orders[sigma.unknowns(0)[k]] = sigma.orders(0)[k];
  return orders;
}

std::optional<Simplified> written_without(Graph& graph, NodeId root,
                                          std::span<const Derivative> derivatives,
                                          const GenericValues& values) {
  std::vector<Simplified> forms = forms_of(graph, root);
  std::erase_if(forms, [&](const Simplified& form) {
    return contains_any(*form.graph, form.roots[0], derivatives);
  });
  if (!forms.empty())
    return std::move(*std::min_element(
        forms.begin(), forms.end(),
        [](const Simplified& a, const Simplified& b) { return size_of(a) < size_of(b); }));

  if (depends_on_any(graph, root, derivatives, values)) return std::nullopt;
  constexpr int num_attempts = 5;
  for (int attempt = 0; attempt < num_attempts; ++attempt) {
    Substitution numbers;
    for (const Derivative& derivative : derivatives)
      numbers[derivative] = graph.constant(number_to_try(values, derivative, attempt));
    const NodeId without = substituted(graph, root, numbers);
    const NodeId difference = graph.subtract(root, without);
    if (values.all_vanish(graph, {&difference, 1})) return expr::simplify(graph, {&without, 1});
  }
  return std::nullopt;
}

NodeId transplanted(const Graph& from, NodeId root, Graph& to) {
  std::map<NodeId, NodeId> image;
  for (const NodeId node : expr::reachable(from, {&root, 1}))
    image[node] =
        expr::rebuild_in(to, from, node, [&](NodeId argument) { return image.at(argument); });
  return image.at(root);
}

std::string equation_text(const model::ModelData& model, const model::Equation& equation) {
  const NodeId sides[] = {equation.left, equation.right};
  const std::vector<std::string> texts = expr::write_out(*model.graph, sides);
  return texts[0] + " = " + texts[1];
}

ConversionStep begin_step(const AnalysedModel& model, int b, std::string kind) {
  ConversionStep step;
  step.kind = std::move(kind);
  const structure::Block& block = model.structure.fine_blocks[b];
  for (const int i : block.equations) step.equations.push_back(model.differentiated(i, 0));
  for (const int j : block.unknowns) step.variables.push_back(model.data.variables[j].name);
  return step;
}

std::string where_not_zero(const Graph& graph, NodeId factor) {
  if (graph.is_constant(factor)) return "";
  return expr::write_out(graph, {&factor, 1})[0] + " != 0";
}

}  // namespace daedal::reduce
