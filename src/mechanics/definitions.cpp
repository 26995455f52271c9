#include "mechanics/definitions.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/rebuild.hpp"

namespace daedal::mechanics {
namespace {

using expr::Op;
using model::Equation;
using model::Followers;
using model::Mechanics;
using model::UnknownId;

std::vector<UnknownId> unknowns_of(const expr::Graph& graph, std::span<const NodeId> nodes) {
  std::vector<UnknownId> unknowns;
  for (const NodeId node : nodes)
    if (graph.op(node) == Op::unknown) unknowns.push_back(graph.unknown(node));
  return unknowns;
}

std::vector<UnknownId> coordinates_of(const expr::Graph& graph, const LagrangianParts& parts) {
  std::vector<NodeId> nodes;
  for (const Part& part : parts.coordinates) nodes.push_back(part.node);
  return unknowns_of(graph, nodes);
}

// The expressions that are differentiated, each with its place.
std::vector<std::pair<NodeId*, Place>> expressions_of(LagrangianParts& parts) {
  std::vector<std::pair<NodeId*, Place>> all = {{&parts.function.node, parts.function.place}};
  if (parts.dissipation) all.emplace_back(&parts.dissipation->node, parts.dissipation->place);
  for (ConstraintPart& constraint : parts.constraints) {
    all.emplace_back(&constraint.left, constraint.place);
    all.emplace_back(&constraint.right, constraint.place);
  }
  return all;
}

class Insertion {
 public:
  Insertion(ModelData& model, LagrangianParts& parts, std::span<const NodeId> multipliers,
            std::span<const Equation> equations, std::vector<Finding>& findings)
      : model_(model),
        graph_(*model.graph),
        parts_(parts),
        followers_(graph_, equations, coordinates_of(graph_, parts),
                   unknowns_of(graph_, multipliers)),
        findings_(findings) {
    for (const UnknownId q : coordinates_of(graph_, parts)) is_coordinate_.insert(q.index());
  }

  std::vector<Mechanics::Given> run() {
    for (const auto& [node, place] : expressions_of(parts_)) {
      place_ = place;
      *node = inserted(*node);
    }
    return std::move(given_);
  }

 private:
  // From arguments to users. A definition may need others: it is opened before what needs it.
  NodeId inserted(NodeId root) {
    const std::vector<NodeId> nodes = expr::reachable(graph_, {&root, 1});
    for (const NodeId node : nodes) {
      if (image_.contains(node)) continue;
      const NodeId image =  // found before a place is made for it: a definition may lead back here
          graph_.op(node) == Op::unknown
              ? image_of_unknown(node)
              : expr::rebuild_if_changed(graph_, node,
                                         [&](NodeId argument) { return image_.at(argument); });
      image_[node] = image;
    }
    return image_.at(root);
  }

  NodeId image_of_unknown(NodeId node) {
    const UnknownId unknown = graph_.unknown(node);
    if (is_coordinate_.contains(unknown.index())) return node;
    if (!followers_.follows(unknown)) {
      given_.push_back({unknown, place_});
      return node;
    }
    const Equation* equation = followers_.equation_of(unknown);
    const NodeId definition = definition_by(*equation, node);
    const bool is_new = open_.insert(unknown.index()).second;
    if (!definition.is_set() || !is_new) {  // implicit, or a circle of definitions
      findings_.push_back({model::follows_coordinates(model_, unknown, equation, place_), place_});
      return node;
    }
    const NodeId image = inserted(definition);
    open_.erase(unknown.index());
    return image;
  }

  // e of "x = e" or "e = x" without x in e.
  NodeId definition_by(const Equation& equation, NodeId x) const {
    const NodeId e = equation.left == x    ? equation.right
                     : equation.right == x ? equation.left
                                           : NodeId();
    if (!e.is_set()) return e;
    const std::vector<NodeId> nodes = expr::reachable(graph_, {&e, 1});
    return std::find(nodes.begin(), nodes.end(), x) == nodes.end() ? e : NodeId();
  }

  ModelData& model_;
  expr::Graph& graph_;
  LagrangianParts& parts_;
  Followers followers_;
  std::vector<Finding>& findings_;
  std::unordered_set<std::size_t> is_coordinate_;
  std::unordered_set<std::size_t> open_;  // unknowns whose definitions are being opened
  std::unordered_map<NodeId, NodeId> image_;
  std::vector<Mechanics::Given> given_;
  Place place_;
};

}  // namespace

bool has_other_unknowns(const ModelData& model, const LagrangianParts& parts) {
  LagrangianParts copy = parts;
  std::unordered_set<std::size_t> coordinates;
  for (const UnknownId q : coordinates_of(*model.graph, parts)) coordinates.insert(q.index());
  std::vector<NodeId> roots;
  for (const auto& [node, place] : expressions_of(copy)) roots.push_back(*node);
  const std::vector<UnknownId> unknowns =
      unknowns_of(*model.graph, expr::reachable(*model.graph, roots));
  return std::any_of(unknowns.begin(), unknowns.end(),
                     [&](UnknownId unknown) { return !coordinates.contains(unknown.index()); });
}

std::vector<Mechanics::Given> insert_definitions(ModelData& model, LagrangianParts& parts,
                                                 std::span<const NodeId> multipliers,
                                                 std::span<const Equation> equations,
                                                 std::vector<Finding>& findings) {
  return Insertion(model, parts, multipliers, equations, findings).run();
}

}  // namespace daedal::mechanics
