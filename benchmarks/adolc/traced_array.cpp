#include "benchmarks/adolc/traced_array.hpp"

#include <adolc/adolc.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/check.hpp"
#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "init/tangent_series.hpp"
#include "taylor/rules.hpp"

namespace daedal::benchmarks {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

// An independent variable: derivative `order` of an unknown, or time.
struct Leaf {
  int unknown = -1;  // -1: time
  int order = 0;
  NodeId node;
};

bool is_leaf(const Graph& graph, NodeId node) {
  return graph.op(node) == Op::unknown || graph.op(node) == Op::time || graph.op(node) == Op::diff;
}

Leaf leaf_of(const Graph& graph, NodeId node) {
  if (graph.op(node) == Op::time) return {-1, 0, node};
  if (graph.op(node) == Op::unknown)
    return {static_cast<int>(graph.unknown(node).index()), 0, node};
  return {static_cast<int>(graph.unknown(graph.arguments(node)[0]).index()), graph.order(node),
          node};
}

adouble integer_power(const adouble& base, int exponent) {
  adouble result = base;
  int bit = 1;
  while (2 * bit <= exponent) bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2) {
    result = result * result;
    if ((exponent & bit) != 0) result = result * base;
  }
  return result;
}

// Records the operations of a graph: numbers for what does not vary, adoubles for the rest.
class Tracer {
 public:
  Tracer(const Graph& graph, std::span<const double> parameters)
      : graph_(graph), parameters_(parameters) {}

  void set(NodeId leaf, const adouble& value) { active_[leaf.index()] = value; }
  const adouble& value(NodeId node) { return active_[node.index()]; }

  void record(NodeId node) {
    if (is_leaf(graph_, node)) return;
    if (!graph_.varies(node))
      number_[node.index()] = constant_of(node);
    else
      active_[node.index()] = operation(node);
  }

 private:
  bool varies(NodeId node) const { return graph_.varies(node); }
  double number(NodeId node) const { return number_.at(node.index()); }

  double constant_of(NodeId node) {
    if (graph_.op(node) == Op::constant) return graph_.number(node);
    if (graph_.op(node) == Op::parameter) return parameters_[graph_.parameter(node).index()];
    std::vector<double> arguments;
    for (const NodeId argument : graph_.arguments(node)) arguments.push_back(number(argument));
    return expr::apply(graph_, node, arguments);
  }

  adouble operation(NodeId node) {
    const auto arguments = graph_.arguments(node);
    switch (graph_.op(node)) {
      case Op::affine: return sum(node);
      case Op::product: return product(node);
      case Op::quotient:
        if (!varies(arguments[0])) return number(arguments[0]) / value(arguments[1]);
        if (!varies(arguments[1])) return value(arguments[0]) / number(arguments[1]);
        return value(arguments[0]) / value(arguments[1]);
      case Op::power: return power(value(arguments[0]), graph_.number(node));
      case Op::exp: return exp(value(arguments[0]));
      case Op::log: return log(value(arguments[0]));
      case Op::sin: return sin(value(arguments[0]));
      case Op::cos: return cos(value(arguments[0]));
      case Op::tan: return tan(value(arguments[0]));
      default: base::report_bug("an operation that is traced", __FILE__, __LINE__);
    }
  }

  // Factors 1 and -1 cost nothing.
  adouble sum(NodeId node) {
    const auto arguments = graph_.arguments(node);
    const auto coefficients = graph_.coefficients(node);
    double constant = graph_.number(node);
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (!varies(arguments[k])) constant += coefficients[k] * number(arguments[k]);
    adouble total;
    bool is_empty = true;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (!varies(arguments[k])) continue;
      const adouble& term = value(arguments[k]);
      const double factor = coefficients[k];
      if (is_empty)
        total = factor == 1.0 ? term : factor == -1.0 ? -term : factor * term;
      else if (factor == 1.0)
        total += term;
      else if (factor == -1.0)
        total -= term;
      else
        total += factor * term;
      is_empty = false;
    }
    if (constant != 0.0) total += constant;
    return total;
  }

  adouble product(NodeId node) {
    double factor = 1.0;
    adouble total;
    bool is_empty = true;
    for (const NodeId argument : graph_.arguments(node)) {
      if (!varies(argument))
        factor *= number(argument);
      else if (is_empty)
        total = value(argument);
      else
        total = total * value(argument);
      is_empty = is_empty && !varies(argument);
    }
    return factor == 1.0 ? total : factor * total;
  }

  static adouble power(const adouble& base, double exponent) {
    if (exponent == 0.5) return sqrt(base);
    if (exponent == -1.0) return 1.0 / base;
    if (exponent == std::floor(exponent) && std::abs(exponent) <= 64) {
      const adouble positive = integer_power(base, static_cast<int>(std::abs(exponent)));
      return exponent > 0 ? positive : 1.0 / positive;
    }
    return pow(base, exponent);
  }

  const Graph& graph_;
  std::span<const double> parameters_;
  std::map<std::size_t, double> number_;
  std::map<std::size_t, adouble> active_;
};

short next_tag = 1;

// Entries of each of ADOL-C's buffers, so that nothing goes to a file: its default, and as much as
// the largest problem needs (some 40 values kept for a node).
unsigned buffer_size(std::size_t num_nodes) {
  constexpr std::size_t by_default = 524288;
  return static_cast<unsigned>(std::max(by_default, 64 * num_nodes));
}

}  // namespace

class TracedArray::Work {
 public:
  Work(const Graph& graph, std::span<const NodeId> residuals, int r,
       std::span<const double> parameters, const reduce::DerivativeArray& array, Weights weights)
      : tag_(next_tag++), r_(r), num_equations_(static_cast<int>(residuals.size())) {
    const std::vector<NodeId> nodes = expr::reachable(graph, residuals);
    find_leaves(graph, residuals, nodes);
    trace(graph, residuals, nodes, parameters);
    find_patterns(graph, residuals);
    choose_weights(weights);
    allocate();
    lay_out(array);
  }

  ~Work() {
    myfree1(x_);
    myfree2(X_);
    myfree1(y_);
    myfree2(Y_);
    myfree2(U_);
    myfree3(Z_);
    removeTape(tag_, ADOLC_REMOVE_COMPLETELY);
  }

  void evaluate(const reduce::ArrayPoint& point) {
    load(point);
    hos_forward(tag_, num_equations_, num_leaves(), r_, 0, x_, X_, y_, Y_);
    read_values();
  }

  void linearise(const reduce::ArrayPoint& point) {
    load(point);
    hos_forward(tag_, num_equations_, num_leaves(), r_, r_ + 1, x_, X_, y_, Y_);
    read_values();
    hov_reverse(tag_, num_equations_, num_leaves(), r_, num_weights_, U_, Z_, nullptr);
    const double* z = Z_[0][0];
    std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
    for (const Fill& fill : fills_) jacobian_[fill.entry] += fill.factor * z[fill.from];
  }

  std::size_t num_bytes() const {
    std::size_t stats[STAT_SIZE];
    tapestats(tag_, stats);
    const std::size_t coefficients = r_ + 1;
    const std::size_t tape = stats[NUM_OPERATIONS] + stats[NUM_LOCATIONS] * sizeof(locint) +
                             stats[NUM_VALUES] * sizeof(double);
    const std::size_t kept = stats[TAY_STACK_SIZE] * coefficients * sizeof(revreal);
    const std::size_t live =
        stats[NUM_MAX_LIVES] * coefficients * (1 + num_weights_) * sizeof(double);
    const std::size_t results =
        (2 * leaves_.size() + 2 * num_equations_ + num_weights_ * leaves_.size()) * coefficients *
        sizeof(double);
    return tape + kept + live + results + fills_.size() * sizeof(Fill) +
           jacobian_.size() * sizeof(double);
  }

  int num_weights_ = 0;
  std::vector<double> values_, jacobian_;

 private:
  struct Fill {
    std::uint32_t entry = 0, from = 0;
    double factor = 1.0;
  };

  int num_leaves() const { return static_cast<int>(leaves_.size()); }

  // x itself is reachable below x', but counts only where it is used as such.
  void find_leaves(const Graph& graph, std::span<const NodeId> residuals,
                   std::span<const NodeId> nodes) {
    std::set<NodeId> used(residuals.begin(), residuals.end());
    for (const NodeId node : nodes)
      if (graph.op(node) != Op::diff)
        for (const NodeId argument : graph.arguments(node)) used.insert(argument);
    for (const NodeId node : nodes)
      if (is_leaf(graph, node) && used.contains(node)) leaves_.push_back(leaf_of(graph, node));
  }

  void trace(const Graph& graph, std::span<const NodeId> residuals, std::span<const NodeId> nodes,
             std::span<const double> parameters) {
    const unsigned buffer = buffer_size(nodes.size());
    trace_on(tag_, 0, buffer, buffer, buffer, buffer);
    {
      Tracer tracer(graph, parameters);
      for (const Leaf& leaf : leaves_) {
        adouble value;
        value <<= 0.7;
        tracer.set(leaf.node, value);
      }
      for (const NodeId node : nodes) tracer.record(node);
      for (const NodeId residual : residuals) {
        double value = 0.0;
        adouble result = tracer.value(residual);
        result >>= value;
      }
    }
    trace_off();
  }

  // Which leaves are in which equation.
  void find_patterns(const Graph& graph, std::span<const NodeId> residuals) {
    std::map<NodeId, int> number;
    for (int l = 0; l < num_leaves(); ++l) number[leaves_[l].node] = l;
    expr::Cone cone(graph);
    for (const NodeId residual : residuals) {
      patterns_.emplace_back();
      for (const NodeId node : cone.below(residual))
        if (const auto found = number.find(node); found != number.end())
          patterns_.back().push_back(found->second);
    }
  }

  // Equations of one colour have no leaf in common, so that a reverse sweep for their sum tells the
  // derivatives of each.
  void choose_weights(Weights weights) {
    colour_.resize(num_equations_);
    if (weights == Weights::one_per_equation) {
      for (int i = 0; i < num_equations_; ++i) colour_[i] = i;
      num_weights_ = num_equations_;
      return;
    }
    std::vector<std::set<int>> taken(leaves_.size());
    for (int i = 0; i < num_equations_; ++i) {
      int colour = 0;
      const auto is_taken = [&] {
        return std::any_of(patterns_[i].begin(), patterns_[i].end(), [&](int l) {
          return leaves_[l].unknown >= 0 && taken[l].contains(colour);
        });
      };
      while (is_taken()) ++colour;
      for (const int l : patterns_[i]) taken[l].insert(colour);
      colour_[i] = colour;
      num_weights_ = std::max(num_weights_, colour + 1);
    }
  }

  void allocate() {
    x_ = myalloc1(num_leaves());
    X_ = myalloc2(num_leaves(), r_);
    y_ = myalloc1(num_equations_);
    Y_ = myalloc2(num_equations_, r_);
    U_ = myalloc2(num_weights_, num_equations_);
    Z_ = myalloc3(num_weights_, num_leaves(), r_ + 1);
    for (int w = 0; w < num_weights_; ++w)
      for (int i = 0; i < num_equations_; ++i) U_[w][i] = colour_[i] == w ? 1.0 : 0.0;
  }

  // dy^(k)/dx^(m) = sum_q k!/m! m!/(m-q)! (dF/dx^(q))_{k-m+q}: (17) and (18) are this for q <= 1.
  void lay_out(const reduce::DerivativeArray& array) {
    std::map<std::pair<int, int>, int> number;
    int highest = 0;
    for (int l = 0; l < num_leaves(); ++l) {
      number[{leaves_[l].unknown, leaves_[l].order}] = l;
      highest = std::max(highest, leaves_[l].order);
    }
    for (std::size_t row = 0; row < array.rows().size(); ++row) {
      const auto [i, k] = array.rows()[row];
      for (int e = array.jacobian().starts[row]; e < array.jacobian().starts[row + 1]; ++e) {
        const auto [j, m] = array.place_of_column(array.jacobian().columns[e]);
        for (int q = 0; q <= std::min(highest, m); ++q) {
          const int s = k - m + q;
          const auto found = number.find({j, q});
          if (s < 0 || s > k || found == number.end()) continue;
          fills_.push_back(
              {static_cast<std::uint32_t>(e),
               static_cast<std::uint32_t>((colour_[i] * num_leaves() + found->second) * (r_ + 1) +
                                          s),
               taylor::factorial(k) / taylor::factorial(m) * init::falling_factorial(m, q)});
        }
      }
    }
    jacobian_.resize(array.jacobian().columns.size());
    values_.resize(array.rows().size());
    num_unknowns_ = array.num_unknowns();
    for (int k = 0; k <= r_; ++k) reciprocal_factorial_.push_back(1.0 / taylor::factorial(k));
  }

  void load(const reduce::ArrayPoint& point) {
    for (int l = 0; l < num_leaves(); ++l) {
      const Leaf& leaf = leaves_[l];
      if (leaf.unknown < 0) {
        x_[l] = point.time;
        for (int k = 1; k <= r_; ++k) X_[l][k - 1] = k == 1 ? 1.0 : 0.0;
        continue;
      }
      const double* values = point.values.data() + leaf.order * num_unknowns_ + leaf.unknown;
      x_[l] = values[0];
      for (int k = 1; k <= r_; ++k)
        X_[l][k - 1] = values[k * num_unknowns_] * reciprocal_factorial_[k];
    }
  }

  void read_values() {
    for (int i = 0; i < num_equations_; ++i) {
      values_[i] = y_[i];
      for (int k = 1; k <= r_; ++k)
        values_[k * num_equations_ + i] = Y_[i][k - 1] / reciprocal_factorial_[k];
    }
  }

  short tag_;
  int r_, num_equations_, num_unknowns_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<std::vector<int>> patterns_;  // by equation
  std::vector<int> colour_;                 // by equation
  std::vector<Fill> fills_;
  std::vector<double> reciprocal_factorial_;
  double *x_ = nullptr, *y_ = nullptr, **X_ = nullptr, **Y_ = nullptr, **U_ = nullptr,
         ***Z_ = nullptr;
};

TracedArray::TracedArray(const Graph& graph, std::span<const NodeId> residuals, int r,
                         std::span<const double> parameters, const reduce::DerivativeArray& array,
                         Weights weights)
    : work_(std::make_unique<Work>(graph, residuals, r, parameters, array, weights)) {}
TracedArray::~TracedArray() = default;
void TracedArray::evaluate(const reduce::ArrayPoint& point) { work_->evaluate(point); }
void TracedArray::linearise(const reduce::ArrayPoint& point) { work_->linearise(point); }
const std::vector<double>& TracedArray::values() const { return work_->values_; }
const std::vector<double>& TracedArray::jacobian_values() const { return work_->jacobian_; }
int TracedArray::num_weights() const { return work_->num_weights_; }
std::size_t TracedArray::num_bytes() const { return work_->num_bytes(); }

}  // namespace daedal::benchmarks
