#include "expr/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "expr/evaluate.hpp"

namespace daedal::expr {
namespace {

constexpr std::size_t first_table_size = 64;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 32);
}

// -0.0 and 0.0 are one number to a model.
std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value);
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// a + b = fl(a + b) + error, exactly (Knuth's TwoSum).
double error_of_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}

// Far from overflow and underflow: factors are merged only then, so that (1e-170 x) (1e-170 y) is
// not 0.
bool is_moderate(double factor) {
  return std::abs(factor) > 0x1p-200 && std::abs(factor) < 0x1p200;
}

bool is_integer(double value) { return value == std::floor(value) && std::abs(value) < 1e9; }

// f(-u) = -f(u), f(-u) = f(u).
bool is_odd(Op op) {
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::asinh:
    case Op::atanh:
    case Op::erf:
    case Op::sign: return true;
    default: return false;
  }
}
bool is_even(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }

}  // namespace

Graph::Graph() : table_(first_table_size, 0) {}

// ---- storage ----

std::span<const NodeId> Graph::arguments(NodeId node) const {
  const Node& n = nodes_[node.index()];
  return {argument_pool_.data() + n.first_argument, n.num_arguments};
}

std::span<const double> Graph::coefficients(NodeId node) const {
  const Node& n = nodes_[node.index()];
  if (n.op != Op::affine) return {};
  return {coefficient_pool_.data() + n.first_coefficient, n.num_arguments};
}

double Graph::number(NodeId node) const { return nodes_[node.index()].number; }

int Graph::order(NodeId node) const { return static_cast<int>(nodes_[node.index()].payload); }

UnknownId Graph::unknown(NodeId node) const { return UnknownId(nodes_[node.index()].payload); }

ParameterId Graph::parameter(NodeId node) const {
  return ParameterId(nodes_[node.index()].payload);
}

bool Graph::is_constant(NodeId node, double value) const {
  return op(node) == Op::constant && number(node) == value;
}

bool Graph::equals(const Node& stored, const Node& node, std::span<const NodeId> arguments,
                   std::span<const double> coefficients) const {
  if (stored.op != node.op || stored.payload != node.payload ||
      stored.num_arguments != arguments.size() || bits_of(stored.number) != bits_of(node.number))
    return false;
  return std::equal(arguments.begin(), arguments.end(),
                    argument_pool_.begin() + stored.first_argument) &&
         std::equal(coefficients.begin(), coefficients.end(),
                    coefficient_pool_.begin() + stored.first_coefficient);
}

NodeId Graph::append(const Node& node, std::span<const NodeId> arguments,
                     std::span<const double> coefficients) {
  DAEDAL_CHECK(nodes_.size() < std::numeric_limits<std::uint32_t>::max() - 1);
  const NodeId id(nodes_.size());
  Node stored = node;
  stored.first_argument = static_cast<std::uint32_t>(argument_pool_.size());
  stored.num_arguments = static_cast<std::uint32_t>(arguments.size());
  stored.first_coefficient = static_cast<std::uint32_t>(coefficient_pool_.size());
  for (const NodeId argument : arguments) stored.varies = stored.varies || varies(argument);
  argument_pool_.insert(argument_pool_.end(), arguments.begin(), arguments.end());
  coefficient_pool_.insert(coefficient_pool_.end(), coefficients.begin(), coefficients.end());
  nodes_.push_back(stored);
  positions_.push_back(position_);
  return id;
}

void Graph::grow_table() {
  std::vector<std::uint32_t> larger(2 * table_.size(), 0);
  const std::size_t mask = larger.size() - 1;
  for (const std::uint32_t entry : table_) {
    if (entry == 0) continue;
    std::size_t slot = hashes_[entry - 1] & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = entry;
  }
  table_ = std::move(larger);
}

NodeId Graph::intern(Node node, std::span<const NodeId> arguments,
                     std::span<const double> coefficients) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(node.op), node.payload);
  hash = mix(hash, bits_of(node.number));
  for (const NodeId argument : arguments) hash = mix(hash, argument.value);
  for (const double coefficient : coefficients) hash = mix(hash, bits_of(coefficient));

  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t candidate = table_[slot] - 1;
    if (hashes_[candidate] == hash && equals(nodes_[candidate], node, arguments, coefficients))
      return NodeId(candidate);
  }
  const NodeId id = append(node, arguments, coefficients);
  table_[slot] = id.value + 1;
  hashes_.push_back(hash);
  if (2 * nodes_.size() > table_.size()) grow_table();
  return id;
}

NodeId Graph::intern(Op op, std::initializer_list<NodeId> arguments, double number) {
  return intern(Node{.op = op, .number = number},
                std::span<const NodeId>(arguments.begin(), arguments.size()));
}

// ---- leaves ----

NodeId Graph::constant(double value) {
  return intern(Op::constant, {}, value == 0.0 ? 0.0 : value);
}

NodeId Graph::time() { return intern(Node{.op = Op::time, .varies = true}, {}); }

NodeId Graph::add_parameter(std::string name) {
  const auto id = static_cast<std::uint32_t>(parameter_names_.size());
  parameter_names_.push_back(std::move(name));
  parameter_nodes_.push_back(intern(Node{.op = Op::parameter, .payload = id}, {}));
  return parameter_nodes_.back();
}

NodeId Graph::add_unknown(std::string name) {
  const auto id = static_cast<std::uint32_t>(unknown_names_.size());
  unknown_names_.push_back(std::move(name));
  unknown_nodes_.push_back(intern(Node{.op = Op::unknown, .varies = true, .payload = id}, {}));
  return unknown_nodes_.back();
}

// ---- sums ----

// c*v of a lone-term affine node without constant; 1*node of any other.
Graph::Term Graph::as_scaled(NodeId node) const {
  const Node& n = nodes_[node.index()];
  if (n.op != Op::affine || n.num_arguments != 1 || n.number != 0.0) return {node, 1.0};
  return {argument_pool_[n.first_argument], coefficient_pool_[n.first_coefficient]};
}

// Adds factor*node to the sum in terms_. Sums of at most one term are opened at once; longer ones
// only by simplify(), which knows whether they are used elsewhere. (Opening them here would make s
// += a_k quadratic.)
void Graph::collect(double factor, NodeId node, double& constant) {
  const Node& n = nodes_[node.index()];
  if (n.op == Op::constant) {
    constant += factor * n.number;
  } else if (n.op == Op::affine && n.num_arguments == 1 &&
             is_moderate(factor * coefficient_pool_[n.first_coefficient])) {
    constant += factor * n.number;
    terms_.push_back(
        {argument_pool_[n.first_argument], factor * coefficient_pool_[n.first_coefficient]});
  } else {
    terms_.push_back({node, factor});
  }
}

// Sorts terms_ by node and adds up equal ones. What cancels to rounding is gone: 0.1 x + 0.2 x -
// 0.3 x is 0, so that a rounding error never counts as an occurrence of x. The bound is what
// rounding did: the error of each addition, exactly, and half a unit in the last place of every
// coefficient that is not an integer (0.1 is not a tenth; 3 is three).
void Graph::merge_equal_terms() {
  std::stable_sort(terms_.begin(), terms_.end(),
                   [](const Term& a, const Term& b) { return a.node < b.node; });
  std::size_t kept = 0;
  for (std::size_t first = 0; first < terms_.size();) {
    double sum = 0.0, rounding = 0.0;
    std::size_t last = first;
    for (; last < terms_.size() && terms_[last].node == terms_[first].node; ++last) {
      const double c = terms_[last].coefficient;
      rounding += std::abs(error_of_sum(sum, c));
      if (c != std::floor(c)) rounding += 0.5 * epsilon * std::abs(c);
      sum += c;
    }
    const bool is_single = last - first == 1;
    if (sum != 0.0 && (is_single || std::abs(sum) > rounding))
      terms_[kept++] = {terms_[first].node, sum};
    first = last;
  }
  terms_.resize(kept);
}

// The canonical node of constant + terms_.
NodeId Graph::affine_of_terms(double constant) {
  merge_equal_terms();
  if (terms_.empty()) return this->constant(constant);
  if (terms_.size() == 1 && constant == 0.0) {
    const Term inner = as_scaled(terms_[0].node);  // c1*(c2*v) -> (c1 c2)*v
    if (is_moderate(inner.coefficient * terms_[0].coefficient))
      terms_[0] = {inner.node, inner.coefficient * terms_[0].coefficient};
    if (terms_[0].coefficient == 1.0) return terms_[0].node;
  }
  const bool is_lone = terms_.size() == 1 && constant == 0.0;
  const double sign = !is_lone && terms_[0].coefficient < 0.0 ? -1.0 : 1.0;
  sorted_arguments_.clear();
  sorted_coefficients_.clear();
  for (const Term& term : terms_) {
    sorted_arguments_.push_back(term.node);
    sorted_coefficients_.push_back(sign * term.coefficient);
  }
  const Node node{.op = Op::affine, .number = sign * constant};
  const NodeId positive = intern(node, sorted_arguments_, sorted_coefficients_);
  if (sign > 0.0) return positive;
  const double minus_one = -1.0;
  return intern(Node{.op = Op::affine, .number = 0.0}, {&positive, 1}, {&minus_one, 1});
}

NodeId Graph::affine(double constant, std::span<const double> coefficients,
                     std::span<const NodeId> arguments) {
  num_recorded_ += arguments.size();
  terms_.clear();
  for (std::size_t k = 0; k < arguments.size(); ++k)
    collect(coefficients[k], arguments[k], constant);
  return affine_of_terms(constant);
}

NodeId Graph::add(NodeId a, NodeId b) {
  ++num_recorded_;
  return sum(a, 1.0, b);
}

NodeId Graph::subtract(NodeId a, NodeId b) {
  ++num_recorded_;
  return sum(a, -1.0, b);
}

NodeId Graph::sum(NodeId a, double factor, NodeId b) {
  double constant = 0.0;
  terms_.clear();
  collect(1.0, a, constant);
  collect(factor, b, constant);
  return affine_of_terms(constant);
}

NodeId Graph::scale(double factor, NodeId a) {
  ++num_recorded_;
  return scaled(factor, a);
}

NodeId Graph::scaled(double factor, NodeId a) {
  double constant = 0.0;
  terms_.clear();
  collect(factor, a, constant);
  return affine_of_terms(constant);
}

NodeId Graph::negate(NodeId a) { return scale(-1.0, a); }

// ---- products, quotients, powers ----

// Adds a factor to the product in factors_, its scale to `factor`.
void Graph::collect_factor(NodeId node, double& factor) {
  if (is_constant(node)) {
    factor *= number(node);
    return;
  }
  const Term inner = as_scaled(node);
  const bool can_pull = is_moderate(factor * inner.coefficient);
  factors_.push_back(can_pull ? inner.node : node);
  if (can_pull) factor *= inner.coefficient;
}

// v^r v^s -> v^(r+s), for integers of one sign only: anything else would change where the product
// is defined.
bool Graph::can_merge(NodeId a, NodeId b) const {
  const auto base = [&](NodeId n) { return op(n) == Op::power ? arguments(n)[0] : n; };
  const auto exponent = [&](NodeId n) { return op(n) == Op::power ? number(n) : 1.0; };
  return base(a) == base(b) && is_integer(exponent(a)) && is_integer(exponent(b)) &&
         exponent(a) * exponent(b) > 0;
}

// The canonical node of factor * product of factors_.
NodeId Graph::product_of_factors(double factor) {
  if (factor == 0.0) return constant(0.0);
  const auto base = [&](NodeId n) { return op(n) == Op::power ? arguments(n)[0] : n; };
  const auto exponent = [&](NodeId n) { return op(n) == Op::power ? number(n) : 1.0; };
  std::vector<NodeId> factors;
  std::swap(factors, factors_);
  std::stable_sort(factors.begin(), factors.end(),
                   [&](NodeId a, NodeId b) { return base(a) < base(b); });
  std::size_t kept = 0;
  for (const NodeId next : factors) {
    if (kept > 0 && can_merge(factors[kept - 1], next))
      factors[kept - 1] = powered(base(next), exponent(factors[kept - 1]) + exponent(next));
    else
      factors[kept++] = next;
  }
  factors.resize(kept);
  std::sort(factors.begin(), factors.end());
  NodeId result;
  if (factors.empty())
    result = constant(1.0);
  else if (factors.size() == 1)
    result = factors[0];
  else
    result = intern(Node{.op = Op::product}, factors);
  factors.clear();
  std::swap(factors, factors_);
  return factor == 1.0 ? result : scaled(factor, result);
}

NodeId Graph::product(std::span<const NodeId> arguments) {
  num_recorded_ += arguments.size();
  double factor = 1.0;
  factors_.clear();
  for (const NodeId argument : arguments) collect_factor(argument, factor);
  return product_of_factors(factor);
}

NodeId Graph::multiply(NodeId a, NodeId b) {
  ++num_recorded_;
  if (is_constant(a)) return scaled(number(a), b);
  if (is_constant(b)) return scaled(number(b), a);
  double factor = 1.0;
  factors_.clear();
  collect_factor(a, factor);
  collect_factor(b, factor);
  return product_of_factors(factor);
}

NodeId Graph::divide(NodeId a, NodeId b) {
  ++num_recorded_;
  if (is_constant(b) && std::isfinite(1.0 / number(b))) {
    if (is_constant(a)) return constant(number(a) / number(b));
    return scaled(1.0 / number(b), a);
  }
  const Term denominator = as_scaled(b);
  const Term numerator = is_constant(a) ? Term{a, number(a)} : as_scaled(a);
  const double factor = numerator.coefficient / denominator.coefficient;
  if (!is_moderate(factor)) return intern(Op::quotient, {a, b});
  if (is_constant(a)) return scaled(factor, powered(denominator.node, -1.0));
  return scaled(factor, intern(Op::quotient, {numerator.node, denominator.node}));
}

NodeId Graph::power(NodeId base, double exponent) {
  ++num_recorded_;
  return powered(base, exponent);
}

NodeId Graph::powered(NodeId base, double exponent) {
  if (exponent == 0.0) return constant(1.0);
  if (exponent == 1.0) return base;
  if (is_constant(base)) {
    const double value = apply_power(number(base), exponent);
    return std::isfinite(value) ? constant(value) : intern(Op::power, {base}, exponent);
  }
  if (op(base) == Op::power && !is_integer(number(base)) && !is_integer(number(base) * exponent))
    return intern(Op::power, {arguments(base)[0]}, number(base) * exponent);  // 1/sqrt(v): v^-1/2
  if (!is_integer(exponent)) return intern(Op::power, {base}, exponent);
  const Term inner = as_scaled(base);  // (c v)^r -> c^r v^r
  const double factor = apply_power(inner.coefficient, exponent);
  if (inner.coefficient != 1.0 && is_moderate(factor))
    return scaled(factor, powered(inner.node, exponent));
  if (op(base) == Op::power && is_integer(number(base)) && is_integer(number(base) * exponent))
    return powered(arguments(base)[0], number(base) * exponent);
  return intern(Op::power, {base}, exponent);
}

NodeId Graph::pow(NodeId base, NodeId exponent) {
  if (is_constant(exponent)) return power(base, number(exponent));
  ++num_recorded_;
  return intern(Op::pow, {base, exponent});
}

// ---- functions and d/dt ----

NodeId Graph::unary(Op op, NodeId a) {
  DAEDAL_CHECK(is_unary_function(op));
  ++num_recorded_;
  if (is_constant(a)) {
    const double value = apply_unary(op, number(a));
    if (std::isfinite(value)) return constant(value);
  }
  if ((is_odd(op) || is_even(op)) && as_scaled(a).coefficient < 0.0) {
    const NodeId positive = intern(op, {scaled(-1.0, a)});
    return is_odd(op) ? scaled(-1.0, positive) : positive;
  }
  if (is_relation(op)) return relation(op, a);
  return intern(op, {a});
}

// c v > 0 is v > 0 for c > 0; -v > 0 is not v >= 0.
NodeId Graph::relation(Op op, NodeId a) {
  Term inner = as_scaled(a);
  const auto leads_with_minus = [&](NodeId node) {
    return this->op(node) == Op::affine && coefficients(node)[0] < 0.0;
  };
  if (leads_with_minus(inner.node)) inner = {scaled(-1.0, inner.node), -inner.coefficient};
  if (inner.coefficient > 0.0) return intern(op, {inner.node});
  const Op opposite = op == Op::positive ? Op::nonnegative : Op::positive;
  return sum(constant(1.0), -1.0, intern(opposite, {inner.node}));
}

NodeId Graph::select(NodeId condition, NodeId then, NodeId otherwise) {
  ++num_recorded_;
  if (is_constant(condition)) return number(condition) != 0.0 ? then : otherwise;
  if (then == otherwise) return then;
  return intern(Op::select, {condition, then, otherwise});
}

NodeId Graph::binary(Op op, NodeId a, NodeId b) {
  DAEDAL_CHECK(op == Op::atan2 || op == Op::min || op == Op::max);
  ++num_recorded_;
  if (op != Op::atan2 && a == b) return a;
  if (op != Op::atan2 && b < a) std::swap(a, b);
  const NodeId node = intern(op, {a, b});
  if (!is_constant(a) || !is_constant(b)) return node;
  const double values[] = {number(a), number(b)};
  return constant(apply(*this, node, values));
}

NodeId Graph::diff(NodeId a, int order) {
  DAEDAL_CHECK(order >= 0);
  if (order == 0) return a;
  ++num_recorded_;
  return differentiated(a, order);
}

NodeId Graph::differentiated(NodeId a, int order) {
  if (!varies(a)) return constant(0.0);
  if (op(a) == Op::time) return constant(order == 1 ? 1.0 : 0.0);
  if (op(a) == Op::affine && arguments(a).size() == 1)
    return scaled(coefficients(a)[0], differentiated(arguments(a)[0], order));
  if (op(a) == Op::diff) return differentiated(arguments(a)[0], order + this->order(a));
  return intern(Node{.op = Op::diff, .varies = true, .payload = static_cast<std::uint32_t>(order)},
                {&a, 1});
}

std::vector<NodeId> reachable(const Graph& graph, std::span<const NodeId> roots) {
  std::vector<NodeId> found;
  if (roots.empty()) return found;
  const std::size_t last = std::max_element(roots.begin(), roots.end())->index();
  std::vector<bool> wanted(last + 1, false);
  for (const NodeId root : roots) wanted[root.index()] = true;
  for (std::size_t k = last + 1; k-- > 0;)
    if (wanted[k])
      for (const NodeId argument : graph.arguments(NodeId(k))) wanted[argument.index()] = true;
  for (std::size_t k = 0; k <= last; ++k)
    if (wanted[k]) found.emplace_back(k);
  return found;
}

std::span<const NodeId> Cone::below(NodeId root) {
  stamp_.resize(graph_.size(), 0);
  ++round_;
  found_.assign(1, root);
  stamp_[root.index()] = round_;
  for (std::size_t next = 0; next < found_.size(); ++next) {
    for (const NodeId argument : graph_.arguments(found_[next])) {
      if (stamp_[argument.index()] == round_) continue;
      stamp_[argument.index()] = round_;
      found_.push_back(argument);
    }
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace daedal::expr
