#include "solve/findings.hpp"

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "expr/print.hpp"

namespace daedal::solve {
namespace {

using model::EquationId;
using model::ModelData;
using model::UnknownId;

constexpr std::size_t most_listed = 20;

// "a, b, c" of at most twenty items, then the count of the rest.
std::string listed(std::size_t count, const std::function<std::string(std::size_t)>& item) {
  std::string text;
  for (std::size_t k = 0; k < std::min(count, most_listed); ++k) text += (k > 0 ? ", " : "") + item(k);
  if (count > most_listed) text += fmt::format(", ... and {} more", count - most_listed);
  return text;
}

std::string equation_places(const ModelData& model, const std::vector<int>& equations) {
  return listed(equations.size(), [&](std::size_t k) { return model.place_of(EquationId(equations[k])); });
}

std::string equation_labels(const ModelData& model, const std::vector<int>& equations) {
  return listed(equations.size(), [&](std::size_t k) { return "'" + model.label(EquationId(equations[k])) + "'"; });
}

std::string unknown_places(const ModelData& model, const std::vector<int>& unknowns) {
  return listed(unknowns.size(), [&](std::size_t k) { return model.place_of(UnknownId(unknowns[k])); });
}

std::string unknown_names(const ModelData& model, const std::vector<int>& unknowns) {
  return listed(unknowns.size(), [&](std::size_t k) { return model.variables[unknowns[k]].name; });
}

std::string plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string totals(const ModelData& model) {
  return fmt::format("the model has {} and {}", plural(model.equations.size(), "equation"),
                     plural(model.variables.size(), "unknown"));
}

Problem over_determined(const ModelData& model, const structure::IllPosedPart& part) {
  const std::size_t surplus = part.equations.size() - part.unknowns.size();
  return {.id = "E-STR-001",
          .what = fmt::format("{} too many for the unknowns {}", plural(surplus, "equation"),
                              part.unknowns.empty() ? "(none)" : unknown_names(model, part.unknowns)),
          .where = equation_places(model, part.equations),
          .why = fmt::format("these {} contain only {} among them ({}), so at most {} can hold in general; {}",
                             plural(part.equations.size(), "equation"), plural(part.unknowns.size(), "unknown"),
                             unknown_names(model, part.unknowns), part.unknowns.size(), totals(model)),
          .todo = fmt::format("drop {} of {}, or let one of them depend on a further unknown",
                              surplus == 1 ? "one" : std::to_string(surplus), equation_labels(model, part.equations)),
          .excerpt = {}};
}

Problem under_determined(const ModelData& model, const structure::IllPosedPart& part) {
  const std::size_t missing = part.unknowns.size() - part.equations.size();
  const std::string why =
      part.equations.empty()
          ? fmt::format("no equation determines {}; {}", unknown_names(model, part.unknowns), totals(model))
          : fmt::format("the {} ({}) occur only in {} ({}); {}", plural(part.unknowns.size(), "unknown"),
                        unknown_names(model, part.unknowns), plural(part.equations.size(), "equation"),
                        equation_labels(model, part.equations), totals(model));
  return {.id = "E-STR-002",
          .what = fmt::format("{} missing for the unknowns {}", plural(missing, "equation"),
                              unknown_names(model, part.unknowns)),
          .where = unknown_places(model, part.unknowns),
          .why = why,
          .todo = fmt::format("add {} that {} {}, or make {} of them {}", plural(missing, "equation"),
                              missing == 1 ? "contains one of" : "contain some of", unknown_names(model, part.unknowns),
                              missing, missing == 1 ? "a parameter" : "parameters"),
          .excerpt = {}};
}

std::string derivative_names(const ModelData& model, const structure::Structure& structure,
                             const std::vector<int>& unknowns) {
  return listed(unknowns.size(), [&](std::size_t k) {
    const std::string& name = model.variables[unknowns[k]].name;
    const int order = structure.d[unknowns[k]];
    if (order == 0) return name;
    return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
  });
}

// "1*'a' - 1*'b'", each equation differentiated as often as its offset says.
std::string combination(const ModelData& model, const structure::Structure& structure,
                        const taylor::SingularBlock& singular) {
  return listed(singular.equations.size(), [&](std::size_t k) {
    const int i = singular.equations[k];
    const std::string label = "'" + model.label(EquationId(i)) + "'";
    const std::string differentiated =
        structure.c[i] == 0 ? label : fmt::format("d^{}/dt^{} {}", structure.c[i], structure.c[i], label);
    return fmt::format("{:+.4g} times {}", singular.weights[k], differentiated);
  });
}

Problem singular_block(const ModelData& model, const structure::Structure& structure,
                       const taylor::SingularBlock& singular) {
  const structure::Block& block = structure.fine_blocks[singular.block];
  std::string why = fmt::format(
      "at random points near the guesses the block's Jacobian has a pivot ratio of {:.1e}: the highest derivatives {} "
      "are not determined by these equations",
      singular.pivot_ratio, derivative_names(model, structure, singular.unknowns));
  if (!singular.weights.empty())
    why += fmt::format("; they cancel in the sum of {}", combination(model, structure, singular));
  return {.id = "S-STR-001",
          .what = fmt::format("structural analysis fails: the system Jacobian of block {} {{{}}} is singular",
                              singular.block + 1, unknown_names(model, block.unknowns)),
          .where = equation_places(model, block.equations),
          .why = why,
          .todo = "replace one of these equations by that combination (it is a hidden constraint), or rewrite the model "
                  "so that the cancellation is visible; the structural index and the degrees of freedom are not valid",
          .excerpt = {}};
}

Problem never_defined(const ModelData& model, const expr::Graph& graph, expr::NodeId node) {
  const auto position = graph.position(node);
  const model::Place place{.file = model.place.file, .line = position.line, .column = position.column};
  return {.id = "S-STR-002",
          .what = "the system Jacobian could not be checked",
          .where = place.text(),
          .why = fmt::format("no point near the guesses was found at which {} is defined", expr::to_text(graph, node, 120)),
          .todo = "give start values inside the domain of every function; the offsets do not depend on this",
          .excerpt = {}};
}

}  // namespace

std::vector<Problem> explain_singular_structure(const ModelData& model, const structure::Diagnosis& diagnosis) {
  std::vector<Problem> problems;
  for (const structure::IllPosedPart& part : diagnosis.over) problems.push_back(over_determined(model, part));
  for (const structure::IllPosedPart& part : diagnosis.under) problems.push_back(under_determined(model, part));
  return problems;
}

std::vector<Problem> explain_regularity(const ModelData& model, const expr::Graph& graph,
                                        const structure::Structure& structure, const taylor::Regularity& regularity) {
  std::vector<Problem> problems;
  if (!regularity.was_evaluated) problems.push_back(never_defined(model, graph, regularity.undefined));
  for (const taylor::SingularBlock& singular : regularity.singular)
    problems.push_back(singular_block(model, structure, singular));
  return problems;
}

}  // namespace daedal::solve
