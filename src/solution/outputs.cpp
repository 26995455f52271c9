#include "solution/outputs.hpp"

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "expr/simplify.hpp"

namespace daedal::solution {

Outputs::Outputs(const model::ModelData& model) {
  for (const model::Output* output : model::outputs_of(model)) {
    names_.push_back(output->name);
    roots_.push_back(output->node);
  }
  expr::Simplified copy = expr::simplify(*model.graph, roots_);
  graph_ = std::move(copy.graph);
  roots_ = expr::expand_derivatives(*graph_, copy.roots);
}

std::vector<double> Outputs::values(double t, const std::vector<double>& parameters,
                                    const Derivative& derivative) const {
  expr::Evaluator evaluator(*graph_);
  const expr::Point point{
      .time = t, .parameters = parameters, .unknown = [&](expr::UnknownId j, int order) {
        return derivative(static_cast<int>(j.index()), order);
      }};
  std::vector<double> values;
  for (const expr::NodeId root : roots_) values.push_back(evaluator.value(root, point));
  return values;
}

}  // namespace daedal::solution
