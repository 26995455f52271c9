#include "reduce/conversion/conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/wording.hpp"
#include "expr/graph.hpp"
#include "expr/rebuild.hpp"
#include "reduce/conversion/expression_substitution.hpp"
#include "reduce/conversion/linear_combination.hpp"
#include "reduce/conversion/null_vector.hpp"

namespace daedal::reduce {
namespace {

using expr::NodeId;
using model::ModelData;
using model::ParameterId;

// The model with numbers in place of parameters, in all of its equations.
ModelData with_numbers(const ModelData& model, const std::vector<ParameterId>& parameters,
                       const std::vector<double>& values) {
  ModelData result = model::copy_of(model);
  expr::Graph& graph = *result.graph;
  std::map<NodeId, NodeId> image;
  for (const ParameterId parameter : parameters)
    image[graph.node(parameter)] = graph.constant(values[parameter.index()]);
  const auto replace = [&](NodeId& root) {
    for (const NodeId node : expr::reachable(graph, {&root, 1}))
      if (!image.contains(node))
        image[node] = expr::rebuild_if_changed(graph, node,
                                               [&](NodeId argument) { return image.at(argument); });
    root = image.at(root);
  };
  for (model::Equation& equation : result.equations) {
    const NodeId before = equation.residual;
    replace(equation.left);
    replace(equation.right);
    replace(equation.residual);
    equation.is_derived = equation.is_derived || equation.residual != before;
  }
  return result;
}

// A null vector and what can be done with it, simplest first: numbers, then a factor to divide by
// that is a number; equations before unknowns.
struct Candidate {
  NullVector vector;
  std::tuple<int, int, std::size_t> cost;
};

std::vector<Candidate> candidates_of(AnalysedModel& model, int block, const GenericValues& values) {
  std::vector<Candidate> candidates;
  for (const Side side : {Side::rows, Side::columns}) {
    for (NullVector& vector : null_vectors(model, block, side, values)) {
      const bool has_number =
          std::any_of(vector.factors.begin(), vector.factors.end(),
                      [&](NodeId factor) { return model.graph().is_constant(factor); });
      const int kind = vector.is_constant ? 0 : has_number ? 1 : 2;
      const std::size_t size = vector.members.size();
      candidates.push_back({std::move(vector), {kind, side == Side::rows ? 0 : 1, size}});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  return candidates;
}

class Converter {
 public:
  Converter(const ModelData& model, const std::vector<double>& parameters)
      : model_(analysed(model::copy_of(model), parameters)) {}

  // The value of the signature matrix, sum d - sum c, is at least 0 and falls with every rewriting
  // [TanNedialkovPryce2017]; putting in numbers happens once for each parameter.
  ConversionResult run() {
    while (reason_.empty() && !model_.regularity.singular.empty()) take_block();
    ConversionResult result{
        .model = {}, .reason = reason_, .fixed = std::move(fixed_), .steps = std::move(steps_)};
    if (reason_.empty()) result.model = std::move(model_);
    return result;
  }

 private:
  void take_block() {
    const int block = model_.regularity.singular.front().block;
    const GenericValues values(model_.data, model_.parameters);
    if (const auto decisive = decisive_parameters(model_, block, values); !decisive.empty())
      put_in_numbers(decisive);
    else
      rewrite(block, values);
  }

  void put_in_numbers(const std::vector<ParameterId>& parameters) {
    fixed_.insert(fixed_.end(), parameters.begin(), parameters.end());
    model_ = analysed(with_numbers(model_.data, parameters, model_.parameters), model_.parameters);
    if (!model_.is_structurally_regular)
      reason_ = fmt::format("with {} the equations do not determine all unknowns",
                            base::listed(parameters.size(), [&](std::size_t k) {
                              const std::size_t p = parameters[k].index();
                              return fmt::format("{} = {}", model_.data.parameters[p].name,
                                                 model_.parameters[p]);
                            }));
  }

  void rewrite(int block, const GenericValues& values) {
    const std::vector<Candidate> candidates = candidates_of(model_, block, values);
    std::set<std::string> obstacles;
    for (const Candidate& candidate : candidates) {
      Attempt attempt = candidate.vector.side == Side::rows
                            ? combine_equations(model_, block, candidate.vector, values)
                            : substitute_expressions(model_, block, candidate.vector);
      if (const auto* obstacle = std::get_if<Obstacle>(&attempt)) {
        obstacles.insert(obstacle->text);
        if (obstacle->is_final) break;
      } else if (takes(std::move(std::get<Rewritten>(attempt)), obstacles)) {
        return;
      }
    }
    give_up(block, candidates.empty(), obstacles);
  }

  // If it makes the structure smaller.
  bool takes(Rewritten rewritten, std::set<std::string>& obstacles) {
    AnalysedModel next = analysed(std::move(rewritten.model), model_.parameters);
    if (!next.is_structurally_regular) {
      obstacles.insert(
          fmt::format("with {} the equations would not determine all unknowns: some depend on "
                      "others",
                      base::listed(rewritten.step.new_equations)));
      return false;
    }
    if (next.structure.dof >= model_.structure.dof) {
      obstacles.insert(
          fmt::format("{} does not lower the orders", base::listed(rewritten.step.new_equations)));
      return false;
    }
    model_ = std::move(next);
    steps_.push_back(std::move(rewritten.step));
    return true;
  }

  void give_up(int block, bool has_no_vector, const std::set<std::string>& obstacles) {
    const std::vector<int>& unknowns = model_.structure.fine_blocks[block].unknowns;
    const std::string where =
        fmt::format("block {{{}}}", base::listed(unknowns.size(), [&](std::size_t k) {
                      return model_.data.variables[unknowns[k]].name;
                    }));
    reason_ = has_no_vector ? where + ": no null vector of its Jacobian was found as an expression"
                            : where + ": " + base::listed({obstacles.begin(), obstacles.end()});
  }

  AnalysedModel model_;
  std::string reason_;
  std::vector<ParameterId> fixed_;
  std::vector<ConversionStep> steps_;
};

}  // namespace

ConversionResult convert(const ModelData& model, const std::vector<double>& parameters) {
  return Converter(model, parameters).run();
}

}  // namespace daedal::reduce
