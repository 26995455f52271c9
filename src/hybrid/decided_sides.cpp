#include "hybrid/decided_sides.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"

namespace daedal::hybrid {
namespace {

using expr::Op;

constexpr double not_decided = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// Guards are numbered as they are found, from arguments to users: inner ones come first.
DecidedSides::DecidedSides(const model::ModelData& model, const Guards& guards)
    : graph_(*model.graph), guards_(guards) {
  expr::Cone cones(graph_);
  for (int k = 0; k < guards.size(); ++k) {
    const std::span<const NodeId> cone = cones.below(guards[k].node);
    const auto is_condition = [&](NodeId node) {
      return guards.has_use(node) && guards.use(node).guard != k;  // a parameter is its own guard
    };
    if (std::none_of(cone.begin(), cone.end(), is_condition)) continue;
    nested_.push_back({k, {cone.begin(), cone.end()}, {}});
    for (const NodeId node : cone)
      if (is_condition(node)) nested_.back().inside.push_back(guards.use(node).guard);
  }
}

bool DecidedSides::changes_with(int guard, const std::vector<int>& others) const {
  const auto nested = std::find_if(nested_.begin(), nested_.end(),
                                   [&](const Nested& each) { return each.guard == guard; });
  return nested != nested_.end() && std::any_of(others.begin(), others.end(), [&](int other) {
           return other != guard && std::find(nested->inside.begin(), nested->inside.end(),
                                              other) != nested->inside.end();
         });
}

void DecidedSides::decide(Sides& sides, const std::vector<double>& parameters) {
  if (nested_.empty()) return;
  values_.resize(graph_.size(), not_decided);
  for (const Nested& nested : nested_) {
    for (const NodeId node : nested.cone) values_[node.index()] = value(node, sides, parameters);
    const double number = values_[guards_[nested.guard].node.index()];
    if (!std::isnan(number)) sides[nested.guard] = side_of(number);
  }
}

// The value of a node of which the arguments have theirs, as far as sides and parameters decide it.
double DecidedSides::value(NodeId node, const Sides& sides, const std::vector<double>& parameters) {
  const auto arguments = graph_.arguments(node);
  const auto of = [&](std::size_t k) { return values_[arguments[k].index()]; };
  const Op op = graph_.op(node);
  const bool has_use = guards_.has_use(node);
  Side side = Side::zero;
  if (has_use) {
    const GuardUse use = guards_.use(node);
    side = use.guard < 0 ? use.always : sides[use.guard];
    if (use.is_opposite) side = opposite(side);
  }
  switch (op) {
    case Op::time:
    case Op::unknown:
    case Op::diff: return not_decided;
    case Op::constant: return graph_.number(node);
    case Op::parameter: return parameters[graph_.parameter(node).index()];
    case Op::select: return std::isnan(of(0)) ? not_decided : of(0) != 0.0 ? of(1) : of(2);
    case Op::product: {  // a condition that fails decides a conjunction, whatever the others say
      for (std::size_t k = 0; k < arguments.size(); ++k)
        if (of(k) == 0.0) return 0.0;
      break;
    }
    default: break;
  }
  if (has_use) {
    if (side == Side::slides) return not_decided;
    const bool is_plus = side == Side::plus;
    switch (op) {
      case Op::positive: return is_plus ? 1.0 : 0.0;
      case Op::nonnegative: return is_plus || side == Side::zero ? 1.0 : 0.0;
      case Op::sign: return is_plus ? 1.0 : side == Side::minus ? -1.0 : 0.0;
      case Op::min: return of(is_plus ? 1 : 0);
      case Op::max: return of(is_plus ? 0 : 1);
      default: break;  // abs of a number that is known
    }
  }
  arguments_.clear();
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (std::isnan(of(k))) return not_decided;
    arguments_.push_back(of(k));
  }
  return expr::apply(graph_, node, arguments_);
}

}  // namespace daedal::hybrid
