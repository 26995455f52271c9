#include <fmt/format.h>

#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

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
  const bool is_boolean = declaration.type == Type::boolean;  // told as 1 and 0
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

void lower_outputs(Lowering& lowering) {
  for (Component& component : lowering.scope.components())
    if (component.declaration->is_output && !component.is_bad) lower_output(lowering, component);
}

}  // namespace daedal::lang
