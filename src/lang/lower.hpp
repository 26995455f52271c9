// Tree -> model: names get meanings, arrays and loops are unrolled, expressions become nodes of the
// model's graph.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/ast.hpp"
#include "lang/diagnostics.hpp"
#include "lang/evaluator.hpp"
#include "lang/overrides.hpp"
#include "lang/scope.hpp"
#include "model/model_data.hpp"

namespace daedal::lang {

// Reports every problem it finds; the result is meaningful only if there is none.
model::ModelData lower(const Ast& ast, const std::string& file, const ParameterValues& parameters,
                       const ModelLimits& limits, Diagnostics& diagnostics);

// What the parts of lowering share.
struct Lowering {
  Lowering(const Ast& ast, const std::string& file, const ModelLimits& limits,
           Diagnostics& diagnostics);

  void report(std::string_view id, Position position, std::string what, std::string why,
              std::string todo);
  model::Place place(Position position) const { return {file, position.line, position.column}; }
  const std::string& name_of(const Component& component) const {
    return ast.name_of(component.declaration->name);
  }

  const Ast& ast;
  const std::string& file;
  Diagnostics& diagnostics;
  Budget budget;
  model::ModelData data;
  Scope scope;
  Evaluator evaluator;
  std::int64_t num_declared_elements = 0;
  std::unordered_map<std::uint32_t, const Statement*> equation_labels;  // by symbol
  std::deque<Declaration> implicit_declarations;  // of multipliers, which nobody declares
  std::vector<ComponentId> aliases;               // every one after those it needs
};

// Loops over statements, and the indices that they give to names.
class Unroller {
 public:
  explicit Unroller(Lowering& lowering) : lowering_(lowering) {}

  // Runs `body` for every statement of every turn. Stops at the first turn with an error: the
  // others would repeat it. False, and reported, if it stopped.
  bool run(const Statement& loop, const std::function<void(const Statement&)>& body);

  // length, length[2] in a loop or for an element of an array, length[2,1] in both; "" without a
  // label.
  std::string name_of(Symbol label, const Dimensions& dimensions = {},
                      std::size_t element = 0) const;

 private:
  Lowering& lowering_;
  std::vector<Symbol> variables_;  // outermost first
};

// Sizes of all components, and parameters and constants with their values, in the order given.
void lower_parameters(Lowering& lowering, const std::vector<ComponentId>& order,
                      const ParameterValues& values);

// Unknowns with start values, nominals and units, in the order of the text.
void lower_variables(Lowering& lowering);

// What names with a binding stand for, Boolean taut = lambda > 0; but those whose binding has one
// of `later` in it wait.
void lower_aliases(Lowering& lowering, const std::vector<Symbol>& later);

// Whether a variable of this type can have this value.
bool fits_type(Type type, const Scalar& value);

// left = right of all statements of one kind, loops and arrays unrolled, names with indices.
std::vector<model::Equation> unrolled(Lowering& lowering, const std::vector<Statement>& statements,
                                      StatementKind kind);

// Equations of motion and constraints; multipliers become names that equations may use. What it
// returns is to be called once all other equations are known.
std::function<void()> lower_lagrangian(Lowering& lowering);

// The names that multipliers may have.
std::vector<Symbol> multiplier_symbols(const Ast& ast);

// Equations of bindings (Real x = e;), of equation sections and of initial equation sections.
void lower_equations(Lowering& lowering);

// What happens when a condition becomes true.
void lower_whens(Lowering& lowering);

// output Real e = ...;
void lower_outputs(Lowering& lowering);

void lower_experiment(Lowering& lowering);

// annotation(__daedal(draw = {...}))
void lower_drawing(Lowering& lowering);

// Marks parameters whose values have shaped the model, and those that these were computed from.
void mark_structural_parameters(Lowering& lowering);

// The unit of a component, from its modifiers. Reports modifiers that are unknown, given twice or
// meant for something else.
std::string check_modifiers(Lowering& lowering, const Component& component);

const Modifier* find_modifier(const Lowering& lowering, const Declaration& declaration,
                              std::string_view name);

}  // namespace daedal::lang
