#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lang/evaluator.hpp"

namespace daedal::lang {

void Evaluator::report_mismatch(const Value& a, const Value& b, Position position,
                                std::string_view operation) {
  report("E-LNG-004", position, fmt::format("{} needs operands of matching size", operation),
         fmt::format("the left one is {}, the right one is {}", description_of(a.dimensions()),
                     description_of(b.dimensions())),
         "make the sizes equal, or write a for loop over the elements");
}

// Operands of one shape, or one of them a scalar.
Value Evaluator::elementwise(const Value& a, const Value& b, Position position,
                             const std::function<Scalar(const Scalar&, const Scalar&)>& operation) {
  if (!a.is_array() && !b.is_array()) return operation(a.scalar(), b.scalar());
  if (a.is_array() && b.is_array() && a.dimensions() != b.dimensions()) {
    report_mismatch(a, b, position, "an elementwise operation");
    return {};
  }
  ArrayValue result;
  result.dimensions = a.is_array() ? a.dimensions() : b.dimensions();
  const auto count = static_cast<std::size_t>(num_elements(result.dimensions));
  if (!budget_.charge(static_cast<std::int64_t>(count), position)) return {};
  result.elements.reserve(count);
  for (std::size_t k = 0; k < count; ++k)
    result.elements.push_back(operation(a.is_array() ? a.array().elements[k] : a.scalar(),
                                        b.is_array() ? b.array().elements[k] : b.scalar()));
  return Value(std::move(result));
}

// ---------------------------------------------------------------------------------------------------------------------
// Sums

Value Evaluator::evaluate_sum(const Term& term) {
  SumOfScalars sum;
  const auto children = ast_.children_of(term);
  if (!budget_.charge(term.num_children, term.position)) return {};
  bool is_bad = false;
  for (std::size_t k = 0; k < children.size(); ++k) {
    const Value value = evaluate(children[k].term);
    is_bad |= !require_numbers(value, position_of(children[k].term), "a term of a sum");
    if (is_bad) continue;
    if (value.is_array()) {
      if (mode_ != Mode::structural) graph_.set_position(term.position);
      const Scalar before = k == 0 ? Scalar::of_number(0.0, Type::integer) : sum.finish(graph_);
      return evaluate_array_sum(term, k, before, value);
    }
    sum.add(children[k].op == Operator::minus ? -1.0 : 1.0, value.scalar());
  }
  if (is_bad) return {};
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  return sum.finish(graph_);
}

// From the first array on; `before` is the sum of the scalars that stand before it, 0 if none do.
Value Evaluator::evaluate_array_sum(const Term& term, std::size_t first, const Value& before,
                                    const Value& first_array) {
  const auto children = ast_.children_of(term);
  const Value& shape = first_array;
  if (first > 0 && !children[first].elementwise) {
    report_mismatch(before, shape, position_of(children[first].term), "a sum");
    return {};
  }
  std::vector<SumOfScalars> sums(shape.elements().size());
  for (SumOfScalars& sum : sums) sum.add(1.0, before.scalar());
  for (std::size_t k = first; k < children.size(); ++k) {
    const Value value = k == first ? first_array : evaluate(children[k].term);
    const Position position = position_of(children[k].term);
    if (!require_numbers(value, position, "a term of a sum")) return {};
    const bool stretches = !value.is_array() && children[k].elementwise;
    if (value.dimensions() != shape.dimensions() && !stretches) {
      report_mismatch(shape, value, position, "a sum");
      return {};
    }
    if (!budget_.charge(static_cast<std::int64_t>(sums.size()), position)) return {};
    const double sign = children[k].op == Operator::minus ? -1.0 : 1.0;
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i].add(sign, value.is_array() ? value.array().elements[i] : value.scalar());
  }
  ArrayValue result;
  result.dimensions = shape.dimensions();
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  for (const SumOfScalars& sum : sums) result.elements.push_back(sum.finish(graph_));
  return Value(std::move(result));
}

Value Evaluator::evaluate_negate(const Term& term) {
  const Value value = evaluate(ast_.child(term, 0));
  if (!require_numbers(value, term.position, "what follows '-'")) return {};
  return map(value, term.position, [this](const Scalar& a) { return algebra_.negate(a); });
}

// ---------------------------------------------------------------------------------------------------------------------
// Products

bool Evaluator::report_zero_divisor(const Value& divisor, Position position) {
  for (const Scalar& element : divisor.elements()) {
    if (!element.is_known || element.number != 0.0) continue;
    report("E-LNG-011", position, "division by zero", "this divisor is exactly 0",
           "check the numbers it is computed from");
    return true;
  }
  return false;
}

Value Evaluator::evaluate_product(const Term& term) {
  const auto children = ast_.children_of(term);
  if (!budget_.charge(term.num_children, term.position)) return {};
  ProductOfScalars scalars;  // the product so far, while it is a scalar
  Value arrays;              // the product so far, once it is an array
  bool is_array = false, is_bad = false;
  for (const Child& child : children) {
    const Value value = evaluate(child.term);
    const Position position = position_of(child.term);
    is_bad |= !require_numbers(value, position, "a factor");
    if (is_bad) continue;
    const bool divides = child.op == Operator::divide;
    if (divides && report_zero_divisor(value, position)) return {};
    if (mode_ != Mode::structural) graph_.set_position(term.position);
    if (is_array || value.is_array()) {
      const Value before = is_array ? arrays : Value(scalars.finish(graph_));
      arrays = divides ? divide(before, value, child.elementwise, position)
                       : multiply(before, value, child.elementwise, position);
      if (arrays.is_bad()) return {};
      is_array = arrays.is_array();
      scalars = {};
      if (!is_array) scalars.multiply(arrays.scalar());  // a scalar product
    } else if (divides) {
      scalars.divide(graph_, value.scalar());
    } else {
      scalars.multiply(value.scalar());
    }
  }
  if (is_bad) return {};
  return is_array ? arrays : Value(scalars.finish(graph_));
}

Value Evaluator::multiply(const Value& a, const Value& b, bool elementwise_product,
                          Position position) {
  if (a.is_array() && b.is_array() && !elementwise_product)
    return matrix_product(a.array(), b.array(), position);
  return elementwise(a, b, position,
                     [this](const Scalar& x, const Scalar& y) { return algebra_.multiply(x, y); });
}

Value Evaluator::divide(const Value& a, const Value& b, bool elementwise_quotient,
                        Position position) {
  if (b.is_array() && !elementwise_quotient) {
    report("E-LNG-004", position, "division by an array",
           fmt::format("the divisor is {}", description_of(b.dimensions())),
           "write './' to divide element by element");
    return {};
  }
  return elementwise(a, b, position,
                     [this](const Scalar& x, const Scalar& y) { return algebra_.divide(x, y); });
}

// Vectors and matrices; a vector on the left is a row, on the right a column (Modelica 3.6,
// section 10.6.5).
Value Evaluator::matrix_product(const ArrayValue& a, const ArrayValue& b, Position position) {
  const Dimensions& da = a.dimensions;
  const Dimensions& db = b.dimensions;
  const bool fits = da.size() <= 2 && db.size() <= 2 && da.back() == db.front();
  if (!fits) {
    report("E-LNG-004", position, "a product of arrays needs matching sizes",
           fmt::format("the left one is {}, the right one is {}", description_of(da),
                       description_of(db)),
           "the last size on the left must equal the first on the right; write '.*' for products "
           "by element");
    return {};
  }
  const std::int64_t rows = da.size() == 2 ? da[0] : 1, columns = db.size() == 2 ? db[1] : 1,
                     inner = da.back();
  ArrayValue result;
  if (da.size() == 2) result.dimensions.push_back(rows);
  if (db.size() == 2) result.dimensions.push_back(columns);
  if (!budget_.allows_array({rows, columns, std::max<std::int64_t>(inner, 1)},
                            "a product of arrays", position))
    return {};
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      SumOfScalars sum;
      for (std::int64_t k = 0; k < inner; ++k)
        sum.add(1.0, algebra_.multiply(a.elements[static_cast<std::size_t>(i * inner + k)],
                                       b.elements[static_cast<std::size_t>(k * columns + j)]));
      result.elements.push_back(sum.finish(graph_));
    }
  return result.dimensions.empty() ? Value(result.elements[0]) : Value(std::move(result));
}

// An exponent of numbers and parameters is evaluated now: x^n keeps its exact form, and its
// parameters shape the model.
Value Evaluator::evaluate_power(const Term& term) {
  const TermId exponent_term = ast_.child(term, 1);
  const Value base = evaluate(ast_.child(term, 0));
  const bool is_baked = mode_ == Mode::equation && is_parametric(exponent_term);
  const Value exponent =
      is_baked ? evaluate(exponent_term, Mode::structural, "an exponent") : evaluate(exponent_term);
  if (!require_numbers(base, term.position, "the base of a power")) return {};
  if (!require_numbers(exponent, position_of(exponent_term), "an exponent")) return {};
  if (!term.elementwise && (base.is_array() || exponent.is_array())) {
    report("E-LNG-004", term.position, "'^' needs scalars",
           fmt::format("the base is {}, the exponent is {}", description_of(base.dimensions()),
                       description_of(exponent.dimensions())),
           "write '.^' for powers element by element");
    return {};
  }
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  return elementwise(base, exponent, term.position,
                     [this](const Scalar& x, const Scalar& y) { return algebra_.power(x, y); });
}

// ---------------------------------------------------------------------------------------------------------------------
// Conditions

Value Evaluator::evaluate_compare(const Term& term) {
  const auto children = ast_.children_of(term);
  const auto side = [&](std::size_t k) {
    return mode_ == Mode::structural ? evaluate(children[k].term, Mode::structural, "a condition")
                                     : evaluate(children[k].term);
  };
  const Value left = side(0);
  const Value right = side(1);
  if (left.is_bad() || right.is_bad() || !may_compare(term, left, right)) return {};
  const Scalar& a = left.scalar();
  const Scalar& b = right.scalar();
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  return a.type == Type::boolean ? algebra_.boolean_relation(children[1].op, a, b)
                                 : algebra_.relation(children[1].op, a, b);
}

bool Evaluator::may_compare(const Term& term, const Value& left, const Value& right) {
  if (left.is_array() || right.is_array()) {
    report_mismatch(left, right, term.position, "a comparison of scalars");
    return false;
  }
  const Scalar& a = left.scalar();
  const Scalar& b = right.scalar();
  if (a.type == Type::boolean && b.type == Type::boolean) return true;
  if (!require_numbers(left, term.position, "the left side of a comparison") ||
      !require_numbers(right, term.position, "the right side of a comparison"))
    return false;
  const auto children = ast_.children_of(term);
  const Operator op = children[1].op;
  const bool is_equality = op == Operator::equal || op == Operator::not_equal;
  const auto changes_always = [&](std::size_t k, const Scalar& value) {
    return !value.is_known && value.type == Type::real &&
           change_of(children[k].term) == Change::always;
  };
  if (!is_equality || (!changes_always(0, a) && !changes_always(1, b))) return true;
  report("E-LNG-017", term.position,
         fmt::format("'{}' compares Real values", op == Operator::equal ? "==" : "<>"),
         "they change all the time: such values are equal for an instant at most",
         "write >= or <=; a 'when' happens at the instant at which that becomes true");
  return false;
}

// A Boolean scalar. Known at once where nothing but structural parameters is in it.
std::optional<Scalar> Evaluator::evaluate_condition(TermId id) {
  const bool is_number = mode_ == Mode::structural || is_settled(id);
  const Value value = is_number ? evaluate(id, Mode::structural, "a condition") : evaluate(id);
  if (value.is_bad()) return std::nullopt;
  if (value.is_array() || value.scalar().type != Type::boolean) {
    report("E-LNG-009", position_of(id), "a condition must be a Boolean",
           value.is_array() ? fmt::format("this is {}", description_of(value.dimensions()))
                            : fmt::format("this is of type {}", name_of(value.scalar().type)),
           "compare numbers with <, <=, >, >=, == or <>");
    return std::nullopt;
  }
  return value.scalar();
}

// Stops where the rest cannot matter: `i > 1 and x[i - 1] > 0` is right for i = 1, too.
Value Evaluator::evaluate_logic(const Term& term) {
  std::vector<Scalar> parts;
  if (!budget_.charge(term.num_children, term.position)) return {};
  for (const Child& child : ast_.children_of(term)) {
    const auto part = evaluate_condition(child.term);
    if (!part) return {};
    parts.push_back(*part);
    const bool decides = term.form == Form::logical_and  ? part->number == 0.0
                         : term.form == Form::logical_or ? part->number != 0.0
                                                         : false;
    if (part->is_known && decides) break;
  }
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  if (term.form == Form::logical_and) return algebra_.conjunction(parts);
  if (term.form == Form::logical_or) return algebra_.disjunction(parts);
  return term.number != 0.0 ? algebra_.negation(parts[0]) : parts[0];
}

// Branches that are known not to be followed are not evaluated.
Value Evaluator::evaluate_if(const Term& term) {
  struct Branch {
    Scalar condition;
    TermId term;
    Value value;
  };
  std::vector<Branch> open;
  TermId last = ast_.child(term, term.num_children - 1);
  for (std::size_t k = 0; k + 1 < term.num_children; k += 2) {
    const auto condition = evaluate_condition(ast_.child(term, k));
    if (!condition) return {};
    const TermId branch = ast_.child(term, k + 1);
    if (condition->is_known && condition->number == 0.0) continue;
    if (condition->is_known) {
      last = branch;
      break;
    }
    open.push_back({*condition, branch, evaluate(branch)});
  }
  Value result = evaluate(last);
  for (const Branch& branch : open)
    if (branch.value.is_bad()) result = {};
  if (mode_ != Mode::structural) graph_.set_position(term.position);
  for (std::size_t k = open.size(); k-- > 0 && !result.is_bad();)
    result = choose(open[k].condition, open[k].term, open[k].value, result);
  return result;
}

Value Evaluator::choose(const Scalar& condition, TermId then_term, const Value& then,
                        const Value& otherwise) {
  const Position position = position_of(then_term);
  if (then.dimensions() != otherwise.dimensions()) {
    report("E-LNG-004", position, "the branches of an 'if' differ in size",
           fmt::format("this one is {}, the next one is {}", description_of(then.dimensions()),
                       description_of(otherwise.dimensions())),
           "make the sizes equal");
    return {};
  }
  const auto values = then.elements(), others = otherwise.elements();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if ((values[k].type == Type::boolean) == (others[k].type == Type::boolean)) continue;
    report("E-LNG-009", position, "the branches of an 'if' differ in type",
           fmt::format("this one is of type {}, the next one of type {}", name_of(values[k].type),
                       name_of(others[k].type)),
           "make all of them numbers, or all of them Booleans");
    return {};
  }
  return elementwise(then, otherwise, position, [&](const Scalar& a, const Scalar& b) {
    return algebra_.select(condition, a, b);
  });
}

}  // namespace daedal::lang
