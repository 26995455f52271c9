#include <fmt/format.h>

#include <cmath>

#include "base/near_miss.hpp"
#include "lang/evaluator.hpp"

namespace daedal::lang {
namespace {

// Modelica 3.6, section 3.7.2: div truncates, mod has the sign of the divisor, rem that of the
// dividend.
double structural_result(std::string_view name, double a, double b) {
  if (name == "div") return std::trunc(a / b);
  if (name == "mod") return a - std::floor(a / b) * b;
  if (name == "rem") return a - std::trunc(a / b) * b;
  if (name == "ceil") return std::ceil(a);
  return std::floor(a);  // floor, integer
}

}  // namespace

void Evaluator::report_unknown_function(const Term& term) {
  const std::string& name = ast_.name_of(term.symbol);
  if (diagnostics_.is_silent() || !reported_names_.insert(term.symbol.value).second) return;
  if (scope_.find(term.symbol).is_set() || scope_.loop(term.symbol).is_active)
    return report("E-LNG-002", term.position, fmt::format("'{}' is not a function", name),
                  "it is declared as a variable or parameter",
                  fmt::format("for an element write {}[...], for a product {}*(...)", name, name));
  std::string todo(replacement_for(name));
  if (todo.empty()) todo = base::did_you_mean(name, function_names());
  if (todo.empty()) todo = "functions cannot be defined in a model; write the expression out";
  report("E-LNG-002", term.position, fmt::format("the function '{}' is unknown", name),
         "it is not one of the functions of the language", todo);
}

// The function that is called, or null and reported.
const Function* Evaluator::function_of(const Term& term) {
  const Function* function = functions_[term.symbol.index()];
  const std::string& name = ast_.name_of(term.symbol);
  if (function == nullptr) {
    report_unknown_function(term);
    return nullptr;
  }
  if (function->kind == FunctionKind::outside) {
    const std::string_view advice = replacement_for(name);
    report("E-LNG-006", term.position,
           fmt::format("the function '{}' is outside the language", name),
           "daedal reads a subset of flat Modelica",
           advice.empty() ? "write the expression without it" : std::string(advice));
    return nullptr;
  }
  return has_right_arity(term, *function) ? function : nullptr;
}

bool Evaluator::has_right_arity(const Term& term, const Function& function) {
  const int given = term.form == Form::reduction ? 1 : static_cast<int>(term.num_children);
  if (given >= function.min_arguments && given <= function.max_arguments) return true;
  const std::string wanted =
      function.min_arguments == function.max_arguments ? fmt::format("{}", function.min_arguments)
      : function.max_arguments > 100
          ? fmt::format("at least {}", function.min_arguments)
          : fmt::format("{} or {}", function.min_arguments, function.max_arguments);
  report("E-LNG-014", term.position,
         fmt::format("'{}' has the wrong number of arguments", function.name),
         fmt::format("it takes {}, but {} {} given", wanted, given, given == 1 ? "is" : "are"),
         "check what stands between the parentheses");
  return false;
}

Value Evaluator::map(const Value& value, Position position,
                     const std::function<Scalar(const Scalar&)>& operation) {
  if (mode_ != Mode::structural) graph_.set_position(position);
  if (!value.is_array()) return operation(value.scalar());
  ArrayValue result;
  result.dimensions = value.dimensions();
  if (!budget_.charge(static_cast<std::int64_t>(value.elements().size()), position)) return {};
  for (const Scalar& element : value.elements()) result.elements.push_back(operation(element));
  return Value(std::move(result));
}

std::optional<Value> Evaluator::numeric_argument(const Term& term, std::size_t k) {
  const TermId id = ast_.child(term, k);
  Value value = evaluate(id);
  if (!require_numbers(value, position_of(id),
                       fmt::format("an argument of '{}'", ast_.name_of(term.symbol))))
    return std::nullopt;
  return value;
}

Value Evaluator::evaluate_call(const Term& term) {
  const Function* function = function_of(term);
  if (function == nullptr) return {};
  switch (function->kind) {
    case FunctionKind::atan2: return call_two_arguments(term, *function);
    case FunctionKind::minimum:
    case FunctionKind::maximum:
      return term.num_children == 2 ? call_two_arguments(term, *function)
                                    : call_extremum(term, *function);
    case FunctionKind::derivative: return call_derivative(term);
    case FunctionKind::previous: return call_pre(term);
    case FunctionKind::transparent: return call_transparent(term);
    case FunctionKind::sum:
    case FunctionKind::product: return call_extremum(term, *function);
    case FunctionKind::size: return call_size(term);
    case FunctionKind::fill:
    case FunctionKind::zeros:
    case FunctionKind::ones: return call_filled(term, *function);
    case FunctionKind::structural: return call_structural(term, *function);
    default: return call_elementary(term, *function);
  }
}

Value Evaluator::call_elementary(const Term& term, const Function& function) {
  const auto argument = numeric_argument(term, 0);
  if (!argument) return {};
  return map(*argument, term.position, [&](const Scalar& a) {
    if (function.kind == FunctionKind::square_root)
      return algebra_.power(a, Scalar::of_number(0.5));
    if (function.kind == FunctionKind::log10) return algebra_.log10(a);
    return algebra_.unary(function.op, a);
  });
}

Value Evaluator::call_two_arguments(const Term& term, const Function& function) {
  const auto first = numeric_argument(term, 0);
  const auto second = numeric_argument(term, 1);
  if (!first || !second) return {};
  if (first->is_array() != second->is_array()) {
    report_mismatch(*first, *second, term.position, fmt::format("'{}'", function.name));
    return {};
  }
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  return elementwise(*first, *second, term.position, [&](const Scalar& a, const Scalar& b) {
    return algebra_.binary(function.op, a, b);
  });
}

// sum, product, min, max of all elements.
Value Evaluator::reduced(std::span<const Scalar> elements, const Function& function) {
  if (function.kind == FunctionKind::sum) return algebra_.sum(elements);
  if (function.kind == FunctionKind::product) return algebra_.product(elements);
  std::vector<Scalar> level(elements.begin(),
                            elements.end());  // pairwise, so that the graph stays flat
  while (level.size() > 1) {
    const std::size_t half = (level.size() + 1) / 2;
    for (std::size_t k = 0; k < half; ++k)
      level[k] = 2 * k + 1 < level.size()
                     ? algebra_.binary(function.op, level[2 * k], level[2 * k + 1])
                     : level[2 * k];
    level.resize(half);
  }
  return level[0];
}

// sum(x), product(x), min(x), max(x)
Value Evaluator::call_extremum(const Term& term, const Function& function) {
  const auto argument = numeric_argument(term, 0);
  if (!argument) return {};
  const bool is_sum = function.kind == FunctionKind::sum || function.kind == FunctionKind::product;
  if (!argument->is_array() || (argument->elements().empty() && !is_sum)) {
    report("E-LNG-004", term.position,
           fmt::format("'{}' of one argument needs an array", function.name),
           fmt::format("this is {}", description_of(argument->dimensions())),
           is_sum ? "give an array, or write sum(... for i in 1:n)"
                  : "give an array or two arguments");
    return {};
  }
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  return reduced(argument->elements(), function);
}

// sum(e for i in 1:n): the elements are collected first, so that a sum is one node.
Value Evaluator::evaluate_reduction(const Term& term) {
  const Function* function = function_of(term);
  if (function == nullptr) return {};
  const bool is_sum =
      function->kind == FunctionKind::sum || function->kind == FunctionKind::product;
  if (!is_sum && function->kind != FunctionKind::minimum &&
      function->kind != FunctionKind::maximum) {
    report("E-LNG-001", term.position, fmt::format("'{}' cannot run over 'for'", function->name),
           "only sum, product, min and max can",
           fmt::format("write {}({{... for i in 1:n}})", function->name));
    return {};
  }
  std::vector<TermId> iterators;
  for (std::size_t k = 1; k < term.num_children; ++k) iterators.push_back(ast_.child(term, k));
  std::vector<Scalar> elements;
  const TermId body = ast_.child(term, 0);
  const bool complete = for_each(iterators, [&] {
    const Value value = evaluate(body);
    if (!require_numbers(value, position_of(body),
                         fmt::format("what '{}' runs over", function->name)))
      return false;
    if (value.is_array()) {
      report("E-LNG-004", position_of(body), fmt::format("'{}' runs over scalars", function->name),
             fmt::format("this is {}", description_of(value.dimensions())),
             "sum the elements of it, too");
      return false;
    }
    elements.push_back(value.scalar());
    return true;
  });
  if (!complete) return {};
  if (elements.empty() && !is_sum) {
    report("E-LNG-004", term.position, fmt::format("'{}' over an empty range", function->name),
           "it has no value", "let the range have at least one value");
    return {};
  }
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  return reduced(elements, *function);
}

// der(e), der(e, k)
Value Evaluator::call_derivative(const Term& term) {
  if (mode_ != Mode::equation) {
    report("E-LNG-011", term.position, fmt::format("a derivative is used in {}", purpose_),
           "it must be known before the run starts", "use numbers and parameters");
    return {};
  }
  const auto argument = numeric_argument(term, 0);
  int order = 1;
  if (term.num_children == 2) {
    const TermId order_term = ast_.child(term, 1);
    const auto given = integer(order_term, "the order of a derivative");
    if (!given) return {};
    if (*given < 0 || *given > expr::largest_order) {
      report("E-LNG-011", position_of(order_term), fmt::format("a derivative of order {}", *given),
             fmt::format("orders go from 0 to {}", expr::largest_order),
             "check the second argument of der");
      return {};
    }
    order = static_cast<int>(*given);
  }
  if (!argument) return {};
  return map(*argument, term.position, [&](const Scalar& a) { return algebra_.der(a, order); });
}

// pre(e): at an event all values are those before it. Elsewhere discrete variables only have a
// value before and after, and what is seen is the one before the next event.
Value Evaluator::call_pre(const Term& term) {
  const TermId argument = ast_.child(term, 0);
  Value value = evaluate(argument);
  if (value.is_bad() || is_at_event_) return value;
  const Term& name = ast_[argument];
  const bool is_name = name.form == Form::name && !scope_.loop(name.symbol).is_active;
  const ComponentId id = is_name ? scope_.find(name.symbol) : ComponentId();
  const bool is_discrete =
      id.is_set() && scope_[id].declaration->is_discrete && !scope_[id].declaration->is_alias();
  if (is_discrete) return value;
  report("E-LNG-019", term.position, "'pre' of something that is not a discrete variable",
         "outside of 'when' only discrete variables have a value before the event",
         "leave out 'pre', or use it in a 'when'");
  return {};
}

// noEvent(e), smooth(p, e) [Modelica 3.6, section 3.7.5]: permissions to step across changes of
// branch, of which no use is made. They are located in e as anywhere else.
Value Evaluator::call_transparent(const Term& term) {
  const TermId last = ast_.child(term, term.num_children - 1);
  if (term.num_children == 1) return evaluate(last);
  const TermId order_term = ast_.child(term, 0);
  const auto order = integer(order_term, "the first argument of 'smooth'");
  if (!order) return {};
  if (*order < 0) {
    report("E-LNG-011", position_of(order_term), fmt::format("'smooth' of order {}", *order),
           "the first argument says how many derivatives are continuous",
           "give a whole number from 0 on");
    return {};
  }
  return evaluate(last);
}

// size(x, k), size(x)
Value Evaluator::call_size(const Term& term) {
  const Term& argument = ast_[ast_.child(term, 0)];
  Dimensions dimensions;
  const bool is_plain_name = argument.form == Form::name && argument.num_children == 0 &&
                             !scope_.loop(argument.symbol).is_active;
  const ComponentId id = is_plain_name ? scope_.find(argument.symbol) : ComponentId();
  if (id.is_set()) {
    if (scope_[id].is_bad || !scope_[id].is_sized) return {};
    dimensions = scope_[id].dimensions;
  } else {
    const Value value = evaluate(ast_.child(term, 0));
    if (value.is_bad()) return {};
    dimensions = value.dimensions();
  }
  if (term.num_children == 1) {
    ArrayValue sizes;
    sizes.dimensions = {static_cast<std::int64_t>(dimensions.size())};
    for (const std::int64_t size : dimensions)
      sizes.elements.push_back(Scalar::of_number(static_cast<double>(size), Type::integer));
    return Value(std::move(sizes));
  }
  const TermId which = ast_.child(term, 1);
  const auto k = integer(which, "the second argument of 'size'");
  if (!k) return {};
  if (*k < 1 || *k > static_cast<std::int64_t>(dimensions.size())) {
    report("E-LNG-005", position_of(which), fmt::format("there is no dimension {}", *k),
           fmt::format("the first argument is {}", description_of(dimensions)),
           "count dimensions from 1");
    return {};
  }
  return Scalar::of_number(static_cast<double>(dimensions[static_cast<std::size_t>(*k - 1)]),
                           Type::integer);
}

// fill(value, n, ...), zeros(n, ...), ones(n, ...)
Value Evaluator::call_filled(const Term& term, const Function& function) {
  const std::size_t first_size = function.kind == FunctionKind::fill ? 1 : 0;
  Value content = Scalar::of_number(function.kind == FunctionKind::ones ? 1.0 : 0.0);
  if (first_size == 1) content = evaluate(ast_.child(term, 0));
  if (content.is_bad()) return {};
  if (content.is_array()) {
    report("E-LNG-004", term.position, "'fill' repeats a scalar",
           fmt::format("this is {}", description_of(content.dimensions())), "give a scalar first");
    return {};
  }
  ArrayValue array;
  for (std::size_t k = first_size; k < term.num_children; ++k) {
    const TermId id = ast_.child(term, k);
    const auto size = integer(id, "the size of an array");
    if (!size) return {};
    if (*size < 0) {
      report("E-LNG-011", position_of(id), "the size of an array is negative",
             fmt::format("it is {}", *size), "sizes are 0 or more");
      return {};
    }
    array.dimensions.push_back(*size);
  }
  if (!budget_.allows_array(array.dimensions, "an array", term.position)) return {};
  array.elements.assign(static_cast<std::size_t>(num_elements(array.dimensions)), content.scalar());
  return Value(std::move(array));
}

// mod, div, rem, floor, ceil, integer: they jump, so they stay out of what is differentiated.
Value Evaluator::call_structural(const Term& term, const Function& function) {
  const std::string purpose = fmt::format("an argument of '{}'", function.name);
  const auto a = number(ast_.child(term, 0), purpose);
  const auto b =
      term.num_children == 2 ? number(ast_.child(term, 1), purpose) : std::optional<double>(1.0);
  if (!a || !b) return {};
  if (*b == 0.0) {
    report("E-LNG-011", position_of(ast_.child(term, 1)), "division by zero",
           fmt::format("the second argument of '{}' is exactly 0", function.name),
           "check the numbers it is computed from");
    return {};
  }
  const double result = structural_result(function.name, *a, *b);
  const bool is_integer =
      function.name == "integer" || (*a == std::floor(*a) && *b == std::floor(*b));
  return Scalar::of_number(result, is_integer ? Type::integer : Type::real);
}

}  // namespace daedal::lang
