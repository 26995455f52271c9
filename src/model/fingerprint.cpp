#include "model/fingerprint.hpp"

#include <unordered_map>

#include "base/archive.hpp"
#include "expr/graph.hpp"

namespace daedal::model {
namespace {

// Writes what the model consists of, nodes by their number among those that matter.
class Description {
 public:
  explicit Description(const ModelData& model) : model_(model) {
    find_roots();
    const std::vector<NodeId> nodes = expr::reachable(*model.graph, roots_);
    for (std::size_t k = 0; k < nodes.size(); ++k) number_of_[nodes[k].index()] = k;
    for (const NodeId node : nodes) write(node);
    for (const NodeId root : roots_) write_(number_of_[root.index()]);
    write_names();
  }

  std::uint64_t checksum() const { return base::checksum_of(write_.bytes()); }

 private:
  void add(const std::optional<NodeId>& node) {
    write_(node.has_value());
    if (node) roots_.push_back(*node);
  }

  void find_roots() {
    for (const Variable& variable : model_.variables) {
      for (const Start& start : variable.start) {
        write_(start.fixed);
        add(start.value);
      }
      add(variable.nominal);
    }
    for (const Parameter& parameter : model_.parameters) add(parameter.binding);
    for (const auto* equations : {&model_.equations, &model_.initial_equations})
      for (const Equation& equation : *equations) add(equation.residual);
    for (const When& when : model_.whens) {
      add(when.condition);
      for (const Reinit& reinit : when.reinits) {
        write_(static_cast<std::uint64_t>(reinit.unknown.index()), reinit.order);
        add(reinit.value);
      }
      for (const Assignment& assignment : when.assignments) {
        write_(static_cast<std::uint64_t>(assignment.variable.index()));
        add(assignment.value);
      }
      write_(when.ends_run, when.is_alternative, when.name);
    }
    for (const Output* output : outputs_of(model_)) add(output->node);
  }

  void write(NodeId node) {
    const expr::Graph& graph = *model_.graph;
    const expr::Op op = graph.op(node);
    write_(op);
    for (const NodeId argument : graph.arguments(node)) write_(number_of_[argument.index()]);
    switch (op) {
      case expr::Op::constant:
      case expr::Op::power: write_(graph.number(node)); break;
      case expr::Op::affine:
        write_(graph.number(node));
        for (const double coefficient : graph.coefficients(node)) write_(coefficient);
        break;
      case expr::Op::diff: write_(graph.order(node)); break;
      case expr::Op::unknown:
        write_(static_cast<std::uint64_t>(graph.unknown(node).index()));
        break;
      case expr::Op::parameter:
        write_(static_cast<std::uint64_t>(graph.parameter(node).index()));
        break;
      default: break;
    }
  }

  void write_names() {
    for (const Variable& variable : model_.variables) write_(variable.name);
    for (const Parameter& parameter : model_.parameters) write_(parameter.name);
    for (const Output* output : outputs_of(model_)) write_(output->name);
  }

  const ModelData& model_;
  base::Writer write_;
  std::vector<NodeId> roots_;
  std::unordered_map<std::size_t, std::uint64_t> number_of_;
};

}  // namespace

std::uint64_t fingerprint_of(const ModelData& model) { return Description(model).checksum(); }

}  // namespace daedal::model
