#include "structure/quasilinear.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "expr/graph.hpp"

namespace daedal::structure {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

// How an expression depends on the derivatives in question of one block.
enum Degree : std::uint8_t { free_of = 0, linear = 1, nonlinear = 2 };

class DegreeSweep {
 public:
  DegreeSweep(const Graph& graph, const Structure& structure)
      : graph_(graph),
        structure_(structure),
        cone_(graph),
        degree_(graph.size(), free_of),
        room_(graph.size(), unlimited),
        block_of_unknown_(structure.d.size(), -1) {
    for (std::size_t b = 0; b < structure.fine_blocks.size(); ++b)
      for (const int j : structure.fine_blocks[b].unknowns)
        block_of_unknown_[j] = static_cast<int>(b);
  }

  bool is_linear(NodeId residual, int block, int level) {
    for (const NodeId node : cone_.below(residual)) {
      room_[node.index()] = room_of(node, block, level);
      degree_[node.index()] = room_[node.index()] > 0 ? free_of : degree_of(node);
    }
    return degree_[residual.index()] != nonlinear;
  }

 private:
  // How many more differentiations before one of the derivatives in question occurs; 0: it occurs.
  int room_of(NodeId node, int block, int level) const {
    if (graph_.op(node) == Op::unknown) {
      const auto j = graph_.unknown(node).index();
      return block_of_unknown_[j] == block ? structure_.d[j] - level : unlimited;
    }
    int room = unlimited;
    for (const NodeId argument : graph_.arguments(node))
      room = std::min(room, room_[argument.index()]);
    return graph_.op(node) == Op::diff && room != unlimited ? room - graph_.order(node) : room;
  }

  // How such derivatives occur in a node. d^k e/dt^k is linear in those that it raises to the order
  // in question.
  Degree degree_of(NodeId node) const {
    const Op op = graph_.op(node);
    if (op == Op::unknown || op == Op::diff) return linear;
    Degree highest = free_of;
    int num_dependent = 0;
    for (const NodeId argument : graph_.arguments(node)) {
      highest = std::max(highest, degree_[argument.index()]);
      if (degree_[argument.index()] != free_of) ++num_dependent;
    }
    if (op == Op::affine) return highest;
    if (op == Op::product) return num_dependent == 1 ? highest : nonlinear;
    if (op == Op::quotient)
      return degree_[graph_.arguments(node)[1].index()] == free_of ? highest : nonlinear;
    return nonlinear;
  }

  static constexpr int unlimited = std::numeric_limits<int>::max();

  const Graph& graph_;
  const Structure& structure_;
  expr::Cone cone_;
  std::vector<Degree> degree_;
  std::vector<int> room_;
  std::vector<int> block_of_unknown_;
};

}  // namespace

std::vector<int> lead_times(const Structure& structure) {
  std::vector<int> leads;
  for (const Block& block : structure.fine_blocks) {
    const auto least =
        std::min_element(block.equations.begin(), block.equations.end(),
                         [&](int a, int b) { return structure.c[a] < structure.c[b]; });
    leads.push_back(structure.c[*least]);
  }
  return leads;
}

std::vector<bool> linear_blocks(const Graph& graph, std::span<const NodeId> residuals,
                                const Structure& structure, std::span<const int> levels) {
  DegreeSweep sweep(graph, structure);
  std::vector<bool> result;
  for (std::size_t b = 0; b < structure.fine_blocks.size(); ++b) {
    const std::vector<int>& equations = structure.fine_blocks[b].equations;
    result.push_back(std::all_of(equations.begin(), equations.end(), [&](int i) {
      return structure.c[i] > levels[b] ||
             sweep.is_linear(residuals[i], static_cast<int>(b), levels[b]);
    }));
  }
  return result;
}

}  // namespace daedal::structure
