#include "hybrid/switches.hpp"

#include <algorithm>
#include <cmath>

#include "expr/condition.hpp"
#include "expr/evaluate.hpp"
#include "expr/graph.hpp"

namespace daedal::hybrid {
namespace {

using expr::Graph;
using expr::Op;

// The relation or parameter of a condition that is one, or its negation.
NodeId relation_of(const Graph& graph, NodeId condition) {
  const NodeId inner = expr::negated(graph, condition);
  return inner.is_set() ? inner : condition;
}

std::vector<NodeId> equation_roots(const model::ModelData& model) {
  std::vector<NodeId> roots;
  for (const auto* equations : {&model.equations, &model.initial_equations})
    for (const model::Equation& equation : *equations)
      roots.insert(roots.end(), {equation.left, equation.right, equation.residual});
  return roots;
}

// Whether a condition stands in an equation, and not in clauses alone.
bool has_branches_in_equations(const model::ModelData& model) {
  const std::vector<NodeId> nodes = expr::reachable(*model.graph, equation_roots(model));
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](NodeId node) { return expr::is_piecewise(model.graph->op(node)); });
}

// Which guards have nothing but branches that are polynomials.
class CandidateSearch {
 public:
  CandidateSearch(const model::ModelData& model, const Guards& guards)
      : graph_(*model.graph), guards_(guards), cones_(graph_), is_candidate_(guards.size(), true) {
    find_polynomials();
    for (int k = 0; k < guards.size(); ++k)
      if (!changes_in_runs(model, k) || guards.is_on_side_of_another(k)) is_candidate_[k] = false;
    rule_out_nested();
    is_seen_.resize(graph_.size(), false);
    for (const NodeId root : equation_roots(model)) see(root);
    while (!pending_.empty()) {
      const NodeId node = pending_.back();
      pending_.pop_back();
      visit(node);
    }
  }

  const std::vector<bool>& is_candidate() const { return is_candidate_; }
  const std::vector<std::pair<int, NodeId>>& branches() const { return branches_; }

 private:
  void see(NodeId node) {
    if (is_seen_[node.index()]) return;
    is_seen_[node.index()] = true;
    pending_.push_back(node);
  }

  // Marks the nodes that are polynomials of unknowns, their derivatives and time. A node that does
  // not vary counts as a number, unless a condition is in it.
  void find_polynomials() {
    is_polynomial_.resize(graph_.size());
    for (std::size_t k = 0; k < graph_.size(); ++k) {
      const NodeId node(k);
      const auto arguments = graph_.arguments(node);
      const bool of_polynomials =
          std::all_of(arguments.begin(), arguments.end(),
                      [&](NodeId argument) { return is_polynomial_[argument.index()]; });
      is_polynomial_[k] = of_polynomials && !expr::is_piecewise(graph_.op(node)) &&
                          (!graph_.varies(node) || is_polynomial_operation(node));
    }
  }

  bool is_polynomial_operation(NodeId node) const {
    switch (graph_.op(node)) {
      case Op::time:
      case Op::unknown:
      case Op::diff:
      case Op::affine:
      case Op::product: return true;
      case Op::quotient: return !graph_.varies(graph_.arguments(node)[1]);
      case Op::power:
        return graph_.number(node) > 0.0 && graph_.number(node) == std::floor(graph_.number(node));
      default: return false;
    }
  }

  // A guard of parameters that no event changes has one side for all of a run.
  bool changes_in_runs(const model::ModelData& model, int guard) {
    if (!guards_.is_constant(guard)) return true;
    const std::span<const NodeId> cone = cones_.below(guards_[guard].node);
    return std::any_of(cone.begin(), cone.end(), [&](NodeId node) {
      return graph_.op(node) == Op::parameter &&
             model.parameters[graph_.parameter(node).index()].is_discrete;
    });
  }

  // A guard whose function has conditions in it, and the guards of those: another function on each
  // side.
  void rule_out_nested() {
    for (int k = 0; k < guards_.size(); ++k)
      for (const NodeId node : cones_.below(guards_[k].node))
        if (expr::is_piecewise(graph_.op(node))) {
          is_candidate_[k] = false;
          rule_out(node);
        }
  }

  void rule_out(NodeId piecewise) {
    if (guards_.has_use(piecewise) && guards_.use(piecewise).guard >= 0)
      is_candidate_[guards_.use(piecewise).guard] = false;
  }

  void visit(NodeId node) {
    const auto arguments = graph_.arguments(node);
    const Op op = graph_.op(node);
    if (op == Op::select) {
      visit_condition(arguments[0], arguments.subspan(1));
      for (const NodeId branch : arguments.subspan(1)) see(branch);
      return;
    }
    if (expr::is_relation(op)) rule_out(node);  // a number in a formula
    if (expr::is_piecewise(op) && guards_.use(node).guard >= 0 && op != Op::sign)
      keep_if_polynomial(guards_.use(node).guard, arguments);
    for (const NodeId argument : arguments) see(argument);
  }

  // The guards of a condition of several protect each other.
  void visit_condition(NodeId condition, std::span<const NodeId> branches) {
    const int guard = single_guard(graph_, guards_, condition);
    if (guard >= 0) return keep_if_polynomial(guard, branches);
    for (const NodeId node : cones_.below(condition))
      if (expr::is_piecewise(graph_.op(node)) || graph_.op(node) == Op::parameter) rule_out(node);
  }

  void keep_if_polynomial(int guard, std::span<const NodeId> branches) {
    for (const NodeId branch : branches) {
      if (!is_polynomial_[branch.index()]) is_candidate_[guard] = false;
      branches_.emplace_back(guard, branch);
    }
  }

  const Graph& graph_;
  const Guards& guards_;
  expr::Cone cones_;
  std::vector<bool> is_candidate_;
  std::vector<bool> is_polynomial_;  // by node
  std::vector<bool> is_seen_;        // by node: part of an equation
  std::vector<NodeId> pending_;
  std::vector<std::pair<int, NodeId>> branches_;  // with their guards
};

// How the equations of a model depend on inputs, one equation after the other.
class InputsInJacobian {
 public:
  InputsInJacobian(const Graph& graph, const structure::Structure& structure,
                   const std::vector<SwitchInput>& inputs)
      : graph_(graph),
        structure_(structure),
        inputs_(inputs),
        first_input_(graph.num_parameters() - inputs.size()),
        cones_(graph),
        of_(graph.size()),
        is_found_(inputs.size(), false) {}

  // d f / d x^(q) of the highest q may depend on inputs where one of them meets x^(q) in anything
  // but a sum.
  void look_at(int equation, NodeId residual) {
    for (const NodeId node : cones_.below(residual)) {
      Dependence& sum = of_[node.index()];
      sum = of_leaf(node, structure_.c[equation]);
      for (const NodeId argument : graph_.arguments(node)) {
        sum.on_highest = sum.on_highest || of_[argument.index()].on_highest;
        sum.on_inputs = sum.on_inputs || of_[argument.index()].on_inputs;
      }
      if (graph_.op(node) != Op::affine && sum.on_highest && sum.on_inputs) add_inputs_of(node);
    }
  }

  std::vector<int> guards() const {
    std::vector<int> guards;
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      if (is_found_[k]) guards.push_back(inputs_[k].guard);
    std::sort(guards.begin(), guards.end());
    guards.erase(std::unique(guards.begin(), guards.end()), guards.end());
    return guards;
  }

 private:
  struct Dependence {
    bool on_highest = false, on_inputs = false;
  };

  // What a leaf depends on. A derivative of an expression counts as a highest derivative, whatever
  // unknowns are in it.
  Dependence of_leaf(NodeId node, int c) {
    switch (graph_.op(node)) {
      case Op::parameter: return {.on_inputs = graph_.parameter(node).index() >= first_input_};
      case Op::unknown: return {.on_highest = is_highest(node, 0, c)};
      case Op::diff: {
        const NodeId argument = graph_.arguments(node)[0];
        return {.on_highest = graph_.op(argument) != Op::unknown ||
                              is_highest(argument, graph_.order(node), c)};
      }
      default: return {};
    }
  }

  bool is_highest(NodeId unknown, int order, int c) const {
    return order >= structure_.d[graph_.unknown(unknown).index()] - c;
  }

  void add_inputs_of(NodeId node) {
    for (const NodeId part : expr::reachable(graph_, std::span(&node, 1)))
      if (graph_.op(part) == Op::parameter && graph_.parameter(part).index() >= first_input_)
        is_found_[graph_.parameter(part).index() - first_input_] = true;
  }

  const Graph& graph_;
  const structure::Structure& structure_;
  const std::vector<SwitchInput>& inputs_;
  std::size_t first_input_;
  expr::Cone cones_;
  std::vector<Dependence> of_;  // by node
  std::vector<bool> is_found_;  // by input
};

}  // namespace

int single_guard(const Graph& graph, const Guards& guards, NodeId condition) {
  const NodeId relation = relation_of(graph, condition);
  return guards.has_use(relation) ? guards.use(relation).guard : -1;
}

bool holds_on(const Graph& graph, const Guards& guards, NodeId condition, Side side) {
  const NodeId relation = relation_of(graph, condition);
  const Side seen = guards.use(relation).is_opposite ? opposite(side) : side;
  const bool may_be_zero = graph.op(relation) == Op::nonnegative;
  const bool is_true = seen == Side::plus || (seen == Side::zero && may_be_zero);
  return relation == condition ? is_true : !is_true;
}

Switches::Switches(const model::ModelData& model, const Guards& guards)
    : Switches(*model.graph, candidates_of(model, guards)) {}

Switches::Switches(const Graph& graph, Candidates candidates)
    : candidates_(std::move(candidates)), values_(graph, nodes_of(candidates_.numbers)) {}

std::vector<NodeId> Switches::nodes_of(const std::vector<Number>& numbers) {
  std::vector<NodeId> nodes;
  for (const Number& number : numbers) nodes.push_back(number.node);
  return nodes;
}

Switches::Candidates Switches::candidates_of(const model::ModelData& model, const Guards& guards) {
  const Graph& graph = *model.graph;
  if (guards.size() == 0 || !has_branches_in_equations(model))
    return {std::vector<bool>(guards.size(), false), {}};
  const CandidateSearch search(model, guards);
  Candidates candidates{search.is_candidate(), {}};
  expr::Cone cones(graph);
  for (const auto& [guard, branch] : search.branches()) {
    if (!candidates.is_candidate[guard]) continue;
    for (const NodeId node : cones.below(branch)) {
      if (graph.op(node) == Op::quotient)
        candidates.numbers.push_back({guard, graph.arguments(node)[1], true});
      if (!graph.varies(node) && !graph.is_constant(node))
        candidates.numbers.push_back({guard, node, false});
    }
  }
  return candidates;
}

std::vector<bool> Switches::possible(const std::vector<double>& parameters) {
  std::vector<bool> possible = candidates_.is_candidate;
  if (candidates_.numbers.empty()) return possible;
  values_.evaluate({.time = 0.0, .parameters = parameters, .unknown = {}});
  for (const Number& number : candidates_.numbers) {
    const double value = values_.value(number.node);
    if (!std::isfinite(number.is_divisor ? 1.0 / value : value)) possible[number.guard] = false;
  }
  return possible;
}

std::vector<int> guards_in_jacobian(const Graph& graph, std::span<const NodeId> residuals,
                                    const structure::Structure& structure,
                                    const std::vector<SwitchInput>& inputs) {
  InputsInJacobian search(graph, structure, inputs);
  for (std::size_t i = 0; i < residuals.size(); ++i)
    search.look_at(static_cast<int>(i), residuals[i]);
  return search.guards();
}

}  // namespace daedal::hybrid
