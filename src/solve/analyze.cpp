// The whole analysis in words: what the pipeline of reduce/structural_analysis.hpp finds, and the
// conversion where its verdict is that structure misleads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "daedal/analysis.hpp"
#include "expr/print.hpp"
#include "expr/write_out.hpp"
#include "model/check.hpp"
#include "plan/balanced_model.hpp"
#include "plan/findings.hpp"
#include "plan/jacobian_verdict.hpp"
#include "plan/plan.hpp"
#include "run/modes/guessed_mode.hpp"
#include "solve/start_analysis.hpp"
#include "start/array_start.hpp"
#include "structure/quasilinear.hpp"
#include "structure/structure.hpp"

namespace daedal {
namespace {

using expr::NodeId;
using model::ModelData;

// Equations that nobody wrote are shown as one would; the others as they were written.
std::vector<std::string> equation_texts(const ModelData& model) {
  std::vector<NodeId> derived;
  for (const model::Equation& equation : model.equations)
    if (equation.is_derived) derived.insert(derived.end(), {equation.left, equation.right});
  const std::vector<std::string> written = expr::write_out(*model.graph, derived);
  std::vector<std::string> texts;
  std::size_t next = 0;
  for (const model::Equation& equation : model.equations) {
    const auto side = [&](NodeId node) {
      return equation.is_derived ? written[next++] : expr::to_text(*model.graph, node);
    };
    const std::string left = side(equation.left);
    texts.push_back(left + " = " + side(equation.right));
  }
  return texts;
}

void describe_outputs(const ModelData& model, Analysis& analysis) {
  std::vector<NodeId> nodes;
  for (const model::Output* output : model::outputs_of(model)) {
    analysis.outputs.push_back(output->name);
    nodes.push_back(output->node);
  }
  analysis.output_texts = expr::write_out(*model.graph, nodes);
}

void describe_model(const ModelData& model, Analysis& analysis) {
  analysis.model = model.name;
  for (const model::Variable& variable : model.variables)
    analysis.variables.push_back(variable.name);
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    analysis.equations.push_back(model.label(model::EquationId(i)));
  analysis.equation_texts = equation_texts(model);
  describe_outputs(model, analysis);
}

void describe_signature(const structure::SignatureMatrix& sigma, Analysis& analysis) {
  for (int i = 0; i < sigma.num_equations(); ++i)
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k)
      analysis.signature.push_back({i, sigma.unknowns(i)[k], sigma.orders(i)[k]});
}

// A block taken alone: its offsets are c_i - lead and d_j - lead.
AnalysisBlock describe_block(const structure::Block& block, const structure::Structure& s, int lead,
                             bool is_linear) {
  AnalysisBlock result{
      .equations = block.equations, .variables = block.unknowns, .index = 0, .linear = is_linear};
  for (const int i : block.equations) result.index = std::max(result.index, s.c[i] - lead);
  const bool has_algebraic = std::any_of(block.unknowns.begin(), block.unknowns.end(),
                                         [&](int j) { return s.d[j] == lead; });
  if (has_algebraic) ++result.index;
  return result;
}

void describe_structure(const structure::Structure& s, const std::vector<int>& leads,
                        const std::vector<bool>& is_linear, Analysis& analysis) {
  analysis.transversal = s.transversal;
  analysis.c = s.c;
  analysis.d = s.d;
  analysis.structural_index = s.index;
  analysis.dof = s.dof;
  for (std::size_t b = 0; b < s.fine_blocks.size(); ++b)
    analysis.blocks.push_back(describe_block(s.fine_blocks[b], s, leads[b], is_linear[b]));
  for (const structure::Block& block : s.coarse_blocks)
    analysis.coarse_blocks.push_back({block.equations, block.unknowns});
  analysis.quasilinear =
      std::all_of(is_linear.begin(), is_linear.end(), [](bool linear) { return linear; });
}

// What a start must tell, block by block, each block taken alone: x_j and its derivatives below d_j
// - lead, and where the block is nonlinear in the next derivatives, those too, as guesses that
// select a branch [Nedialkov2009, sec. 2.2]. Higher derivatives follow from the differentiated
// equations and need not be given.
std::vector<std::string> initial_values(const ModelData& model, const structure::Structure& s,
                                        const std::vector<int>& leads,
                                        const std::vector<bool>& is_linear_alone) {
  std::vector<int> count(model.variables.size(), 0);
  for (std::size_t b = 0; b < s.fine_blocks.size(); ++b)
    for (const int j : s.fine_blocks[b].unknowns)
      count[j] = s.d[j] - leads[b] + (is_linear_alone[b] ? 0 : 1);
  std::vector<std::string> names;
  for (std::size_t j = 0; j < count.size(); ++j)
    for (int order = 0; order < count[j]; ++order)
      names.push_back(model::derivative_name(model.variables[j].name, order));
  return names;
}

void describe_new_model(reduce::AnalysedModel& model, Conversion& conversion) {
  for (const model::Variable& variable : model.data.variables)
    conversion.variables.push_back(variable.name);
  for (std::size_t i = 0; i < model.data.equations.size(); ++i)
    conversion.equations.push_back(model.data.label(model::EquationId(i)));
  conversion.equation_texts = equation_texts(model.data);
  conversion.c = model.structure.c;
  conversion.d = model.structure.d;
  conversion.structural_index = model.structure.index;
  conversion.dof = model.structure.dof;
  const std::vector<int> leads = structure::lead_times(model.structure);
  conversion.initial_values = initial_values(
      model.data, model.structure, leads,
      structure::linear_blocks(model.graph(), model.equations.roots, model.structure, leads));
}

Conversion describe_conversion(reduce::ConversionResult& result, const ModelData& model,
                               const std::vector<double>& parameters) {
  Conversion conversion;
  conversion.succeeded = result.model.has_value();
  conversion.reason = result.reason;
  conversion.steps = result.steps;
  for (const model::ParameterId parameter : result.fixed)
    conversion.fixed_parameters.push_back(fmt::format(
        "{} = {}", model.parameters[parameter.index()].name, parameters[parameter.index()]));
  if (result.model) describe_new_model(*result.model, conversion);
  return conversion;
}

}  // namespace

std::string to_string(AnalysisStatus status) {
  switch (status) {
    case AnalysisStatus::ok: return "ok";
    case AnalysisStatus::structurally_singular: return "structurally-singular";
    case AnalysisStatus::structural_analysis_fails: return "structural-analysis-fails";
  }
  return "";
}

namespace {

Analysis analyze_mode(const Model& user_model, double start,
                      const std::vector<std::string>& conditions) {
  const run::GuessedMode mode(user_model.data(), start, conditions);
  const plan::BalancedModel balanced(mode.data(), start);
  const ModelData& model = balanced.data();
  const std::vector<double> parameters = model::check(model);

  Analysis analysis;
  analysis.conditions = mode.conditions();
  describe_model(model, analysis);
  reduce::StructuralAnalysis found = reduce::analyse_structure(model, reduce::Purpose::to_read);
  analysis.nodes_recorded = user_model.data().graph->num_recorded();
  analysis.nodes = found.graph().size();
  describe_signature(found.sigma, analysis);
  const plan::AnalysedEquations equations{found.graph(), found.residuals()};
  if (!found.is_structurally_regular()) {
    analysis.status = AnalysisStatus::structurally_singular;
    analysis.diagnosis =
        plan::joined(plan::explain_singular_structure(model, equations, found.diagnosis),
                     plan::explain_dependent_constraints(model, parameters));
    return analysis;
  }

  const structure::Structure& structure = found.structure;
  const std::vector<int> tops(structure.fine_blocks.size(), 0),
      leads = structure::lead_times(structure);
  describe_structure(structure, leads, found.linear_blocks(tops), analysis);
  analysis.initial_values = initial_values(model, structure, leads, found.linear_blocks(leads));

  reduce::GenericJacobian jacobian(model, found.graph(), found.residuals(), structure, parameters);
  const taylor::Regularity regularity = jacobian.judged_at(parameters);
  if (!regularity.singular.empty()) analysis.status = AnalysisStatus::structural_analysis_fails;
  analysis.diagnosis =
      plan::explain_regularity(model, equations, structure, regularity,
                               plan::blamed_parameters(jacobian, regularity, parameters));
  if (analysis.status == AnalysisStatus::structural_analysis_fails) {
    std::vector<Problem> dependent = plan::explain_dependent_constraints(model, parameters, start);
    if (!dependent.empty()) {
      analysis.diagnosis = std::move(dependent);
    } else {
      reduce::ConversionResult conversion = reduce::convert(model, parameters);
      plan::tell_conversion(analysis.diagnosis, conversion);
      analysis.conversion = describe_conversion(conversion, model, parameters);
    }
  }
  // A pattern can ask for more differentiations than the equations need, or for fewer.
  if (analysis.status == AnalysisStatus::structural_analysis_fails || structure.index > 1)
    analysis.numerical_index = start::quick_numerical_index(model, start);
  return analysis;
}

}  // namespace

Analysis analyze(const Model& model) {
  return analyze_mode(model, model.experiment().start_time.value_or(0.0), {});
}

Analysis solving::analyze_start(const Model& model, const ConsistentPoint& start) {
  return analyze_mode(model, start.t, start.conditions);
}

}  // namespace daedal
