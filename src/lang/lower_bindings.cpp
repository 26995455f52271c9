// Names that stand for an expression: of an alias, Boolean taut = lambda > 0, wherever it is used;
// of an output, in the result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

// Whether one of the symbols is named in an expression.
bool mentions(const Ast& ast, TermId id, const std::vector<Symbol>& symbols) {
  const Term& term = ast[id];
  if (term.form == Form::name &&
      std::find(symbols.begin(), symbols.end(), term.symbol) != symbols.end())
    return true;
  for (const Child& child : ast.children_of(term))
    if (mentions(ast, child.term, symbols)) return true;
  return false;
}

// What an alias stands for.
void define(Lowering& lowering, Component& component) {
  const Declaration& declaration = *component.declaration;
  const std::string purpose = fmt::format("the value of '{}'", lowering.name_of(component));
  const Position position = lowering.ast[declaration.binding].position;
  component.is_bad = true;  // until the end
  check_modifiers(lowering, component);
  const Value value = lowering.evaluator.evaluate(declaration.binding, Mode::equation, purpose);
  if (value.is_bad()) return;
  if (value.dimensions() != component.dimensions)
    return lowering.report(
        "E-LNG-004", position,
        fmt::format("'{}' and its value differ in size", lowering.name_of(component)),
        fmt::format("it is {}, the value is {}", description_of(component.dimensions),
                    description_of(value.dimensions())),
        "make the sizes equal");
  for (const Scalar& element : value.elements()) {
    if (!fits_type(declaration.type, element))
      return lowering.report(
          "E-LNG-009", position,
          fmt::format("'{}' is of type {}", lowering.name_of(component), name_of(declaration.type)),
          fmt::format("its value is of type {}", name_of(element.type)),
          declaration.type == Type::boolean ? "write true, false or a condition"
                                            : "write a number of its type");
  }
  component.scalars.assign(value.elements().begin(), value.elements().end());
  for (Scalar& element : component.scalars) element.type = declaration.type;
  component.is_bad = false;
}

bool are_booleans(Lowering& lowering, const Value& value, Position position) {
  if (value.is_bad()) return false;
  for (const Scalar& element : value.elements()) {
    if (element.type == Type::boolean) continue;
    lowering.report("E-LNG-009", position, "a Boolean output must be a condition",
                    fmt::format("its value is of type {}", name_of(element.type)),
                    "write a condition, or declare it Real");
    return false;
  }
  return true;
}

void lower_output(Lowering& lowering, Component& component) {
  const Declaration& declaration = *component.declaration;
  const std::string unit = check_modifiers(lowering, component);
  const Position position = lowering.ast[declaration.binding].position;
  const Value value =
      lowering.evaluator.evaluate(declaration.binding, Mode::equation, "the value of an output");
  const bool is_boolean = declaration.type == Type::boolean;  // whose values are 1 and 0
  if (is_boolean ? !are_booleans(lowering, value, position)
                 : !lowering.evaluator.require_numbers(value, position, "an output")) {
    component.is_bad = true;
    return;
  }
  if (value.dimensions() != component.dimensions) {
    component.is_bad = true;
    return lowering.report(
        "E-LNG-004", position,
        fmt::format("the value of '{}' has another size", lowering.name_of(component)),
        fmt::format("it is {}, its value {}", description_of(component.dimensions),
                    description_of(value.dimensions())),
        "make the sizes equal");
  }
  for (std::size_t k = 0; k < value.elements().size(); ++k) {
    const NodeId node = lowering.evaluator.algebra().node_of(value.elements()[k]);
    component.nodes.push_back(node);
    lowering.data.outputs.push_back(
        {.name = lowering.name_of(component) +
                 subscript_text(component.dimensions, static_cast<std::int64_t>(k)),
         .node = node,
         .unit = unit,
         .description = declaration.description,
         .place = lowering.place(declaration.position)});
  }
}

}  // namespace

bool fits_type(Type type, const Scalar& value) {
  if ((type == Type::boolean) != (value.type == Type::boolean)) return false;
  if (type != Type::integer || value.type == Type::integer) return true;
  return value.is_known && value.number == std::floor(value.number);
}

void lower_aliases(Lowering& lowering, const std::vector<Symbol>& later) {
  const auto waits = [&](const Component& component) {
    for (const ComponentId id : component.dependencies) {
      const Component& needed = lowering.scope[id];
      if (needed.declaration->is_alias() && !needed.is_bad && !needed.is_defined()) return true;
    }
    return mentions(lowering.ast, component.declaration->binding, later);
  };
  for (const ComponentId id : lowering.aliases) {
    Component& component = lowering.scope[id];
    if (component.is_bad || !component.is_sized || component.is_defined() || waits(component))
      continue;
    define(lowering, component);
  }
}

void lower_outputs(Lowering& lowering) {
  for (Component& component : lowering.scope.components())
    if (component.declaration->is_output && !component.is_bad) lower_output(lowering, component);
}

}  // namespace daedal::lang
