#include "model/followers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "expr/print.hpp"

namespace daedal::model {
namespace {

using expr::Graph;
using expr::Op;

// u of "u" and of "der(u, k)".
std::optional<UnknownId> lone_unknown(const Graph& graph, NodeId side) {
  const NodeId inner = graph.op(side) == Op::diff ? graph.arguments(side)[0] : side;
  if (graph.op(inner) != Op::unknown) return std::nullopt;
  return graph.unknown(inner);
}

}  // namespace

Followers::Followers(const Graph& graph, std::span<const Equation> equations,
                     std::span<const UnknownId> coordinates, std::span<const UnknownId> forces)
    : equations_(equations),
      equations_with_(graph.num_unknowns()),
      is_coordinate_(graph.num_unknowns(), false),
      is_force_(graph.num_unknowns(), false),
      equation_of_(graph.num_unknowns(), -1),
      unknown_of_(equations.size(), -1),
      rank_(graph.num_unknowns()) {
  for (const UnknownId q : coordinates) is_coordinate_[q.index()] = true;
  for (const UnknownId force : forces) is_force_[force.index()] = true;
  for (const Equation& equation : equations) note_occurrences(graph, equation);
  claim_lone_sides(graph);
  for (std::size_t u = 0; u < rank_.size(); ++u) {
    is_visited_.assign(equations.size(), false);
    if (!is_coordinate_[u] && !is_force_[u] && equation_of_[u] < 0) match(static_cast<int>(u));
  }
  rank_unknowns();
}

// From users to arguments: how many d/dt stand around each node.
void Followers::note_occurrences(const Graph& graph, const Equation& equation) {
  const auto number = static_cast<int>(occurrences_.size());
  const NodeId sides[] = {equation.left, equation.right};
  const std::vector<NodeId> nodes = expr::reachable(graph, sides);
  std::unordered_map<NodeId, int> order;
  occurrences_.emplace_back();
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const NodeId node = nodes[k];
    const int around = order[node];
    const int inside = around + (graph.op(node) == Op::diff ? graph.order(node) : 0);
    for (const NodeId argument : graph.arguments(node))
      order[argument] = std::max(order[argument], inside);
    if (graph.op(node) != Op::unknown) continue;
    const auto unknown = static_cast<int>(graph.unknown(node).index());
    occurrences_.back().push_back({unknown, around});
    if (!is_coordinate_[unknown] && !is_force_[unknown])
      equations_with_[unknown].push_back({number, around});
  }
}

// An equation with an unknown alone on a side is how people define it.
void Followers::claim_lone_sides(const Graph& graph) {
  for (std::size_t k = 0; k < equations_.size(); ++k)
    for (const NodeId side : {equations_[k].left, equations_[k].right}) {
      const std::optional<UnknownId> alone = lone_unknown(graph, side);
      if (!alone || is_coordinate_[alone->index()] || is_force_[alone->index()]) continue;
      if (equation_of_[alone->index()] >= 0 || unknown_of_[k] >= 0) continue;
      equation_of_[alone->index()] = static_cast<int>(k);
      unknown_of_[k] = static_cast<int>(alone->index());
    }
}

// An augmenting path: the equation that is free and has the highest derivative of the unknown, or
// else one whose unknown finds another.
bool Followers::match(int unknown) {
  int best = -1, highest = -1;
  for (const Use& use : equations_with_[unknown])
    if (unknown_of_[use.equation] < 0 && use.order > highest) {
      best = use.equation;
      highest = use.order;
    }
  if (best < 0) best = released_equation(unknown);
  if (best < 0) return false;
  equation_of_[unknown] = best;
  unknown_of_[best] = unknown;
  return true;
}

int Followers::released_equation(int unknown) {
  for (const Use& use : equations_with_[unknown]) {
    if (is_visited_[use.equation]) continue;
    is_visited_[use.equation] = true;
    if (match(unknown_of_[use.equation])) return use.equation;
  }
  return -1;
}

// Ranks rise along dependences; a loop of them is passed as often as there are unknowns at most,
// and where ranks still rise then they have long been positive.
void Followers::rank_unknowns() {
  bool has_risen = true;
  for (std::size_t round = 0; has_risen && round <= rank_.size(); ++round) {
    has_risen = false;
    for (std::size_t u = 0; u < rank_.size(); ++u)
      if (raise_rank(static_cast<int>(u))) has_risen = true;
  }
}

bool Followers::raise_rank(int unknown) {
  const int equation = equation_of_[unknown];
  if (equation < 0) return false;
  std::optional<int> highest;
  int own = 0;
  for (const Occurrence& each : occurrences_[equation]) {
    if (each.unknown == unknown) own = each.order;
    const std::optional<int> rank =
        is_coordinate_[each.unknown] ? std::optional(0) : rank_[each.unknown];
    if (each.unknown == unknown || !rank) continue;
    highest = std::max(highest.value_or(*rank + each.order), *rank + each.order);
  }
  if (!highest || (rank_[unknown] && *rank_[unknown] >= *highest - own)) return false;
  rank_[unknown] = *highest - own;
  return true;
}

const Equation* Followers::equation_of(UnknownId unknown) const {
  const int equation = equation_of_[unknown.index()];
  return equation < 0 ? nullptr : &equations_[static_cast<std::size_t>(equation)];
}

std::vector<Problem> faults_of_given_unknowns(const ModelData& model) {
  if (!model.mechanics || model.mechanics->given.empty()) return {};
  std::vector<Equation> written;
  for (const Equation& equation : model.equations)
    if (!equation.is_derived) written.push_back(equation);
  const Followers followers(*model.graph, written, model.mechanics->coordinates,
                            model.mechanics->multipliers);
  std::vector<Problem> problems;
  for (const Mechanics::Given& given : model.mechanics->given)
    if (followers.follows(given.unknown))
      problems.push_back(follows_coordinates(model, given.unknown,
                                             followers.equation_of(given.unknown), given.place));
  return problems;
}

Problem follows_coordinates(const ModelData& model, UnknownId unknown, const Equation* equation,
                            const Place& place) {
  const std::string name = model.label(unknown);
  const std::string text =
      equation == nullptr
          ? "equations determine"
          : fmt::format("'{} = {}'{} determines", expr::to_text(*model.graph, equation->left, 60),
                        expr::to_text(*model.graph, equation->right, 60),
                        equation->place.text().empty() ? "" : " at " + equation->place.text());
  return {.id = "E-LAG-008",
          .what = fmt::format("the Lagrangian contains '{}', which moves with the coordinates but "
                              "is none of them",
                              name),
          .where = place.text(),
          .why = fmt::format("{} it from coordinates; forces that act through it would be left out "
                             "of the equations of motion",
                             text),
          .todo = fmt::format("define it by an equation '{0} = expression' that stands before the "
                              "Lagrangian in C++ and Python, insert the expression, or list '{0}' "
                              "among the coordinates and its equation among the constraints",
                              name)};
}

}  // namespace daedal::model
