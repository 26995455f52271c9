// Which modifiers a declaration may carry.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/near_miss.hpp"
#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

constexpr std::array<std::string_view, 8> known = {"start", "fixed",    "nominal", "unit",
                                                   "min",   "quantity", "max",     "displayUnit"};

bool is_text_modifier(std::string_view name) {
  return name == "unit" || name == "quantity" || name == "displayUnit";
}

void report_unknown(Lowering& lowering, const Modifier& modifier) {
  const std::string& name = lowering.ast.name_of(modifier.name);
  if (name == "stateSelect" || name == "unbounded")
    return lowering.report("E-LNG-006", modifier.position,
                           fmt::format("the modifier '{}' is outside the language", name),
                           "daedal finds the states itself", "remove it");
  const std::string hint = base::did_you_mean(name, {known.begin(), known.end()});
  lowering.report("E-LNG-012", modifier.position, fmt::format("there is no modifier '{}'", name),
                  fmt::format("modifiers are {}", fmt::join(known, ", ")),
                  hint.empty() ? "remove it" : hint);
}

// start and fixed are for unknowns.
void report_misplaced(Lowering& lowering, const Modifier& modifier, const Component& component) {
  const std::string& name = lowering.ast.name_of(modifier.name);
  const bool is_parameter = component.declaration->variability == Variability::parameter;
  lowering.report(
      "E-LNG-012", modifier.position,
      fmt::format("'{}' has no meaning for a {}", name, is_parameter ? "parameter" : "constant"),
      "only variables have values that are searched for at the start",
      name == "start"
          ? fmt::format("give the value after '=': {} = ...", lowering.name_of(component))
          : "remove it");
}

// Text as it stands, or bounds that must make sense though nothing uses them.
void check_value(Lowering& lowering, const Modifier& modifier, std::string& unit) {
  const std::string& name = lowering.ast.name_of(modifier.name);
  const Term& value = lowering.ast[modifier.value];
  if (name == "min" || name == "max") {
    lowering.evaluator.evaluate(modifier.value, Mode::parametric, "a bound");
  } else if (is_text_modifier(name)) {
    if (value.form != Form::string) {
      if (value.form == Form::bad) return;
      lowering.report("E-LNG-009", value.position, fmt::format("'{}' must be a string", name),
                      "this is something else", fmt::format("write {} = \"...\"", name));
    } else if (name == "unit") {
      unit = lowering.ast.name_of(value.symbol);
    }
  }
}

}  // namespace

const Modifier* find_modifier(const Lowering& lowering, const Declaration& declaration,
                              std::string_view name) {
  for (const Modifier& modifier : declaration.modifiers)
    if (lowering.ast.name_of(modifier.name) == name) return &modifier;
  return nullptr;
}

std::string check_modifiers(Lowering& lowering, const Component& component) {
  std::string unit;
  std::unordered_set<std::uint32_t> seen;
  const bool is_variable = component.declaration->variability == Variability::variable;
  for (const Modifier& modifier : component.declaration->modifiers) {
    const std::string& name = lowering.ast.name_of(modifier.name);
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (!seen.insert(modifier.name.value).second)
      lowering.report("E-LNG-003", modifier.position,
                      fmt::format("the modifier '{}' is given twice", name),
                      fmt::format("for '{}'", lowering.name_of(component)), "keep one of them");
    else if (!is_known)
      report_unknown(lowering, modifier);
    else if (!is_variable && (name == "start" || name == "fixed"))
      report_misplaced(lowering, modifier, component);
    else
      check_value(lowering, modifier, unit);
  }
  return unit;
}

}  // namespace daedal::lang
