#include "hybrid/guards.hpp"

#include <algorithm>

#include "base/wording.hpp"
#include "expr/condition.hpp"
#include "expr/graph.hpp"
#include "expr/print.hpp"
#include "expr/rebuild.hpp"
#include "structure/signature.hpp"

namespace daedal::hybrid {
namespace {

using expr::Op;

std::vector<NodeId> deciding_roots(const model::ModelData& model) {
  std::vector<NodeId> roots;
  for (const auto* equations : {&model.equations, &model.initial_equations})
    for (const model::Equation& equation : *equations)
      roots.insert(roots.end(), {equation.left, equation.right, equation.residual});
  for (const model::When& when : model.whens) roots.push_back(when.condition);
  return roots;
}

bool jumps(Op op) { return op == Op::sign || expr::is_relation(op); }

bool has_guard(Op op) { return expr::is_piecewise(op) && op != Op::select; }

}  // namespace

Side opposite(Side side) {
  if (side == Side::plus) return Side::minus;
  return side == Side::minus ? Side::plus : side;
}

Side side_of(double value) {
  return value > 0.0 ? Side::plus : value < 0.0 ? Side::minus : Side::zero;
}

Guards::Guards(model::ModelData& model) : graph_(*model.graph) {
  for (const NodeId node : expr::reachable(graph_, deciding_roots(model)))
    if (has_guard(graph_.op(node)))
      add(node);
    else if (graph_.op(node) == Op::select)
      add_condition(graph_.arguments(node)[0]);
  for (const model::When& when : model.whens) add_condition(when.condition);
  add_surroundings();
}

// Where a guard slides, a condition around it has a side of its own on either side of it. The
// guards added here matter in such modes only.
void Guards::add_surroundings() {
  const int count = size();
  expr::Cone cones(graph_);
  std::vector<std::unordered_map<NodeId, NodeId>> on_plus(count), on_minus(count);
  around_.resize(count);
  for (int around = 0; around < count; ++around) {
    const NodeId function = guards_[around].node;
    if (guards_[around].is_continuous) continue;
    std::vector<int> inside;
    for (const NodeId part : cones.below(function)) {
      const int guard = jumps(graph_.op(part)) ? use(part).guard : -1;
      if (guard < 0 || guard == around || is_constant(guard)) continue;
      if (std::find(inside.begin(), inside.end(), guard) == inside.end()) inside.push_back(guard);
    }
    for (const int guard : inside) {
      const NodeId plus = with_side(function, guard, Side::plus, on_plus[guard]);
      const NodeId minus = with_side(function, guard, Side::minus, on_minus[guard]);
      const NodeId written = guards_[around].written;
      const GuardUse use_on_plus = use_of_function(plus, written);
      around_[around].push_back({guard, use_on_plus, use_of_function(minus, written)});
    }
  }
  is_on_side_.resize(guards_.size(), false);
  for (const std::vector<Around>& sides : around_)
    for (const Around& one : sides)
      for (const int guard : {one.on_plus.guard, one.on_minus.guard})
        if (guard >= 0) is_on_side_[guard] = true;
}

// An expression, and the guards in it, where a guard is on one side.
NodeId Guards::with_side(NodeId node, int guard, Side side,
                         std::unordered_map<NodeId, NodeId>& known) {
  if (const auto found = known.find(node); found != known.end()) return found->second;
  graph_.set_position(graph_.position(node));
  const Op op = graph_.op(node);
  NodeId result;
  if (jumps(op) && use(node).guard == guard) {
    const bool is_plus = (side == Side::plus) != use(node).is_opposite;
    result = graph_.constant(is_plus ? 1.0 : op == Op::sign ? -1.0 : 0.0);
  } else {
    result = expr::rebuild_if_changed(
        graph_, node, [&](NodeId argument) { return with_side(argument, guard, side, known); });
  }
  known[node] = result;
  return result;
}

GuardUse Guards::use_of_function(NodeId function, NodeId written) {
  for (const NodeId part : expr::reachable(graph_, std::span(&function, 1)))
    if (has_guard(graph_.op(part)) && !uses_.contains(part)) add(part);
  const NodeId relation = graph_.unary(Op::positive, function);
  if (graph_.is_constant(function)) return {.always = side_of(graph_.number(function))};
  const NodeId opposite = expr::negated(graph_, relation);
  const NodeId inner = graph_.arguments(opposite.is_set() ? opposite : relation)[0];
  const auto [found, is_new] = guard_of_.try_emplace(inner, size());
  if (is_new) guards_.push_back({.node = inner, .written = written, .is_continuous = false});
  return {.guard = found->second, .is_opposite = opposite.is_set()};
}

std::optional<GuardUse> Guards::on_side(int around, int inside, Side side) const {
  if (around >= static_cast<int>(around_.size())) return std::nullopt;
  for (const Around& one : around_[around])
    if (one.inside == inside) return side == Side::plus ? one.on_plus : one.on_minus;
  return std::nullopt;
}

// Parameters used as conditions; relations are found wherever they are.
void Guards::add_condition(NodeId condition) {
  const Op op = graph_.op(condition);
  if (op == Op::parameter) {
    const auto [found, is_new] = guard_of_.try_emplace(condition, size());
    if (is_new)
      guards_.push_back({.node = condition, .written = condition, .is_continuous = false});
    uses_[condition] = {.guard = found->second};
  } else if (op == Op::product || op == Op::affine || op == Op::select) {
    const auto view = graph_.arguments(condition);
    const std::vector<NodeId> parts(view.begin(), view.end());
    for (const NodeId part : parts) add_condition(part);
  }
}

void Guards::add(NodeId piecewise) {
  const auto view = graph_.arguments(piecewise);
  const std::vector<NodeId> arguments(view.begin(), view.end());
  NodeId function =
      arguments.size() == 2 ? graph_.subtract(arguments[0], arguments[1]) : arguments[0];
  // The canonical sign is that of relations: v > 0, or 1 - (v >= 0) for the negative.
  const NodeId relation = graph_.unary(Op::positive, function);
  if (graph_.is_constant(function)) {  // min(x, x + 1)
    uses_[piecewise] = {.always = side_of(graph_.number(function))};
    return;
  }
  const NodeId opposite = expr::negated(graph_, relation);
  const bool is_opposite = opposite.is_set();
  const NodeId inner = is_opposite ? opposite : relation;
  function = graph_.arguments(inner)[0];
  const auto [found, is_new] = guard_of_.try_emplace(function, size());
  if (is_new) guards_.push_back({.node = function, .written = piecewise});
  Guard& guard = guards_[found->second];
  const Op op = graph_.op(piecewise);
  if (op == Op::nonnegative) guard.is_strict = false;
  if (op == Op::sign || expr::is_relation(op)) guard.is_continuous = false;
  uses_[piecewise] = {.guard = found->second, .is_opposite = is_opposite};
}

std::string Guards::text(int guard, Side side) const {
  constexpr std::size_t longest = 100;
  const Guard& g = guards_[guard];
  if (graph_.op(g.node) == Op::parameter)
    return (side == Side::plus ? "" : "not ") + expr::to_text(graph_, g.node, longest);
  const NodeId relation = graph_.unary(g.is_strict ? Op::positive : Op::nonnegative, g.node);
  const NodeId negation = graph_.subtract(graph_.constant(1.0), relation);
  switch (side) {
    case Side::plus: return expr::to_text(graph_, relation, longest);
    case Side::minus: return expr::to_text(graph_, negation, longest);
    case Side::zero: return expr::to_text(graph_, g.node, longest) + " = 0";
    case Side::slides: return expr::to_text(graph_, g.node, longest) + " stays 0";
  }
  return {};
}

std::string Guards::function(int guard) const {
  constexpr std::size_t longest = 100;
  return expr::to_text(graph_, guards_[guard].node, longest);
}

std::string Guards::where(std::span<const int> guards, const model::Place& model) const {
  std::vector<std::string> places;
  for (const int k : guards) {
    const expr::SourcePosition at = graph_.position(guards_[k].written);
    const std::string place = model::Place{model.file, at.line, at.column}.text();
    if (at.line > 0 && std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  return places.empty() ? model.text() : base::listed(places);
}

bool changes_signature(const expr::Graph& graph, NodeId node) {
  const structure::SignatureMatrix sigma = structure::signature_of(graph, graph.arguments(node));
  return !std::ranges::equal(sigma.unknowns(0), sigma.unknowns(1)) ||
         !std::ranges::equal(sigma.orders(0), sigma.orders(1));
}

bool is_hybrid(const model::ModelData& model) {
  if (!model.whens.empty()) return true;
  const expr::Graph& graph = *model.graph;
  const std::vector<NodeId> nodes = expr::reachable(graph, deciding_roots(model));
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
    const Op op = graph.op(node);
    return op == Op::select || op == Op::sign || expr::is_relation(op) ||
           ((op == Op::min || op == Op::max) && changes_signature(graph, node));
  });
}

bool has_branches(const model::ModelData& model) {
  const expr::Graph& graph = *model.graph;
  return std::ranges::any_of(expr::reachable(graph, deciding_roots(model)),
                             [&](NodeId node) { return expr::is_piecewise(graph.op(node)); });
}

}  // namespace daedal::hybrid
