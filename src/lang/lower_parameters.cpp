#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "base/check.hpp"
#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

class ParameterLowering {
 public:
  ParameterLowering(Lowering& lowering, const ParameterValues& values)
      : lowering_(lowering), scope_(lowering.scope) {
    if (!values.empty())
      overrides_.emplace(values, lowering.ast, lowering.scope, lowering.diagnostics);
  }

  void run(const std::vector<ComponentId>& order) {
    for (const ComponentId id : order) {
      Component& component = scope_[id];
      if (component.is_bad) continue;
      const std::uint64_t before = lowering_.diagnostics.num_reports();
      lower(id, component);
      // Something went wrong that was reported now or, for a bad part, earlier.
      if (lowering_.diagnostics.num_reports() != before || !component.is_sized)
        component.is_bad = true;
      if (component.is_bad) DAEDAL_CHECK(lowering_.diagnostics.has_problems());
    }
  }

 private:
  void lower(ComponentId id, Component& component) {
    const Declaration& declaration = *component.declaration;
    if (!find_dimensions(component)) return;
    if (declaration.variability == Variability::variable) {
      component.is_sized = check_size(component);
      if (component.is_sized && declaration.is_discrete && !declaration.is_alias())
        lower_discrete(component);
      return;
    }
    Value binding;
    if (declaration.binding.is_set()) {
      const bool is_constant = declaration.variability == Variability::constant;
      const std::string purpose = fmt::format("the value of '{}'", lowering_.name_of(component));
      binding = lowering_.evaluator.evaluate(
          declaration.binding, is_constant ? Mode::structural : Mode::parametric, purpose);
      if (binding.is_bad() || !fit_dimensions(component, binding) ||
          !fits_type(component, binding, declaration.binding))
        return;
    } else if (declaration.variability == Variability::constant) {
      return report(component, "E-LNG-011", declaration.position, "has no value",
                    "a constant is declared with its value",
                    "write = and the value after the name");
    }
    if (!check_size(component)) return;
    component.is_sized = true;
    find_values(component, binding);
    const std::vector<std::size_t> written =
        overrides_ ? overrides_->apply(id, component) : std::vector<std::size_t>();
    const std::string unit = check_modifiers(lowering_, component);
    if (declaration.variability == Variability::parameter)
      add_parameters(component, binding, unit, written);
  }

  // A discrete variable is a parameter that events may change; its start value is the binding.
  void lower_discrete(Component& component) {
    const std::string unit = check_modifiers(lowering_, component);
    const Modifier* start = find_modifier(lowering_, *component.declaration, "start");
    ArrayValue initial;
    initial.dimensions = component.dimensions;
    const Scalar zero = Scalar::of_number(0.0, component.declaration->type);
    initial.elements.assign(static_cast<std::size_t>(component.size()), zero);
    if (start != nullptr && !read_start(component, *start, initial)) return;
    component.values.assign(initial.elements.size(), unknown_value);
    add_parameters(component, Value(std::move(initial)), unit, {});
  }

  // One value for all elements, or one for each.
  bool read_start(Component& component, const Modifier& start, ArrayValue& initial) {
    const std::string purpose = fmt::format("'start' of '{}'", lowering_.name_of(component));
    const Value value = lowering_.evaluator.evaluate(start.value, Mode::parametric, purpose);
    if (value.is_bad()) {
      component.is_sized = false;  // reported
      return false;
    }
    if (!fits_type(component, value, start.value)) return false;
    if (value.is_array() && value.dimensions() != component.dimensions) {
      report(component, "E-LNG-004", lowering_.ast[start.value].position,
             "and its start value differ in size",
             fmt::format("it is {}, the value is {}", description_of(component.dimensions),
                         description_of(value.dimensions())),
             "give one value for each element, or one for all; discrete variables have no "
             "derivatives");
      return false;
    }
    if (value.is_array())
      initial.elements.assign(value.elements().begin(), value.elements().end());
    else
      for (Scalar& element : initial.elements) element = value.scalar();
    return true;
  }

  // what: "has no value" completes "'name' ..."
  void report(const Component& component, std::string_view id, Position position,
              std::string_view what, std::string why, std::string todo) {
    lowering_.report(id, position, fmt::format("'{}' {}", lowering_.name_of(component), what),
                     std::move(why), std::move(todo));
  }

  bool check_size(const Component& component) {
    const Position position = component.declaration->position;
    const std::string what = fmt::format("'{}'", lowering_.name_of(component));
    if (!lowering_.budget.allows_array(component.dimensions, what, position)) return false;
    lowering_.num_declared_elements += component.size();
    if (lowering_.num_declared_elements <= lowering_.budget.max_elements()) return true;
    report(
        component, "E-LNG-008", position, "makes the model too large",
        fmt::format("with its {} elements the model declares {}; the limit is {}", component.size(),
                    lowering_.num_declared_elements, lowering_.budget.max_elements()),
        "make its sizes smaller, or raise --max-elements");
    return false;
  }

  // Sizes; -1 for ':', which the binding decides.
  bool find_dimensions(Component& component) {
    const Declaration& declaration = *component.declaration;
    const std::string purpose = fmt::format("the size of '{}'", lowering_.name_of(component));
    for (const TermId id : declaration.dimensions) {
      const Term& term = lowering_.ast[id];
      if (term.form == Form::whole) {
        if (!check_open_size(component, term.position)) return false;
        component.dimensions.push_back(-1);
        continue;
      }
      const auto size = lowering_.evaluator.integer(id, purpose);
      if (!size) return false;
      if (*size < 0) {
        report(component, "E-LNG-011", term.position, "has a negative size",
               fmt::format("it is {}", *size), "sizes are 0 or more");
        return false;
      }
      component.dimensions.push_back(*size);
    }
    return true;
  }

  bool check_open_size(const Component& component, Position position) {
    const Declaration& declaration = *component.declaration;
    if (declaration.variability != Variability::variable && declaration.binding.is_set())
      return true;
    report(component, "E-LNG-011", position, "has an open size",
           "':' takes the size from the value of a parameter or constant", "give a number");
    return false;
  }

  bool fit_dimensions(Component& component, const Value& binding) {
    const Dimensions& given = binding.dimensions();
    bool fits = given.size() == component.dimensions.size();
    for (std::size_t k = 0; fits && k < given.size(); ++k)
      fits = component.dimensions[k] == -1 || component.dimensions[k] == given[k];
    if (fits) {
      component.dimensions = given;
      return true;
    }
    for (std::int64_t& size : component.dimensions)
      if (size < 0) size = 0;
    report(component, "E-LNG-004", lowering_.ast[component.declaration->binding].position,
           "and its value differ in size",
           fmt::format("it is {}, the value is {}", description_of(component.dimensions),
                       description_of(given)),
           given.empty() ? "write fill(value, n) to repeat one value" : "make the sizes equal");
    return false;
  }

  bool fits_type(Component& component, const Value& binding, TermId term) {
    const Type type = component.declaration->type;
    const Position position = lowering_.ast[term].position;
    std::optional<bool> is_whole;  // asked once for all elements
    for (const Scalar& element : binding.elements()) {
      if ((type == Type::boolean) != (element.type == Type::boolean)) {
        report(component, "E-LNG-009", position, fmt::format("is of type {}", name_of(type)),
               fmt::format("its value is of type {}", name_of(element.type)),
               type == Type::boolean ? "write true, false or a comparison" : "write a number");
        return false;
      }
      if (type != Type::integer || element.type == Type::integer) continue;
      if (element.is_known && element.number == std::floor(element.number)) continue;
      if (!element.is_known && !is_whole) is_whole = is_whole_now(component, term);
      if (element.is_known || !*is_whole) {
        report(component, "E-LNG-009", position, "is of type Integer",
               element.is_known ? fmt::format("its value is {}", element.number)
                                : std::string("its value is not whole"),
               "use div(a, b) or integer(a), or declare it Real");
        return false;
      }
    }
    return true;
  }

  // A Real expression that happens to be whole: allowed, but fixed with the model, so that it stays
  // whole.
  bool is_whole_now(Component& component, TermId term) {
    component.is_structural = true;
    const Value value = lowering_.evaluator.evaluate_quietly(term);
    if (value.is_bad()) return true;
    for (const Scalar& element : value.elements())
      if (element.number != std::floor(element.number)) return false;
    return true;
  }

  // Present values; NaN where there is none. Needed only if something structural asks.
  void find_values(Component& component, const Value& binding) {
    const auto count = static_cast<std::size_t>(component.size());
    component.values.assign(count, unknown_value);
    if (binding.is_bad()) return;
    bool all_known = true;
    for (const Scalar& element : binding.elements()) all_known &= element.is_known;
    const Value numbers =
        all_known ? binding : lowering_.evaluator.evaluate_quietly(component.declaration->binding);
    if (numbers.is_bad()) return;
    for (std::size_t k = 0; k < count; ++k) component.values[k] = numbers.elements()[k].number;
  }

  void add_parameters(Component& component, const Value& binding, const std::string& unit,
                      const std::vector<std::size_t>& written) {
    const Declaration& declaration = *component.declaration;
    model::ModelData& data = lowering_.data;
    const std::size_t first = data.parameters.size();
    const std::size_t count = component.values.size();
    for (std::size_t k = 0; k < count; ++k) {
      model::Parameter parameter;
      parameter.name = lowering_.name_of(component) +
                       subscript_text(component.dimensions, static_cast<std::int64_t>(k));
      data.graph->set_position(declaration.position);
      parameter.node = data.graph->add_parameter(parameter.name);
      if (!binding.is_bad())
        parameter.binding = lowering_.evaluator.algebra().node_of(binding.elements()[k]);
      parameter.type = declaration.type == Type::integer   ? model::ParameterType::integer
                       : declaration.type == Type::boolean ? model::ParameterType::boolean
                                                           : model::ParameterType::real;
      parameter.is_discrete = declaration.is_discrete;
      parameter.unit = unit;
      parameter.description = declaration.description;
      parameter.place = lowering_.place(declaration.position);
      component.nodes.push_back(parameter.node);
      data.parameters.push_back(std::move(parameter));
    }
    for (const std::size_t k : written)
      data.parameters[first + k].override_value = component.values[k];
  }

  Lowering& lowering_;
  Scope& scope_;
  std::optional<Overrides> overrides_;  // none if no values were given
};

}  // namespace

void lower_parameters(Lowering& lowering, const std::vector<ComponentId>& order,
                      const ParameterValues& values) {
  ParameterLowering(lowering, values).run(order);
}

}  // namespace daedal::lang
