#include "start/consistent_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/wording.hpp"
#include "explain/domain_edge.hpp"
#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/print.hpp"
#include "init/lost_digits.hpp"
#include "plan/balanced_model.hpp"

namespace daedal::start {
namespace {

using base::listed;
using init::Condition;
using init::Outcome;
using init::PointFound;
using model::EquationId;
using model::ModelData;
using model::UnknownId;

std::vector<init::GivenStart> starts_of(const plan::Plan& plan, double t) {
  expr::Evaluator evaluator(*plan.model.graph);
  const expr::Point point{.time = t, .parameters = plan.parameters, .unknown = {}};
  std::vector<init::GivenStart> starts(plan.model.variables.size());
  for (std::size_t j = 0; j < starts.size(); ++j) {
    const model::Variable& variable = plan.model.variables[j];
    if (variable.nominal) starts[j].nominal = evaluator.value(*variable.nominal, point);
    for (const model::Start& start : variable.start) {
      init::GivenValue given{.fixed = start.fixed};
      if (start.value) given.value = evaluator.value(*start.value, point);
      starts[j].derivatives.push_back(given);
    }
  }
  for (const plan::OtherStart& other : plan.starts) {
    std::vector<init::GivenValue>& given =
        starts[static_cast<std::size_t>(other.unknown)].derivatives;
    given.resize(std::max(given.size(), static_cast<std::size_t>(other.order) + 1));
    given[static_cast<std::size_t>(other.order)] = {.value = other.value, .fixed = other.fixed};
  }
  return starts;
}

}  // namespace

init::SearchInput search_input(plan::Plan& plan, double t) {
  return {.graph = *plan.equations.graph,
          .residuals = plan.residuals(),
          .initial_residuals = plan.initial_residuals(),
          .structure = plan.structure,
          .leads = plan.leads,
          .is_linear = plan.is_linear,
          .time = t,
          .parameters = plan.parameters,
          .starts = starts_of(plan, t),
          .weighs_all = plan.weights == StartWeighting::all && !plan.is_quasilinear()};
}

namespace {

// Puts what was found into the user's words.
class Wording {
 public:
  Wording(const plan::Plan& plan, const init::SearchInput& input, const PointFound& found)
      : plan_(plan), model_(plan.model), input_(input), found_(found) {}

  ConsistentPoint point() const {
    ConsistentPoint point;
    point.t = input_.time;
    point.index = plan_.structure.index;
    point.dof = plan_.structure.dof;
    point.residual = found_.residual;
    point.distance = found_.distance;
    point.condition = found_.condition;
    describe_values(point);
    describe_start(point);
    explain(point);
    return point;
  }

 private:
  void describe_values(ConsistentPoint& point) const {
    const std::vector<int> orders = plan_.local_orders();
    for (std::size_t j = 0; j < model_.variables.size(); ++j) {
      point.variables.push_back(model_.variables[j].name);
      const std::vector<double>& all = found_.derivatives[j];
      const std::size_t count = std::min(all.size(), static_cast<std::size_t>(orders[j]) + 1);
      point.values.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    }
  }

  // What could be chosen: x_j^(m) below the local order, and at it where the block is nonlinear;
  // and what the user gave beyond.
  void describe_start(ConsistentPoint& point) const {
    const std::vector<int> orders = plan_.local_orders();
    const std::vector<int> block_of = init::blocks_of_unknowns(plan_.structure);
    for (int j = 0; j < static_cast<int>(orders.size()); ++j) {
      const int count = orders[j] + (plan_.is_linear[block_of[j]] ? 0 : 1);
      const auto num_found = static_cast<int>(found_.derivatives[j].size());
      for (int m = 0; m < num_found; ++m) {
        const init::GivenValue given = input_.starts[j].at(m);
        if (m >= count && !given.is_given()) continue;
        point.start.push_back({.variable = j,
                               .order = m,
                               .value = found_.derivatives[j][m],
                               .given = given.value,
                               .fixed = given.fixed,
                               .undetermined = is_undetermined(j, m),
                               .follows = m >= count && !given.fixed && !weighs_beyond(j, m)});
      }
    }
  }

  // Rule C12.
  bool weighs_beyond(int unknown, int order) const {
    return input_.weighs_all && order <= plan_.structure.d[static_cast<std::size_t>(unknown)];
  }

  bool is_undetermined(int unknown, int order) const {
    const auto precedes = [](const init::Coefficient& a, const init::Coefficient& b) {
      return std::pair(a.index, a.order) < std::pair(b.index, b.order);
    };
    return std::binary_search(found_.undetermined.begin(), found_.undetermined.end(),
                              init::Coefficient{unknown, order}, precedes);
  }

  void explain(ConsistentPoint& point) const {
    switch (found_.outcome) {
      case Outcome::found: return;
      case Outcome::undefined:
        point.status = Status::left_domain;
        point.problems.push_back(undefined());
        return;
      case Outcome::no_solution:
        point.status = Status::no_consistent_point;
        point.problems.push_back(no_solution());
        return;
      case Outcome::conflict:
        point.status = Status::conflicting_conditions;
        for (const init::ConditionConflict& conflict : found_.conflicts) {
          point.conflicts.push_back(
              {labels_with_places(conflict.conditions), what_to_free(conflict)});
          point.problems.push_back(conflicting(conflict));
        }
        return;
      case Outcome::dependent:
        point.status = Status::conflicting_conditions;
        point.conflicts.push_back(
            {labels_with_places(dependent_conditions()), what_to_free_of_dependent()});
        point.problems.push_back(dependent());
        return;
      case Outcome::singular:
        point.status = Status::singular_point;
        point.problems.push_back(singular());
        return;
    }
  }

  // "x = 10 (fixed)", "initial equation 'rest'".
  std::string label(const Condition& condition) const {
    if (!condition.is_fixed_value()) return initial_label(condition.initial_equation);
    return fmt::format("{} = {} (fixed)", name(condition.unknown, condition.order),
                       input_.starts[condition.unknown].at(condition.order).value);
  }
  std::string initial_label(int e) const {
    const std::string& name = model_.initial_equations[e].name;
    return name.empty() ? fmt::format("initial equation {}", e + 1)
                        : fmt::format("initial equation '{}'", name);
  }
  std::vector<std::string> labels(const std::vector<Condition>& conditions) const {
    std::vector<std::string> texts;
    for (const Condition& condition : conditions) texts.push_back(label(condition));
    return texts;
  }
  // "x = 10 (fixed) at crane.mo:12:3".
  std::vector<std::string> labels_with_places(const std::vector<Condition>& conditions) const {
    std::vector<std::string> texts;
    for (const Condition& condition : conditions) {
      const std::string where = place_text(condition);
      texts.push_back(where.empty() ? label(condition) : label(condition) + " at " + where);
    }
    return texts;
  }
  std::string short_name(const Condition& condition) const {
    return condition.is_fixed_value() ? name(condition.unknown, condition.order)
                                      : initial_label(condition.initial_equation);
  }
  std::string name(int unknown, int order) const {
    return model::derivative_name(model_.variables[unknown].name, order);
  }
  std::string place_text(const Condition& condition) const {
    return condition.is_fixed_value()
               ? model_.variables[condition.unknown].place.text()
               : model_.initial_equations[condition.initial_equation].place.text();
  }
  // "crane.mo:12:3 x = 10 (fixed)".
  std::string place(const Condition& condition) const {
    const std::string where = place_text(condition);
    return where.empty() ? label(condition) : where + " " + label(condition);
  }
  std::string places(const std::vector<Condition>& conditions) const {
    return listed(conditions.size(), [&](std::size_t k) { return place(conditions[k]); });
  }
  std::string equation_places(const std::vector<int>& equations) const {
    return listed(equations.size(),
                  [&](std::size_t k) { return model_.place_of(EquationId(equations[k])); });
  }

  // " with x = -1, y = 0": the unknowns in an operation.
  std::string values_below(expr::NodeId operation) const {
    const expr::Graph& graph = *plan_.equations.graph;
    std::vector<std::string> texts;
    const expr::NodeId roots[] = {operation};
    for (const expr::NodeId node : expr::reachable(graph, roots)) {
      if (graph.op(node) != expr::Op::unknown) continue;
      const std::size_t j = graph.unknown(node).index();
      if (found_.derivatives[j].empty()) continue;
      texts.push_back(
          fmt::format("{} = {:.6g}", model_.variables[j].name, found_.derivatives[j][0]));
    }
    return texts.empty() ? "" : " with " + listed(texts);
  }

  // What was found, 0 beyond.
  expr::Point point_found() const {
    const auto derivative = [this](expr::UnknownId j, int order) {
      const std::vector<double>& known = found_.derivatives[j.index()];
      return order < static_cast<int>(known.size()) ? known[static_cast<std::size_t>(order)] : 0.0;
    };
    return {.time = input_.time, .parameters = plan_.parameters, .unknown = derivative};
  }

  // An operation that has a value, but whose derivatives are infinite.
  expr::NodeId without_derivatives() const {
    return explain::operation_at_edge(*plan_.equations.graph, plan_.equations.roots, point_found());
  }

  // A quotient of two zeros may have a limit, but no value; nor has the sine of any angle.
  bool has_lost_digits(expr::NodeId operation) const {
    const expr::NodeId roots[] = {operation};
    return init::lost_digits(*plan_.equations.graph, roots, point_found()) == operation;
  }

  std::string why_undefined(expr::NodeId operation) const {
    if (!operation.is_set()) return "a function has no finite value there";
    const bool is_quotient = plan_.equations.graph->op(operation) == expr::Op::quotient;
    const bool is_rounding = has_lost_digits(operation);
    return fmt::format("{} has no finite {}{}{}",
                       expr::to_text(*plan_.equations.graph, operation, 120),
                       found_.undefined.is_set() ? "value" : "derivative", values_below(operation),
                       !is_rounding  ? ""
                       : is_quotient ? ": it is 0/0"
                                     : ": the angle is known to no part of a turn");
  }

  Problem undefined() const {
    const expr::Graph& graph = *plan_.equations.graph;
    const expr::NodeId operation =
        found_.undefined.is_set() ? found_.undefined : without_derivatives();
    const auto position = operation.is_set() ? graph.position(operation) : expr::SourcePosition{};
    const model::Place where{
        .file = model_.place.file, .line = position.line, .column = position.column};
    return {
        .id = "S-INI-001",
        .what = fmt::format("the equations are not defined at the guesses, t = {}", input_.time),
        .where = where.text(),
        .why = why_undefined(operation),
        .todo = found_.works ? what_works(*found_.works)
                             : "give start values inside the domain of every function, not on its "
                               "edge"};
  }

  std::string what_works(const init::StartThatWorks& works) const {
    const init::GivenValue given = input_.starts[works.unknown].at(works.order);
    return fmt::format(
        "give start values inside the domain of every function, not on its edge: it works with {} "
        "= {:.6g}{}, for example",
        name(works.unknown, works.order), works.value,
        given.is_given() ? fmt::format(" instead of {:.6g}", given.value) : "");
  }

  // "d/dt 'length'".
  std::string differentiated(int equation, int order) const {
    std::string label = "'" + model_.label(EquationId(equation)) + "'";
    if (order == 0) return label;
    return order == 1 ? "d/dt " + label : fmt::format("d^{}/dt^{} {}", order, order, label);
  }

  Problem no_solution() const {
    if (found_.overgrown) return overgrown(*found_.overgrown);
    constexpr double counts = 1e-3;  // of the largest
    std::vector<std::string> residuals;
    std::vector<int> equations;
    for (const init::Defect& defect : found_.defects) {
      if (std::abs(defect.residual) < counts * std::abs(found_.defects[0].residual)) break;
      residuals.push_back(fmt::format("{}: {:.4g}", differentiated(defect.equation, defect.order),
                                      defect.residual));
      if (std::find(equations.begin(), equations.end(), defect.equation) == equations.end())
        equations.push_back(defect.equation);
    }
    return {
        .id = "S-INI-002",
        .what = fmt::format("no consistent point was found near the guesses, t = {}", input_.time),
        .where = equation_places(equations),
        .why = fmt::format(
            "the equations cannot all be met, from the guesses or from 9 other starts; at the "
            "best point found left minus right is left over in {}",
            listed(residuals)),
        .todo = "check these equations for contradictions, or give guesses nearer to a solution"};
  }

  Problem overgrown(const init::Overgrown& largest) const {
    return {.id = "S-INI-002",
            .what = fmt::format(
                "the values at the start grow too large for double precision, t = {}", input_.time),
            .where = model_.variables[largest.unknown].place.text(),
            .why = fmt::format("values that follow from others grow from one to the next: {} is "
                               "{:.2g}, and rounding in it decides what follows from it",
                               name(largest.unknown, largest.order), largest.value),
            .todo =
                "scale the model, or write it with fewer differentiations; no guess changes "
                "values that follow from the equations"};
  }

  std::string what_to_free(const init::ConditionConflict& conflict) const {
    const Condition& free = conflict.conditions[conflict.free];
    const std::string nearest = conflict.conditions.size() == 1
                                    ? "it is violated by the nearest consistent point"
                                    : "of these it changes least when the others hold";
    if (!free.is_fixed_value())
      return fmt::format("{}: {}", initial_label(free.initial_equation), nearest);
    return fmt::format("{}: {}, to {:.10g} instead of {}", name(free.unknown, free.order), nearest,
                       conflict.freed_value, input_.starts[free.unknown].at(free.order).value);
  }

  // "; they meet in crane.mo:14:3 'cable', where L = 1.5": constraints on what the conditions set,
  // with the parameters in them.
  std::string where_they_meet(const std::vector<Condition>& conditions) const {
    const expr::Graph& graph = *plan_.equations.graph;
    std::vector<std::string> equations, parameters;
    for (std::size_t i = 0; i < plan_.structure.c.size(); ++i) {
      if (plan_.structure.c[i] == 0) continue;
      const expr::NodeId roots[] = {plan_.equations.roots[i]};
      bool is_met = false;
      std::vector<std::string> own;
      for (const expr::NodeId node : expr::reachable(graph, roots)) {
        if (graph.op(node) == expr::Op::unknown)
          is_met = is_met || sets(conditions, static_cast<int>(graph.unknown(node).index()));
        if (graph.op(node) != expr::Op::parameter) continue;
        const std::size_t k = graph.parameter(node).index();
        own.push_back(fmt::format("{} = {}", model_.parameters[k].name, plan_.parameters[k]));
      }
      if (!is_met) continue;
      equations.push_back(model_.place_of(EquationId(i)));
      for (const std::string& text : own)
        if (std::find(parameters.begin(), parameters.end(), text) == parameters.end())
          parameters.push_back(text);
    }
    if (equations.empty()) return "";
    return fmt::format("; {} {}{}", conditions.size() == 1 ? "it meets" : "they meet in",
                       listed(equations),
                       parameters.empty() ? "" : ", where " + listed(parameters));
  }
  static bool sets(const std::vector<Condition>& conditions, int unknown) {
    return std::any_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
      return condition.is_fixed_value() && condition.unknown == unknown;
    });
  }

  Problem conflicting(const init::ConditionConflict& conflict) const {
    const bool is_one = conflict.conditions.size() == 1;
    return {
        .id = "S-INI-003",
        .what = is_one
                    ? fmt::format("{} contradicts the equations", label(conflict.conditions[0]))
                    : fmt::format("{} conditions at the start contradict each other: {}",
                                  conflict.conditions.size(), listed(labels(conflict.conditions))),
        .where = places(conflict.conditions),
        .why =
            (is_one ? "no point that satisfies the equations was found with it, but there is one "
                      "without it"
                    : "no point that satisfies the equations was found with all of them, but there "
                      "is one without any one of them") +
            where_they_meet(conflict.conditions),
        .todo = "free " + what_to_free(conflict)};
  }

  std::vector<Condition> dependent_conditions() const {
    const std::vector<Condition> all = init::conditions_of(input_);
    std::vector<Condition> some;
    for (const int a : found_.independence.dependent) some.push_back(all[a]);
    return some;
  }

  std::string what_to_free_of_dependent() const {
    return fmt::format(
        "{}: the start has {} of freedom, of which the conditions determine {}",
        short_name(dependent_conditions().back()),
        base::plural(static_cast<std::size_t>(found_.independence.dimension), "degree"),
        found_.independence.rank);
  }

  Problem dependent() const {
    const std::vector<Condition> some = dependent_conditions();
    const std::vector<Condition> all = init::conditions_of(input_);
    std::vector<std::string> names;
    for (const Condition& condition : all) names.push_back(short_name(condition));
    return {
        .id = "S-INI-004",
        .what = fmt::format("the conditions at the start do not determine it: {} there",
                            names.size() == 1 ? names[0] + " is not a coordinate"
                                              : "(" + listed(names) + ") are not coordinates"),
        .where = places(some),
        .why = fmt::format(
            "{} at this point, but no direction that the equations leave free changes {} to first "
            "order; {} of rank {} meet {} of freedom",
            some.size() == 1 ? "the condition holds" : "the conditions hold together",
            some.size() == 1 ? "it" : "a combination of them",
            base::plural(all.size(), "condition"), found_.independence.rank,
            base::plural(static_cast<std::size_t>(found_.independence.dimension), "degree")),
        .todo =
            fmt::format("free {} and fix another value instead, or fix all values of this point",
                        label(some.back()))};
  }

  Problem singular() const {
    std::string where, block_names;
    if (found_.singular_block >= 0) {
      const structure::Block& block = plan_.structure.fine_blocks[found_.singular_block];
      where = equation_places(block.equations);
      block_names = fmt::format(" of block {} {{{}}}", found_.singular_block + 1,
                                listed(block.unknowns.size(), [&](std::size_t k) {
                                  return model_.variables[block.unknowns[k]].name;
                                }));
    }
    return {
        .id = "S-INI-005",
        .what = fmt::format("the system Jacobian{} is singular at the consistent point, t = {}",
                            block_names, input_.time),
        .where = where,
        .why = found_.singular_block >= 0
                   ? fmt::format("its condition number is {:.1e}: the equations do not determine "
                                 "the highest derivatives here",
                                 found_.condition)
                   : "the search converged as it does at a multiple root, where solutions meet",
        .todo =
            "start at another point: change or fix a value so that it lies apart from this one"};
  }

  const plan::Plan& plan_;
  const ModelData& model_;
  const init::SearchInput& input_;
  const PointFound& found_;
};

ConsistentPoint analysis_fails(plan::Plan& plan, double t) {
  ConsistentPoint point;
  point.status = Status::structural_analysis_fails;
  point.problems = explain_regularity(plan);
  point.t = t;
  point.index = plan.structure.index;
  point.dof = plan.structure.dof;
  for (const model::Variable& variable : plan.model.variables) {
    point.variables.push_back(variable.name);
    point.values.emplace_back();
  }
  return point;
}

}  // namespace

ConsistentPoint in_words(const plan::Plan& plan, const init::SearchInput& input,
                         const PointFound& found) {
  return Wording(plan, input, found).point();
}

ConsistentPoint with_outputs(const plan::Plan& plan, ConsistentPoint point) {
  point.outputs = plan.outputs->names();
  point.num_discretes = plan.outputs->num_discretes();
  const auto derivative = [&](int unknown, int order) {
    const std::vector<double>& known = point.values[unknown];
    return order < static_cast<int>(known.size()) ? known[order]
                                                  : std::numeric_limits<double>::quiet_NaN();
  };
  point.output_values = plan.outputs->values(point.t, plan.parameters, derivative);
  return point;
}

init::PointFound find_start(plan::Plan& plan, double t) {
  return init::find_consistent_point(search_input(plan, t));
}

ConsistentPoint StartSearch::at(double t) {
  ConsistentPoint point = point_at(t);
  if (!point.ok() && point.status != Status::conflicting_conditions) {
    std::vector<Problem> dependent =
        plan::explain_dependent_constraints(plan_.model, plan_.parameters, t);
    if (!dependent.empty()) point.problems = std::move(dependent);
  } else if (point.ok() && plan_.model.mechanics) {
    point.problems =
        plan::explain_violated_constraints(plan_.model, plan_.parameters, t, point.values);
    if (!point.problems.empty()) point.status = Status::no_consistent_point;
  }
  return with_outputs(plan_, std::move(point));
}

ConsistentPoint StartSearch::point_at(double t) {
  if (!plan_.regularity.singular.empty()) return analysis_fails(plan_, t);
  const init::SearchInput input = search_input(plan_, t);
  std::vector<init::Condition> conditions = init::conditions_of(input);
  if (!search_ || conditions != conditions_) search_ = std::make_unique<init::PointSearch>(input);
  conditions_ = std::move(conditions);
  const PointFound found = search_->run({t, plan_.parameters, input.starts});
  return Wording(plan_, input, found).point();
}

init::SearchInput search_input_near(plan::Plan& plan, double t,
                                    const std::vector<std::vector<double>>& values,
                                    const std::vector<init::Coefficient>& fixed) {
  init::SearchInput input = search_input(plan, t);
  input.initial_residuals = {};
  input.is_by_user = false;
  for (std::size_t j = 0; j < input.starts.size(); ++j) {
    input.starts[j].derivatives.clear();
    if (j >= values.size()) continue;
    for (const double value : values[j]) input.starts[j].derivatives.push_back({.value = value});
  }
  for (const init::Coefficient& c : fixed) input.starts[c.index].derivatives[c.order].fixed = true;
  return input;
}

ConsistentPoint StartSearch::near(double t, const std::vector<std::vector<double>>& values,
                                  const std::vector<init::Coefficient>& fixed) {
  if (!plan_.regularity.singular.empty()) return analysis_fails(plan_, t);
  const init::SearchInput input = search_input_near(plan_, t, values, fixed);
  const PointFound found = init::find_consistent_point(input);
  return Wording(plan_, input, found).point();
}

ConsistentPoint without_auxiliaries(ConsistentPoint point, const model::ModelData& model) {
  const std::size_t num_variables = model.variables.size();
  point.variables.clear();
  for (const model::Variable& variable : model.variables) point.variables.push_back(variable.name);
  point.values.resize(num_variables);
  std::erase_if(point.start, [&](const StartValue& start) {
    return static_cast<std::size_t>(start.variable) >= num_variables;
  });
  return point;
}

ConsistentPoint consistent_start(plan::Plan& plan, double t) { return StartSearch(plan).at(t); }

}  // namespace daedal::start
