#include "lang/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/near_miss.hpp"
#include "base/wording.hpp"

namespace daedal::lang {
namespace {

constexpr std::size_t max_suggestions =
    25;  // each costs a look at every name; few problems are shown

}  // namespace

// Changes mode and purpose for as long as it lives.
class Evaluator::Setting {
 public:
  Setting(Evaluator& evaluator, Mode mode, std::string_view purpose)
      : evaluator_(evaluator), mode_(evaluator.mode_), purpose_(evaluator.purpose_) {
    evaluator_.mode_ = mode;
    evaluator_.purpose_ = purpose;
  }
  ~Setting() {
    evaluator_.mode_ = mode_;
    evaluator_.purpose_ = purpose_;
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  Evaluator& evaluator_;
  Mode mode_;
  std::string_view purpose_;
};

Evaluator::Evaluator(const Ast& ast, Scope& scope, expr::Graph& graph, Diagnostics& diagnostics,
                     Budget& budget)
    : ast_(ast),
      scope_(scope),
      graph_(graph),
      diagnostics_(diagnostics),
      budget_(budget),
      algebra_(graph),
      functions_(ast.symbols.size(), nullptr),
      time_(ast.symbols.find("time")) {
  for (std::size_t k = 0; k < functions_.size(); ++k)
    functions_[k] = find_function(ast.name_of(Symbol(k)));
}

void Evaluator::report(std::string_view id, Position position, std::string what, std::string why,
                       std::string todo) {
  diagnostics_.report(
      {std::string(id), position, std::move(what), std::move(why), std::move(todo)});
}

// ---------------------------------------------------------------------------------------------------------------------
// Entries

Value Evaluator::evaluate(TermId id, Mode mode, std::string_view purpose) {
  const Setting setting(*this, mode, purpose);
  Value value = evaluate(id);
  return mode == Mode::structural && !require_known(value, position_of(id)) ? Value() : value;
}

bool Evaluator::require_known(const Value& value, Position position) {
  if (value.is_bad()) return false;
  for (const Scalar& element : value.elements()) {
    if (element.is_known) continue;
    report("E-LNG-011", position, fmt::format("{} has no finite value", purpose_),
           "an operation here is outside its domain or too large",
           "check the numbers it is computed from");
    return false;
  }
  return true;
}

std::optional<double> Evaluator::number(TermId id, std::string_view purpose) {
  const Value value = evaluate(id, Mode::structural, purpose);
  const Position position = position_of(id);
  if (!require_numbers(value, position, purpose)) return std::nullopt;
  if (value.is_array()) {
    report("E-LNG-004", position, fmt::format("{} must be one number", purpose),
           fmt::format("this is {}", description_of(value.dimensions())),
           "pick one element, as in x[1]");
    return std::nullopt;
  }
  return value.scalar().number;
}

std::optional<std::int64_t> Evaluator::integer(TermId id, std::string_view purpose) {
  const auto value = number(id, purpose);
  if (!value) return std::nullopt;
  if (*value == std::floor(*value) && std::abs(*value) <= 9e15)
    return static_cast<std::int64_t>(*value);
  report("E-LNG-011", position_of(id), fmt::format("{} must be a whole number", purpose),
         fmt::format("it is {}", *value),
         "use Integer parameters; div(a, b) divides whole numbers");
  return std::nullopt;
}

Value Evaluator::evaluate_quietly(TermId id) {
  const Diagnostics::Silence silence(diagnostics_);
  const Setting setting(*this, Mode::structural, "a value");
  const bool before = std::exchange(marks_structural_, false);
  Value value = evaluate(id);
  marks_structural_ = before;
  for (const Scalar& element : value.elements())
    if (!element.is_known) return {};
  return value;
}

std::optional<Scalar> Evaluator::condition(TermId id) {
  const Setting setting(*this, Mode::equation, "a condition");
  return evaluate_condition(id);
}

std::optional<bool> Evaluator::structural_condition(TermId id) {
  const Setting setting(*this, Mode::structural, "a condition");
  const auto value = evaluate_condition(id);
  if (!value) return std::nullopt;
  return value->number != 0.0;
}

bool Evaluator::require_numbers(const Value& value, Position position, std::string_view what) {
  if (value.is_bad()) return false;
  for (const Scalar& element : value.elements()) {
    if (element.type != Type::boolean) continue;
    report("E-LNG-009", position, fmt::format("{} must be a number", what), "this is a Boolean",
           "Booleans serve as conditions and for 'fixed'; use Real or Integer");
    return false;
  }
  return true;
}

Value Evaluator::evaluate(TermId id) {
  const Term& term = ast_[id];
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  switch (term.form) {
    case Form::number:
      return Scalar::of_number(term.number, term.is_integer ? Type::integer : Type::real);
    case Form::boolean: return Scalar::of_number(term.number, Type::boolean);
    case Form::name: return evaluate_name(term);
    case Form::call: return evaluate_call(term);
    case Form::reduction: return evaluate_reduction(term);
    case Form::braces: return evaluate_braces(term);
    case Form::braces_for: return evaluate_braces_for(term);
    case Form::range: return evaluate_range(term);
    case Form::sum: return evaluate_sum(term);
    case Form::product: return evaluate_product(term);
    case Form::power: return evaluate_power(term);
    case Form::negate: return evaluate_negate(term);
    case Form::compare: return evaluate_compare(term);
    case Form::logical_and:
    case Form::logical_or:
    case Form::logical_not: return evaluate_logic(term);
    case Form::if_then: return evaluate_if(term);
    case Form::last:
      return Scalar::of_number(static_cast<double>(subscript_ends_.back()), Type::integer);
    case Form::string:
      report("E-LNG-009", term.position, "a string stands where a number is needed",
             "strings are for descriptions and units only", "write a number or an expression");
      return {};
    default: return {};  // bad, or a part that its owner reads
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Names

Value Evaluator::evaluate_name(const Term& term) {
  const Scope::LoopVariable& loop = scope_.loop(term.symbol);
  if (loop.is_active) {
    if (loop.is_bad) return {};
    if (term.num_children == 0) return loop.value;
    report("E-LNG-004", term.position,
           fmt::format("the loop variable '{}' has no elements", ast_.name_of(term.symbol)),
           "it is a scalar", "remove the subscript");
    return {};
  }
  const ComponentId id = scope_.find(term.symbol);
  return id.is_set() ? evaluate_component(term, id) : evaluate_builtin_name(term);
}

Value Evaluator::evaluate_builtin_name(const Term& term) {
  const std::string& name = ast_.name_of(term.symbol);
  if (term.symbol == time_ && term.num_children == 0) {
    if (mode_ == Mode::equation) return Scalar::of_node(graph_.time());
    report("E-LNG-011", term.position, fmt::format("'time' is used in {}", purpose_),
           "it must be known before the run starts", "use numbers and parameters");
    return {};
  }
  if (name == "Modelica.Constants.pi" && term.num_children == 0)
    return Scalar::of_number(std::numbers::pi);
  if (name.find('.') != std::string::npos && name.front() != '\'') {
    report("E-LNG-006", term.position, fmt::format("the name '{}' is outside the language", name),
           "models are flat: there are no components with parts and no libraries; only "
           "Modelica.Constants.pi is known",
           "give every quantity a name of its own, or declare a constant");
    return {};
  }
  return report_unknown_name(term);
}

std::vector<std::string> Evaluator::names_in_scope() const {
  std::vector<std::string> names;
  for (const Component& component : scope_.components())
    names.push_back(ast_.name_of(component.declaration->name));
  for (std::size_t k = 0; k < ast_.symbols.size(); ++k)
    if (scope_.loop(Symbol(k)).is_active) names.push_back(ast_.name_of(Symbol(k)));
  names.emplace_back("time");
  return names;
}

Value Evaluator::report_unknown_name(const Term& term) {
  if (diagnostics_.is_silent() || !reported_names_.insert(term.symbol.value).second) return {};
  const std::string& name = ast_.name_of(term.symbol);
  const bool suggests = reported_names_.size() <= max_suggestions;
  std::string todo = suggests ? base::did_you_mean(name, names_in_scope()) : std::string();
  std::string why = "no declaration and no loop gives it a meaning here";
  if (functions_[term.symbol.index()] != nullptr) {
    why = fmt::format("'{}' is a function", name);
    todo = fmt::format("give its argument: {}(...)", name);
  } else if (name == "t" || name == "Time" || name == "TIME") {
    todo = "time is called 'time'";
  } else if (name == "True" || name == "TRUE" || name == "False" || name == "FALSE") {
    todo = "the logical values are 'true' and 'false'";
  } else if (name == "pi") {
    todo = "write Modelica.Constants.pi, or declare: constant Real pi = 3.141592653589793;";
  }
  if (todo.empty()) todo = "declare it among the variables and parameters of the model";
  report("E-LNG-002", term.position, fmt::format("the name '{}' is unknown", name), why, todo);
  return {};
}

// Whether a component's value may be used in the present mode; marks structural ones.
bool Evaluator::may_read(const Term& term, const Component& component) {
  const std::string& name = ast_.name_of(term.symbol);
  if (component.declaration->variability != Variability::variable) return true;
  if (mode_ == Mode::equation) {
    const bool is_known = !component.declaration->is_output || !component.nodes.empty();
    if (!is_known)
      report("E-LNG-011", term.position,
             fmt::format("the output '{}' is used in {}", name, purpose_),
             "outputs are computed from the solution, and from outputs declared before",
             "leave out 'output': then it is a variable of the model");
    if (!is_known) return false;
    const bool waits = component.declaration->is_alias() && !component.is_defined();
    if (waits)
      report("E-LNG-011", term.position, fmt::format("'{}' is used in {}", name, purpose_),
             "it is computed from multipliers of the Lagrangian, which are not known here",
             "write forces and equations with it, but not the Lagrangian and its constraints");
    return !waits;
  }
  report("E-LNG-011", term.position, fmt::format("the variable '{}' is used in {}", name, purpose_),
         "it must be known before the run starts, but variables are computed in it",
         "use numbers and parameters");
  return false;
}

Value Evaluator::evaluate_component(const Term& term, ComponentId id) {
  Component& component = scope_[id];
  if (component.is_bad || !component.is_sized) return {};
  if (!may_read(term, component)) return {};
  const bool is_parameter = component.declaration->variability == Variability::parameter;
  if (mode_ == Mode::structural && is_parameter && marks_structural_)
    component.is_structural = true;
  if (term.num_children > 0) return subscripted(term, component);
  if (component.dimensions.empty()) {
    const Scalar value = element(component, 0);
    if (value.is_known && std::isnan(value.number) && !report_missing_value(term, component))
      return {};
    return value;
  }
  return whole_component(term, component);
}

Scalar Evaluator::element(const Component& component, std::size_t flat_index) const {
  if (component.declaration->is_alias()) return component.scalars[flat_index];
  const Type type = component.declaration->type;
  const bool as_number = component.nodes.empty() || mode_ == Mode::structural;
  return as_number ? Scalar::of_number(component.values[flat_index], type)
                   : Scalar::of_node(component.nodes[flat_index], type);
}

Value Evaluator::whole_component(const Term& term, const Component& component) {
  if (!budget_.charge(component.size(), term.position)) return {};
  ArrayValue array;
  array.dimensions = component.dimensions;
  const auto count = static_cast<std::size_t>(component.size());
  array.elements.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    array.elements.push_back(element(component, k));
    const Scalar& last = array.elements.back();
    if (last.is_known && std::isnan(last.number) && !report_missing_value(term, component))
      return {};
  }
  return Value(std::move(array));
}

// A component that was declared without a value and that `from` is computed from.
const Component* Evaluator::component_without_value(const Component& from) const {
  std::vector<const Component*> open = {&from};
  std::unordered_set<const Component*> seen = {&from};
  while (!open.empty()) {
    const Component* next = open.back();
    open.pop_back();
    const bool is_parameter = next->declaration->variability != Variability::variable;
    if (is_parameter && !next->declaration->binding.is_set() && !next->is_overridden) return next;
    if (next->is_overridden) continue;
    for (const ComponentId id : next->dependencies)
      if (seen.insert(&scope_[id]).second) open.push_back(&scope_[id]);
  }
  return nullptr;
}

// Always false: there is no value to go on with.
bool Evaluator::report_missing_value(const Term& term, const Component& component) {
  if (diagnostics_.is_silent()) return false;
  const std::string& name = ast_.name_of(term.symbol);
  if (const Component* root = component_without_value(component)) {
    const std::string& root_name = ast_.name_of(root->declaration->name);
    if (!reported_names_.insert(root->declaration->name.value).second) return false;
    report("E-MOD-002", term.position, fmt::format("parameter '{}' has no value", root_name),
           fmt::format("its value is needed for {}{}; it is declared on line {} without one",
                       purpose_, root == &component ? "" : fmt::format(" (through '{}')", name),
                       root->declaration->position.line),
           fmt::format("give a default in its declaration, or a value: -p {}=VALUE", root_name));
  } else {
    report("E-LNG-011", term.position, fmt::format("'{}' has no finite value", name),
           fmt::format("its value is needed for {}, but its binding on line {} cannot be computed",
                       purpose_, component.declaration->position.line),
           "check the numbers it is computed from");
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Subscripts

std::optional<std::int64_t> Evaluator::index_of(double number, std::int64_t size, Symbol array,
                                                Position position) {
  if (number != std::floor(number)) {
    report("E-LNG-011", position, "a subscript must be a whole number",
           fmt::format("it is {}", number),
           "use Integer parameters and loop variables; div(a, b) divides whole numbers");
    return std::nullopt;
  }
  if (number >= 1.0 && number <= static_cast<double>(size))
    return static_cast<std::int64_t>(number);
  report("E-LNG-005", position,
         fmt::format("the subscript {} of '{}' is out of range", number, ast_.name_of(array)),
         size == 0 ? "this dimension has size 0"
                   : fmt::format("this dimension goes from 1 to {}", size),
         "check the loop's bounds and the size of the array");
  return std::nullopt;
}

Value Evaluator::subscripted(const Term& term, const Component& component) {
  const auto children = ast_.children_of(term);
  const Dimensions& dimensions = component.dimensions;
  if (children.size() > dimensions.size()) {
    report("E-LNG-004", term.position,
           fmt::format("'{}' has too many subscripts", ast_.name_of(term.symbol)),
           fmt::format("it is {}, but has {} here", description_of(dimensions),
                       base::plural(children.size(), "subscript")),
           dimensions.empty() ? fmt::format("write {} without brackets", ast_.name_of(term.symbol))
                              : "give " + base::plural(dimensions.size(), "subscript"));
    return {};
  }
  if (children.size() < dimensions.size()) return slice(term, component);
  std::int64_t flat_index = 0;
  for (std::size_t k = 0; k < children.size(); ++k) {
    const Form form = ast_[children[k].term].form;
    if (form == Form::whole || form == Form::range) return slice(term, component);
    subscript_ends_.push_back(dimensions[k]);
    const Value value = evaluate(children[k].term, Mode::structural, "a subscript");
    subscript_ends_.pop_back();
    if (value.is_array()) return slice(term, component);
    const Position position = position_of(children[k].term);
    if (!require_numbers(value, position, "a subscript")) return {};
    const auto index = index_of(value.scalar().number, dimensions[k], term.symbol, position);
    if (!index) return {};
    flat_index = flat_index * dimensions[k] + (*index - 1);
  }
  const Scalar result = element(component, static_cast<std::size_t>(flat_index));
  if (result.is_known && std::isnan(result.number) && !report_missing_value(term, component))
    return {};
  return result;
}

// The indices that one subscript picks, 1-based.
bool Evaluator::subscript_values(TermId id, std::int64_t size, Symbol array,
                                 std::vector<std::int64_t>& indices, bool& is_scalar) {
  const Term& term = ast_[id];
  is_scalar = false;
  if (term.form == Form::whole) {
    if (!budget_.charge(size, term.position)) return false;
    for (std::int64_t k = 1; k <= size; ++k) indices.push_back(k);
    return true;
  }
  subscript_ends_.push_back(size);
  const Value value = evaluate(id, Mode::structural, "a subscript");
  subscript_ends_.pop_back();
  if (!require_numbers(value, term.position, "a subscript")) return false;
  if (value.dimensions().size() > 1) {
    report("E-LNG-004", term.position, "a subscript is a number or a list of numbers",
           fmt::format("this is {}", description_of(value.dimensions())),
           "use a range such as 2:n");
    return false;
  }
  is_scalar = !value.is_array();
  for (const Scalar& element : value.elements()) {
    const auto index = index_of(element.number, size, array, term.position);
    if (!index) return false;
    indices.push_back(*index);
  }
  return true;
}

// x[2:n], x[:], y[2, :], y[2]: rows and blocks of an array.
Value Evaluator::slice(const Term& term, const Component& component) {
  const auto children = ast_.children_of(term);
  const Dimensions& dimensions = component.dimensions;
  std::vector<std::vector<std::int64_t>> indices(dimensions.size());
  ArrayValue array;
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    bool is_scalar = false;
    if (k < children.size()) {
      if (!subscript_values(children[k].term, dimensions[k], term.symbol, indices[k], is_scalar))
        return {};
    } else {
      for (std::int64_t i = 1; i <= dimensions[k]; ++i) indices[k].push_back(i);
    }
    if (!is_scalar) array.dimensions.push_back(static_cast<std::int64_t>(indices[k].size()));
  }
  const std::int64_t count = num_elements(array.dimensions);
  if (!budget_.allows_array(array.dimensions, "a part of an array", term.position)) return {};
  std::vector<std::size_t> at(dimensions.size(), 0);
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t flat_index = 0;
    for (std::size_t k = 0; k < at.size(); ++k)
      flat_index = flat_index * dimensions[k] + indices[k][at[k]] - 1;
    array.elements.push_back(element(component, static_cast<std::size_t>(flat_index)));
    const Scalar& last = array.elements.back();
    if (last.is_known && std::isnan(last.number) && !report_missing_value(term, component))
      return {};
    for (std::size_t k = at.size(); k-- > 0;) {
      if (++at[k] < indices[k].size()) break;
      at[k] = 0;
    }
  }
  return Value(std::move(array));
}

// ---------------------------------------------------------------------------------------------------------------------
// When values change

Evaluator::Change Evaluator::change_of(const Component& component) const {
  const Declaration& declaration = *component.declaration;
  if (declaration.variability != Variability::variable) return Change::never;
  return declaration.is_discrete ? Change::at_events : Change::always;
}

Evaluator::Change Evaluator::change_of(TermId id) {
  const Term& term = ast_[id];
  if (term.form == Form::number) return Change::never;
  if (const auto found = changes_.find(id.value); found != changes_.end()) return found->second;
  Change result = Change::never;
  if (term.form == Form::name && !scope_.loop(term.symbol).is_active) {
    const ComponentId component = scope_.find(term.symbol);
    if (component.is_set())
      result = change_of(scope_[component]);
    else if (term.symbol == time_)
      result = Change::always;
  }
  const bool is_size = term.form == Form::call && ast_.name_of(term.symbol) == "size";
  if (!is_size)
    for (const Child& child : ast_.children_of(term))
      result = std::max(result, change_of(child.term));
  if (term.form == Form::compare) result = std::min(result, Change::at_events);
  changes_[id.value] = result;
  return result;
}

// Whether the expression has only numbers in it, and parameters that have shaped the model already.
bool Evaluator::is_settled(TermId id) const {
  const Term& term = ast_[id];
  if (term.form == Form::name && !scope_.loop(term.symbol).is_active) {
    const ComponentId component = scope_.find(term.symbol);
    if (!component.is_set()) {
      if (term.symbol == time_) return false;
    } else {
      const Variability variability = scope_[component].declaration->variability;
      if (variability == Variability::variable) return false;
      if (variability == Variability::parameter && !scope_[component].is_structural) return false;
    }
  }
  if (term.form == Form::call && ast_.name_of(term.symbol) == "size") return true;
  for (const Child& child : ast_.children_of(term))
    if (!is_settled(child.term)) return false;
  return true;
}

}  // namespace daedal::lang
