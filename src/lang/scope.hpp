// What names mean: the declared components, in the order in which they can be computed, and the
// loop variables in force.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lang/ast.hpp"
#include "lang/diagnostics.hpp"
#include "lang/value.hpp"

namespace daedal::lang {

using ComponentId = base::Id<struct ComponentTag>;

// A declared name with what is known about it so far.
struct Component {
  const Declaration* declaration = nullptr;
  Dimensions dimensions;
  bool is_bad = false;                    // reported; its uses stay silent
  bool is_sized = false;                  // dimensions are known
  std::vector<NodeId> nodes;              // leaves, by element; constants have none
  std::vector<double> values;             // parameters and constants, by element; NaN where unknown
  std::vector<Scalar> scalars;            // aliases: what each element stands for, once it is known
  std::vector<ComponentId> dependencies;  // components that sizes and bindings are computed from
  bool is_structural = false;             // its value has shaped the model
  bool is_overridden = false;             // all of it: its binding plays no part

  std::int64_t size() const { return num_elements(dimensions); }
  bool is_defined() const { return static_cast<std::int64_t>(scalars.size()) == size(); }
};

class Scope {
 public:
  explicit Scope(std::size_t num_symbols) : component_of_(num_symbols), loops_(num_symbols) {}

  ComponentId find(Symbol symbol) const { return component_of_[symbol.index()]; }
  Component& operator[](ComponentId id) { return components_[id.index()]; }
  const Component& operator[](ComponentId id) const { return components_[id.index()]; }
  std::vector<Component>& components() { return components_; }
  const std::vector<Component>& components() const { return components_; }

  ComponentId declare(Symbol symbol, const Declaration& declaration) {
    const ComponentId id(components_.size());
    components_.emplace_back();
    components_.back().declaration = &declaration;
    components_.back().is_bad = declaration.bad;
    component_of_[symbol.index()] = id;
    return id;
  }

  struct LoopVariable {
    bool is_active = false;
    bool is_bad = false;
    Scalar value;
  };
  const LoopVariable& loop(Symbol symbol) const { return loops_[symbol.index()]; }

  // Gives a loop variable its meaning for as long as this lives.
  class Binding {
   public:
    Binding(Scope& scope, Symbol symbol)
        : variable_(scope.loops_[symbol.index()]), before_(variable_) {
      variable_ = {.is_active = true, .is_bad = false, .value = {}};
    }
    ~Binding() { variable_ = before_; }
    Binding(const Binding&) = delete;
    Binding& operator=(const Binding&) = delete;
    void set(const Scalar& value) { variable_.value = value; }
    void set_bad() { variable_.is_bad = true; }

   private:
    LoopVariable& variable_;
    LoopVariable before_;
  };

 private:
  std::vector<Component> components_;
  std::vector<ComponentId> component_of_;  // by symbol
  std::vector<LoopVariable> loops_;        // by symbol
};

// Finds what every component's sizes and binding are computed from, fills Component::dependencies,
// and returns the components with every one after those it needs, otherwise in the order of the
// text. Components on a cycle are reported (E-LNG-011), marked bad and left out. Uses no recursion
// over components: chains may be long.
std::vector<ComponentId> order_bindings(const Ast& ast, Scope& scope, Diagnostics& diagnostics);

// Keeps text from unrolling into more than memory holds (E-LNG-008).
class Budget {
 public:
  Budget(const ModelLimits& limits, Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        max_elements_(limits.max_elements),
        max_work_(5 * max_elements_) {}

  std::int64_t max_elements() const { return max_elements_; }

  // False, once reported, when the limit is passed.
  bool charge(std::int64_t amount, Position position);
  bool is_exhausted() const { return is_exhausted_; }
  // False and reported if an array is too large.
  bool allows_array(const Dimensions& dimensions, const std::string& what, Position position);

 private:
  Diagnostics& diagnostics_;
  std::int64_t max_elements_;  // of one array, of all variables, of all equations
  std::int64_t max_work_;      // elements, terms, equations and iterations together
  std::int64_t spent_ = 0;
  bool is_exhausted_ = false;
};

}  // namespace daedal::lang
