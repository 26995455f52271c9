#include "lang/overrides.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/near_miss.hpp"
#include "base/wording.hpp"

namespace daedal::lang {
namespace {

// The numbers of "[2,3]"; empty optional if it is nothing of the kind.
std::optional<std::vector<std::int64_t>> subscripts_of(std::string_view text) {
  std::vector<std::int64_t> subscripts;
  if (text.empty()) return subscripts;
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return std::nullopt;
  const char* at = text.data();
  const char* stop = text.data() + text.size();
  while (at + 1 < stop) {
    std::int64_t index = 0;
    const auto [end, trouble] = std::from_chars(at + 1, stop, index);
    if (trouble != std::errc() || end == stop || (*end != ',' && *end != ']')) return std::nullopt;
    subscripts.push_back(index);
    at = end;
  }
  return subscripts;
}

}  // namespace

Overrides::Overrides(const ParameterValues& values, const Ast& ast, Scope& scope,
                     Diagnostics& diagnostics)
    : ast_(ast), diagnostics_(diagnostics) {
  for (const auto& [name, value] : values) add(name, value, scope);
}

void Overrides::report(std::string_view id, Position position, std::string what, std::string why,
                       std::string todo) {
  diagnostics_.report(
      {std::string(id), position, std::move(what), std::move(why), std::move(todo)});
}

void Overrides::add(const std::string& name, double value, Scope& scope) {
  const std::size_t bracket =
      name.starts_with('\'') ? name.find('[', name.rfind('\'')) : name.find('[');
  const std::string base_name = name.substr(0, bracket);
  const auto subscripts = subscripts_of(std::string_view(name).substr(base_name.size()));
  const Symbol symbol = ast_.symbols.find(base_name);
  const ComponentId id = symbol.is_set() ? scope.find(symbol) : ComponentId();
  if (!id.is_set() || !subscripts || scope[id].declaration->variability == Variability::variable) {
    std::vector<std::string> known;
    for (const Component& component : scope.components())
      if (component.declaration->variability == Variability::parameter)
        known.push_back(ast_.name_of(component.declaration->name));
    const std::string hint = base::did_you_mean(base_name, known);
    const bool is_variable = id.is_set() && subscripts;
    return report("E-MOD-007", is_variable ? scope[id].declaration->position : Position{},
                  fmt::format("model '{}' has no parameter '{}'", ast_.name, name),
                  is_variable ? fmt::format("'{}' is a variable: it is computed, not given", name)
                  : known.empty() ? "it has no parameters"
                                  : "its parameters are " + base::listed(known),
                  is_variable    ? "change its start value or its equations instead"
                  : hint.empty() ? "give the name of a parameter of the model"
                                 : hint);
  }
  Component& component = scope[id];
  const Declaration& declaration = *component.declaration;
  if (declaration.variability == Variability::constant)
    return report("E-LNG-016", declaration.position,
                  fmt::format("the constant '{}' cannot be changed", base_name),
                  fmt::format("a value of {} was given for it", value),
                  "declare it as a parameter");
  if (!std::isfinite(value))
    return report("E-MOD-003", declaration.position,
                  fmt::format("parameter '{}' is {}", name, value),
                  "the value that was given is not a finite number", "give a finite value");
  const bool is_whole = value == std::floor(value);
  if (declaration.type == Type::integer && !is_whole)
    return report("E-LNG-016", declaration.position,
                  fmt::format("the Integer parameter '{}' cannot be {}", name, value),
                  "it takes whole numbers only", "give a whole number");
  if (declaration.type == Type::boolean && value != 0.0 && value != 1.0)
    return report("E-LNG-016", declaration.position,
                  fmt::format("the Boolean parameter '{}' cannot be {}", name, value),
                  "it takes 0 (false) or 1 (true)", "give 0 or 1");
  entries_[id.value].push_back({name, *subscripts, value});
  if (subscripts->empty() && declaration.dimensions.empty()) component.is_overridden = true;
}

bool Overrides::fits(const Entry& entry, const Component& component) {
  const Dimensions& dimensions = component.dimensions;
  bool fits = entry.subscripts.size() == dimensions.size();
  for (std::size_t k = 0; fits && k < dimensions.size(); ++k)
    fits = entry.subscripts[k] >= 1 && entry.subscripts[k] <= dimensions[k];
  if (fits) return true;
  const std::string& name = ast_.name_of(component.declaration->name);
  report("E-LNG-016", component.declaration->position,
         fmt::format("there is no single number '{}' to give a value to", entry.name),
         fmt::format("'{}' is {}", name, description_of(dimensions)),
         dimensions.empty() ? fmt::format("write {}=VALUE", name)
                            : fmt::format("give elements, such as {}{}=VALUE", name,
                                          subscript_text(dimensions, 0)));
  return false;
}

std::vector<std::size_t> Overrides::apply(ComponentId id, Component& component) {
  std::vector<std::size_t> written;
  const auto found = entries_.find(id.value);
  if (found == entries_.end()) return written;
  for (const Entry& entry : found->second) {
    if (!fits(entry, component)) continue;
    std::int64_t flat_index = 0;
    for (std::size_t k = 0; k < entry.subscripts.size(); ++k)
      flat_index = flat_index * component.dimensions[k] + entry.subscripts[k] - 1;
    component.values[static_cast<std::size_t>(flat_index)] = entry.value;
    written.push_back(static_cast<std::size_t>(flat_index));
  }
  return written;
}

}  // namespace daedal::lang
