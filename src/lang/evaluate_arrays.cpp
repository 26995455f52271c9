// Array constructors, ranges and loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lang/evaluator.hpp"

namespace daedal::lang {

// {a, b, c}: equal shapes become one array with a new first dimension.
Value Evaluator::stack(std::vector<Value>& values, std::span<const Position> positions,
                       Position position) {
  ArrayValue array;
  array.dimensions.push_back(static_cast<std::int64_t>(values.size()));
  const Dimensions inner = values.empty() ? Dimensions{} : values[0].dimensions();
  array.dimensions.insert(array.dimensions.end(), inner.begin(), inner.end());
  if (!budget_.allows_array(array.dimensions, "an array", position)) return {};
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].dimensions() != inner) {
      report("E-LNG-004", positions[k], "the elements of an array differ in shape",
             fmt::format("the first is {}, number {} is {}", description_of(inner), k + 1,
                         description_of(values[k].dimensions())),
             "give all elements the same size");
      return {};
    }
    const auto elements = values[k].elements();
    array.elements.insert(array.elements.end(), elements.begin(), elements.end());
  }
  return Value(std::move(array));
}

Value Evaluator::evaluate_braces(const Term& term) {
  std::vector<Value> values;
  std::vector<Position> positions;
  bool is_bad = false;
  for (const Child& child : ast_.children_of(term)) {
    values.push_back(evaluate(child.term));
    positions.push_back(position_of(child.term));
    is_bad |= values.back().is_bad();
  }
  return is_bad ? Value() : stack(values, positions, term.position);
}

// {e for i in a, j in b} is {{e for i in a} for j in b} (Modelica 3.6, section 10.4.1.1): the last
// iterator is outermost.
bool Evaluator::collect_nested(const Term& term, std::size_t level, ArrayValue& array,
                               bool& is_first) {
  if (level == 0) {
    const Value value = evaluate(ast_.child(term, 0));
    if (value.is_bad()) return false;
    const Dimensions& inner = value.dimensions();
    const std::size_t outer = term.num_children - 1;
    if (is_first) array.dimensions.insert(array.dimensions.end(), inner.begin(), inner.end());
    is_first = false;
    if (!std::equal(inner.begin(), inner.end(),
                    array.dimensions.begin() + static_cast<std::ptrdiff_t>(outer),
                    array.dimensions.end())) {
      report("E-LNG-004", term.position, "the elements of an array differ in shape",
             fmt::format("one of them is {}", description_of(inner)),
             "give all elements the same size");
      return false;
    }
    const auto elements = value.elements();
    array.elements.insert(array.elements.end(), elements.begin(), elements.end());
    return budget_.charge(static_cast<std::int64_t>(elements.size()), term.position);
  }
  const TermId iterator = ast_.child(term, level);
  const auto iteration = iteration_of(ast_.child(ast_[iterator], 0));
  if (!iteration) return false;
  const std::size_t dimension = term.num_children - 1 - level;
  std::int64_t& size = array.dimensions[dimension];
  if (size >= 0 && size != iteration->count) {
    report("E-LNG-004", position_of(iterator), "the rows of an array differ in length",
           fmt::format("one has {} elements, another {}", size, iteration->count),
           "let the range not depend on the other loop variable");
    return false;
  }
  size = iteration->count;
  if (!budget_.charge(size, position_of(iterator))) return false;
  Scope::Binding binding(scope_, ast_[iterator].symbol);
  for (std::int64_t k = 0; k < iteration->count; ++k) {
    binding.set(Scalar::of_number(iteration->at(k), iteration->type));
    if (!collect_nested(term, level - 1, array, is_first)) return false;
  }
  return true;
}

Value Evaluator::evaluate_braces_for(const Term& term) {
  ArrayValue array;
  array.dimensions.assign(term.num_children - 1, -1);
  bool is_first = true;
  if (!collect_nested(term, term.num_children - 1, array, is_first)) return {};
  for (std::int64_t& size : array.dimensions)
    if (size < 0) size = 0;  // inside an empty range: never reached
  return Value(std::move(array));
}

std::optional<Iteration> Evaluator::range_of(const Term& term) {
  const auto children = ast_.children_of(term);
  std::vector<double> parts;
  bool is_integer = true;
  for (const Child& child : children) {
    const Value value = evaluate(child.term, Mode::structural, "a range");
    if (!require_numbers(value, position_of(child.term), "a bound of a range")) return std::nullopt;
    if (value.is_array()) {
      report("E-LNG-004", position_of(child.term), "a bound of a range must be one number",
             fmt::format("this is {}", description_of(value.dimensions())),
             "write first:last or first:step:last with numbers");
      return std::nullopt;
    }
    parts.push_back(value.scalar().number);
    is_integer &= value.scalar().number == std::floor(value.scalar().number);
  }
  Iteration iteration;
  iteration.first = parts.front();
  iteration.step = parts.size() == 3 ? parts[1] : 1.0;
  iteration.type = is_integer ? Type::integer : Type::real;
  if (iteration.step == 0.0) {
    report("E-LNG-011", term.position, "the step of a range is 0", "such a range never ends",
           "give a step other than 0");
    return std::nullopt;
  }
  // Rounding must not lose the last value: 0:0.1:1 has 11.
  const double steps =
      std::floor((parts.back() - iteration.first) / iteration.step + (is_integer ? 0.0 : 1e-9));
  if (steps > 9e15) {
    report("E-LNG-008", term.position, "a range is too long",
           fmt::format("it has {} values", steps), "make its bounds smaller");
    return std::nullopt;
  }
  iteration.count = steps < 0.0 ? 0 : static_cast<std::int64_t>(steps) + 1;
  return iteration;
}

// The values after 'in': a range, or an array of numbers.
std::optional<Iteration> Evaluator::iteration_of(TermId range) {
  const Term& term = ast_[range];
  if (term.form == Form::range) return range_of(term);
  const Value value = evaluate(range, Mode::structural, "a loop's range");
  if (!require_numbers(value, term.position, "what a loop runs over")) return std::nullopt;
  if (value.dimensions().size() != 1) {
    report("E-LNG-004", term.position, "a loop runs over a range or a list",
           fmt::format("this is {}", description_of(value.dimensions())),
           value.is_array() ? "loop over its rows by number" : "write the range: for i in 1:n");
    return std::nullopt;
  }
  Iteration iteration;
  iteration.count = value.dimensions()[0];
  for (const Scalar& element : value.elements()) {
    iteration.values.push_back(element.number);
    if (element.number != std::floor(element.number)) iteration.type = Type::real;
  }
  return iteration;
}

Value Evaluator::evaluate_range(const Term& term) {
  const auto iteration = range_of(term);
  if (!iteration) return {};
  ArrayValue array;
  array.dimensions = {iteration->count};
  if (!budget_.allows_array(array.dimensions, "a range", term.position)) return {};
  for (std::int64_t k = 0; k < iteration->count; ++k)
    array.elements.push_back(Scalar::of_number(iteration->at(k), iteration->type));
  return Value(std::move(array));
}

bool Evaluator::for_each(std::span<const TermId> iterators, const std::function<bool()>& body) {
  if (iterators.empty()) return body();
  const Term& iterator = ast_[iterators[0]];
  if (iterator.form != Form::iterator) return false;  // a bad header
  const auto iteration = iteration_of(ast_.child(iterator, 0));
  Scope::Binding binding(scope_, iterator.symbol);
  if (!iteration || !budget_.charge(iteration->count, iterator.position)) return false;
  for (std::int64_t k = 0; k < iteration->count; ++k) {
    binding.set(Scalar::of_number(iteration->at(k), iteration->type));
    if (!for_each(iterators.subspan(1), body)) return false;
  }
  return true;
}

}  // namespace daedal::lang
