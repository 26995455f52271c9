#include "reduce/conversion/expression_substitution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expr/partial.hpp"
#include "expr/write_out.hpp"
#include "reduce/conversion/factored.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::NodeId;

constexpr std::size_t most_members = 60;  // new unknowns, each in every equation of the block

class Substituter {
 public:
  Substituter(const AnalysedModel& model, int block, const NullVector& v)
      : model_(model),
        copy_(model.equations.graph->copy()),
        graph_(*copy_),
        s_(model.structure),
        block_(block),
        v_(v) {}

  Attempt run() {
    if (v_.members.size() > most_members)
      return Obstacle{fmt::format("{} unknowns are too many to be substituted", v_.members.size())};
    find_equations();
    for (const int j : v_.members)
      if (s_.d[j] < highest_)
        return Obstacle{fmt::format("{} would have to be integrated to be substituted",
                                    model_.data.variables[j].name)};
    choose_kept();
    find_ratios();
    if (const std::string obstacle = order_obstacle(); !obstacle.empty()) return Obstacle{obstacle};

    Rewritten result{.model = model::copy_of(model_.data),
                     .step = begin_step(model_, block_, "expression substitution")};
    add_unknowns(result);
    const GenericValues values(result.model, model_.parameters);
    for (const int i : equations_)
      if (!rewrite(i, values, result))
        return Obstacle{fmt::format("{} depends on {} after the substitution, too",
                                    model_.differentiated(i, 0),
                                    model_.data.variables[kept_].name)};
    add_definitions(result);
    describe(result);
    return result;
  }

 private:
  int place(int unknown) const {
    return static_cast<int>(std::find(v_.members.begin(), v_.members.end(), unknown) -
                            v_.members.begin());
  }

  // M: the block's equations with a highest derivative of the null vector's unknowns; cbar: their
  // largest offset.
  void find_equations() {
    const std::vector<int>& own = s_.fine_blocks[block_].equations;
    for (const taylor::JacobianEntry& entry : model_.jacobian) {
      if (!std::binary_search(own.begin(), own.end(), entry.equation)) continue;
      if (!std::binary_search(v_.members.begin(), v_.members.end(), entry.unknown)) continue;
      if (equations_.empty() || equations_.back() != entry.equation)
        equations_.push_back(entry.equation);
      highest_ = std::max(highest_, s_.c[entry.equation]);
    }
  }

  // x_l, which stays: one whose factor is a number if there is one, the last of those.
  void choose_kept() {
    const auto cost = [&](int j) {
      const NodeId factor = v_.factors[place(j)];
      return graph_.is_constant(factor) ? 0 : graph_.varies(factor) ? 2 : 1;
    };
    kept_ = v_.members[0];
    for (const int j : v_.members)
      if (cost(j) <= cost(kept_)) kept_ = j;
  }

  void find_ratios() {
    for (std::size_t k = 0; k < v_.members.size(); ++k)
      ratios_.push_back(reduced_quotient(graph_, v_.factors[k], v_.factors[place(kept_)]));
  }

  // Orders in the ratios: below d_j - cbar for unknowns of the null vector, at most that for
  // others, below it for those of later blocks, which must not become known too early.
  std::string order_obstacle() const {
    std::vector<int> block_of(s_.d.size());
    for (std::size_t b = 0; b < s_.fine_blocks.size(); ++b)
      for (const int j : s_.fine_blocks[b].unknowns) block_of[j] = static_cast<int>(b);
    for (const NodeId ratio : ratios_) {
      for (const auto& [j, order] : orders_in(graph_, ratio)) {
        const bool is_member = std::binary_search(v_.members.begin(), v_.members.end(), j);
        const int most = s_.d[j] - highest_ - (is_member || block_of[j] > block_ ? 1 : 0);
        if (order > most)
          return fmt::format("the factors contain {}, as high a derivative as is substituted",
                             model_.derivative_name(j, order));
      }
    }
    return "";
  }

  NodeId derivative(int unknown, int order) {
    const NodeId node = graph_.node(expr::UnknownId(static_cast<std::size_t>(unknown)));
    return order == 0 ? node : graph_.diff(node, order);
  }

  // The expression that y_j stands for: x_j^(d_j - cbar) - (v_j/v_l) x_l^(d_l - cbar).
  NodeId expression_of(int j) {
    const NodeId own = derivative(j, s_.d[j] - highest_);
    const NodeId kept = derivative(kept_, s_.d[kept_] - highest_);
    return graph_.subtract(own, graph_.multiply(ratios_[place(j)], kept));
  }

  static bool is_taken(const model::ModelData& model, const std::string& name) {
    const auto has_name = [&](const auto& item) { return item.name == name; };
    return std::any_of(model.variables.begin(), model.variables.end(), has_name) ||
           std::any_of(model.parameters.begin(), model.parameters.end(), has_name) ||
           std::any_of(model.outputs.begin(), model.outputs.end(), has_name);
  }

  static std::string free_name(const model::ModelData& model) {
    for (int k = 1;; ++k)
      if (std::string name = fmt::format("y{}", k); !is_taken(model, name)) return name;
  }

  void add_unknowns(Rewritten& result) {
    model::ModelData& model = result.model;
    for (const int j : v_.members) {
      if (j == kept_) continue;
      const NodeId expression = expression_of(j);
      model::Variable variable;
      variable.name = free_name(model);
      variable.node = model.graph->add_unknown(variable.name);
      variable.nominal = model.variables[j].nominal;
      variable.stands_for = expr::write_out(graph_, {&expression, 1})[0];
      variable.place = model.variables[j].place;
      variable.is_auxiliary = true;
      graph_.add_unknown(variable.name);  // the same number in both graphs
      new_unknown_[j] = static_cast<int>(model.variables.size());
      result.step.new_variables.push_back(variable.name);
      model.variables.push_back(std::move(variable));
    }
  }

  // x_j^(d_j - c_i) is the derivative cbar - c_i of y_j + (v_j/v_l) x_l^(d_l - cbar), for all j but
  // l; x_l^(d_l - c_i) then drops out.
  bool rewrite(int i, const GenericValues& values, Rewritten& result) {
    const int gap = highest_ - s_.c[i];
    Substitution images;
    for (const auto& [j, y] : new_unknown_) {
      const NodeId kept = derivative(kept_, s_.d[kept_] - highest_);
      const NodeId image = graph_.add(derivative(y, 0), graph_.multiply(ratios_[place(j)], kept));
      const NodeId differentiated = graph_.diff(image, gap);
      images[{j, s_.d[j] - s_.c[i]}] = expr::expand_derivatives(graph_, {&differentiated, 1})[0];
    }
    const NodeId expanded = expr::expand_derivatives(graph_, {&model_.equations.roots[i], 1})[0];
    const Derivative leading{kept_, s_.d[kept_] - s_.c[i]};
    const auto found = written_without(graph_, substituted(graph_, expanded, images),
                                       std::span(&leading, 1), values);
    if (!found) return false;
    expr::Graph& graph = *result.model.graph;
    model::Equation& equation = result.model.equations[i];
    equation.left = transplanted(*found->graph, found->roots[0], graph);
    equation.right = graph.constant(0.0);
    equation.residual = equation.left;
    equation.is_derived = true;
    result.step.replaced.push_back(model_.differentiated(i, 0));
    result.step.new_equations.push_back(equation_text(result.model, equation));
    return true;
  }

  void add_definitions(Rewritten& result) {
    model::ModelData& model = result.model;
    for (const auto& [j, y] : new_unknown_) {
      const NodeId right = transplanted(graph_, expression_of(j), *model.graph);
      const NodeId left = model.variables[y].node;
      model.equations.push_back({.name = "definition of " + model.variables[y].name,
                                 .left = left,
                                 .right = right,
                                 .residual = model.graph->subtract(left, right),
                                 .place = model.equations[equations_[0]].place,
                                 .is_derived = true});
      result.step.new_equations.push_back(equation_text(model, model.equations.back()));
    }
  }

  void describe(Rewritten& result) {
    for (std::size_t k = 0; k < v_.members.size(); ++k) {
      const int j = v_.members[k];
      result.step.members.push_back(model_.derivative_name(j, s_.d[j]));
      result.step.factors.push_back(expr::write_out(graph_, {&v_.factors[k], 1})[0]);
    }
    result.step.holds_where = where_not_zero(graph_, v_.factors[place(kept_)]);
  }

  const AnalysedModel& model_;
  std::unique_ptr<Graph> copy_;  // with the new unknowns; all other ids are the same
  Graph& graph_;
  const structure::Structure& s_;
  int block_;
  const NullVector& v_;
  std::vector<int> equations_;      // M
  int highest_ = 0;                 // cbar
  int kept_ = -1;                   // l
  std::vector<NodeId> ratios_;      // v_j/v_l, as members of v
  std::map<int, int> new_unknown_;  // y_j by j
};

}  // namespace

Attempt substitute_expressions(const AnalysedModel& model, int block, const NullVector& v) {
  return Substituter(model, block, v).run();
}

}  // namespace daedal::reduce
