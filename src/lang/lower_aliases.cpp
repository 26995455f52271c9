// Boolean taut = lambda > 0; the name stands for the expression, wherever it is used.
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

}  // namespace daedal::lang
