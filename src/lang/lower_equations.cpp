#include <fmt/format.h>

#include "base/check.hpp"
#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

// Names of equations and events: each once, but the branches of an if may share one.
class LabelCheck {
 public:
  LabelCheck(Lowering& lowering, StatementKind kind) : lowering_(lowering), kind_(kind) {}

  void run(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      if (statement.kind == StatementKind::choice)
        run_branches(statement);
      else if (statement.is_loop())
        run(statement.body);
      else if (statement.kind == kind_ || statement.kind == StatementKind::event)
        check(statement);
    }
  }

 private:
  void run_branches(const Statement& choice) {
    const std::size_t first = added_.size();
    for (const Statement& branch : choice.body) {
      const std::size_t start = added_.size();
      run(branch.body);
      for (std::size_t k = start; k < added_.size(); ++k)
        lowering_.equation_labels.erase(added_[k]->label.value);
    }
    for (std::size_t k = first; k < added_.size(); ++k)
      lowering_.equation_labels.emplace(added_[k]->label.value, added_[k]);
  }

  void check(const Statement& statement) {
    if (!statement.label.is_set()) return;
    const auto [first, is_new] =
        lowering_.equation_labels.emplace(statement.label.value, &statement);
    if (is_new) return added_.push_back(&statement);
    const bool is_event = statement.kind == StatementKind::event;
    lowering_.report("E-LNG-003", statement.position,
                     fmt::format("the {} name '{}' is used twice", is_event ? "event" : "equation",
                                 lowering_.ast.name_of(statement.label)),
                     fmt::format("it was first used at {}",
                                 lowering_.diagnostics.place(first->second->position)),
                     "rename one of the two");
  }

  Lowering& lowering_;
  StatementKind kind_;
  std::vector<const Statement*> added_;  // in the order of the text
};

class EquationLowering {
 public:
  explicit EquationLowering(Lowering& lowering, StatementKind kind = StatementKind::equation)
      : lowering_(lowering), kind_(kind), unroller_(lowering) {}

  void lower(const std::vector<Statement>& statements, std::vector<model::Equation>& into) {
    for (const Statement& statement : statements) lower(statement, into);
  }

  // Real x = e; is the equation x = e.
  void lower_bindings() {
    for (const Component& component : lowering_.scope.components()) {
      const Declaration& declaration = *component.declaration;
      const bool is_equation = declaration.variability == Variability::variable &&
                               declaration.binding.is_set() && !declaration.is_output &&
                               !declaration.is_discrete;
      if (!is_equation || component.is_bad) continue;
      const Value right = evaluate(declaration.binding);
      if (right.is_bad()) check_reported();
      if (right.is_bad()) continue;
      ArrayValue whole{component.dimensions, {}};
      for (const NodeId node : component.nodes) whole.elements.push_back(Scalar::of_node(node));
      const Value left =
          component.dimensions.empty() ? Value(whole.elements[0]) : Value(std::move(whole));
      add(left, right, {}, declaration.position, lowering_.data.equations);
    }
  }

 private:
  // No equation is left out in silence.
  void check_reported() const { DAEDAL_CHECK(lowering_.diagnostics.has_problems()); }

  Value evaluate(TermId id) {
    Value value = lowering_.evaluator.evaluate(id, Mode::equation, "an equation");
    const Position position = lowering_.ast[id].position;
    return lowering_.evaluator.require_numbers(value, position, "a side of an equation") ? value
                                                                                         : Value();
  }

  void lower(const Statement& statement, std::vector<model::Equation>& into) {
    if (statement.is_loop()) return lower_loop(statement, into);
    if (statement.kind == StatementKind::choice) return lower_choice(statement, into);
    if (statement.kind != kind_) return;
    if (defines_discrete(statement, &into == &lowering_.data.initial_equations)) return;
    const Value left = evaluate(statement.left);
    const Value right = evaluate(statement.right);
    if (left.is_bad() || right.is_bad()) {
      ++num_bad_;
      return check_reported();
    }
    add(left, right, statement.label, statement.position, into);
  }

  void lower_loop(const Statement& loop, std::vector<model::Equation>& into) {
    if (!unroller_.run(loop, [&](const Statement& statement) { lower(statement, into); }))
      check_reported();
  }

  // The discrete variable that stands alone on a side of an equation.
  const Declaration* discrete_alone(TermId id) const {
    const Term& term = lowering_.ast[id];
    if (term.form != Form::name || lowering_.scope.loop(term.symbol).is_active) return nullptr;
    const ComponentId component = lowering_.scope.find(term.symbol);
    if (!component.is_set()) return nullptr;
    const Declaration* declaration = lowering_.scope[component].declaration;
    return declaration->is_discrete && !declaration->bad ? declaration : nullptr;
  }

  // on = x > 0; of a Boolean or Integer: reported. A Real may stand there: it is a number like any
  // other, and the equation is for another unknown.
  bool defines_discrete(const Statement& statement, bool is_initial) {
    const Declaration* left = discrete_alone(statement.left);
    const Declaration* right = discrete_alone(statement.right);
    const bool left_counts = left != nullptr && (left->type != Type::real || is_initial);
    const bool right_counts = right != nullptr && right->type == Type::boolean;
    if (!left_counts && !right_counts) return false;
    const std::string& name = lowering_.ast.name_of((left_counts ? left : right)->name);
    const bool is_boolean = (left_counts ? left : right)->type == Type::boolean;
    lowering_.report(
        "E-LNG-020", statement.position,
        fmt::format("the discrete variable '{}' is defined by an equation", name),
        "it has its start value, and keeps what a 'when' gives it",
        is_initial   ? fmt::format("give its start value in the declaration: {}(start = ...)", name)
        : is_boolean ? fmt::format("write the condition where it is used, bind it in the "
                                   "declaration, Boolean {0} = ..., or assign: when c then {0} = "
                                   "...; end when;",
                                   name)
                     : fmt::format("write the expression where it is used, bind it in the "
                                   "declaration, or assign: when c then {} = ...; end when;",
                                   name));
    return true;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // if equations

  struct Branch {
    const Statement* statement;
    Scalar condition;
    std::vector<model::Equation> equations;
  };

  // The first condition that holds decides; equations k of all branches become one.
  void lower_choice(const Statement& choice, std::vector<model::Equation>& into) {
    std::vector<Branch> open;
    const Statement* last = nullptr;  // followed if no open condition holds
    for (const Statement& branch : choice.body) {
      if (!branch.left.is_set()) {
        last = &branch;
        break;
      }
      const auto condition = lowering_.evaluator.condition(branch.left);
      if (!condition) return check_reported();
      if (condition->is_known && condition->number == 0.0) continue;
      if (condition->is_known) {
        last = &branch;
        break;
      }
      open.push_back({&branch, *condition, {}});
    }
    if (open.empty()) {
      if (last != nullptr) lower(last->body, into);
      return;
    }
    if (last == nullptr && is_parametric(choice)) return lower_chosen(choice, into);
    const std::uint64_t before = lowering_.diagnostics.num_reports() + num_bad_;
    for (Branch& branch : open) lower(branch.statement->body, branch.equations);
    std::vector<model::Equation> equations;
    if (last != nullptr) lower(last->body, equations);
    if (lowering_.diagnostics.num_reports() + num_bad_ != before) return;
    if (last == nullptr) return report_missing_else(choice);
    for (const Branch& branch : open) {
      if (branch.equations.size() == equations.size()) continue;
      if (is_parametric(choice)) return lower_chosen(choice, into);
      return report_counts(branch, *last, equations.size());
    }
    for (std::size_t k = open.size(); k-- > 0;) pair(open[k], choice.position, equations);
    into.insert(into.end(), std::make_move_iterator(equations.begin()),
                std::make_move_iterator(equations.end()));
  }

  // Whether its conditions are of parameters only: then one branch can be chosen for good.
  bool is_parametric(const Statement& choice) {
    for (const Statement& branch : choice.body)
      if (branch.left.is_set() && !lowering_.evaluator.is_parametric(branch.left)) return false;
    return true;
  }

  void lower_chosen(const Statement& choice, std::vector<model::Equation>& into) {
    for (const Statement& branch : choice.body) {
      if (branch.left.is_set()) {
        const auto holds = lowering_.evaluator.structural_condition(branch.left);
        if (!holds) return check_reported();
        if (!*holds) continue;
      }
      return lower(branch.body, into);
    }
  }

  // select(condition, the branch's equation, the other's), into the others.
  void pair(Branch& branch, Position position, std::vector<model::Equation>& others) {
    const auto count = static_cast<std::int64_t>(others.size());
    if (!lowering_.budget.charge(count, position)) return check_reported();
    expr::Graph& graph = *lowering_.data.graph;
    const NodeId condition = branch.condition.node;
    for (std::size_t k = 0; k < others.size(); ++k) {
      model::Equation& first = branch.equations[k];
      model::Equation& second = others[k];
      graph.set_position({first.place.line, first.place.column});
      second.left = graph.select(condition, first.left, second.left);
      second.right = graph.select(condition, first.right, second.right);
      second.residual = graph.select(condition, first.residual, second.residual);
      if (!first.name.empty()) second.name = std::move(first.name);
      second.place = std::move(first.place);
    }
  }

  void report_missing_else(const Statement& choice) {
    lowering_.report("E-LNG-018", choice.position, "an 'if' among the equations has no 'else'",
                     "where no condition holds equations would be missing",
                     "write an 'else' with as many equations; for what happens at an instant write "
                     "'when'");
  }

  void report_counts(const Branch& branch, const Statement& last, std::size_t num_last) {
    const auto count = [](std::size_t n) {
      return n == 1 ? std::string("1 equation") : fmt::format("{} equations", n);
    };
    lowering_.report(
        "E-LNG-018", branch.statement->position,
        "the branches of an 'if' differ in the number of equations",
        fmt::format("this one has {}, the one of line {} has {}", count(branch.equations.size()),
                    last.position.line, count(num_last)),
        "give every branch as many equations; only conditions of parameters may change the number");
  }

  void add(const Value& left, const Value& right, Symbol label, Position position,
           std::vector<model::Equation>& into) {
    if (left.dimensions() != right.dimensions()) return report_mismatch(left, right, position);
    const auto count = static_cast<std::int64_t>(left.elements().size());
    if (!lowering_.budget.charge(count, position)) return check_reported();
    if (static_cast<std::int64_t>(into.size()) + count > lowering_.budget.max_elements())
      return lowering_.report("E-LNG-008", position, "the model has too many equations",
                              fmt::format("here they pass {}", lowering_.budget.max_elements()),
                              "make loops and arrays smaller, or raise --max-elements");
    const ScalarAlgebra& algebra = lowering_.evaluator.algebra();
    lowering_.data.graph->set_position(position);
    for (std::size_t k = 0; k < left.elements().size(); ++k) {
      model::Equation equation;
      equation.name = unroller_.name_of(label, left.dimensions(), k);
      equation.left = algebra.node_of(left.elements()[k]);
      equation.right = algebra.node_of(right.elements()[k]);
      equation.residual = lowering_.data.graph->subtract(equation.left, equation.right);
      equation.place = lowering_.place(position);
      into.push_back(std::move(equation));
    }
  }

  void report_mismatch(const Value& left, const Value& right, Position position) {
    const bool has_scalar = !left.is_array() || !right.is_array();
    lowering_.report(
        "E-LNG-004", position, "the sides of an equation differ in size",
        fmt::format("the left side is {}, the right side is {}", description_of(left.dimensions()),
                    description_of(right.dimensions())),
        has_scalar ? "write zeros(n) or fill(value, n) to repeat a scalar, or a for loop"
                   : "make the sizes equal");
  }

  Lowering& lowering_;
  StatementKind kind_;
  Unroller unroller_;
  std::uint64_t num_bad_ = 0;  // equations that were left out, reported
};

}  // namespace

std::vector<model::Equation> unrolled(Lowering& lowering, const std::vector<Statement>& statements,
                                      StatementKind kind) {
  std::vector<model::Equation> equations;
  LabelCheck(lowering, kind).run(statements);
  EquationLowering(lowering, kind).lower(statements, equations);
  return equations;
}

void lower_equations(Lowering& lowering) {
  LabelCheck labels(lowering, StatementKind::equation);
  labels.run(lowering.ast.equations);
  labels.run(lowering.ast.initial_equations);
  EquationLowering equations(lowering);
  equations.lower_bindings();
  equations.lower(lowering.ast.equations, lowering.data.equations);
  equations.lower(lowering.ast.initial_equations, lowering.data.initial_equations);
}

}  // namespace daedal::lang
