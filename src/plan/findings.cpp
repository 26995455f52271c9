#include "plan/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/wording.hpp"
#include "expr/print.hpp"

namespace daedal::plan {
namespace {

using base::listed;
using base::most_listed;
using base::plural;
using model::EquationId;
using model::ModelData;
using model::UnknownId;

std::string equation_places(const ModelData& model, const std::vector<int>& equations) {
  return listed(equations.size(),
                [&](std::size_t k) { return model.place_of(EquationId(equations[k])); });
}

std::string equation_labels(const ModelData& model, const std::vector<int>& equations) {
  return listed(equations.size(),
                [&](std::size_t k) { return "'" + model.label(EquationId(equations[k])) + "'"; });
}

std::string unknown_places(const ModelData& model, const std::vector<int>& unknowns) {
  return listed(unknowns.size(),
                [&](std::size_t k) { return model.place_of(UnknownId(unknowns[k])); });
}

std::string unknown_names(const ModelData& model, const std::vector<int>& unknowns) {
  return listed(unknowns.size(), [&](std::size_t k) { return model.variables[unknowns[k]].name; });
}

// The residual without its overall factor: equations that are multiples of each other become one
// node.
expr::NodeId without_factor(expr::Graph& graph, expr::NodeId residual) {
  while (graph.op(residual) == expr::Op::affine && graph.arguments(residual).size() == 1 &&
         graph.number(residual) == 0.0)
    residual = graph.arguments(residual)[0];
  if (graph.op(residual) != expr::Op::affine) return residual;
  const auto arguments = graph.arguments(residual);
  const auto coefficients = graph.coefficients(residual);
  const double leading = coefficients[0];
  std::vector<double> scaled;
  for (const double c : coefficients) scaled.push_back(c / leading);
  return graph.affine(graph.number(residual) / leading, scaled,
                      std::vector<expr::NodeId>(arguments.begin(), arguments.end()));
}

// "'copy' repeats 'first'" for equations that are multiples of each other; empty if there are none.
std::string repetitions(const ModelData& model, const AnalysedEquations& equations,
                        const std::vector<int>& members) {
  std::map<expr::NodeId, int> first;  // by residual
  std::vector<std::string> found;
  for (const int i : members) {
    const expr::NodeId residual = without_factor(equations.graph, equations.residuals[i]);
    const auto [entry, is_new] = first.emplace(residual, i);
    if (!is_new)
      found.push_back(fmt::format("'{}' repeats '{}'", model.label(EquationId(i)),
                                  model.label(EquationId(entry->second))));
  }
  return listed(found);
}

// "the unknown x", "the unknowns x, y".
std::string the_unknowns(const ModelData& model, const std::vector<int>& unknowns) {
  return (unknowns.size() == 1 ? "the unknown " : "the unknowns ") + unknown_names(model, unknowns);
}

std::string totals(const ModelData& model) {
  return fmt::format("the model has {} and {}", plural(model.equations.size(), "equation"),
                     plural(model.variables.size(), "unknown"));
}

// An equation whose unknowns cancel is a part of its own: one equation, no unknown.
Problem nothing_left(const ModelData& model, const structure::IllPosedPart& part) {
  const std::string label = equation_labels(model, part.equations);
  return {
      .id = "E-STR-001",
      .what = fmt::format("1 equation too many: the unknowns of {} cancel", label),
      .where = equation_places(model, part.equations),
      .why = "after simplification it contains no unknown, so it determines none; " + totals(model),
      .todo = fmt::format("drop {}, or correct it so that an unknown is left", label)};
}

Problem over_determined(const ModelData& model, const AnalysedEquations& equations,
                        const structure::IllPosedPart& part) {
  if (part.unknowns.empty()) return nothing_left(model, part);
  const std::string repeated = repetitions(model, equations, part.equations);
  const std::size_t surplus = part.equations.size() - part.unknowns.size();
  return {.id = "E-STR-001",
          .what = fmt::format("{} too many for {}", plural(surplus, "equation"),
                              the_unknowns(model, part.unknowns)),
          .where = equation_places(model, part.equations),
          .why = fmt::format(
              "these {} contain only {} ({}), so at most {} can hold in general; {}{}",
              plural(part.equations.size(), "equation"), plural(part.unknowns.size(), "unknown"),
              unknown_names(model, part.unknowns), part.unknowns.size(), totals(model),
              repeated.empty() ? "" : "; " + repeated),
          .todo = repeated.empty()
                      ? fmt::format("drop {} of {}, or let {} of them depend on {}", surplus,
                                    equation_labels(model, part.equations), surplus,
                                    surplus == 1 ? "a further unknown" : "further unknowns")
                      : "remove or correct the equation that repeats another"};
}

// An unknown that no equation contains is a part of its own: no equation, one unknown.
Problem never_used(const ModelData& model, const structure::IllPosedPart& part) {
  const std::string name = unknown_names(model, part.unknowns);
  return {.id = "E-STR-002",
          .what = "1 equation missing for " + the_unknowns(model, part.unknowns),
          .where = unknown_places(model, part.unknowns),
          .why = fmt::format("no equation contains {}; {}", name, totals(model)),
          .todo = fmt::format("add an equation that contains {}, or make it a parameter", name)};
}

Problem under_determined(const ModelData& model, const structure::IllPosedPart& part) {
  if (part.equations.empty()) return never_used(model, part);
  const std::size_t missing = part.unknowns.size() - part.equations.size();
  const std::string names = unknown_names(model, part.unknowns);
  return {.id = "E-STR-002",
          .what = fmt::format("{} missing for {}", plural(missing, "equation"),
                              the_unknowns(model, part.unknowns)),
          .where = unknown_places(model, part.unknowns),
          .why = fmt::format("these {} occur only in {} ({}); {}",
                             plural(part.unknowns.size(), "unknown"),
                             plural(part.equations.size(), "equation"),
                             equation_places(model, part.equations), totals(model)),
          .todo = fmt::format("add {} with some of {}, or make {} of them {}",
                              plural(missing, "equation"), names, missing,
                              missing == 1 ? "a parameter" : "parameters")};
}

std::string derivative_names(const ModelData& model, const structure::Structure& structure,
                             const std::vector<int>& unknowns) {
  return listed(unknowns.size(), [&](std::size_t k) {
    return model::derivative_name(model.variables[unknowns[k]].name, structure.d[unknowns[k]]);
  });
}

// "'a' - 0.5*d/dt 'b'", each equation differentiated as often as its offset says, less `common`.
std::string combination(const ModelData& model, const structure::Structure& structure,
                        const taylor::SingularBlock& singular, int common) {
  std::string text;
  const std::size_t count = singular.equations.size();
  for (std::size_t k = 0; k < std::min(count, most_listed); ++k) {
    const int i = singular.equations[k], order = structure.c[i] - common;
    const double weight = singular.weights[k];
    const std::string size = fmt::format("{:.4g}", std::abs(weight));
    if (k > 0)
      text += weight < 0.0 ? " - " : " + ";
    else if (weight < 0.0)
      text += "-";
    if (size != "1") text += size + "*";
    if (order > 0) text += order == 1 ? "d/dt " : fmt::format("d^{}/dt^{} ", order, order);
    text += "'" + model.label(EquationId(i)) + "'";
  }
  if (count > most_listed) text += fmt::format(" + ... {} more", count - most_listed);
  return text;
}

// The equation that the combination may replace without loss: one that is differentiated least.
int replaceable(const structure::Structure& structure, const taylor::SingularBlock& singular) {
  return *std::min_element(singular.equations.begin(), singular.equations.end(),
                           [&](int a, int b) { return structure.c[a] < structure.c[b]; });
}

// "eps (now 0)", the parameters of which another value would do.
std::string values_of(const ModelData& model, const std::vector<model::ParameterId>& parameters) {
  const std::vector<double> values = model::parameter_values(model);
  return listed(parameters.size(), [&](std::size_t k) {
    const std::size_t p = parameters[k].index();
    return fmt::format("{} (now {})", model.parameters[p].name, values[p]);
  });
}

// What to do about a singular block: with one equation, with a combination to use, with many.
std::string remedy(const ModelData& model, const structure::Structure& structure,
                   const taylor::SingularBlock& singular) {
  if (singular.equations.size() == 1)
    return "correct this equation: it does not determine what it should";
  if (singular.weights.empty())
    return "look for a combination of these equations in which the highest derivatives cancel, and "
           "put it in place of one of them";
  const int i = replaceable(structure, singular);
  return fmt::format(
      "put {} = 0, a hidden constraint, in place of '{}' (numbers in it may stand for "
      "expressions), "
      "or rewrite the model so that the cancellation shows",
      combination(model, structure, singular, structure.c[i]), model.label(EquationId(i)));
}

Problem singular_block(const ModelData& model, const structure::Structure& structure,
                       const taylor::SingularBlock& singular, const std::string& repeated,
                       const std::vector<model::ParameterId>& blamed) {
  const structure::Block& block = structure.fine_blocks[singular.block];
  const std::string derivatives = derivative_names(model, structure, singular.unknowns);
  const bool is_one = singular.unknowns.size() == 1;
  const std::string finding =
      singular.weights.empty()
          ? fmt::format("these {} equations do not determine the highest derivatives {}",
                        block.equations.size(), derivatives)
          : fmt::format("{} {} out of {}, so {} not determined", derivatives,
                        is_one ? "drops" : "drop", combination(model, structure, singular, 0),
                        is_one ? "it is" : "they are");
  return {.id = "S-STR-001",
          .what = fmt::format(
              "structural analysis fails: the system Jacobian of block {} {{{}}} is singular",
              singular.block + 1, unknown_names(model, block.unknowns)),
          .where = equation_places(model, block.equations),
          .why = fmt::format(
              "at random points near the guesses {} (smallest over largest pivot {:.1e}){}",
              finding, singular.pivot_ratio,
              !repeated.empty() ? "; " + repeated
              : blamed.empty()  ? ""
                                : "; with another value of " + values_of(model, blamed) +
                                     " the Jacobian would be regular"),
          .todo = (!repeated.empty() ? "remove or correct the equation that repeats another"
                   : blamed.empty()  ? remedy(model, structure, singular)
                                     : "change " + values_of(model, blamed) +
                                          ", or write the model for this value without the terms "
                                          "that vanish")};
}

Problem never_defined(const ModelData& model, const expr::Graph& graph, expr::NodeId node) {
  const auto position = graph.position(node);
  const model::Place place{
      .file = model.place.file, .line = position.line, .column = position.column};
  return {.id = "S-STR-002",
          .what = "the system Jacobian could not be checked",
          .where = place.text(),
          .why = fmt::format("no point near the guesses was found at which {} is defined",
                             expr::to_text(graph, node, 120)),
          .todo =
              "give start values inside the domain of every function; what is said about offsets, "
              "index and degrees of freedom holds if the Jacobian is regular there"};
}

}  // namespace

std::vector<Problem> explain_singular_structure(const ModelData& model,
                                                const AnalysedEquations& equations,
                                                const structure::Diagnosis& diagnosis) {
  std::vector<Problem> problems;
  for (const structure::IllPosedPart& part : diagnosis.over)
    problems.push_back(over_determined(model, equations, part));
  for (const structure::IllPosedPart& part : diagnosis.under)
    problems.push_back(under_determined(model, part));
  return problems;
}

std::vector<Problem> explain_regularity(const ModelData& model, const AnalysedEquations& equations,
                                        const structure::Structure& structure,
                                        const taylor::Regularity& regularity,
                                        const std::vector<model::ParameterId>& blamed) {
  std::vector<Problem> problems;
  if (!regularity.was_evaluated)
    problems.push_back(never_defined(model, equations.graph, regularity.undefined));
  for (const taylor::SingularBlock& singular : regularity.singular) {
    const structure::Block& block = structure.fine_blocks[singular.block];
    problems.push_back(singular_block(model, structure, singular,
                                      repetitions(model, equations, block.equations), blamed));
  }
  return problems;
}

}  // namespace daedal::plan
