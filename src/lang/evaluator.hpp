// The meaning of expressions: tree -> values.
//
// One evaluator serves three purposes, by what may be known when the result is needed:
//   equation    everything may occur; variables, parameters and time become nodes of the graph
//   parametric  start values and bindings: numbers and parameters, which stay nodes so that they
//   can change at run time structural  sizes, loop bounds, subscripts, exponents, orders of
//   derivatives: numbers now. Parameters that are used
//               here are marked: they have shaped the model
//
// Its functions are spread over evaluator.cpp (names and subscripts), evaluate_arrays.cpp,
// evaluate_operators.cpp and evaluate_calls.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/ast.hpp"
#include "lang/builtins.hpp"
#include "lang/diagnostics.hpp"
#include "lang/scope.hpp"
#include "lang/value.hpp"

namespace daedal::lang {

enum class Mode { equation, parametric, structural };

// The values of a loop variable, in order.
struct Iteration {
  double first = 0.0;
  double step = 1.0;
  std::int64_t count = 0;
  Type type = Type::integer;
  std::vector<double> values;  // if not empty, these instead of first and step

  double at(std::int64_t k) const {
    return values.empty() ? first + step * static_cast<double>(k)
                          : values[static_cast<std::size_t>(k)];
  }
};

class Evaluator {
 public:
  Evaluator(const Ast& ast, Scope& scope, expr::Graph& graph, Diagnostics& diagnostics,
            Budget& budget);

  // `purpose` completes the sentence "... is needed for ___"; it must outlive the call.
  Value evaluate(TermId id, Mode mode, std::string_view purpose);

  // Structural values; empty if reported.
  std::optional<double> number(TermId id, std::string_view purpose);
  std::optional<std::int64_t> integer(TermId id, std::string_view purpose);

  // Numbers of a binding with the parameters' present values, without reports and marks; bad if
  // there are none.
  Value evaluate_quietly(TermId id);

  // Runs `body` for all values of the iterators, the first outermost; stops when it returns false,
  // or on an error. Returns whether all were run.
  bool for_each(std::span<const TermId> iterators, const std::function<bool()>& body);

  // A Boolean of equation mode, known if it can be. Empty if reported.
  std::optional<Scalar> condition(TermId id);
  // A Boolean that is known now: parameters in it have shaped the model.
  std::optional<bool> structural_condition(TermId id);

  // Whether the expression has no variables and no time in it.
  bool is_parametric(TermId id) { return change_of(id) == Change::never; }

  // While one of these lives, values are those at an event, before it: there pre(e) is e.
  class AtEvent {
   public:
    explicit AtEvent(Evaluator& evaluator) : evaluator_(evaluator) {
      evaluator_.is_at_event_ = true;
    }
    ~AtEvent() { evaluator_.is_at_event_ = false; }
    AtEvent(const AtEvent&) = delete;
    AtEvent& operator=(const AtEvent&) = delete;

   private:
    Evaluator& evaluator_;
  };

  // False and reported (E-LNG-009) if a Boolean stands where a number is needed.
  bool require_numbers(const Value& value, Position position, std::string_view what);

  const ScalarAlgebra& algebra() const { return algebra_; }
  std::vector<std::string> names_in_scope() const;

 private:
  class Setting;
  // When the value of an expression may change in a run.
  enum class Change : std::uint8_t { never, at_events, always };

  void report(std::string_view id, Position position, std::string what, std::string why,
              std::string todo);
  bool require_known(const Value& value, Position position);
  Position position_of(TermId id) const { return ast_[id].position; }
  Change change_of(TermId id);
  Change change_of(const Component& component) const;
  bool is_settled(TermId id) const;

  // Names and structure: evaluator.cpp.
  Value evaluate(TermId id);
  Value evaluate_name(const Term& term);
  Value evaluate_builtin_name(const Term& term);
  Value report_unknown_name(const Term& term);
  Value evaluate_component(const Term& term, ComponentId id);
  Value whole_component(const Term& term, const Component& component);
  Scalar element(const Component& component, std::size_t flat_index) const;
  bool may_read(const Term& term, const Component& component);
  bool report_missing_value(const Term& term, const Component& component);
  const Component* component_without_value(const Component& from) const;
  Value subscripted(const Term& term, const Component& component);
  Value slice(const Term& term, const Component& component);
  bool subscript_values(TermId id, std::int64_t size, Symbol array,
                        std::vector<std::int64_t>& indices, bool& is_scalar);
  std::optional<std::int64_t> index_of(double number, std::int64_t size, Symbol array,
                                       Position position);
  Value evaluate_braces(const Term& term);
  Value evaluate_braces_for(const Term& term);
  bool collect_nested(const Term& term, std::size_t level, ArrayValue& array, bool& is_first);
  Value stack(std::vector<Value>& values, std::span<const Position> positions, Position position);
  Value evaluate_range(const Term& term);
  std::optional<Iteration> iteration_of(TermId range);
  std::optional<Iteration> range_of(const Term& term);

  // Operators: evaluate_operators.cpp.
  Value evaluate_sum(const Term& term);
  Value evaluate_array_sum(const Term& term, std::size_t first, const Value& before,
                           const Value& first_array);
  Value evaluate_product(const Term& term);
  Value multiply(const Value& a, const Value& b, bool elementwise, Position position);
  Value divide(const Value& a, const Value& b, bool elementwise, Position position);
  Value matrix_product(const ArrayValue& a, const ArrayValue& b, Position position);
  bool report_zero_divisor(const Value& divisor, Position position);
  Value evaluate_power(const Term& term);
  Value evaluate_negate(const Term& term);
  Value evaluate_compare(const Term& term);
  bool may_compare(const Term& term, const Value& left, const Value& right);
  Value evaluate_logic(const Term& term);
  std::optional<Scalar> evaluate_condition(TermId id);
  Value evaluate_if(const Term& term);
  Value choose(const Scalar& condition, TermId then_term, const Value& then,
               const Value& otherwise);
  Value elementwise(const Value& a, const Value& b, Position position,
                    const std::function<Scalar(const Scalar&, const Scalar&)>& operation);
  void report_mismatch(const Value& a, const Value& b, Position position,
                       std::string_view operation);

  // Calls: evaluate_calls.cpp.
  Value evaluate_call(const Term& term);
  const Function* function_of(const Term& term);
  void report_unknown_function(const Term& term);
  bool has_right_arity(const Term& term, const Function& function);
  Value map(const Value& value, Position position,
            const std::function<Scalar(const Scalar&)>& operation);
  Value call_elementary(const Term& term, const Function& function);
  Value call_two_arguments(const Term& term, const Function& function);
  Value call_extremum(const Term& term, const Function& function);
  Value call_derivative(const Term& term);
  Value call_pre(const Term& term);
  Value call_transparent(const Term& term);
  Value call_size(const Term& term);
  Value call_filled(const Term& term, const Function& function);
  Value call_structural(const Term& term, const Function& function);
  Value evaluate_reduction(const Term& term);
  Value reduced(std::span<const Scalar> elements, const Function& function);
  std::optional<Value> numeric_argument(const Term& term, std::size_t k);

  const Ast& ast_;
  Scope& scope_;
  expr::Graph& graph_;
  Diagnostics& diagnostics_;
  Budget& budget_;
  ScalarAlgebra algebra_;
  Mode mode_ = Mode::structural;
  std::string_view purpose_;
  bool marks_structural_ = true;
  bool is_at_event_ = false;
  std::vector<std::int64_t> subscript_ends_;  // the meaning of 'end' in the subscripts being read
  std::vector<const Function*> functions_;    // by symbol
  Symbol time_;
  std::unordered_set<std::uint32_t> reported_names_;
  std::unordered_map<std::uint32_t, Change> changes_;  // by term
};

}  // namespace daedal::lang
