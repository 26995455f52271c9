// Modifiers, and the unknowns with what modifiers say about them at the start.
//
// start and fixed of an array: the outer braces run over elements, the inner ones over derivatives.
//   Real x(start = {10, 0})                   value and derivative of a scalar
//   Real x[2](start = {{1, 0}, {2, 0}})       value and derivative of each element
//   Real x[2](start = {1, 2})                 values only
//   Real x[2](each start = {0, 0})            the same list for every element
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/near_miss.hpp"
#include "lang/lower.hpp"

namespace daedal::lang {

// ---------------------------------------------------------------------------------------------------------------------
// Which modifiers a declaration may carry

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

// ---------------------------------------------------------------------------------------------------------------------
// Unknowns

namespace {

using ScalarList = std::vector<Scalar>;  // value, first derivative, ... of one element

class VariableLowering {
 public:
  explicit VariableLowering(Lowering& lowering) : lowering_(lowering) {}

  void run() {
    for (Component& component : lowering_.scope.components()) {
      const Declaration& declaration = *component.declaration;
      const bool is_unknown = declaration.variability == Variability::variable &&
                              !declaration.is_output && !declaration.is_discrete;
      if (component.is_bad || !is_unknown) continue;
      component_ = &component;
      lower(component);
    }
  }

 private:
  void lower(Component& component) {
    const Declaration& declaration = *component.declaration;
    model::ModelData& data = lowering_.data;
    const auto count = static_cast<std::size_t>(component.size());
    const std::string unit = check_modifiers(lowering_, component);
    const std::size_t first = data.variables.size();
    component.nodes.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      model::Variable variable;
      variable.name = element_name(k);
      data.graph->set_position(declaration.position);
      variable.node = data.graph->add_unknown(variable.name);
      variable.unit = unit;
      variable.description = declaration.description;
      variable.place = lowering_.place(declaration.position);
      component.nodes.push_back(variable.node);
      data.variables.push_back(std::move(variable));
    }
    lower_start(std::span(data.variables).subspan(first));
    lower_nominal(std::span(data.variables).subspan(first));
  }

  std::string element_name(std::size_t k) const {
    return lowering_.name_of(*component_) +
           subscript_text(component_->dimensions, static_cast<std::int64_t>(k));
  }

  bool are_numbers(const std::vector<ScalarList>& lists, Position position) {
    for (const ScalarList& list : lists)
      for (const Scalar& scalar : list)
        if (!lowering_.evaluator.require_numbers(Value(scalar), position, "a start value"))
          return false;
    return true;
  }

  void lower_start(std::span<model::Variable> variables) {
    const Declaration& declaration = *component_->declaration;
    const Modifier* start = find_modifier(lowering_, declaration, "start");
    const Modifier* fixed = find_modifier(lowering_, declaration, "fixed");
    std::vector<ScalarList> starts, flags;
    if (start != nullptr && !read_lists(*start, Mode::parametric, starts)) return;
    if (fixed != nullptr && !read_lists(*fixed, Mode::structural, flags)) return;
    if (start != nullptr && !are_numbers(starts, start->position)) return;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (start != nullptr)
        for (const Scalar& value : starts[k])
          variables[k].start.push_back(
              {.value = lowering_.evaluator.algebra().node_of(value), .fixed = false});
      if (fixed != nullptr && !fix(variables[k], flags[k], fixed->position)) return;
    }
  }

  bool fix(model::Variable& variable, const ScalarList& flags, Position position) {
    for (std::size_t k = 0; k < flags.size(); ++k) {
      if (flags[k].type != Type::boolean) {
        lowering_.report("E-LNG-009", position, "'fixed' must be true or false",
                         fmt::format("its value is {}", flags[k].number), "write true or false");
        return false;
      }
      if (flags[k].number == 0.0) continue;
      if (k >= variable.start.size()) {
        lowering_.report("E-LNG-012", position,
                         fmt::format("'{}' fixes a value that is not given", variable.name),
                         fmt::format("fixed number {} is true, but start has {} value{}", k + 1,
                                     variable.start.size(), variable.start.size() == 1 ? "" : "s"),
                         "give a start value for every fixed derivative");
        return false;
      }
      variable.start[k].fixed = true;
    }
    return true;
  }

  void lower_nominal(std::span<model::Variable> variables) {
    const Modifier* nominal = find_modifier(lowering_, *component_->declaration, "nominal");
    std::vector<ScalarList> values;
    if (nominal == nullptr || !read_lists(*nominal, Mode::parametric, values)) return;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (values[k].size() != 1) {
        lowering_.report("E-LNG-004", nominal->position,
                         fmt::format("'{}' has one nominal value", variables[k].name),
                         fmt::format("{} are given", values[k].size()), "give one number");
        return;
      }
      if (!lowering_.evaluator.require_numbers(Value(values[k][0]), nominal->position,
                                               "a nominal value"))
        return;
      variables[k].nominal = lowering_.evaluator.algebra().node_of(values[k][0]);
    }
  }

  // The list of every element. False if reported.
  bool read_lists(const Modifier& modifier, Mode mode, std::vector<ScalarList>& lists) {
    lists.resize(static_cast<std::size_t>(component_->size()));
    mode_ = mode;
    purpose_ = fmt::format("'{}' of '{}'", lowering_.ast.name_of(modifier.name),
                           lowering_.name_of(*component_));
    if (!modifier.each) return spread(modifier.value, 0, 0, lists);
    const Value value = lowering_.evaluator.evaluate(modifier.value, mode, purpose_);
    if (value.is_bad()) return false;
    if (value.dimensions().size() > 1) return report_shape(modifier.value, {}, value.dimensions());
    for (ScalarList& list : lists) list.assign(value.elements().begin(), value.elements().end());
    return true;
  }

  // Gives `value` to the elements from `offset` on that share their first `level` indices.
  bool spread(TermId id, std::size_t level, std::size_t offset, std::vector<ScalarList>& lists) {
    const Dimensions& dimensions = component_->dimensions;
    const Dimensions rest(dimensions.begin() + static_cast<std::ptrdiff_t>(level),
                          dimensions.end());
    const Term& term = lowering_.ast[id];
    if (!rest.empty() && term.form == Form::braces) {
      if (term.num_children != rest[0]) return report_count(term, rest[0]);
      const auto stride = static_cast<std::size_t>(num_elements({rest.begin() + 1, rest.end()}));
      for (std::size_t k = 0; k < term.num_children; ++k)
        if (!spread(lowering_.ast.child(term, k), level + 1, offset + k * stride, lists))
          return false;
      return true;
    }
    const Value value = lowering_.evaluator.evaluate(id, mode_, purpose_);
    if (value.is_bad()) return false;
    const bool for_all = level == 0 && !value.is_array();
    const Dimensions& given = value.dimensions();
    const bool has_elements =
        given.size() >= rest.size() && std::equal(rest.begin(), rest.end(), given.begin());
    if (!for_all && (!has_elements || given.size() > rest.size() + 1))
      return report_shape(id, rest, given);
    const auto count = static_cast<std::size_t>(num_elements(rest));
    const std::size_t length =
        given.size() > rest.size() ? static_cast<std::size_t>(given.back()) : 1;
    for (std::size_t k = 0; k < count; ++k) {
      const auto elements =
          for_all ? value.elements() : value.elements().subspan(k * length, length);
      lists[offset + k].assign(elements.begin(), elements.end());
    }
    return true;
  }

  bool report_count(const Term& term, std::int64_t wanted) {
    lowering_.report(
        "E-LNG-004", term.position, fmt::format("{} has the wrong number of elements", purpose_),
        fmt::format("{} are given, but '{}' is {}: {} are needed here", term.num_children,
                    lowering_.name_of(*component_), description_of(component_->dimensions), wanted),
        "outer braces run over elements, inner ones over derivatives; 'each' repeats one list");
    return false;
  }

  bool report_shape(TermId id, const Dimensions& wanted, const Dimensions& given) {
    lowering_.report(
        "E-LNG-004", lowering_.ast[id].position, fmt::format("{} does not fit", purpose_),
        fmt::format("this is {}, but it is for {}", description_of(given), description_of(wanted)),
        "outer braces run over elements, inner ones over derivatives; 'each' repeats one list");
    return false;
  }

  Lowering& lowering_;
  const Component* component_ = nullptr;
  Mode mode_ = Mode::parametric;
  std::string purpose_;
};

}  // namespace

void lower_variables(Lowering& lowering) { VariableLowering(lowering).run(); }

}  // namespace daedal::lang
