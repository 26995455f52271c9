#include "mechanics/lagrangian.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "base/wording.hpp"
#include "expr/graph.hpp"
#include "expr/print.hpp"
#include "mechanics/definitions.hpp"

namespace daedal::mechanics {
namespace {

using expr::Op;

// The highest derivative of any coordinate in an expression; -1 if there is none.
class CoordinateOrders {
 public:
  CoordinateOrders(const expr::Graph& graph, const std::vector<Part>& coordinates)
      : graph_(graph), cone_(graph) {
    for (const Part& part : coordinates) coordinates_.insert(part.node.value);
  }

  bool is_coordinate(NodeId node) const { return coordinates_.contains(node.value); }

  struct Highest {
    int order = -1;
    NodeId coordinate;
  };
  Highest in(NodeId root) {
    Highest highest;
    for (const NodeId node : cone_.below(root)) {
      const bool is_derivative = graph_.op(node) == Op::diff;
      const NodeId inner = is_derivative ? graph_.arguments(node)[0] : node;
      const int order = is_derivative ? graph_.order(node) : 0;
      if (is_coordinate(inner) && order > highest.order) highest = {order, inner};
    }
    return highest;
  }

 private:
  const expr::Graph& graph_;
  expr::Cone cone_;
  std::unordered_set<std::uint32_t> coordinates_;
};

Problem name_is_taken(const ConstraintPart& constraint, const ConstraintNames& names,
                      const Place& first) {
  return {.id = "E-LAG-006",
          .what = fmt::format("the multiplier of '{}' would be called '{}', but that name is taken",
                              names.equation, names.multiplier),
          .where = constraint.place.text(),
          .why = fmt::format("it is the name of what is declared at {}; a multiplier is called "
                             "like its constraint, or lambda[1], lambda[2], ...",
                             first.text()),
          .todo = "give the constraint another name"};
}

Finding second_lagrangian(const ModelData& model, const Place& place) {
  return {{.id = "E-LAG-007",
           .what = fmt::format("model '{}' has a Lagrangian already", model.name),
           .where = place.text(),
           .why = "a model is described by one Lagrangian, with all its coordinates",
           .todo = "add the two functions: the Lagrangian of two systems together is the sum of "
                   "theirs"},
          place};
}

// Checks the parts and makes a System of them.
class Preparation {
 public:
  Preparation(expr::Graph& graph, const LagrangianParts& parts, std::vector<Finding>& findings)
      : graph_(graph),
        parts_(parts),
        names_(names_of(parts.constraints)),
        orders_(graph, parts.coordinates),
        findings_(findings) {}

  System run(const std::vector<NodeId>& multipliers) {
    check_coordinates();
    if (!findings_.empty()) return {};  // what follows needs to know the coordinates
    check_forces();
    prepare(multipliers);
    return std::move(system_);
  }

 private:
  void report(std::string id, std::string what, const Place& place, std::string why,
              std::string todo) {
    findings_.push_back({{.id = std::move(id),
                          .what = std::move(what),
                          .where = place.text(),
                          .why = std::move(why),
                          .todo = std::move(todo)},
                         place});
  }

  std::string text_of(NodeId node) const { return expr::to_text(graph_, node, 60); }

  std::string coordinate_names() const {
    return base::listed(parts_.coordinates.size(),
                        [&](std::size_t k) { return text_of(parts_.coordinates[k].node); });
  }

  void check_coordinates() {
    if (parts_.coordinates.empty())
      report("E-LAG-001", "the Lagrangian has no coordinates", parts_.function.place,
             "there is an equation of motion for each coordinate, and none is given",
             "list the unknowns that describe the position of the system");
    std::unordered_map<std::uint32_t, const Part*> first;
    for (const Part& part : parts_.coordinates) {
      if (graph_.op(part.node) != Op::unknown)
        report(
            "E-LAG-001",
            fmt::format("the coordinate '{}' is not an unknown of the model", text_of(part.node)),
            part.place, "a coordinate is one of the model's variables, not an expression",
            "declare a variable for it, and write the Lagrangian in terms of that");
      else if (!first.emplace(part.node.value, &part).second)
        report("E-LAG-001", fmt::format("the coordinate '{}' is given twice", text_of(part.node)),
               part.place,
               fmt::format("it was first given at {}", first[part.node.value]->place.text()),
               "list each coordinate once");
    }
  }

  void check_forces() {
    for (const ForcePart& part : parts_.forces) {
      if (orders_.is_coordinate(part.coordinate.node)) continue;
      report("E-LAG-005",
             fmt::format("a force acts on '{}', which is no coordinate",
                         text_of(part.coordinate.node)),
             part.coordinate.place,
             fmt::format("a generalised force stands in the equation of motion of a coordinate; "
                         "these are {}",
                         coordinate_names()),
             "give the coordinate that the force acts along");
    }
  }

  // Fills system_ with expressions in which only unknowns are differentiated.
  void prepare(const std::vector<NodeId>& multipliers) {
    std::vector<NodeId> roots = {parts_.function.node};
    if (parts_.dissipation) roots.push_back(parts_.dissipation->node);
    for (const ConstraintPart& part : parts_.constraints)
      roots.push_back(graph_.subtract(part.left, part.right));
    roots = prepared(graph_, roots);
    for (const Part& part : parts_.coordinates) system_.coordinates.push_back(part.node);
    std::size_t next = 0;
    system_.function = roots[next++];
    check_velocities(system_.function, parts_.function.place, "the Lagrangian", "kinetic energy");
    if (parts_.dissipation) {
      system_.dissipation = roots[next++];
      check_velocities(*system_.dissipation, parts_.dissipation->place, "the dissipation",
                       "dissipated power");
    }
    for (std::size_t j = 0; j < parts_.constraints.size(); ++j)
      prepare_constraint(j, roots[next++], multipliers[j]);
  }

  void check_velocities(NodeId root, const Place& place, const std::string& who,
                        const std::string& lacking) {
    const auto [order, coordinate] = orders_.in(root);
    if (order > 1) return report_order(who, order, coordinate, place);
    if (order == 1) return;
    report("E-LAG-002", fmt::format("{} contains no velocity", who), place,
           fmt::format("without der({}) of a coordinate there is no {}",
                       text_of(parts_.coordinates[0].node), lacking),
           fmt::format("write it with derivatives of the coordinates ({})", coordinate_names()));
  }

  void report_order(const std::string& who, int order, NodeId coordinate, const Place& place) {
    report("E-LAG-003",
           fmt::format("{} contains {}", who, model::derivative_name(text_of(coordinate), order)),
           place, "positions and velocities may occur here, not accelerations",
           "write it with coordinates and their first derivatives");
  }

  void prepare_constraint(std::size_t j, NodeId residual, NodeId multiplier) {
    const Place& place = parts_.constraints[j].place;
    const std::string label = fmt::format("'{}'", names_[j].equation);
    const auto [order, coordinate] = orders_.in(residual);
    if (order > 1) return report_order(label, order, coordinate, place);
    if (order < 0)
      report("E-LAG-004", fmt::format("{} contains no coordinate", label), place,
             fmt::format("a constraint restricts the coordinates ({}) or their velocities, and its "
                         "multiplier is the force that does so",
                         coordinate_names()),
             "write it as an equation of the model if it determines another unknown");
    system_.constraints.push_back(
        {.residual = residual, .multiplier = multiplier, .is_on_velocities = order == 1});
  }

  expr::Graph& graph_;
  const LagrangianParts& parts_;
  std::vector<ConstraintNames> names_;
  CoordinateOrders orders_;
  std::vector<Finding>& findings_;
  System system_;
};

void add_equation(ModelData& model, std::string name, NodeId left, NodeId right, const Place& place,
                  bool is_derived) {
  model.equations.push_back({.name = std::move(name),
                             .left = left,
                             .right = right,
                             .residual = model.graph->subtract(left, right),
                             .place = place,
                             .is_derived = is_derived});
}

// The sum of all forces on a coordinate.
NodeId force_on(expr::Graph& graph, const LagrangianParts& parts, NodeId coordinate) {
  std::vector<NodeId> forces;
  for (const ForcePart& part : parts.forces)
    if (part.coordinate.node == coordinate) forces.push_back(part.force);
  return graph.affine(0.0, std::vector<double>(forces.size(), 1.0), forces);
}

void add_motion(ModelData& model, const LagrangianParts& parts, const System& system) {
  expr::Graph& graph = *model.graph;
  const Motion motion = equations_of_motion(graph, system);
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
    const NodeId q = system.coordinates[i];
    add_equation(model, fmt::format("motion({})", expr::to_text(graph, q)), motion.left[i],
                 force_on(graph, parts, q), parts.coordinates[i].place, true);
  }
  model.outputs.push_back(
      {.name = "energy",
       .node = motion.energy,
       .unit = {},
       .description = "sum of der(q) dL/d(der(q)) over the coordinates, minus L",
       .place = parts.function.place,
       .is_implied = true});
}

void add_constraints(ModelData& model, const LagrangianParts& parts, const System& system) {
  model::Mechanics mechanics;
  mechanics.allows_redundant = parts.allows_redundant;
  for (const NodeId q : system.coordinates)
    mechanics.coordinates.push_back(model.graph->unknown(q));
  const std::vector<ConstraintNames> names = names_of(parts.constraints);
  for (std::size_t j = 0; j < parts.constraints.size(); ++j) {
    const ConstraintPart& part = parts.constraints[j];
    mechanics.constraints.emplace_back(model.equations.size());
    mechanics.multipliers.push_back(model.graph->unknown(system.constraints[j].multiplier));
    mechanics.is_on_velocities.push_back(system.constraints[j].is_on_velocities);
    add_equation(model, names[j].equation, part.left, part.right, part.place, false);
  }
  model.mechanics = std::move(mechanics);
}

}  // namespace

std::vector<ConstraintNames> names_of(const std::vector<ConstraintPart>& constraints) {
  std::vector<ConstraintNames> names;
  int num_unnamed = 0;
  for (const ConstraintPart& part : constraints) {
    if (part.name.empty()) ++num_unnamed;
    names.push_back(part.name.empty() ? ConstraintNames{fmt::format("constraint({})", num_unnamed),
                                                        fmt::format("lambda[{}]", num_unnamed)}
                                      : ConstraintNames{part.name, part.name});
  }
  return names;
}

std::vector<NodeId> add_multipliers(ModelData& model,
                                    const std::vector<ConstraintPart>& constraints,
                                    const Place& place, std::vector<Finding>& findings) {
  if (model.mechanics) {
    findings.push_back(second_lagrangian(model, place));
    return {};
  }
  std::unordered_map<std::string, Place> taken;
  for (const model::Variable& variable : model.variables) taken[variable.name] = variable.place;
  for (const model::Parameter& parameter : model.parameters)
    taken[parameter.name] = parameter.place;
  std::vector<NodeId> multipliers;
  const std::vector<ConstraintNames> names = names_of(constraints);
  for (std::size_t j = 0; j < constraints.size(); ++j) {
    const ConstraintPart& part = constraints[j];
    model::Variable variable;
    variable.name = names[j].multiplier;
    variable.place = part.place;
    variable.description = "multiplier of " + names[j].equation;
    const auto [first, is_free] = taken.emplace(variable.name, part.place);
    if (!is_free) findings.push_back({name_is_taken(part, names[j], first->second), part.place});
    variable.node = model.graph->add_unknown(variable.name);
    multipliers.push_back(variable.node);
    model.variables.push_back(std::move(variable));
  }
  return multipliers;
}

System system_of(expr::Graph& graph, const LagrangianParts& parts,
                 const std::vector<NodeId>& multipliers, std::vector<Finding>& findings) {
  return Preparation(graph, parts, findings).run(multipliers);
}

void add_equations(ModelData& model, const LagrangianParts& parts,
                   const std::vector<NodeId>& multipliers,
                   const std::vector<model::Equation>& equations, std::vector<Finding>& findings) {
  LagrangianParts of_coordinates = parts;
  std::vector<model::Mechanics::Given> given;
  if (has_other_unknowns(model, parts))
    given = insert_definitions(model, of_coordinates, multipliers, equations, findings);
  const System system = system_of(*model.graph, of_coordinates, multipliers, findings);
  if (!findings.empty()) return;
  add_motion(model, parts, system);
  add_constraints(model, parts, system);
  model.mechanics->given = std::move(given);
}

void throw_if_any(const std::vector<Finding>& findings) {
  std::vector<Problem> problems;
  for (const Finding& finding : findings) problems.push_back(finding.problem);
  if (!problems.empty()) throw Error(std::move(problems));
}

}  // namespace daedal::mechanics
