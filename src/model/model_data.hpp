// A model as plain data: what the C++ builder and the model language both produce, and what every
// later room reads.
//
// Expressions are nodes of the model's own graph. Start values, nominals and parameter bindings are
// expressions of parameters, so that changing a parameter at run time changes them too; value_of()
// evaluates them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "daedal/model.hpp"
#include "expr/graph.hpp"

namespace daedal::model {

using expr::NodeId;
using expr::ParameterId;
using expr::UnknownId;
using EquationId = base::Id<struct EquationTag>;

// Where something was written. In C++ the file is the source file of the call.
struct Place {
  std::string file;
  std::uint32_t line = 0;    // 1-based; 0 = unknown
  std::uint32_t column = 0;  // 1-based; 0 = unknown

  std::string text()
      const;  // "crane.mo:12:7", "crane.mo:12", "crane.mo", or "" if nothing is known
};

// "x", "der(x)", "der(x, 2)": as one writes it in a model.
std::string derivative_name(const std::string& name, int order);
// What was written in this way: a name and the order of its derivative; the text itself, of order
// 0, if it is no derivative.
struct NamedDerivative {
  std::string name;
  int order = 0;
};
NamedDerivative read_derivative_name(const std::string& text);

// The value of a derivative at the start, as given by the user.
struct Start {
  std::optional<NodeId> value;  // not given: weighs nothing in the search for a consistent point
  bool fixed = false;           // must hold at the start; without it, a guess
};

struct Variable {
  std::string name;               // "x", "x[1]"
  NodeId node;                    // the unknown leaf
  std::vector<Start> start;       // start[k] belongs to the k-th derivative
  std::optional<NodeId> nominal;  // default 1
  std::string unit;
  std::string description;
  Place place;
  bool is_auxiliary = false;  // not the user's, and not shown in a solution; the last ones
  std::string stands_for;     // then: the expression that it is, if messages are to show that
};

enum class ParameterType { real, integer, boolean };

struct Parameter {
  std::string name;
  NodeId node;                           // the parameter leaf
  std::optional<NodeId> binding;         // its default, an expression of other parameters
  std::optional<double> override_value;  // set at run time; wins over the binding
  ParameterType type = ParameterType::real;
  bool structural =
      false;  // used in an array size, exponent or loop bound: fixed once the model is built
  bool is_discrete = false;  // a variable that changes at events only; the binding is its start
  std::string unit;
  std::string description;
  Place place;
};

struct Equation {
  std::string name;  // the user's, or "" if none was given
  NodeId left;
  NodeId right;
  NodeId residual;  // left - right
  Place place;
  bool is_derived = false;  // from a Lagrangian: nobody wrote it this way
};

// An expression that is reported beside the variables.
struct Output {
  std::string name;
  NodeId node;
  std::string unit;
  std::string description;
  Place place;
  bool is_implied = false;   // nobody asked for it: it gives way to anything of its name
  bool is_discrete = false;  // a discrete variable, which is reported as outputs are
};

// A shape of the animation.
struct Drawing {
  Shape::Kind kind = Shape::Kind::line;
  std::vector<std::vector<NodeId>> points = {};
  std::string color = {};
  double width = 2.0;
  NodeId radius = {};
  Place place = {};
};

// What happens at the instant at which a condition becomes true.
struct Reinit {
  UnknownId unknown;
  int order = 0;  // of the derivative that gets a value
  NodeId value;   // of left limits
  Place place;
};
struct Assignment {
  ParameterId variable;  // a discrete one
  NodeId value;          // of left limits
  Place place;
};
struct When {
  std::string name;  // the user's, or "" if none was given
  NodeId condition;  // 1 or 0
  std::vector<Reinit> reinits;
  std::vector<Assignment> assignments;
  bool ends_run = false;
  std::string message = {};     // if it does
  bool is_alternative = false;  // elsewhen: not at an instant at which the one before it happens
  Place place;
};

// The parts of a model that come from a Lagrangian (mechanics/).
struct Mechanics {
  std::vector<UnknownId> coordinates;
  std::vector<EquationId> constraints;
  std::vector<UnknownId> multipliers;  // by constraint
  std::vector<bool> is_on_velocities;  // by constraint
  bool allows_redundant = false;       // constraints may depend on each other
  std::vector<Equation> left_out;      // constraints that follow from those above
  // Unknowns in the Lagrangian, dissipation and constraints that are taken as given: they must not
  // follow the coordinates.
  struct Given {
    UnknownId unknown;
    Place place;  // of the part that contains it
  };
  std::vector<Given> given;
};

struct ModelData {
  std::string name;
  std::string description;
  std::unique_ptr<expr::Graph> graph =
      std::make_unique<expr::Graph>();  // stable address: Expressions point to it
  std::vector<Variable> variables;      // variables[j] is unknown j of the graph
  std::vector<Parameter>
      parameters;  // parameters[k] is parameter k of the graph; a binding uses earlier ones only
  std::vector<Equation> equations;
  std::vector<Equation> initial_equations;
  std::vector<When> whens;
  std::vector<Output> outputs;
  std::vector<Drawing> drawings;
  std::optional<Mechanics> mechanics;
  Experiment experiment;
  Place place;

  // How a message speaks of equation i: its name, or "equation 3".
  std::string label(EquationId equation) const;
  // And of unknown j: its name, or the expression that it stands for.
  std::string label(UnknownId unknown) const;
  // Label with file and line, for the "where" of a message: "crane.mo:12:3 'length'".
  std::string place_of(EquationId equation) const;
  std::string place_of(UnknownId unknown) const;
  // The name of a when clause, or its condition.
  std::string label(const When& when) const;
};

// A copy of the model with a graph of its own, in which all ids are those of the original.
ModelData copy_of(const ModelData& model);

// The outputs that are reported: implied ones only if their name is free.
std::vector<const Output*> outputs_of(const ModelData& model);

// What is reported beside the variables: discrete variables in the order of their declaration, then
// outputs.
std::vector<Output> reported_of(const ModelData& model);

// What is wrong with a drawing that is to be added to those of the model, if anything is.
struct DrawingFault {
  std::string what, why, todo;
};
std::optional<DrawingFault> fault_of(const Drawing& drawing, const ModelData& model);

Place place_of(const Location& location);

// The node of an expression in the model's graph. Throws Error E-MOD-006 for one of another model.
NodeId node_of(ModelData& model, const Expression& expression, const Place& place);

// Values of all parameters, in order: overrides, else bindings.
// Throws Error E-MOD-002 (no value) or E-MOD-003 (NaN or infinite), all offenders at once.
std::vector<double> parameter_values(const ModelData& model);
// Values of all parameters, in order, where `overrides` has the values of some. Throws also what
// Model::set_parameter throws: E-MOD-003, E-MOD-007, E-MOD-011.
std::vector<double> parameter_values(const ModelData& model, const ParameterValues& overrides);

// Which parameter is to get this value. Throws E-MOD-003 (NaN or infinite), E-MOD-007 (no such
// parameter), E-MOD-011 (structural).
std::size_t parameter_to_set(const ModelData& model, const std::string& name, double value);

// Which derivative of which variable is to get this value at the start. Throws E-SIM-006 (NaN or
// infinite), E-SIM-002 (no such variable).
struct StartToSet {
  std::size_t variable = 0;
  int order = 0;
};
StartToSet start_to_set(const ModelData& model, const std::string& name, double value);

}  // namespace daedal::model
