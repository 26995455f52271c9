// The lagrangian section: its parts become nodes, mechanics/ makes the equations.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "lang/lower.hpp"
#include "mechanics/definitions.hpp"
#include "mechanics/lagrangian.hpp"

namespace daedal::lang {
namespace {

using mechanics::ConstraintPart;
using mechanics::Finding;
using mechanics::Part;

class LagrangianLowering {
 public:
  explicit LagrangianLowering(Lowering& lowering)
      : lowering_(lowering), section_(lowering.ast.lagrangian) {}

  void run() {
    const std::uint64_t before = lowering_.diagnostics.num_reports();
    check_complete();
    parts_.allows_redundant = section_.allows_redundant;
    for (const TermId id : section_.coordinates) add_coordinates(id);
    parts_.function = scalar(section_.functions, "the Lagrangian function");
    if (!section_.dissipations.empty())
      parts_.dissipation = scalar(section_.dissipations, "the dissipation");
    for (const model::Equation& equation :
         unrolled(lowering_, section_.statements, StatementKind::constraint))
      parts_.constraints.push_back({equation.name, equation.left, equation.right, equation.place});
    check_lambda_is_free();
    if (is_incomplete_ || lowering_.diagnostics.num_reports() != before)
      return declare_bad_multipliers();
    finish();
  }

  // Equations that come later in the text define unknowns of the Lagrangian. Those of motion stand
  // before them all the same.
  void end() {
    if (!waits_ || lowering_.diagnostics.has_problems()) return;
    std::vector<model::Equation>& all = lowering_.data.equations;
    const std::vector<model::Equation> others = std::exchange(all, {});
    add_equations(others);
    all.insert(all.end(), others.begin(), others.end());
  }

 private:
  void finish() {
    std::vector<Finding> findings;
    const std::vector<NodeId> multipliers = mechanics::add_multipliers(
        lowering_.data, parts_.constraints, lowering_.place(section_.position), findings);
    report(findings);
    if (!findings.empty()) return declare_bad_multipliers();
    declare(multipliers);
    lower_aliases(lowering_, {});
    const std::uint64_t before = lowering_.diagnostics.num_reports();
    for (const model::Equation& force :
         unrolled(lowering_, section_.statements, StatementKind::force))
      parts_.forces.push_back({{force.left, force.place}, force.right});
    if (lowering_.diagnostics.num_reports() != before) return;
    multipliers_ = multipliers;
    waits_ = mechanics::has_other_unknowns(lowering_.data, parts_);
    if (!waits_) add_equations({});
  }

  void add_equations(const std::vector<model::Equation>& others) {
    std::vector<Finding> findings;
    mechanics::add_equations(lowering_.data, parts_, multipliers_, others, findings);
    report(findings);
  }

  void check_complete() {
    if (section_.functions.empty())
      lowering_.report("E-LNG-001", section_.position, "the lagrangian section has no function",
                       "the equations of motion come from the Lagrangian function L = T - V",
                       "write it: function 0.5*m*der(x)^2 - V;");
    if (section_.coordinates.empty())
      lowering_.report("E-LNG-001", section_.position, "the lagrangian section has no coordinates",
                       "there is an equation of motion for each coordinate",
                       "list the variables that describe the position: coordinates x, y;");
  }

  Value evaluate(TermId id, std::string_view what) {
    Value value = lowering_.evaluator.evaluate(id, Mode::equation, what);
    const Position position = lowering_.ast[id].position;
    return lowering_.evaluator.require_numbers(value, position, what) ? value : Value();
  }

  void add_coordinates(TermId id) {
    const Value value = evaluate(id, "a coordinate");
    is_incomplete_ = is_incomplete_ || value.is_bad();
    if (value.is_bad()) return;
    for (const Scalar& element : value.elements())
      parts_.coordinates.push_back({lowering_.evaluator.algebra().node_of(element),
                                    lowering_.place(lowering_.ast[id].position)});
  }

  Part scalar(const std::vector<TermId>& terms, std::string_view what) {
    if (terms.empty()) return {};
    const Value value = evaluate(terms.front(), what);
    is_incomplete_ = is_incomplete_ || value.is_bad() || value.is_array();
    if (value.is_bad()) return {};
    const Position position = lowering_.ast[terms.front()].position;
    if (value.is_array()) {
      lowering_.report("E-LNG-004", position, fmt::format("{} must be one number", what),
                       fmt::format("this is {}", description_of(value.dimensions())),
                       "add up its elements with sum(...)");
      return {};
    }
    return {lowering_.evaluator.algebra().node_of(value.elements()[0]), lowering_.place(position)};
  }

  Symbol lambda() const { return lowering_.ast.symbols.find("lambda"); }

  // lambda[1], ... are elements of an array in the text: nothing else may have its name.
  void check_lambda_is_free() {
    if (!lambda().is_set() || !lowering_.scope.find(lambda()).is_set()) return;
    const Declaration& declared = *lowering_.scope[lowering_.scope.find(lambda())].declaration;
    for (const ConstraintPart& part : parts_.constraints) {
      if (!part.name.empty()) continue;
      return lowering_.report(
          "E-LAG-006", {part.place.line, part.place.column},
          "the multiplier of 'constraint(1)' would be called 'lambda[1]', but that name is taken",
          fmt::format("'lambda' is declared at {}; multipliers of constraints without a name are "
                      "elements of lambda",
                      lowering_.diagnostics.place(declared.position)),
          "give the constraint a name, which its multiplier then has, too, or rename the variable");
    }
  }

  void report(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings)
      lowering_.report(finding.problem.id, {finding.place.line, finding.place.column},
                       finding.problem.what, finding.problem.why, finding.problem.todo);
  }

  // A multiplier becomes a name: length, rod[2], lambda[1]. Elements of a loop that does not count
  // 1, 2, 3, ... are no array of the text, and stay without one.
  void declare(const std::vector<NodeId>& multipliers) {
    const auto names = mechanics::names_of(parts_.constraints);
    for (const Symbol symbol : multiplier_symbols(lowering_.ast)) {
      const std::string& name = lowering_.ast.name_of(symbol);
      std::vector<NodeId> elements;
      bool is_scalar = false;
      for (std::size_t j = 0; j < multipliers.size(); ++j) {
        is_scalar = is_scalar || names[j].multiplier == name;
        if (is_scalar || names[j].multiplier == fmt::format("{}[{}]", name, elements.size() + 1))
          elements.push_back(multipliers[j]);
        if (is_scalar) break;
      }
      if (elements.empty()) continue;
      Component& component = declare_component(symbol);
      if (!is_scalar) component.dimensions = {static_cast<std::int64_t>(elements.size())};
      component.is_sized = true;
      component.nodes = std::move(elements);
    }
  }

  // What is wrong is reported already: uses of the names stay silent.
  void declare_bad_multipliers() {
    for (const Symbol symbol : multiplier_symbols(lowering_.ast))
      if (!lowering_.scope.find(symbol).is_set()) declare_component(symbol).is_bad = true;
  }

  Component& declare_component(Symbol symbol) {
    Declaration declaration;
    declaration.name = symbol;
    declaration.position = section_.position;
    lowering_.implicit_declarations.push_back(std::move(declaration));
    return lowering_.scope[lowering_.scope.declare(symbol, lowering_.implicit_declarations.back())];
  }

  Lowering& lowering_;
  const LagrangianSection& section_;
  mechanics::LagrangianParts parts_;
  std::vector<NodeId> multipliers_;
  bool waits_ = false;          // for the model's other equations
  bool is_incomplete_ = false;  // a part is bad, perhaps for a reason reported elsewhere
};

void collect_labels(const std::vector<Statement>& statements, std::vector<Symbol>& symbols) {
  for (const Statement& statement : statements) {
    if (statement.kind == StatementKind::constraint && statement.label.is_set())
      symbols.push_back(statement.label);
    collect_labels(statement.body, symbols);
  }
}

}  // namespace

std::vector<Symbol> multiplier_symbols(const Ast& ast) {
  std::vector<Symbol> symbols;
  const Symbol lambda = ast.symbols.find("lambda");
  if (lambda.is_set()) symbols.push_back(lambda);
  collect_labels(ast.lagrangian.statements, symbols);
  return symbols;
}

std::function<void()> lower_lagrangian(Lowering& lowering) {
  const auto lagrangian = std::make_shared<LagrangianLowering>(lowering);
  lagrangian->run();
  return [lagrangian] { lagrangian->end(); };
}

}  // namespace daedal::lang
