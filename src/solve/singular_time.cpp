#include "solve/singular_time.hpp"

#include <algorithm>

#include "base/linear_solver.hpp"
#include "taylor/interpreter.hpp"

namespace daedal::solving {
namespace {

int place_of(const std::vector<int>& members, int member) {
  const auto found = std::lower_bound(members.begin(), members.end(), member);
  return found != members.end() && *found == member ? static_cast<int>(found - members.begin())
                                                    : -1;
}

}  // namespace

// The Jacobian of one block, evaluated and factorised at points of a step.
class SingularTime::BlockJacobian {
 public:
  BlockJacobian(expr::Graph& graph, const structure::Block& block,
                const std::vector<taylor::JacobianEntry>& entries)
      : tape_(graph, nodes_of(entries), 0), interpreter_(tape_), values_(entries.size()) {
    std::vector<base::Place> places;
    for (const taylor::JacobianEntry& entry : entries) {
      nodes_.push_back(entry.value);
      varies_ = varies_ || graph.varies(entry.value);
      places.push_back({.row = place_of(block.equations, entry.equation),
                        .column = place_of(block.unknowns, entry.unknown)});
    }
    solver_ = base::make_square_solver(static_cast<int>(block.equations.size()), std::move(places));
  }

  bool varies() const { return varies_; }

  // 0 where the matrix has no pivots.
  int determinant_sign(const taylor::SeriesPoint& point) {
    interpreter_.run(point);
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      values_[k] = interpreter_.coefficient(nodes_[k]);
    return solver_->factorise(values_) ? solver_->determinant_sign() : 0;
  }

 private:
  static std::vector<expr::NodeId> nodes_of(const std::vector<taylor::JacobianEntry>& entries) {
    std::vector<expr::NodeId> nodes;
    for (const taylor::JacobianEntry& entry : entries) nodes.push_back(entry.value);
    return nodes;
  }

  taylor::Tape tape_;
  taylor::Interpreter interpreter_;
  std::vector<expr::NodeId> nodes_;
  std::vector<double> values_;
  std::unique_ptr<base::SquareSolver> solver_;
  bool varies_ = false;
};

SingularTime::SingularTime(const Plan& plan)
    : plan_(plan),
      graph_(plan.equations.graph->copy()),
      entries_(plan.structure.fine_blocks.size()),
      jacobians_(plan.structure.fine_blocks.size()) {
  std::vector<int> block_of(plan.structure.c.size());
  for (std::size_t b = 0; b < entries_.size(); ++b)
    for (const int i : plan.structure.fine_blocks[b].equations) block_of[i] = static_cast<int>(b);
  const auto is_in = [&](int block, int unknown) {
    return place_of(plan.structure.fine_blocks[block].unknowns, unknown) >= 0;
  };
  for (const taylor::JacobianEntry& entry : taylor::system_jacobian(
           *graph_, plan.residuals(), plan.structure, taylor::JacobianPart::diagonal_blocks))
    if (const int b = block_of[entry.equation]; is_in(b, entry.unknown))
      entries_[b].push_back(entry);
}

SingularTime::~SingularTime() = default;

SingularTime::BlockJacobian& SingularTime::jacobian_of(int block) {
  std::unique_ptr<BlockJacobian>& jacobian = jacobians_[block];
  if (!jacobian)
    jacobian = std::make_unique<BlockJacobian>(*graph_, plan_.structure.fine_blocks[block],
                                               entries_[block]);
  return *jacobian;
}

std::optional<double> SingularTime::find(int block, const solution::StepView& step,
                                         const solution::StepLayout& layout,
                                         const std::vector<double>& parameters) {
  BlockJacobian& jacobian = jacobian_of(block);
  if (!jacobian.varies()) return std::nullopt;
  const auto sign_at = [&](double t) {
    return jacobian.determinant_sign({.time = t,
                                      .parameters = parameters,
                                      .derivative = [&](expr::UnknownId unknown, int order) {
                                        return step.value(layout, static_cast<int>(unknown.index()),
                                                          t, order);
                                      }});
  };
  double begin = step.begin, end = step.end;
  const int sign = sign_at(begin);
  if (sign == 0 || sign_at(end) == sign) return std::nullopt;
  for (double middle = 0.5 * (begin + end); middle != begin && middle != end;
       middle = 0.5 * (begin + end))
    (sign_at(middle) == sign ? begin : end) = middle;
  return end;
}

}  // namespace daedal::solving
