#include <fmt/format.h>

#include "base/check.hpp"
#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

class EquationLowering {
 public:
  explicit EquationLowering(Lowering& lowering, StatementKind kind = StatementKind::equation)
      : lowering_(lowering), kind_(kind) {}

  void lower(const std::vector<Statement>& statements, std::vector<model::Equation>& into) {
    for (const Statement& statement : statements) lower(statement, into);
  }

  // Real x = e; is the equation x = e.
  void lower_bindings() {
    for (const Component& component : lowering_.scope.components()) {
      const Declaration& declaration = *component.declaration;
      const bool is_equation = declaration.variability == Variability::variable &&
                               declaration.binding.is_set() && !declaration.is_output;
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
    if (statement.kind != kind_) return;
    check_label(statement);
    const Value left = evaluate(statement.left);
    const Value right = evaluate(statement.right);
    if (left.is_bad() || right.is_bad()) return check_reported();
    add(left, right, statement.label, statement.position, into);
  }

  // Stops at the first turn with an error: the others would repeat it.
  void lower_loop(const Statement& loop, std::vector<model::Equation>& into) {
    const std::size_t num_outer = loop_variables_.size();
    for (const TermId iterator : loop.iterators)
      loop_variables_.push_back(lowering_.ast[iterator].symbol);
    const bool complete = lowering_.evaluator.for_each(loop.iterators, [&] {
      const std::uint64_t before = lowering_.diagnostics.num_reports();
      for (const Statement& statement : loop.body) lower(statement, into);
      return lowering_.diagnostics.num_reports() == before;
    });
    loop_variables_.resize(num_outer);
    if (!complete) check_reported();
  }

  void check_label(const Statement& statement) {
    if (!statement.label.is_set()) return;
    const auto [first, is_new] =
        lowering_.equation_labels.emplace(statement.label.value, &statement);
    if (is_new || first->second == &statement) return;
    lowering_.report(
        "E-LNG-003", statement.position,
        fmt::format("the equation name '{}' is used twice", lowering_.ast.name_of(statement.label)),
        fmt::format("it was first used at {}",
                    lowering_.diagnostics.place(first->second->position)),
        "rename one of the two");
  }

  // length, length[2] in a loop or for an element of an array, length[2,1] in both.
  std::string name_of(Symbol label, const Dimensions& dimensions, std::size_t element) const {
    if (!label.is_set()) return {};
    std::string indices;
    const auto append = [&](double index) {
      indices += indices.empty() ? "" : ",";
      fmt::format_to(std::back_inserter(indices), "{}", index);
    };
    for (const Symbol loop : loop_variables_) append(lowering_.scope.loop(loop).value.number);
    std::size_t stride = 1;
    for (const std::int64_t size : dimensions) stride *= static_cast<std::size_t>(size);
    for (const std::int64_t size : dimensions) {
      stride /= static_cast<std::size_t>(size);
      append(static_cast<double>(element / stride % static_cast<std::size_t>(size) + 1));
    }
    const std::string& name = lowering_.ast.name_of(label);
    return indices.empty() ? name : fmt::format("{}[{}]", name, indices);
  }

  void add(const Value& left, const Value& right, Symbol label, Position position,
           std::vector<model::Equation>& into) {
    if (left.dimensions() != right.dimensions()) return report_mismatch(left, right, position);
    const auto count = static_cast<std::int64_t>(left.elements().size());
    if (!lowering_.budget.charge(count, position)) return check_reported();
    if (static_cast<std::int64_t>(into.size()) + count > Budget::max_elements)
      return lowering_.report("E-LNG-008", position, "the model has too many equations",
                              fmt::format("here they pass {}", Budget::max_elements),
                              "make loops and arrays smaller");
    const ScalarAlgebra& algebra = lowering_.evaluator.algebra();
    lowering_.data.graph->set_position(position);
    for (std::size_t k = 0; k < left.elements().size(); ++k) {
      model::Equation equation;
      equation.name = name_of(label, left.dimensions(), k);
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
  std::vector<Symbol> loop_variables_;  // outermost first
};

}  // namespace

std::vector<model::Equation> unrolled(Lowering& lowering, const std::vector<Statement>& statements,
                                      StatementKind kind) {
  std::vector<model::Equation> equations;
  EquationLowering(lowering, kind).lower(statements, equations);
  return equations;
}

void lower_equations(Lowering& lowering) {
  EquationLowering equations(lowering);
  equations.lower_bindings();
  equations.lower(lowering.ast.equations, lowering.data.equations);
  equations.lower(lowering.ast.initial_equations, lowering.data.initial_equations);
}

}  // namespace daedal::lang
