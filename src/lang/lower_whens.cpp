// when ... then ... elsewhen ... end when;
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "expr/print.hpp"
#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

constexpr std::size_t longest_shown = 80;  // characters of an expression in a message

bool has_event(const Statement& statement) {
  if (statement.kind == StatementKind::event) return true;
  if (!statement.is_loop()) return false;
  for (const Statement& inner : statement.body)
    if (has_event(inner)) return true;
  return false;
}

class WhenLowering {
 public:
  explicit WhenLowering(Lowering& lowering) : lowering_(lowering), unroller_(lowering) {}

  void lower(const Statement& statement) {
    if (!has_event(statement)) return;
    if (!statement.is_loop()) return lower_event(statement);
    if (!unroller_.run(statement, [this](const Statement& inner) { lower(inner); }))
      check_reported();
  }

 private:
  // No event is left out in silence.
  void check_reported() const { DAEDAL_CHECK(lowering_.diagnostics.has_problems()); }

  Position position_of(TermId id) const { return lowering_.ast[id].position; }

  void lower_event(const Statement& event) {
    const Evaluator::AtEvent at_event(lowering_.evaluator);
    bool is_first = true;
    for (const Statement& branch : event.body) {
      const bool is_elsewhen = &branch != &event.body.front();
      model::When when;
      when.name = unroller_.name_of(event.label);
      if (is_elsewhen && !when.name.empty()) when.name += " (elsewhen)";
      when.place = lowering_.place(is_elsewhen ? branch.position : event.position);
      const std::vector<NodeId> conditions = conditions_of(branch.left);
      written_.clear();
      for (const Statement& action : branch.body) add_action(action, when);
      const std::size_t num_actions = when.reinits.size() + when.assignments.size();
      const auto cost = static_cast<std::int64_t>(conditions.size() * (1 + num_actions));
      if (!lowering_.budget.charge(cost, branch.position)) return check_reported();
      // {c, d}: each on its own, and the actions once if both happen at one instant.
      for (const NodeId condition : conditions) {
        when.condition = condition;
        when.is_alternative = !std::exchange(is_first, false);
        lowering_.data.whens.push_back(when);
      }
    }
  }

  // on and not pre(on): at an event both are the value before it.
  bool asks_for_edge(TermId id) {
    std::set<Symbol> before, now;
    collect_names(id, false, before, now);
    for (const Symbol symbol : before) {
      if (!now.contains(symbol)) continue;
      const std::string& name = lowering_.ast.name_of(symbol);
      lowering_.report("E-LNG-019", position_of(id),
                       fmt::format("'{0}' and pre({0}) stand in one condition", name),
                       "in the condition of a 'when' they are the same value",
                       "write the condition itself: a 'when' happens as it becomes true");
      return true;
    }
    return false;
  }

  void collect_names(TermId id, bool is_in_pre, std::set<Symbol>& before, std::set<Symbol>& now) {
    const Term& term = lowering_.ast[id];
    if (term.form == Form::name && lowering_.scope.find(term.symbol).is_set())
      (is_in_pre ? before : now).insert(term.symbol);
    const bool is_pre = term.form == Form::call && lowering_.ast.name_of(term.symbol) == "pre";
    for (const Child& child : lowering_.ast.children_of(term))
      collect_names(child.term, is_in_pre || is_pre, before, now);
  }

  std::vector<NodeId> conditions_of(TermId id) {
    if (asks_for_edge(id)) return {};
    const Value value =
        lowering_.evaluator.evaluate(id, Mode::equation, "the condition of a 'when'");
    std::vector<NodeId> conditions;
    if (value.is_bad()) check_reported();
    if (value.is_bad()) return {};
    for (const Scalar& element : value.elements()) {
      if (element.type != Type::boolean) {
        lowering_.report("E-LNG-009", position_of(id), "a condition must be a Boolean",
                         fmt::format("this is of type {}", name_of(element.type)),
                         "compare numbers with <, <=, > or >=");
        return {};
      }
      conditions.push_back(lowering_.evaluator.algebra().node_of(element));
    }
    return conditions;
  }

  void add_action(const Statement& action, model::When& when) {
    if (action.is_loop()) {
      if (!unroller_.run(action, [&](const Statement& inner) { add_action(inner, when); }))
        check_reported();
      return;
    }
    if (action.kind == StatementKind::terminate) return add_terminate(action, when);
    const bool is_reinit = action.kind == StatementKind::reinit;
    const Value target =
        is_reinit ? evaluate(action.left, "what 'reinit' changes") : discrete(action);
    const Value value = evaluate(action.right, "a value at an event");
    if (target.is_bad() || value.is_bad()) return check_reported();
    if (!is_fitting(target, value, action)) return;
    for (std::size_t k = 0; k < target.elements().size(); ++k)
      if (is_reinit ? !add_reinit(action, target.elements()[k], value.elements()[k], when)
                    : !add_assignment(action, target.elements()[k], value.elements()[k], when))
        return;
  }

  void add_terminate(const Statement& action, model::When& when) {
    const Term& message = lowering_.ast[action.left];
    if (message.form == Form::bad) return check_reported();
    if (message.form != Form::string)
      return lowering_.report("E-LNG-009", message.position, "'terminate' needs a message",
                              "this is not a text in quotes", "write terminate(\"message\")");
    when.ends_run = true;
    when.message = lowering_.ast.name_of(message.symbol);
  }

  Value evaluate(TermId id, std::string_view purpose) {
    return lowering_.evaluator.evaluate(id, Mode::equation, purpose);
  }

  bool is_fitting(const Value& target, const Value& value, const Statement& action) {
    if (target.dimensions() != value.dimensions()) {
      lowering_.report(
          "E-LNG-004", action.position, "a variable and its new value differ in size",
          fmt::format("the variable is {}, the value is {}", description_of(target.dimensions()),
                      description_of(value.dimensions())),
          "make the sizes equal, or write a for loop");
      return false;
    }
    const auto count = static_cast<std::int64_t>(target.elements().size());
    if (lowering_.budget.charge(count, action.position)) return true;
    check_reported();
    return false;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // reinit

  bool add_reinit(const Statement& action, const Scalar& target, const Scalar& value,
                  model::When& when) {
    const expr::Graph& graph = *lowering_.data.graph;
    const NodeId node = lowering_.evaluator.algebra().node_of(target);
    const bool is_derivative = graph.op(node) == expr::Op::diff;
    const NodeId variable = is_derivative ? graph.arguments(node)[0] : node;
    if (graph.op(variable) != expr::Op::unknown) return report_reinit(action, node);
    if (!lowering_.evaluator.require_numbers(Value(value), position_of(action.right),
                                             "the value of 'reinit'"))
      return false;
    if (!is_written_once(action, node)) return false;
    when.reinits.push_back({.unknown = graph.unknown(variable),
                            .order = is_derivative ? graph.order(node) : 0,
                            .value = lowering_.evaluator.algebra().node_of(value),
                            .place = lowering_.place(action.position)});
    return true;
  }

  bool report_reinit(const Statement& action, NodeId node) {
    const expr::Graph& graph = *lowering_.data.graph;
    const std::string text = expr::to_text(graph, node, longest_shown);
    const bool is_parameter = graph.op(node) == expr::Op::parameter;
    const bool is_discrete =
        is_parameter && lowering_.data.parameters[graph.parameter(node).index()].is_discrete;
    lowering_.report("E-LNG-020", position_of(action.left), fmt::format("'reinit' of '{}'", text),
                     is_discrete ? "it is a discrete variable, which is assigned"
                                 : "only variables and their derivatives can start again",
                     is_discrete ? fmt::format("write {} = value", text)
                                 : "write reinit(x, value) or reinit(der(x), value)");
    return false;
  }

  // Two values for one thing at one instant contradict each other.
  bool is_written_once(const Statement& action, NodeId node) {
    if (written_.insert(node).second) return true;
    lowering_.report("E-LNG-020", action.position,
                     fmt::format("'{}' gets two values in one 'when'",
                                 expr::to_text(*lowering_.data.graph, node, longest_shown)),
                     "all that a 'when' does happens at one instant", "keep one of the two");
    return false;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // d = e

  // The discrete variables on the left; bad and reported if it is something else.
  Value discrete(const Statement& action) {
    const Term& term = lowering_.ast[action.left];
    if (term.form == Form::bad) return {};
    const bool is_name = term.form == Form::name && !lowering_.scope.loop(term.symbol).is_active;
    const ComponentId id = is_name ? lowering_.scope.find(term.symbol) : ComponentId();
    if (is_name && !id.is_set()) return evaluate(action.left, "an assignment");  // unknown name
    const Declaration* declared = id.is_set() ? lowering_.scope[id].declaration : nullptr;
    if (declared != nullptr && declared->is_discrete && !declared->is_alias())
      return evaluate(action.left, "an assignment");
    if (declared != nullptr && lowering_.scope[id].is_bad) return {};
    report_assignment(action, declared);
    return {};
  }

  void report_assignment(const Statement& action, const Declaration* declared) {
    std::string what = "the left side of an assignment is not a discrete variable";
    std::string why = "in a 'when' d = e; gives the discrete variable d a new value";
    std::string todo = "write the discrete variable alone on the left, or reinit(x, value)";
    if (declared != nullptr) {
      const std::string& name = lowering_.ast.name_of(declared->name);
      what = fmt::format("'{}' is assigned to in a 'when'", name);
      if (declared->variability != Variability::variable) {
        why = "parameters and constants do not change in a run";
        todo = fmt::format("declare a discrete variable: discrete Real {}(start = ...)", name);
      } else if (declared->is_alias()) {
        why = fmt::format("its declaration says what it is, on line {}", declared->position.line);
        todo = fmt::format("declare it with a start value instead: {}(start = ...)", name);
      } else {
        why = "the equations determine it; only discrete variables keep what an event gives them";
        todo = fmt::format("write reinit({}, value), or declare it discrete", name);
      }
    }
    lowering_.report("E-LNG-020", action.position, what, why, todo);
  }

  bool add_assignment(const Statement& action, const Scalar& target, const Scalar& value,
                      model::When& when) {
    if (!fits_type(target.type, value)) {
      lowering_.report(
          "E-LNG-009", position_of(action.right),
          fmt::format("a variable of type {} cannot have this value", name_of(target.type)),
          fmt::format("the value is of type {}", name_of(value.type)),
          target.type == Type::boolean ? "write true, false or a condition"
          : target.type == Type::integer && value.type == Type::real
              ? "compute it from Integers, or declare the variable discrete Real"
              : "write a number");
      return false;
    }
    if (!is_written_once(action, target.node)) return false;
    when.assignments.push_back({.variable = lowering_.data.graph->parameter(target.node),
                                .value = lowering_.evaluator.algebra().node_of(value),
                                .place = lowering_.place(action.position)});
    return true;
  }

  Lowering& lowering_;
  Unroller unroller_;
  std::set<NodeId> written_;  // by the when at hand
};

}  // namespace

void lower_whens(Lowering& lowering) {
  WhenLowering whens(lowering);
  for (const Statement& statement : lowering.ast.equations) whens.lower(statement);
}

}  // namespace daedal::lang
