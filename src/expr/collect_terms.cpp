#include "expr/collect_terms.hpp"

#include <algorithm>

#include "expr/graph.hpp"
#include "expr/rebuild.hpp"

namespace daedal::expr {
namespace {

constexpr std::size_t most_terms = 40;  // longer sums are not multiplied out: nobody reads them

// Sums of products, in a graph of its own, in which parameters come before unknowns: m*x, not x*m.
class TermCollector {
 public:
  TermCollector(const Graph& from, bool multiplies_out)
      : from_(from),
        multiplies_out_(multiplies_out),
        graph_(std::make_unique<Graph>()),
        to_(*graph_) {
    for (std::size_t k = 0; k < from.num_parameters(); ++k)
      to_.add_parameter(from.name(ParameterId(k)));
    for (std::size_t k = 0; k < from.num_unknowns(); ++k) to_.add_unknown(from.name(UnknownId(k)));
  }

  Simplified finish(std::span<const NodeId> roots) {
    terms_.resize(from_.size());
    for (const NodeId node : reachable(from_, roots)) terms_[node.index()] = terms_of(node);
    std::vector<NodeId> images;
    for (const NodeId root : roots) images.push_back(sum_of(inertia_first(terms_[root.index()])));
    return {std::move(graph_), std::move(images)};
  }

 private:
  struct Term {
    double coefficient = 1.0;
    std::vector<NodeId> factors;  // of to_; none a product or a number
  };
  using Terms = std::vector<Term>;

  Terms terms_of(NodeId node) {
    switch (from_.op(node)) {
      case Op::constant: return {{from_.number(node), {}}};
      case Op::affine: return sum(node);
      case Op::product: return product(node);
      default: {
        const NodeId image = rebuild_in(
            to_, from_, node, [&](NodeId argument) { return sum_of(terms_[argument.index()]); });
        return {{1.0, {image}}};
      }
    }
  }

  Terms sum(NodeId node) {
    Terms terms;
    const auto arguments = from_.arguments(node);
    for (std::size_t k = 0; k < arguments.size(); ++k)
      for (Term term : terms_[arguments[k].index()]) {
        term.coefficient *= from_.coefficients(node)[k];
        terms.push_back(std::move(term));
      }
    if (from_.number(node) != 0.0) terms.push_back({from_.number(node), {}});
    return terms.size() <= most_terms ? terms : Terms{{1.0, {sum_of(terms)}}};
  }

  Terms product(NodeId node) {
    Terms terms = {{1.0, {}}};
    for (const NodeId argument : from_.arguments(node)) {
      const Terms& factor = terms_[argument.index()];
      const bool opens =
          factor.size() == 1 || (multiplies_out_ && terms.size() * factor.size() <= most_terms);
      terms = opens ? multiplied(terms, factor) : multiplied(terms, {{1.0, {sum_of(factor)}}});
    }
    return terms;
  }

  static Terms multiplied(const Terms& a, const Terms& b) {
    Terms result;
    for (const Term& left : a)
      for (const Term& right : b) {
        Term term{left.coefficient * right.coefficient, left.factors};
        term.factors.insert(term.factors.end(), right.factors.begin(), right.factors.end());
        result.push_back(std::move(term));
      }
    return result;
  }

  // Terms of a sum are written in the order in which their nodes are made.
  NodeId sum_of(const Terms& terms) {
    double constant = 0.0;
    std::vector<NodeId> nodes;
    std::vector<double> coefficients;
    for (const Term& term : terms) {
      if (term.factors.empty()) {
        constant += term.coefficient;
        continue;
      }
      nodes.push_back(to_.product(term.factors));
      coefficients.push_back(term.coefficient);
    }
    return to_.affine(constant, coefficients, nodes);
  }

  Terms inertia_first(Terms terms) const {
    std::stable_partition(terms.begin(), terms.end(), [&](const Term& term) {
      return std::any_of(term.factors.begin(), term.factors.end(), [&](NodeId factor) {
        return to_.op(factor) == Op::diff && to_.order(factor) > 1;
      });
    });
    return terms;
  }

  const Graph& from_;
  bool multiplies_out_;
  std::unique_ptr<Graph> graph_;
  Graph& to_;
  std::vector<Terms> terms_;  // by node
};

}  // namespace

Simplified collect_terms(const Graph& graph, std::span<const NodeId> roots, bool multiplies_out) {
  return TermCollector(graph, multiplies_out).finish(roots);
}

}  // namespace daedal::expr
