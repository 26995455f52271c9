// The C++ builder: checks what it is given at once and fills a ModelData.
#include "daedal/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "daedal/error.hpp"
#include "expr/print.hpp"
#include "model/model_data.hpp"

namespace daedal {
namespace {

using expr::NodeId;
using model::ModelData;
using model::node_of;
using model::Place;
using model::place_of;

[[noreturn]] void fail(std::string id, std::string what, const Place& place, std::string why,
                       std::string todo) {
  throw Error(Problem{.id = std::move(id),
                      .what = std::move(what),
                      .where = place.text(),
                      .why = std::move(why),
                      .todo = std::move(todo)});
}

// A node that may depend on parameters only: start values, nominals, parameter defaults.
NodeId invariant_node(ModelData& data, const Expression& expression, const std::string& role,
                      const Place& place) {
  const NodeId node = node_of(data, expression, place);
  if (data.graph->varies(node))
    fail("E-MOD-009", fmt::format("{} depends on a variable or on time", role), place,
         "it is needed before the solution exists", "use numbers and parameters only");
  return node;
}

std::vector<model::Start> start_of(ModelData& data, const std::string& name,
                                   const VariableOptions& options, const Place& place) {
  if (options.fixed.size() > options.start.size())
    fail("E-MOD-010", fmt::format("variable '{}' fixes a value that is not given", name), place,
         fmt::format("fixed has {} entries, start has {}", options.fixed.size(),
                     options.start.size()),
         "give a start value for every fixed derivative");
  std::vector<model::Start> start;
  for (std::size_t k = 0; k < options.start.size(); ++k)
    start.push_back({.value = invariant_node(data, options.start[k],
                                             fmt::format("a start value of '{}'", name), place),
                     .fixed = k < options.fixed.size() && options.fixed[k]});
  return start;
}

void add_equation(ModelData& data, std::vector<model::Equation>& equations, const std::string& name,
                  const Equality& equality, const Place& place) {
  const NodeId left = node_of(data, equality.left, place);
  const NodeId right = node_of(data, equality.right, place);
  equations.push_back({.name = name,
                       .left = left,
                       .right = right,
                       .residual = data.graph->subtract(left, right),
                       .place = place});
}

model::Reinit reinit_of(ModelData& data, const Action& action, const Place& place) {
  const NodeId target = node_of(data, action.target, place);
  const expr::Graph& graph = *data.graph;
  const bool is_derivative = graph.op(target) == expr::Op::diff;
  const NodeId variable = is_derivative ? graph.arguments(target)[0] : target;
  if (graph.op(variable) != expr::Op::unknown)
    fail("E-MOD-015", fmt::format("reinit of '{}'", expr::to_text(graph, target, 80)), place,
         "only variables and their derivatives have values that can start again",
         "reinit a variable x, or a derivative der(x), der(x, 2)");
  return {.unknown = graph.unknown(variable),
          .order = is_derivative ? graph.order(target) : 0,
          .value = node_of(data, action.value, place),
          .place = place};
}

model::Assignment assignment_of(ModelData& data, const Action& action, const Place& place) {
  const NodeId target = node_of(data, action.target, place);
  const expr::Graph& graph = *data.graph;
  if (graph.op(target) != expr::Op::parameter ||
      !data.parameters[graph.parameter(target).index()].is_discrete)
    fail("E-MOD-016", fmt::format("'{}' is assigned to", expr::to_text(graph, target, 80)), place,
         "it is not a discrete variable, and only those keep what an event gives them",
         "declare it with Model::discrete, or use reinit for a variable of the equations");
  return {.variable = graph.parameter(target),
          .value = node_of(data, action.value, place),
          .place = place};
}

}  // namespace

Action reinit(const Expression& target, const Expression& value) {
  return {.kind = Action::Kind::reinit, .target = target, .value = value};
}
Action assign(const Expression& target, const Expression& value) {
  return {.kind = Action::Kind::assign, .target = target, .value = value};
}
Action terminate(std::string message) {
  return {.kind = Action::Kind::terminate, .message = std::move(message)};
}

Model::Model(std::string name, std::string description) : data_(std::make_unique<ModelData>()) {
  data_->name = std::move(name);
  data_->description = std::move(description);
}
Model::Model(ModelData data) : data_(std::make_unique<ModelData>(std::move(data))) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

const ModelData& Model::data() const { return owned(); }

ModelData& Model::owned() const {
  if (data_ == nullptr)
    fail("E-MOD-014", "a model that was moved away is used", {},
         "after `Model b = std::move(a)` the equations belong to b", "use the model moved to");
  return *data_;
}

Expression Model::variable(const std::string& name, const VariableOptions& options,
                           Location location) {
  const Place place = place_of(location);
  model::Variable variable;
  variable.start = start_of(owned(), name, options, place);
  variable.nominal = invariant_node(owned(), options.nominal,
                                    fmt::format("the nominal value of '{}'", name), place);
  variable.name = name;
  variable.unit = options.unit;
  variable.description = options.description;
  variable.place = place;
  variable.node = owned().graph->add_unknown(name);
  owned().variables.push_back(std::move(variable));
  return Expression::of(owned().graph.get(), owned().variables.back().node.value);
}

std::vector<Expression> Model::variables(const std::string& name, int size,
                                         const VariableOptions& each, Location location) {
  std::vector<Expression> elements;
  for (int k = 1; k <= size; ++k)
    elements.push_back(variable(fmt::format("{}[{}]", name, k), each, location));
  return elements;
}

Expression Model::parameter(const std::string& name, const Expression& value,
                            const ParameterOptions& options, Location location) {
  const Place place = place_of(location);
  model::Parameter parameter;
  parameter.binding =
      invariant_node(owned(), value, fmt::format("the default of parameter '{}'", name), place);
  parameter.name = name;
  parameter.unit = options.unit;
  parameter.description = options.description;
  parameter.place = place;
  parameter.node = owned().graph->add_parameter(name);
  owned().parameters.push_back(std::move(parameter));
  return Expression::of(owned().graph.get(), owned().parameters.back().node.value);
}

Expression Model::parameter(const std::string& name, Location location) {
  const Expression result = parameter(name, 0.0, {}, location);
  owned().parameters.back().binding.reset();
  return result;
}

void Model::set_parameter(const std::string& name, double value) {
  model::ModelData& model = owned();
  model.parameters[model::parameter_to_set(model, name, value)].override_value = value;
}

void Model::set_start(const std::string& name, double value) { give_start(name, value, false); }
void Model::fix_start(const std::string& name, double value) { give_start(name, value, true); }

void Model::give_start(const std::string& name, double value, bool is_fixed) {
  ModelData& model = owned();
  const model::StartToSet given = model::start_to_set(model, name, value);
  std::vector<model::Start>& start = model.variables[given.variable].start;
  const auto order = static_cast<std::size_t>(given.order);
  start.resize(std::max(start.size(), order + 1));
  start[order] = {.value = model.graph->constant(value), .fixed = is_fixed};
}

void Model::set_nominal(const std::string& variable, double nominal) {
  ModelData& model = owned();
  const model::StartToSet given = model::start_to_set(model, variable, nominal);
  if (given.order > 0)
    fail("E-SIM-002", fmt::format("there is no variable '{}'", variable), model.place,
         "the sizes of derivatives follow from that of their variable and from the run",
         fmt::format("set the nominal value of '{}'", model.variables[given.variable].name));
  model.variables[given.variable].nominal = model.graph->constant(nominal);
}

Expression Model::time() const {
  return Expression::of(owned().graph.get(), owned().graph->time().value);
}

void Model::equation(const Equality& equality, Location place) { equation("", equality, place); }

void Model::equation(const std::string& name, const Equality& equality, Location place) {
  add_equation(owned(), owned().equations, name, equality, place_of(place));
}

void Model::initial_equation(const Equality& equality, Location place) {
  initial_equation("", equality, place);
}

void Model::initial_equation(const std::string& name, const Equality& equality, Location place) {
  add_equation(owned(), owned().initial_equations, name, equality, place_of(place));
}

void Model::when(const Condition& condition, const std::vector<Action>& actions, Location place) {
  when("", condition, actions, place);
}

void Model::when(const std::string& name, const Condition& condition,
                 const std::vector<Action>& actions, Location location) {
  const Place place = place_of(location);
  model::When when{.name = name,
                   .condition = node_of(owned(), condition.value(), place),
                   .reinits = {},
                   .assignments = {},
                   .place = place};
  for (const Action& action : actions) {
    if (action.kind == Action::Kind::reinit) {
      when.reinits.push_back(reinit_of(owned(), action, place));
    } else if (action.kind == Action::Kind::assign) {
      when.assignments.push_back(assignment_of(owned(), action, place));
    } else {
      when.ends_run = true;
      when.message = action.message;
    }
  }
  owned().whens.push_back(std::move(when));
}

Expression Model::discrete(const std::string& name, const Expression& start, Location place) {
  const Expression result = parameter(name, start, {}, place);
  owned().parameters.back().is_discrete = true;
  return result;
}

void Model::output(const std::string& name, const Expression& expression,
                   const OutputOptions& options, Location location) {
  const Place place = place_of(location);
  owned().outputs.push_back({.name = name,
                             .node = node_of(owned(), expression, place),
                             .unit = options.unit,
                             .description = options.description,
                             .place = place});
}

void Model::draw(const Shape& shape, Location location) {
  ModelData& data = owned();
  const Place place = place_of(location);
  model::Drawing drawing{.kind = shape.kind,
                         .color = shape.color,
                         .width = shape.width,
                         .radius = node_of(data, shape.radius, place),
                         .place = place};
  for (const std::vector<Expression>& point : shape.points) {
    std::vector<NodeId>& coordinates = drawing.points.emplace_back();
    for (const Expression& coordinate : point)
      coordinates.push_back(node_of(data, coordinate, place));
  }
  if (const auto fault = fault_of(drawing, data))
    fail("E-MOD-017", fault->what, place, fault->why, fault->todo);
  data.drawings.push_back(std::move(drawing));
}

void Model::set_experiment(const Experiment& experiment) { owned().experiment = experiment; }
Experiment Model::experiment() const { return owned().experiment; }
const std::string& Model::name() const { return owned().name; }
int Model::num_variables() const { return static_cast<int>(owned().variables.size()); }
int Model::num_equations() const { return static_cast<int>(owned().equations.size()); }

}  // namespace daedal
