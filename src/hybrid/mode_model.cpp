#include "hybrid/mode_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "expr/print.hpp"
#include "expr/rebuild.hpp"
#include "hybrid/decided_sides.hpp"
#include "structure/signature.hpp"

namespace daedal::hybrid {
namespace {

using expr::Graph;
using expr::Op;

constexpr std::size_t longest_name = 100;  // of a function in the name of an input
// A condition around more guards that slide is not asked about every combination of their sides.
constexpr std::size_t most_told = 4;
// What is no sum of products: sines, exponentials, roots.
constexpr double of_no_known_size = 1.0;

double sign_of(Side side) { return side == Side::plus ? 1.0 : side == Side::minus ? -1.0 : 0.0; }

// The value of conditions, 0 or 1, for given sides of guards; none where one slides.
struct Truth {
  const Graph& g;
  const Guards& guards;
  const Sides& sides;
  const std::vector<double>& parameters;

  // The guard's side, as seen by an operation on it or on its negative.
  Side side_of_use(NodeId node) const { return side_of(guards.use(node)); }

  Side side_of(const GuardUse& use) const {
    if (use.guard < 0) return use.always;
    return use.is_opposite ? opposite(sides[use.guard]) : sides[use.guard];
  }

  std::optional<double> of(NodeId condition) const {
    const auto arguments = g.arguments(condition);
    if (guards.has_use(condition)) {
      const Side side = side_of_use(condition);
      if (side == Side::slides) return std::nullopt;
      const bool may_be_zero = g.op(condition) == Op::nonnegative;
      return side == Side::plus || (side == Side::zero && may_be_zero) ? 1.0 : 0.0;
    }
    switch (g.op(condition)) {
      case Op::product: return of_product(arguments);
      case Op::affine: return of_sum(condition, arguments);
      case Op::select: {
        const std::optional<double> which = of(arguments[0]);
        return which ? of(arguments[*which != 0.0 ? 1 : 2]) : std::nullopt;
      }
      default: return number(condition);
    }
  }

  // The value of an expression that depends on parameters alone.
  double number(NodeId node) const {
    return expr::Evaluator(g).value(node, {.time = 0.0, .parameters = parameters, .unknown = {}});
  }

 private:
  std::optional<double> of_product(std::span<const NodeId> factors) const {
    std::optional<double> result = 1.0;
    for (const NodeId factor : factors) {
      const std::optional<double> part = of(factor);
      if (part && *part == 0.0) return 0.0;
      if (!part)
        result.reset();
      else if (result)
        *result *= *part;
    }
    return result;
  }
  // 1 - condition
  std::optional<double> of_sum(NodeId sum, std::span<const NodeId> terms) const {
    double result = g.number(sum);
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const std::optional<double> part = of(terms[k]);
      if (!part) return std::nullopt;
      result += g.coefficients(sum)[k] * *part;
    }
    return result;
  }
};

class ModeBuilder {
 public:
  ModeBuilder(const model::ModelData& model, const Guards& guards, const Sides& sides,
              const std::vector<double>& parameters, std::span<const double> nominals)
      : guards_(guards),
        sides_(sides),
        seen_(sides),
        parameters_(parameters),
        nominals_(nominals.begin(), nominals.end()),
        is_watched_(guards.size(), false),
        weights_(guards.size()),
        inputs_of_(guards.size()) {
    mode_.data = model::copy_of(model);
    mode_.data.whens.clear();
    mode_.is_relevant.resize(guards.size(), false);
    mode_.is_switch.resize(guards.size(), false);
    needed_.resize(graph().size(), false);
    image_.resize(graph().size());
  }

  // Guards that are inputs where they do not slide.
  void set_switches(std::vector<bool> switches) {
    mode_.is_switch = std::move(switches);
    for (int k = 0; k < guards_.size(); ++k)
      if (sides_[k] == Side::slides) mode_.is_switch[k] = false;
  }

  // Weights of the plus side, by guard: known ones in place of unknowns.
  void set_weights(const std::vector<std::optional<double>>& weights) { known_weights_ = weights; }

  ModeModel build(const model::ModelData& model) {
    find_mixtures();
    for (const NodeId root : roots()) need(root);
    for (const model::When& when : model.whens) observe(when.condition);
    while (!pending_.empty()) {
      const NodeId node = pending_.back();
      pending_.pop_back();
      need_arguments(node);
    }
    add_weights();
    for (std::size_t k = 0; k < needed_.size(); ++k)
      if (needed_[k]) image_[k] = image_of(NodeId(k));
    replace_equations(mode_.data.equations);
    replace_equations(mode_.data.initial_equations);
    keep_sliding_guards_at_zero();
    mode_.own = model::copy_of(mode_.data);
    if (known_weights_.empty()) watch_guards();
    return std::move(mode_);
  }

 private:
  Graph& graph() { return *mode_.data.graph; }

  std::vector<NodeId> roots() const {
    std::vector<NodeId> roots;
    for (const auto* equations : {&mode_.data.equations, &mode_.data.initial_equations})
      for (const model::Equation& equation : *equations)
        roots.insert(roots.end(), {equation.left, equation.right, equation.residual});
    return roots;
  }

  void need(NodeId node) {
    if (needed_[node.index()]) return;
    needed_[node.index()] = true;
    pending_.push_back(node);
  }

  // --- what the mode's equations need: from users to arguments ---

  void need_arguments(NodeId node) {
    const Op op = graph().op(node);
    const auto view = graph().arguments(node);
    const std::vector<NodeId> arguments(view.begin(), view.end());
    if (op == Op::select) return need_branch(arguments);
    if (expr::is_relation(op)) return;  // it was considered as part of a condition
    if (expr::is_piecewise(op) && !is_kept(node)) {
      const Side side = consider_guard(node);
      if (op == Op::sign && side != Side::slides) return;
      if ((op == Op::min || op == Op::max) && !is_mixed(node) && !is_input(node))
        return need(arguments[takes_second(node) ? 1 : 0]);
    }
    for (const NodeId argument : arguments) need(argument);
  }

  void need_branch(const std::vector<NodeId>& arguments) {
    const std::optional<double> value = consider(arguments[0]);
    const bool needs_both = !value || switched_by(arguments[0]) >= 0;
    if (needs_both || *value != 0.0) need(arguments[1]);
    if (needs_both || *value == 0.0) need(arguments[2]);
  }

  // The switch that decides a condition; -1 if none does.
  int switched_by(NodeId condition) const {
    const int guard = single_guard(*mode_.data.graph, guards_, condition);
    return guard >= 0 && mode_.is_switch[guard] ? guard : -1;
  }

  bool is_input(NodeId piecewise) const {
    const int guard = guards_.use(piecewise).guard;
    return guard >= 0 && mode_.is_switch[guard];
  }

  // Whether the branches are mixed with a known weight.
  bool is_mixed(NodeId piecewise) const {
    const int guard = guards_.use(piecewise).guard;
    return guard >= 0 && !known_weights_.empty() && known_weights_[guard].has_value();
  }

  // min(a, b) and max(a, b) where the guard is a - b.
  bool takes_second(NodeId node) const {
    const Side side = side_of_use(node);
    const bool first_is_larger = side == Side::plus;
    return (mode_.data.graph->op(node) == Op::max) != first_is_larger;
  }

  Side side_of_use(NodeId piecewise) const {
    return Truth{*mode_.data.graph, guards_, sides_, parameters_}.side_of_use(piecewise);
  }

  // All guards of a when clause's condition.
  void observe(NodeId condition) {
    if (guards_.has_use(condition)) {
      const int guard = guards_.use(condition).guard;
      is_watched_[guard] = true;
      return need(guards_[guard].node);
    }
    const auto view = graph().arguments(condition);
    const std::vector<NodeId> parts(view.begin(), view.end());
    for (const NodeId part : parts) observe(part);
  }

  Side consider_guard(NodeId piecewise) {
    if (const int guard = guards_.use(piecewise).guard; guard >= 0) {
      if (is_told(guard))
        consider_on_sides(guard, union_of(graph().arguments(piecewise)));
      else
        mode_.is_relevant[guard] = true;
      need(guards_[guard].node);
    }
    return side_of_use(piecewise);
  }

  // What a guard becomes on the sides of the one that slides inside it.
  void consider_on_sides(int guard, const std::vector<int>& inside) {
    if (inside.size() > 1) return;  // numbers
    for (const Side side : {Side::plus, Side::minus})
      if (const int other = guards_.on_side(guard, inside[0], side)->guard; other >= 0) {
        mode_.is_relevant[other] = true;
        need(guards_[other].node);
      }
  }

  // The value of a condition, 0 or 1, if no sliding guard decides it; the guards that do decide it
  // become relevant: of a conjunction that fails, those up to the first that fails.
  std::optional<double> consider(NodeId condition) {
    const std::optional<double> value = truth(condition);
    const Op op = graph().op(condition);
    if (guards_.has_use(condition)) {
      consider_guard(condition);
    } else if (op == Op::product && value && *value == 0.0) {
      const auto view = graph().arguments(condition);
      const std::vector<NodeId> factors(view.begin(), view.end());
      for (const NodeId factor : factors) {  // earlier ones protect those that follow
        consider(factor);
        if (truth(factor).value_or(1.0) == 0.0) break;
      }
    } else {
      const auto view = graph().arguments(condition);
      const std::vector<NodeId> parts(view.begin(), view.end());
      for (const NodeId part : parts) consider(part);
    }
    return value;
  }

  Truth truth_on(const Sides& sides) const {
    return {*mode_.data.graph, guards_, sides, parameters_};
  }
  std::optional<double> truth(NodeId condition) const {
    return Truth{*mode_.data.graph, guards_, seen_, parameters_}.of(condition);
  }
  double number(NodeId node) const {
    return Truth{*mode_.data.graph, guards_, sides_, parameters_}.number(node);
  }

  // --- what guards that slide mix ---

  bool slides(int guard) const {
    return guard >= 0 && sides_[guard] == Side::slides && !is_told(guard);
  }

  // Whether a guard around one that slides has sides of its own on either side of that.
  bool is_told(int guard) const { return !told_.empty() && told_[guard]; }

  bool has_told(NodeId condition) const {
    const Graph& g = *mode_.data.graph;
    if (guards_.has_use(condition))
      return guards_.use(condition).guard >= 0 && is_told(guards_.use(condition).guard);
    const auto parts = g.arguments(condition);
    return std::any_of(parts.begin(), parts.end(), [&](NodeId part) { return has_told(part); });
  }

  // By node: the guards that slide on whose weights it depends.
  void find_mixtures() {
    const bool is_any =
        std::any_of(sides_.begin(), sides_.end(), [](Side side) { return side == Side::slides; });
    if (!is_any || !known_weights_.empty()) return;
    mixtures_.resize(graph().size());
    told_.resize(guards_.size(), false);
    told_by_.resize(guards_.size(), -1);
    nested_.emplace(mode_.data, guards_);
    std::vector<NodeId> users = roots();
    for (int k = 0; k < guards_.size(); ++k) users.push_back(guards_[k].node);
    for (const NodeId node : expr::reachable(graph(), users)) {
      find_told(node);
      mixtures_[node.index()] = mixture_of(node);
    }
  }

  void find_told(NodeId node) {
    const Op op = graph().op(node);
    if (!expr::is_relation(op) && op != Op::sign) return;
    const int guard = guards_.use(node).guard;
    const std::vector<int> inside = union_of(graph().arguments(node));
    if (guard < 0 || inside.empty() || inside.size() > most_told) return;
    if (inside.size() > 1 && !is_number(guard, inside)) return;
    if (inside.size() == 1 && !is_decided_on_sides(guard, inside[0])) return;
    told_[guard] = true;
    if (inside.size() == 1) told_by_[guard] = inside[0];
    seen_[guard] = Side::slides;
  }

  // Whether a guard becomes others on the sides of one inside it that do not slide themselves.
  bool is_decided_on_sides(int guard, int inside) const {
    for (const Side side : {Side::plus, Side::minus}) {
      const auto use = guards_.on_side(guard, inside, side);
      if (!use || (use->guard >= 0 && sides_[use->guard] == Side::slides)) return false;
    }
    return true;
  }

  // Whether a guard is a number wherever those that slide inside it are.
  bool is_number(int guard, const std::vector<int>& inside) {
    for (std::size_t bits = 0; bits < (1U << inside.size()); ++bits)
      if (decided(inside, bits, guard)[guard] == Side::slides) return false;
    return true;
  }

  // The sides of guards where some do not slide but are on sides of their own: those around them
  // are what they become there. With several of them only numbers are known; one that is asked for
  // slides if it is none.
  Sides decided(const std::vector<int>& guards, std::size_t bits, int asked = -1) {
    constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
    Sides here = sides_;
    if (asked >= 0) here[asked] = Side::slides;
    for (std::size_t n = 0; n < guards.size(); ++n)
      here[guards[n]] = (bits >> n & 1U) == 0 ? Side::plus : Side::minus;
    if (guards.size() > 1)
      nested_->decide(here, std::vector<double>(parameters_.size(), not_known));
    for (std::size_t k = 0; k < told_by_.size(); ++k)
      if (const int inside = told_by_[k]; has(guards, inside))
        here[k] = truth_on(sides_).side_of(
            guards_.on_side(static_cast<int>(k), inside, here[inside]).value());
    return here;
  }

  std::vector<int> mixture_of(NodeId node) const {
    const Graph& g = *mode_.data.graph;
    const Op op = g.op(node);
    const auto arguments = g.arguments(node);
    if (expr::is_relation(op) || op == Op::sign) {
      const int guard = guards_.use(node).guard;
      if (guard >= 0 && is_told(guard)) return union_of(arguments);
      return slides(guard) ? std::vector<int>{guard} : std::vector<int>{};
    }
    if (op == Op::select) {
      const std::optional<double> value = truth(arguments[0]);
      return value ? mixture(arguments[*value != 0.0 ? 1 : 2]) : union_of(arguments);
    }
    if (op == Op::abs && slides(guards_.use(node).guard)) return {};  // zero
    if ((op == Op::min || op == Op::max) && !is_kept(node))
      return mixture(arguments[takes_second(node) ? 1 : 0]);
    return union_of(arguments);
  }

  const std::vector<int>& mixture(NodeId node) const {
    static const std::vector<int> nothing;
    return node.index() < mixtures_.size() ? mixtures_[node.index()] : nothing;
  }

  std::vector<int> union_of(std::span<const NodeId> arguments) const {
    std::vector<int> all;
    for (const NodeId argument : arguments)
      all.insert(all.end(), mixture(argument).begin(), mixture(argument).end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  // abs, min and max of what is mixed have another argument on each side, and so another branch.
  // They are continuous, and stay as they are.
  bool is_kept(NodeId node) const {
    const Graph& g = *mode_.data.graph;
    const Op op = g.op(node);
    if (mixtures_.empty() || (op != Op::abs && op != Op::min && op != Op::max)) return false;
    const int guard = guards_.use(node).guard;
    return guard >= 0 && !slides(guard) && !union_of(g.arguments(node)).empty() &&
           (op == Op::abs || !changes_signature(g, node));
  }

  // Whether means of arguments do not make the mean of the node.
  bool is_nonlinear_in_mixtures(NodeId node) const {
    if (mixture(node).empty()) return false;
    const Graph& g = *mode_.data.graph;
    const auto arguments = g.arguments(node);
    switch (g.op(node)) {
      case Op::affine:
      case Op::diff: return false;
      case Op::sign:
      case Op::positive:
      case Op::nonnegative: return is_told(guards_.use(node).guard);
      case Op::quotient: return !mixture(arguments[1]).empty();
      case Op::product: return overlap(arguments);
      case Op::select: {
        const std::vector<int> branches = union_of(arguments.subspan(1));
        const std::vector<int>& weights = mixture(arguments[0]);
        return has_told(arguments[0]) || (!truth(arguments[0]) && are_common(weights, branches));
      }
      case Op::abs:
      case Op::min:
      case Op::max: return is_kept(node);
      default: return true;
    }
  }

  static bool has(const std::vector<int>& guards, int guard) {
    return std::find(guards.begin(), guards.end(), guard) != guards.end();
  }

  static bool are_common(const std::vector<int>& a, const std::vector<int>& b) {
    return std::any_of(a.begin(), a.end(), [&](int k) { return has(b, k); });
  }

  bool overlap(std::span<const NodeId> arguments) const {
    for (std::size_t k = 1; k < arguments.size(); ++k)
      if (are_common(mixture(arguments[k]), union_of(arguments.first(k)))) return true;
    return false;
  }

  // The mean of a node over the sides of the guards that it depends on: a weight for each side, and
  // their products where there are several [Filippov1988].
  NodeId mean_over_sides(NodeId node) {
    const std::vector<int> guards = mixture(node);
    std::vector<NodeId> terms;
    for (std::size_t bits = 0; bits < (1U << guards.size()); ++bits) {
      const Sides here = decided(guards, bits);
      std::vector<NodeId> factors;
      for (std::size_t n = 0; n < guards.size(); ++n) {
        const bool is_plus = (bits >> n & 1U) == 0;
        const NodeId weight = weights_[guards[n]];
        factors.push_back(is_plus ? weight : graph().subtract(graph().constant(1.0), weight));
      }
      std::unordered_map<NodeId, NodeId> known;
      factors.push_back(image_on(here, node, known));
      terms.push_back(graph().product(factors));
    }
    const std::vector<double> ones(terms.size(), 1.0);
    return graph().affine(0.0, ones, terms);
  }

  // The image of a node where these guards do not slide.
  NodeId image_on(const Sides& here, NodeId node, std::unordered_map<NodeId, NodeId>& known) {
    if (mixture(node).empty()) return image(node);
    if (const auto found = known.find(node); found != known.end()) return found->second;
    const auto view = graph().arguments(node);
    const std::vector<NodeId> arguments(view.begin(), view.end());
    const auto image_of_argument = [&](NodeId argument) { return image_on(here, argument, known); };
    const Truth truth_here = truth_on(here);
    const Op op = graph().op(node);
    NodeId result;
    if (op == Op::select)
      result = image_of_argument(arguments[truth_here.of(arguments[0]).value() != 0.0 ? 1 : 2]);
    else if (expr::is_relation(op))
      result = graph().constant(truth_here.of(node).value());
    else if (op == Op::sign)
      result = graph().constant(sign_of(truth_here.side_of_use(node)));
    else if ((op == Op::min || op == Op::max) && !is_kept(node))
      result = image_of_argument(arguments[takes_second(node) ? 1 : 0]);
    else
      result = expr::rebuild_in(graph(), graph(), node, image_of_argument);
    known[node] = result;
    return result;
  }

  // --- the equations: from arguments to users ---

  void add_weights() {
    for (int k = 0; k < guards_.size(); ++k) {
      if (!mode_.is_relevant[k] || sides_[k] != Side::slides) continue;
      if (!known_weights_.empty() && known_weights_[k])
        weights_[k] = graph().constant(*known_weights_[k]);
      else
        weights_[k] = add_unknown(fmt::format("weight of {}", guards_.text(k, Side::plus)), 1.0);
    }
  }

  NodeId add_unknown(const std::string& name, double nominal) {
    model::Variable variable;
    variable.name = name;
    variable.node = graph().add_unknown(name);
    variable.nominal = graph().constant(nominal);
    variable.is_auxiliary = true;
    mode_.data.variables.push_back(variable);
    nominals_.push_back(nominal);
    return variable.node;
  }

  NodeId image(NodeId node) const { return image_[node.index()]; }

  NodeId image_of(NodeId node) {
    graph().set_position(graph().position(node));
    const Op op = graph().op(node);
    const auto view = graph().arguments(node);
    const std::vector<NodeId> arguments(view.begin(), view.end());
    if (is_nonlinear_in_mixtures(node)) return mean_over_sides(node);
    if (op == Op::select)
      return switched_by(arguments[0]) >= 0 ? switched(arguments)
                                            : blended(image_of_condition(arguments[0]), arguments);
    if (expr::is_relation(op)) return image_of_condition(node);
    if (expr::is_piecewise(op)) return image_of_piecewise(node, arguments);
    return expr::rebuild_if_changed(graph(), node,
                                    [&](NodeId argument) { return image(argument); });
  }

  // weight*then + (1 - weight)*otherwise: on a guard that slides, the branches are mixed
  // [Filippov1988].
  NodeId blended(NodeId weight, const std::vector<NodeId>& arguments) {
    if (graph().is_constant(weight, 1.0)) return image(arguments[1]);
    if (graph().is_constant(weight, 0.0)) return image(arguments[2]);
    const NodeId rest = graph().subtract(graph().constant(1.0), weight);
    return graph().add(graph().multiply(weight, image(arguments[1])),
                       graph().multiply(rest, image(arguments[2])));
  }

  // holds*then + fails*otherwise, where one of the two numbers is 1 and the other is 0: unlike
  // (1 - holds), no sum of large terms is left of the branch that is not taken.
  NodeId switched(const std::vector<NodeId>& arguments) {
    const auto one_if = [&](bool holds) {
      return [&, holds](Side side) {
        return holds_on(graph(), guards_, arguments[0], side) == holds ? 1.0 : 0.0;
      };
    };
    const int guard = switched_by(arguments[0]);
    return either(image(arguments[1]), input(guard, one_if(true)), image(arguments[2]),
                  input(guard, one_if(false)));
  }

  NodeId either(NodeId a, NodeId weight_of_a, NodeId b, NodeId weight_of_b) {
    return graph().add(graph().multiply(weight_of_a, a), graph().multiply(weight_of_b, b));
  }

  // The parameter that has this number on each side of the guard.
  template <typename Number>
  NodeId input(int guard, Number number) {
    const SwitchInput wanted{guard, {number(Side::minus), number(Side::zero), number(Side::plus)}};
    for (const auto& [known, node] : inputs_of_[guard])
      if (known == wanted.by_side) return node;
    model::Parameter parameter;
    parameter.name = name_of(wanted);
    parameter.node = graph().add_parameter(parameter.name);
    mode_.data.parameters.push_back(parameter);
    mode_.inputs.push_back(wanted);
    inputs_of_[guard].emplace_back(wanted.by_side, parameter.node);
    return parameter.node;
  }

  // As it is to be read in a formula: [x > 1] is 1 or 0, sign(x) is -1, 0 or 1.
  std::string name_of(const SwitchInput& input) const {
    const double minus = input.at(Side::minus), plus = input.at(Side::plus);
    if (minus * plus >= 0.0)
      return fmt::format("[{}]",
                         guards_.text(input.guard, plus > minus ? Side::plus : Side::minus));
    const NodeId function = guards_[input.guard].node;
    return fmt::format("{}sign({})", plus > minus ? "" : "-",
                       expr::to_text(*mode_.data.graph, function, longest_name));
  }

  NodeId image_of_switch(NodeId node, const std::vector<NodeId>& arguments) {
    const GuardUse use = guards_.use(node);
    const auto sign = [&](Side side) { return sign_of(use.is_opposite ? opposite(side) : side); };
    const auto one_if_second = [&](bool is_second) {
      return [&, is_second](Side side) {
        const bool first_is_larger = sign(side) > 0.0;
        return ((graph().op(node) == Op::max) != first_is_larger) == is_second ? 1.0 : 0.0;
      };
    };
    switch (graph().op(node)) {
      case Op::sign: return input(use.guard, sign);
      case Op::abs: return graph().multiply(input(use.guard, sign), image(arguments[0]));
      default:
        return either(image(arguments[0]), input(use.guard, one_if_second(false)),
                      image(arguments[1]), input(use.guard, one_if_second(true)));
    }
  }

  NodeId image_of_condition(NodeId condition) {
    if (const std::optional<double> value = truth(condition)) return graph().constant(*value);
    if (expr::is_relation(graph().op(condition))) return weight_of_use(condition);
    return expr::rebuild_in(graph(), graph(), condition,
                            [&](NodeId part) { return image_of_condition(part); });
  }

  NodeId weight_of_use(NodeId piecewise) {
    const GuardUse use = guards_.use(piecewise);
    const NodeId weight = weights_[use.guard];
    return use.is_opposite ? graph().subtract(graph().constant(1.0), weight) : weight;
  }

  NodeId image_of_piecewise(NodeId node, const std::vector<NodeId>& arguments) {
    if (is_mixed(node)) return mixed(node, arguments);
    if (is_input(node)) return image_of_switch(node, arguments);
    const Side side = side_of_use(node);
    const auto constant = [&](double value) { return graph().constant(value); };
    switch (graph().op(node)) {
      case Op::abs:
        if (side == Side::plus) return image(arguments[0]);
        return side == Side::minus ? graph().negate(image(arguments[0])) : constant(0.0);
      case Op::sign:
        if (side == Side::slides)
          return graph().subtract(graph().scale(2.0, weight_of_use(node)), constant(1.0));
        return constant(sign_of(side));
      default: return image(arguments[takes_second(node) ? 1 : 0]);
    }
  }

  // weight*plus + (1 - weight)*minus, the branches of either side.
  NodeId mixed(NodeId node, const std::vector<NodeId>& arguments) {
    const auto of = [&](NodeId plus, NodeId minus) {
      const NodeId weight = weight_of_use(node);
      const NodeId rest = graph().subtract(graph().constant(1.0), weight);
      return graph().add(graph().multiply(weight, plus), graph().multiply(rest, minus));
    };
    switch (graph().op(node)) {
      case Op::abs: return of(image(arguments[0]), graph().negate(image(arguments[0])));
      case Op::sign: return of(graph().constant(1.0), graph().constant(-1.0));
      case Op::min: return of(image(arguments[1]), image(arguments[0]));
      default: return of(image(arguments[0]), image(arguments[1]));
    }
  }

  void replace_equations(std::vector<model::Equation>& equations) {
    for (model::Equation& equation : equations) {
      equation.left = image(equation.left);
      equation.right = image(equation.right);
      equation.residual = image(equation.residual);
    }
  }

  void add_equation(const std::string& name, NodeId left, NodeId right) {
    mode_.data.equations.push_back({.name = name,
                                    .left = left,
                                    .right = right,
                                    .residual = graph().subtract(left, right),
                                    .place = {.file = mode_.data.place.file}});
  }

  void keep_sliding_guards_at_zero() {
    for (int k = 0; k < guards_.size(); ++k)
      if (weights_[k].is_set() && !graph().is_constant(weights_[k]))
        add_equation(guards_.text(k, Side::slides), image(guards_[k].node), graph().constant(0.0));
  }

  // --- the guards ---

  void watch_guards() {
    expr::Cone cones(graph());
    for (int k = 0; k < guards_.size(); ++k) {
      if (!mode_.is_relevant[k] && !is_watched_[k]) continue;
      const NodeId function = image(guards_[k].node);
      if (weights_[k].is_set())
        watch_weight(k);
      else if (!graph().varies(function))
        mode_.decided.push_back({k, function});
      else if (!watch_time(k, function, cones))
        watch(k, function);
    }
  }

  void watch_weight(int guard) {
    const NodeId one = graph().constant(1.0), weight = weights_[guard];
    mode_.watches.push_back(linear_form(guard, weight).value());
    mode_.watches.back().way_out = Side::minus;
    mode_.watches.push_back(linear_form(guard, graph().subtract(one, weight)).value());
    mode_.watches.back().way_out = Side::plus;
  }

  // A guard of time alone, if it is linear.
  bool watch_time(int guard, NodeId function, expr::Cone& cones) {
    for (const NodeId node : cones.below(function)) {
      const Op op = graph().op(node);
      if (op == Op::unknown || op == Op::diff) return false;
    }
    const NodeId time = graph().time();
    const NodeId slope = expr::gradient(graph(), function, {&time, 1})[0];
    if (graph().varies(slope)) return false;
    mode_.timers.push_back({guard, slope, function});
    return true;
  }

  // By the unknowns' own series if it is linear in them; else it gets an unknown.
  void watch(int guard, NodeId function) {
    if (const auto form = linear_form(guard, function)) return mode_.watches.push_back(*form);
    const std::string name = fmt::format("guard {}", guard + 1);
    const NodeId value = add_unknown(name, nominal_of(function));
    add_equation(name, value, function);
    mode_.valued.push_back(function);
    mode_.watches.push_back(linear_form(guard, value).value());
  }

  std::optional<Watch> linear_form(int guard, NodeId function) {
    const NodeId zero = graph().constant(0.0);
    Watch watch{.guard = guard, .terms = {}, .constant = zero, .slope = zero};
    return collect(function, graph().constant(1.0), watch) ? std::optional(watch) : std::nullopt;
  }

  // Adds factor*node to the form; false if that is not linear.
  bool collect(NodeId node, NodeId factor, Watch& form) {
    const Op op = graph().op(node);
    const auto view = graph().arguments(node);
    const std::vector<NodeId> arguments(view.begin(), view.end());
    const auto add = [&](NodeId& sum, NodeId term) { sum = graph().add(sum, term); };
    if (!graph().varies(node)) {
      add(form.constant, graph().multiply(factor, node));
      return true;
    }
    switch (op) {
      case Op::time: add(form.slope, factor); return true;
      case Op::unknown:
        form.terms.push_back({static_cast<int>(graph().unknown(node).index()), 0, factor});
        return true;
      case Op::diff: return collect_derivative(node, factor, form);
      case Op::affine: {
        const auto coefficients = graph().coefficients(node);
        const std::vector<double> numbers(coefficients.begin(), coefficients.end());
        add(form.constant, graph().scale(graph().number(node), factor));
        for (std::size_t k = 0; k < arguments.size(); ++k)
          if (!collect(arguments[k], graph().scale(numbers[k], factor), form)) return false;
        return true;
      }
      case Op::product: {
        NodeId varying;
        for (const NodeId argument : arguments) {
          if (!graph().varies(argument))
            factor = graph().multiply(factor, argument);
          else if (varying.is_set())
            return false;
          else
            varying = argument;
        }
        return collect(varying, factor, form);
      }
      case Op::quotient:
        return !graph().varies(arguments[1]) &&
               collect(arguments[0], graph().divide(factor, arguments[1]), form);
      default: return false;
    }
  }

  // Derivatives up to the highest in the equations are as accurate as the solution; higher ones get
  // an unknown, so that the equations are differentiated for it.
  bool collect_derivative(NodeId node, NodeId factor, Watch& form) {
    const NodeId argument = graph().arguments(node)[0];
    if (graph().op(argument) != Op::unknown) return false;
    const auto unknown = static_cast<int>(graph().unknown(argument).index());
    if (graph().order(node) > highest_order(unknown)) return false;
    form.terms.push_back({unknown, graph().order(node), factor});
    return true;
  }

  int highest_order(int unknown) {
    if (highest_orders_.empty()) {
      highest_orders_.resize(graph().num_unknowns(), 0);
      std::vector<NodeId> residuals;
      for (const model::Equation& equation : mode_.own.equations)
        residuals.push_back(equation.residual);
      const structure::SignatureMatrix sigma = structure::signature_of(graph(), residuals);
      for (int i = 0; i < sigma.num_equations(); ++i)
        for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
          int& highest = highest_orders_[sigma.unknowns(i)[k]];
          highest = std::max(highest, sigma.orders(i)[k]);
        }
    }
    return highest_orders_[unknown];
  }

  // The sum of the sizes of the terms, where all unknowns have their nominal values: a factor of a
  // guard is one of its size.
  double nominal_of(NodeId expression) const {
    const Graph& g = *mode_.data.graph;
    const auto arguments = g.arguments(expression);
    if (!g.varies(expression)) return std::abs(number(expression));
    switch (g.op(expression)) {
      case Op::unknown: return nominals_[g.unknown(expression).index()];
      case Op::diff:
        return g.op(arguments[0]) == Op::unknown ? nominal_of(arguments[0]) : of_no_known_size;
      case Op::affine: {
        double sum = std::abs(g.number(expression));
        for (std::size_t k = 0; k < arguments.size(); ++k)
          sum += std::abs(g.coefficients(expression)[k]) * nominal_of(arguments[k]);
        return sum;
      }
      case Op::product: {
        double product = 1.0;
        for (const NodeId factor : arguments) product *= nominal_of(factor);
        return product;
      }
      case Op::quotient:
        return g.varies(arguments[1]) ? of_no_known_size
                                      : nominal_of(arguments[0]) / nominal_of(arguments[1]);
      case Op::power:
        return g.number(expression) > 0.0 ? std::pow(nominal_of(arguments[0]), g.number(expression))
                                          : of_no_known_size;
      default: return of_no_known_size;
    }
  }

  const Guards& guards_;
  const Sides& sides_;
  Sides seen_;  // by conditions: what is told on each side of what slides is as good as sliding
  const std::vector<double>& parameters_;
  std::vector<double> nominals_;
  ModeModel mode_;
  std::vector<int> highest_orders_;         // by unknown: in the mode's own equations
  std::vector<bool> needed_;                // by node of the model's graph
  std::vector<NodeId> pending_;             // needed, but their arguments not yet looked at
  std::vector<NodeId> image_;               // by node
  std::vector<std::vector<int>> mixtures_;  // by node; none where nothing slides
  std::vector<int> told_by_;                // the guard that slides inside it, if it is one
  std::vector<bool> told_;                  // by guard
  std::optional<DecidedSides> nested_;
  std::vector<std::optional<double>> known_weights_;
  std::vector<bool> is_watched_;  // by guard: of a when clause
  std::vector<NodeId> weights_;   // by guard: of the plus side, if it slides
  // By guard: parameters for its sides.
  std::vector<std::vector<std::pair<std::array<double, 3>, NodeId>>> inputs_of_;
};

}  // namespace

ModeModel make_mode_model(const model::ModelData& model, const Guards& guards, const Sides& sides,
                          const std::vector<double>& parameters, std::span<const double> nominals,
                          std::vector<bool> switches) {
  ModeBuilder builder(model, guards, sides, parameters, nominals);
  if (!switches.empty()) builder.set_switches(std::move(switches));
  return builder.build(model);
}

ModeModel make_blended_model(const model::ModelData& model, const Guards& guards,
                             const Sides& sides, const std::vector<double>& parameters,
                             std::span<const double> nominals, const Blend& blend) {
  const auto weight_of = [](Side side) {
    return side == Side::plus ? 1.0 : side == Side::minus ? 0.0 : 0.5;
  };
  Sides mixed = sides;
  std::vector<std::optional<double>> weights(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (sides[k] == blend.before[k] || guards.is_constant(static_cast<int>(k))) continue;
    mixed[k] = Side::slides;
    weights[k] = (1 - blend.part) * weight_of(blend.before[k]) + blend.part * weight_of(sides[k]);
  }
  ModeBuilder builder(model, guards, mixed, parameters, nominals);
  builder.set_weights(weights);
  return builder.build(model);
}

bool holds(const model::ModelData& model, const Guards& guards, NodeId condition,
           const Sides& sides, const std::vector<double>& parameters) {
  return Truth{*model.graph, guards, sides, parameters}.of(condition).value_or(0.0) != 0.0;
}

}  // namespace daedal::hybrid
