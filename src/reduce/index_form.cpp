#include "reduce/index_form.hpp"

#include <algorithm>

#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "expr/rebuild.hpp"
#include "structure/matching.hpp"
#include "structure/signature.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using structure::SignatureMatrix;
using structure::Structure;

// The equations chosen, before they are written in order one.
struct Choice {
  std::vector<NodeId> residuals;
  std::vector<int> row_powers;  // c_i of what is left of equation i: how often it could be
                                // differentiated yet
  std::vector<int> offsets;     // by unknown of the graph: d_j of the form
  std::vector<Place> meaning;   // by unknown of the graph
};

Choice start_of_choice(const Structure& structure) {
  Choice choice;
  choice.offsets = structure.d;
  for (std::size_t j = 0; j < structure.d.size(); ++j)
    choice.meaning.push_back({static_cast<int>(j), 0});
  return choice;
}

// Rule B1: f_i^(m_i), m_i = max(0, c_i + 1 - q).
Choice differentiated(Graph& graph, std::span<const NodeId> residuals, const Structure& structure,
                      std::optional<int> index) {
  Choice choice = start_of_choice(structure);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const int times = index ? std::max(0, structure.c[i] + 1 - *index) : 0;
    choice.residuals.push_back(times > 0 ? graph.diff(residuals[i], times) : residuals[i]);
    choice.row_powers.push_back(structure.c[i] - times);
  }
  return choice;
}

// Places of J, d_j - c_i = sigma_ij, of equations with c_i <= most and unknowns with d_j > 0.
structure::Pattern pattern_of_differentiated(const SignatureMatrix& sigma,
                                             const Structure& structure, int most) {
  structure::Pattern pattern(sigma.num_unknowns());
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
      const int j = sigma.unknowns(i)[k];
      const bool is_in_jacobian = structure.d[j] - structure.c[i] == sigma.orders(i)[k];
      if (is_in_jacobian && structure.d[j] > 0 && structure.c[i] <= most) pattern.add(j);
    }
    pattern.end_row();
  }
  return pattern;
}

// Equations that determine the x_j^(d_j) with d_j > 0, those with the smallest c_i that can:
// equations once matched stay matched while those of larger c_i join.
std::vector<int> equations_of_states(const SignatureMatrix& sigma, const Structure& structure) {
  structure::Matching matching;
  matching.reset(sigma.num_equations(), sigma.num_unknowns());
  structure::MaximumMatcher matcher;
  const int largest = *std::max_element(structure.c.begin(), structure.c.end());
  for (int most = 0; most <= largest; ++most)
    matcher.grow(pattern_of_differentiated(sigma, structure, most), matching);
  std::vector<int> equations;
  for (int i = 0; i < sigma.num_equations(); ++i)
    if (matching.unknown_of[i] != structure::unmatched) equations.push_back(i);
  return equations;
}

// A root with derivative `order[j]` of unknown j replaced by another node, where there is one.
std::vector<NodeId> with_replaced(Graph& graph, std::span<const NodeId> roots,
                                  std::span<const int> order,
                                  std::span<const std::optional<NodeId>> replacement) {
  std::vector<NodeId> image(graph.size());
  const auto image_of = [&](NodeId node) { return image[node.index()]; };
  for (const NodeId node : expr::reachable(graph, roots)) {
    image[node.index()] = expr::rebuild_if_changed(graph, node, image_of);
    if (graph.op(node) != expr::Op::diff) continue;
    const auto j = graph.unknown(graph.arguments(node)[0]).index();
    if (replacement[j] && graph.order(node) == order[j]) image[node.index()] = *replacement[j];
  }
  std::vector<NodeId> images;
  for (const NodeId root : roots) images.push_back(image_of(root));
  return images;
}

// Rule B2: f_i^(c_i) of equations that determine the x_j^(d_j) with d_j > 0, and all f_i^(c_i + 1)
// with X_j for x_j^(d_j + 1), which determine X_j and x_j' where d_j = 0.
Choice ordinary(Graph& graph, std::span<const NodeId> residuals, const Structure& structure) {
  Choice choice = start_of_choice(structure);
  const SignatureMatrix sigma = structure::signature_of(graph, residuals);
  std::vector<NodeId> kept, all;
  for (const int i : equations_of_states(sigma, structure))
    kept.push_back(graph.diff(residuals[i], structure.c[i]));
  for (std::size_t i = 0; i < residuals.size(); ++i)
    all.push_back(graph.diff(residuals[i], structure.c[i] + 1));
  all = expr::expand_derivatives(graph, all);

  std::vector<int> order;
  std::vector<std::optional<NodeId>> replacement(structure.d.size());
  for (std::size_t j = 0; j < structure.d.size(); ++j) {
    order.push_back(structure.d[j] + 1);
    choice.offsets[j] = std::max(1, structure.d[j]);
    if (structure.d[j] == 0) continue;
    replacement[j] = graph.add_unknown(graph.name(expr::UnknownId(j)) + "'" +
                                       std::to_string(structure.d[j] + 1));
    choice.offsets.push_back(0);
    choice.meaning.push_back({static_cast<int>(j), structure.d[j] + 1});
  }
  choice.residuals = kept;
  const std::vector<NodeId> slopes = with_replaced(graph, all, order, replacement);
  choice.residuals.insert(choice.residuals.end(), slopes.begin(), slopes.end());
  choice.row_powers.assign(choice.residuals.size(), 0);
  return choice;
}

bool has_algebraic_unknown(const Structure& structure) {
  return std::find(structure.d.begin(), structure.d.end(), 0) != structure.d.end();
}

// By unknown: the index of the form in what x_j is computed from, q_j = 1 + max(c_i - slack), the
// largest over the equations that act on it; an equation acts on other blocks through places with
// slack d_j - c_i - sigma_ij, which cost as many powers of h (rule B3).
std::vector<int> indices_by_unknown(const SignatureMatrix& sigma, const Structure& structure,
                                    std::span<const int> row_powers) {
  std::vector<int> index(structure.d.size(), 1);
  const auto index_of_block = [&](const structure::Block& block) {
    int largest = 1;
    for (const int i : block.equations) {
      largest = std::max(largest, 1 + row_powers[i]);
      for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
        const int j = sigma.unknowns(i)[k];
        const int slack = structure.d[j] - structure.c[i] - sigma.orders(i)[k];
        largest = std::max(largest, index[j] - slack);
      }
    }
    return largest;
  };
  // Blocks may act on each other through slack: repeated until nothing grows.
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const structure::Block& block : structure.fine_blocks) {
      const int found = index_of_block(block);
      for (const int j : block.unknowns) {
        has_changed = has_changed || index[j] < found;
        index[j] = std::max(index[j], found);
      }
    }
  }
  return index;
}

// What is known of x_j and its derivatives, from z and the slope of the last.
void lay_out_places(IndexForm& form, std::size_t num_user_unknowns) {
  form.places.resize(num_user_unknowns);
  for (std::size_t j = 0; j < num_user_unknowns; ++j) {
    std::vector<FormPlace>& places = form.places[j];
    int last = static_cast<int>(j);
    for (int order = 0; form.system.unknown_of(static_cast<int>(j), order) >= 0; ++order)
      places.push_back({last = form.system.unknown_of(static_cast<int>(j), order), false});
    places.push_back({last, true});
  }
  for (int u = 0; u < form.num_unknowns(); ++u)
    if (form.is_auxiliary[u]) form.places[form.meaning[u].index].push_back({u, false});
  for (const std::vector<FormPlace>& places : form.places)
    form.orders.push_back(static_cast<int>(places.size()) - 1);
}

IndexForm in_order_one(const Graph& graph, const Choice& choice,
                       std::span<const int> index_by_unknown) {
  IndexForm form;
  form.system = first_order_form(graph, choice.residuals, {});
  form.row_powers = choice.row_powers;
  const std::size_t num_user_unknowns = index_by_unknown.size();
  for (const auto [given, order] : form.system.meaning) {
    const Place of_user = choice.meaning[given];
    const bool is_auxiliary = given >= static_cast<int>(num_user_unknowns);
    form.meaning.push_back({of_user.index, of_user.order + order});
    form.is_auxiliary.push_back(is_auxiliary);
    form.column_powers.push_back(choice.offsets[given] - order);
    form.levels.push_back(
        is_auxiliary ? 1 : std::max(1, index_by_unknown[given] - form.column_powers.back()));
    if (order > 0) form.row_powers.push_back(choice.offsets[given] - order);
  }
  lay_out_places(form, num_user_unknowns);
  return form;
}

}  // namespace

int IndexForm::highest_level() const {
  return levels.empty() ? 1 : *std::max_element(levels.begin(), levels.end());
}

IndexForm index_form(const Graph& graph, std::span<const NodeId> residuals,
                     const Structure& structure, std::optional<int> index) {
  const std::unique_ptr<Graph> copy = graph.copy();
  if (index == 0 && has_algebraic_unknown(structure))
    return in_order_one(*copy, ordinary(*copy, residuals, structure),
                        std::vector<int>(structure.d.size(), 1));
  if (index) index = std::max(*index, 1);
  const Choice choice = differentiated(*copy, residuals, structure, index);
  return in_order_one(
      *copy, choice,
      indices_by_unknown(structure::signature_of(graph, residuals), structure, choice.row_powers));
}

}  // namespace daedal::reduce
