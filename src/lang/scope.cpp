#include "lang/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <string>

namespace daedal::lang {

// ---------------------------------------------------------------------------------------------------------------------
// Whose size and value must be known before whose

namespace {

// The components that an expression names, loop variables of its own aside.
class NameCollector {
 public:
  NameCollector(const Ast& ast, const Scope& scope)
      : ast_(ast), scope_(scope), hidden_(ast.symbols.size(), 0) {}

  void collect(TermId id, std::vector<ComponentId>& found) {
    const Term& term = ast_[id];
    if (term.form == Form::reduction || term.form == Form::braces_for)
      return collect_with_iterators(term, found);
    if (term.form == Form::name && hidden_[term.symbol.index()] == 0)
      if (const ComponentId component = scope_.find(term.symbol); component.is_set())
        found.push_back(component);
    for (const Child& child : ast_.children_of(term)) collect(child.term, found);
  }

 private:
  // The iterators hide outer names in the body and, to be safe with either nesting, in each other's
  // ranges.
  void collect_with_iterators(const Term& term, std::vector<ComponentId>& found) {
    const auto children = ast_.children_of(term);
    for (const Child& child : children.subspan(1)) ++hidden_[ast_[child.term].symbol.index()];
    collect(children[0].term, found);
    for (const Child& child : children.subspan(1)) collect(child.term, found);
    for (const Child& child : children.subspan(1)) --hidden_[ast_[child.term].symbol.index()];
  }

  const Ast& ast_;
  const Scope& scope_;
  std::vector<int> hidden_;  // by symbol
};

void find_dependencies(const Ast& ast, Scope& scope) {
  NameCollector collector(ast, scope);
  const Symbol start = ast.symbols.find("start");
  for (Component& component : scope.components()) {
    const Declaration& declaration = *component.declaration;
    for (const TermId size : declaration.dimensions)
      collector.collect(size, component.dependencies);
    const bool is_computed_first =
        declaration.variability != Variability::variable || declaration.is_discrete;
    if (is_computed_first && declaration.binding.is_set())
      collector.collect(declaration.binding, component.dependencies);
    if (declaration.is_discrete)
      for (const Modifier& modifier : declaration.modifiers)
        if (modifier.name == start) collector.collect(modifier.value, component.dependencies);
    std::sort(component.dependencies.begin(), component.dependencies.end());
    component.dependencies.erase(
        std::unique(component.dependencies.begin(), component.dependencies.end()),
        component.dependencies.end());
  }
}

// One cycle among the components that still wait for something, started anywhere: follow what is
// waited for until a component comes twice.
std::vector<ComponentId> find_cycle(const Scope& scope, const std::vector<bool>& is_done,
                                    ComponentId start, std::vector<std::size_t>& step_of) {
  std::vector<ComponentId> path;
  ComponentId at = start;
  while (step_of[at.index()] == 0) {
    path.push_back(at);
    step_of[at.index()] = path.size();
    const auto& needs = scope[at].dependencies;
    at = *std::find_if(needs.begin(), needs.end(),
                       [&](ComponentId id) { return !is_done[id.index()]; });
  }
  const auto first = static_cast<std::ptrdiff_t>(step_of[at.index()] - 1);
  for (const ComponentId id : path) step_of[id.index()] = 0;
  return {path.begin() + first, path.end()};
}

void report_cycle(const Ast& ast, const Scope& scope, const std::vector<ComponentId>& cycle,
                  Diagnostics& diagnostics) {
  const auto first = std::min_element(cycle.begin(), cycle.end());
  std::string text;
  const std::size_t shown = std::min<std::size_t>(cycle.size(), 8);
  const auto name = [&](std::size_t k) {
    const auto offset = static_cast<std::size_t>(first - cycle.begin());
    return ast.name_of(scope[cycle[(offset + k) % cycle.size()]].declaration->name);
  };
  for (std::size_t k = 0; k < shown; ++k) text += name(k) + " needs ";
  if (shown < cycle.size()) text += fmt::format("... ({} more) needs ", cycle.size() - shown);
  text += name(0);
  diagnostics.report({"E-LNG-011", scope[*first].declaration->position,
                      fmt::format("'{}' is defined by itself", name(0)), text,
                      "break the cycle: give one of them a number"});
}

}  // namespace

// Kahn's algorithm with the earliest declaration first.
std::vector<ComponentId> order_bindings(const Ast& ast, Scope& scope, Diagnostics& diagnostics) {
  find_dependencies(ast, scope);
  const std::size_t count = scope.components().size();
  std::vector<std::size_t> num_waiting_for(count);
  std::vector<std::vector<ComponentId>> users(count);
  std::priority_queue<ComponentId, std::vector<ComponentId>, std::greater<>> ready;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& needs = scope.components()[k].dependencies;
    num_waiting_for[k] = needs.size();
    for (const ComponentId id : needs) users[id.index()].push_back(ComponentId(k));
    if (needs.empty()) ready.push(ComponentId(k));
  }
  std::vector<ComponentId> order;
  std::vector<bool> is_done(count, false);
  std::vector<std::size_t> step_of(count, 0);
  const auto finish = [&](ComponentId id) {
    is_done[id.index()] = true;
    for (const ComponentId user : users[id.index()])
      if (--num_waiting_for[user.index()] == 0 && !is_done[user.index()]) ready.push(user);
  };
  for (std::size_t next_stuck = 0;;) {
    while (!ready.empty()) {
      const ComponentId id = ready.top();
      ready.pop();
      order.push_back(id);
      finish(id);
    }
    while (next_stuck < count && is_done[next_stuck]) ++next_stuck;
    if (next_stuck == count) return order;
    const std::vector<ComponentId> cycle =
        find_cycle(scope, is_done, ComponentId(next_stuck), step_of);
    report_cycle(ast, scope, cycle, diagnostics);
    for (const ComponentId id : cycle) scope[id].is_bad = true;
    for (const ComponentId id : cycle) finish(id);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// How much a text may unroll into

bool Budget::charge(std::int64_t amount, Position position) {
  if (is_exhausted_) return false;
  if (amount <= max_work_ - spent_) {
    spent_ += amount;
    return true;
  }
  is_exhausted_ = !diagnostics_.is_silent();  // what is silent now will be asked again aloud
  diagnostics_.report(
      {"E-LNG-008", position, "the model unrolls into too many elements",
       fmt::format("this adds {} elements, terms or turns of a loop to {}; the limit is {}", amount,
                   spent_, max_work_),
       "make sizes and loop bounds smaller, or raise --max-elements"});
  return false;
}

bool Budget::allows_array(const Dimensions& dimensions, const std::string& what,
                          Position position) {
  const std::int64_t count = num_elements(dimensions);
  if (count >= 0 && count <= max_elements_) return charge(count, position);
  const std::string size = count < 0 ? std::string("more than 9e18") : fmt::format("{}", count);
  diagnostics_.report({"E-LNG-008", position, fmt::format("{} is too large", what),
                       fmt::format("{} has {} elements ({}); the limit is {}", what, size,
                                   description_of(dimensions), max_elements_),
                       "make its sizes smaller, or raise --max-elements"});
  return false;
}

}  // namespace daedal::lang
