#include "lang/lower.hpp"

#include <fmt/format.h>

#include "base/near_miss.hpp"

namespace daedal::lang {
namespace {

void declare_components(Lowering& lowering) {
  Scope& scope = lowering.scope;
  for (const Declaration& declaration : lowering.ast.declarations) {
    const std::string& name = lowering.ast.name_of(declaration.name);
    if (const ComponentId first = scope.find(declaration.name); first.is_set()) {
      const Position position = scope[first].declaration->position;
      lowering.report(
          "E-LNG-003", declaration.position, fmt::format("the name '{}' is declared twice", name),
          fmt::format("it was first declared at {}", lowering.diagnostics.place(position)),
          "rename one of the two, or remove it");
    } else if (name == "time") {
      lowering.report("E-LNG-003", declaration.position, "the name 'time' is taken",
                      "it is the independent variable of every model", "choose another name");
    } else {
      scope.declare(declaration.name, declaration);
    }
  }
}

}  // namespace

Lowering::Lowering(const Ast& ast_, const std::string& file_, const ModelLimits& limits,
                   Diagnostics& diagnostics_)
    : ast(ast_),
      file(file_),
      diagnostics(diagnostics_),
      budget(limits, diagnostics_),
      scope(ast_.symbols.size()),
      evaluator(ast_, scope, *data.graph, diagnostics_, budget) {
  data.name = ast.name;
  data.description = ast.description;
  data.place = place(ast.position);
}

void Lowering::report(std::string_view id, Position position, std::string what, std::string why,
                      std::string todo) {
  diagnostics.report({std::string(id), position, std::move(what), std::move(why), std::move(todo)});
}

bool Unroller::run(const Statement& loop, const std::function<void(const Statement&)>& body) {
  const std::size_t num_outer = variables_.size();
  for (const TermId iterator : loop.iterators) variables_.push_back(lowering_.ast[iterator].symbol);
  const bool is_complete = lowering_.evaluator.for_each(loop.iterators, [&] {
    const std::uint64_t before = lowering_.diagnostics.num_reports();
    for (const Statement& statement : loop.body) body(statement);
    return lowering_.diagnostics.num_reports() == before;
  });
  variables_.resize(num_outer);
  return is_complete;
}

std::string Unroller::name_of(Symbol label, const Dimensions& dimensions,
                              std::size_t element) const {
  if (!label.is_set()) return {};
  std::string indices;
  const auto append = [&](double index) {
    indices += indices.empty() ? "" : ",";
    fmt::format_to(std::back_inserter(indices), "{}", index);
  };
  for (const Symbol variable : variables_) append(lowering_.scope.loop(variable).value.number);
  std::size_t stride = 1;
  for (const std::int64_t size : dimensions) stride *= static_cast<std::size_t>(size);
  for (const std::int64_t size : dimensions) {
    stride /= static_cast<std::size_t>(size);
    append(static_cast<double>(element / stride % static_cast<std::size_t>(size) + 1));
  }
  const std::string& name = lowering_.ast.name_of(label);
  return indices.empty() ? name : fmt::format("{}[{}]", name, indices);
}

model::ModelData lower(const Ast& ast, const std::string& file, const ParameterValues& parameters,
                       const ModelLimits& limits, Diagnostics& diagnostics) {
  Lowering lowering(ast, file, limits, diagnostics);
  declare_components(lowering);
  const std::vector<ComponentId> order = order_bindings(ast, lowering.scope, diagnostics);
  lower_parameters(lowering, order, parameters);
  lower_variables(lowering);
  for (const ComponentId id : order)
    if (lowering.scope[id].declaration->is_alias()) lowering.aliases.push_back(id);
  std::function<void()> end_lagrangian;
  if (ast.lagrangian.is_present) {
    lower_aliases(lowering, multiplier_symbols(ast));
    end_lagrangian = lower_lagrangian(lowering);
  }
  lower_aliases(lowering, {});
  lower_equations(lowering);
  if (end_lagrangian) end_lagrangian();
  if (ast.has_whens) lower_whens(lowering);
  lower_outputs(lowering);
  lower_experiment(lowering);
  lower_drawing(lowering);
  mark_structural_parameters(lowering);
  return std::move(lowering.data);
}

void lower_experiment(Lowering& lowering) {
  Experiment& experiment = lowering.data.experiment;
  for (const Setting& entry : lowering.ast.experiment) {
    std::optional<double>* target = entry.name == "StartTime"   ? &experiment.start_time
                                    : entry.name == "StopTime"  ? &experiment.stop_time
                                    : entry.name == "Tolerance" ? &experiment.tolerance
                                                                : nullptr;
    if (target != nullptr) {
      *target = lowering.evaluator.number(entry.value, entry.name);
      continue;
    }
    if (entry.name == "Interval" || entry.name == "NumberOfIntervals" ||
        entry.name.starts_with("__"))
      continue;
    const std::string hint =
        base::did_you_mean(entry.name, {"StartTime", "StopTime", "Tolerance", "Interval"});
    lowering.report("E-LNG-012", entry.position,
                    fmt::format("the experiment has no setting '{}'", entry.name),
                    "settings are StartTime, StopTime, Tolerance and Interval",
                    hint.empty() ? "remove it" : hint);
  }
}

void mark_structural_parameters(Lowering& lowering) {
  Scope& scope = lowering.scope;
  std::vector<ComponentId> open;
  for (std::size_t k = 0; k < scope.components().size(); ++k)
    if (scope.components()[k].is_structural) open.push_back(ComponentId(k));
  while (!open.empty()) {
    const Component& component = scope[open.back()];
    open.pop_back();
    for (const NodeId node : component.nodes)
      if (!component.declaration->is_discrete)  // whose start value has shaped it, no more
        lowering.data.parameters[lowering.data.graph->parameter(node).index()].structural = true;
    if (component.is_overridden) continue;  // its value did not come from its binding
    for (const ComponentId id : component.dependencies) {
      Component& needed = scope[id];
      const bool is_parameter = needed.declaration->variability == Variability::parameter;
      if (!is_parameter || needed.is_structural) continue;
      needed.is_structural = true;
      open.push_back(id);
    }
  }
}

}  // namespace daedal::lang
