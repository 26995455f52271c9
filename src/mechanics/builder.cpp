// The C++ builder: expressions become nodes of the model's graph.
#include "daedal/lagrangian.hpp"
#include "mechanics/lagrangian.hpp"

namespace daedal {
namespace {

using mechanics::LagrangianParts;
using model::ModelData;
using model::node_of;
using model::Place;

LagrangianParts parts_of(ModelData& model, const Lagrangian& lagrangian, const Place& place) {
  LagrangianParts parts;
  parts.allows_redundant = lagrangian.allow_redundant;
  parts.function = {node_of(model, lagrangian.function, place), place};
  for (const Expression& q : lagrangian.coordinates)
    parts.coordinates.push_back({node_of(model, q, place), place});
  for (const Constraint& constraint : lagrangian.constraints) {
    const Place at = model::place_of(constraint.place);
    parts.constraints.push_back({.name = constraint.name,
                                 .left = node_of(model, constraint.equality.left, at),
                                 .right = node_of(model, constraint.equality.right, at),
                                 .place = at});
  }
  for (const Force& force : lagrangian.forces)
    parts.forces.push_back({.coordinate = {node_of(model, force.coordinate, place), place},
                            .force = node_of(model, force.force, place)});
  const Expression& R = lagrangian.dissipation;
  if (!R.is_number() || R.number() != 0.0) parts.dissipation = {node_of(model, R, place), place};
  return parts;
}

}  // namespace

std::vector<Expression> add_lagrangian(Model& model, const Lagrangian& lagrangian,
                                       Location location) {
  ModelData& data = model.owned();
  const Place place = model::place_of(location);
  const LagrangianParts parts = parts_of(data, lagrangian, place);
  std::vector<mechanics::Finding> findings;
  const std::vector<expr::NodeId> multipliers =
      mechanics::add_multipliers(data, parts.constraints, place, findings);
  mechanics::throw_if_any(findings);
  const std::vector<model::Equation> equations = data.equations;
  mechanics::add_equations(data, parts, multipliers, equations, findings);
  mechanics::throw_if_any(findings);
  std::vector<Expression> result;
  for (const expr::NodeId node : multipliers)
    result.push_back(Expression::of(data.graph.get(), node.value));
  return result;
}

}  // namespace daedal
