#include "reduce/conversion/linear_combination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "expr/partial.hpp"
#include "expr/write_out.hpp"
#include "reduce/conversion/factored.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::NodeId;

constexpr std::size_t longest_name = 80;

class Combination {
 public:
  Combination(AnalysedModel& model, int block, const NullVector& u, const GenericValues& values)
      : model_(model),
        graph_(model.graph()),
        structure_(model.structure),
        block_(block),
        values_(values),
        theta_(least_offset(u)) {
    for (std::size_t k = 0; k < u.members.size(); ++k)
      terms_.push_back({u.members[k], u.factors[k]});
    sum_ = sum_of(terms_);
  }

  Attempt run() {
    extend_to_earlier_blocks();
    if (values_.all_vanish(graph_, {&sum_, 1}))
      return Obstacle{
          name() + (terms_.size() == 1 ? " is 0 = 0: it says nothing"
                                       : " is 0 = 0: these equations depend on each other"),
          true};
    const std::vector<Derivative> leading = leading_derivatives();
    std::optional<expr::Simplified> found = written_without(graph_, sum_, leading, values_);
    if (!found)
      return Obstacle{fmt::format(
          "in {} the factors contain derivatives as high as those that cancel", name())};
    if (!found->graph->varies(found->roots[0]))
      return Obstacle{
          fmt::format("{} contains no unknown: these equations depend on each other, or "
                      "contradict each other",
                      name()),
          true};
    return rewritten(*found);
  }

 private:
  struct Term {
    int equation;
    NodeId factor;
  };

  int least_offset(const NullVector& u) const {
    int least = structure_.c[u.members[0]];
    for (const int i : u.members) least = std::min(least, structure_.c[i]);
    return least;
  }

  // sum of factor d^(c_i - theta) f_i/dt^(c_i - theta), derivatives carried out.
  NodeId sum_of(const std::vector<Term>& terms) {
    std::vector<NodeId> parts;
    for (const Term& term : terms)
      parts.push_back(
          graph_.multiply(term.factor, graph_.diff(model_.equations.roots[term.equation],
                                                   structure_.c[term.equation] - theta_)));
    const NodeId sum = graph_.affine(0.0, std::vector<double>(parts.size(), 1.0), parts);
    return expr::expand_derivatives(graph_, {&sum, 1})[0];
  }

  void add(const Term& term) {
    terms_.push_back(term);
    sum_ = graph_.add(sum_, sum_of({term}));
  }

  std::vector<Derivative> leading_derivatives() const {
    std::vector<Derivative> leading;
    for (const int j : structure_.fine_blocks[block_].unknowns)
      if (structure_.d[j] >= theta_) leading.push_back({j, structure_.d[j] - theta_});
    return leading;
  }

  // Highest derivatives of unknowns of earlier blocks do no harm, but the combination is a sharper
  // constraint without them: where one equation determines one unknown, a multiple of it takes them
  // away. With numbers as factors only, so that nothing has to be divided by.
  void extend_to_earlier_blocks() {
    constexpr std::size_t most_terms = 40;
    std::map<int, int> orders = orders_in(graph_, sum_);
    for (int b = block_ - 1; b >= 0 && terms_.size() < most_terms; --b) {
      const structure::Block& block = structure_.fine_blocks[b];
      if (block.equations.size() != 1) continue;
      const int i = block.equations[0], j = block.unknowns[0], order = structure_.d[j] - theta_;
      const auto found = orders.find(j);
      if (order < 0 || structure_.c[i] < theta_ || found == orders.end() || found->second < order)
        continue;
      const auto factor = constant_ratio(i, j, order);
      if (!factor) continue;
      add({i, graph_.constant(-*factor)});
      orders = orders_in(graph_, sum_);
    }
  }

  // (d sum/d x_j^(order)) / J_ij, if it is a number other than zero.
  std::optional<double> constant_ratio(int equation, int unknown, int order) {
    const NodeId leaf = model_.derivative(unknown, order);
    const NodeId partial = expr::gradient(graph_, sum_, {&leaf, 1})[0];
    for (const taylor::JacobianEntry& entry : model_.jacobian) {
      if (entry.equation != equation || entry.unknown != unknown) continue;
      const NodeId ratio = reduced_quotient(graph_, partial, entry.value);
      std::vector<linear::Rounded> at_points;
      for (const auto& point : values_.everywhere(graph_, {&ratio, 1}))
        at_points.push_back(point[0]);
      const auto number = recognised(at_points);
      if (number && *number != 0.0) return number;
    }
    return std::nullopt;
  }

  // Any equation that is not differentiated in the combination may be replaced; one of another
  // block only if no highest derivative at all is left.
  const Term& term_to_replace(const Graph& graph, NodeId residual) {
    bool has_leading = false;
    for (const auto& [j, order] : orders_in(graph, residual))
      has_leading = has_leading || order >= structure_.d[j] - theta_;
    const std::vector<int>& own = structure_.fine_blocks[block_].equations;
    const auto cost = [&](const Term& term) {
      const bool is_own = std::binary_search(own.begin(), own.end(), term.equation);
      const bool is_allowed = structure_.c[term.equation] == theta_ && (is_own || !has_leading);
      if (!is_allowed) return 4;
      if (!graph_.varies(term.factor)) return graph_.is_constant(term.factor) ? 0 : 1;
      return values_.changes_sign(graph_, term.factor) ? 3 : 2;
    };
    return *std::min_element(terms_.begin(), terms_.end(), [&](const Term& a, const Term& b) {
      return std::pair(cost(a), a.equation) < std::pair(cost(b), b.equation);
    });
  }

  // "equation 1 + equation 2", "rate - d/dt total".
  std::string text() const {
    std::string text;
    for (const Term& term : sorted_terms()) {
      std::string factor = expr::write_out(graph_, {&term.factor, 1})[0];
      const bool is_negative = factor[0] == '-' && graph_.is_constant(term.factor);
      if (is_negative) factor.erase(0, 1);
      if (!text.empty())
        text += is_negative ? " - " : " + ";
      else if (is_negative)
        text += "-";
      if (factor != "1")
        text += (graph_.is_constant(term.factor) ? factor : "(" + factor + ")") + "*";
      text += model_.differentiated(term.equation, structure_.c[term.equation] - theta_);
    }
    return text;
  }

  std::vector<Term> sorted_terms() const {
    std::vector<Term> terms = terms_;
    std::sort(terms.begin(), terms.end(),
              [](const Term& a, const Term& b) { return a.equation < b.equation; });
    return terms;
  }

  std::string name() const {
    const std::string full = text();
    return full.size() <= longest_name
               ? full
               : fmt::format("combination of {}", base::plural(terms_.size(), "equation"));
  }

  // For the equation that it replaces, whose own name is free then.
  std::string unique_name(const model::Equation& replaced) const {
    const auto is_taken = [&](const std::string& candidate) {
      return candidate != replaced.name &&
             std::any_of(model_.data.equations.begin(), model_.data.equations.end(),
                         [&](const model::Equation& e) { return e.name == candidate; });
    };
    std::string unique = name();
    for (int number = 2; is_taken(unique); ++number)
      unique = fmt::format("{} ({})", name(), number);
    return unique;
  }

  Rewritten rewritten(const expr::Simplified& residual) {
    const Term replaced = term_to_replace(*residual.graph, residual.roots[0]);
    Rewritten result{.model = model::copy_of(model_.data),
                     .step = begin_step(model_, block_, "linear combination")};
    expr::Graph& graph = *result.model.graph;
    model::Equation& equation = result.model.equations[replaced.equation];
    equation.name = unique_name(equation);
    equation.left = transplanted(*residual.graph, residual.roots[0], graph);
    equation.right = graph.constant(0.0);
    equation.residual = equation.left;
    equation.is_derived = true;
    ConversionStep& step = result.step;
    for (const Term& term : sorted_terms()) {
      step.members.push_back(
          model_.differentiated(term.equation, structure_.c[term.equation] - theta_));
      step.factors.push_back(expr::write_out(graph_, {&term.factor, 1})[0]);
    }
    step.replaced = {model_.differentiated(replaced.equation, 0)};
    step.new_equations = {equation_text(result.model, equation)};
    step.holds_where = where_not_zero(graph_, replaced.factor);
    return result;
  }

  AnalysedModel& model_;
  Graph& graph_;
  const structure::Structure& structure_;
  int block_;
  const GenericValues& values_;
  int theta_;
  std::vector<Term> terms_;
  NodeId sum_;
};

}  // namespace

Attempt combine_equations(AnalysedModel& model, int block, const NullVector& u,
                          const GenericValues& values) {
  return Combination(model, block, u, values).run();
}

}  // namespace daedal::reduce
