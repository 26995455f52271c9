#include "reduce/conversion/null_vector.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "expr/graph.hpp"
#include "linear/numerical_rank.hpp"
#include "reduce/conversion/factored.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::NodeId;
using linear::Rounded;

constexpr std::size_t largest_symbolic = 60;    // a larger block is not eliminated
constexpr std::size_t most_new_nodes = 50'000;  // nor one whose elimination grows beyond this

// An entry and its values at the generic points.
struct Cell {
  NodeId node;
  std::vector<Rounded> values;

  bool is_zero() const {
    return std::all_of(values.begin(), values.end(), [](const Rounded& v) { return v.is_zero(); });
  }
  bool is_never_zero() const {
    return std::none_of(values.begin(), values.end(), [](const Rounded& v) { return v.is_zero(); });
  }
};

// The entries of a block: row and column inside the block, node.
struct Entry {
  int row, column;
  NodeId node;
};

int place_of(const std::vector<int>& members, int member) {
  const auto found = std::lower_bound(members.begin(), members.end(), member);
  return found != members.end() && *found == member ? static_cast<int>(found - members.begin())
                                                    : -1;
}

std::vector<Entry> entries_of(const AnalysedModel& model, int b) {
  const structure::Block& block = model.structure.fine_blocks[b];
  std::vector<Entry> entries;
  for (const taylor::JacobianEntry& entry : model.jacobian) {
    const int row = place_of(block.equations, entry.equation);
    const int column = place_of(block.unknowns, entry.unknown);
    if (row >= 0 && column >= 0) entries.push_back({row, column, entry.value});
  }
  return entries;
}

std::vector<NodeId> nodes_of(const std::vector<Entry>& entries) {
  std::vector<NodeId> nodes;
  for (const Entry& entry : entries) nodes.push_back(entry.node);
  return nodes;
}

std::vector<linear::Triplet> triplets_of(const std::vector<Entry>& entries,
                                         const std::vector<Rounded>& values) {
  std::vector<linear::Triplet> triplets;
  for (std::size_t k = 0; k < entries.size(); ++k)
    triplets.push_back({entries[k].row, entries[k].column,
                        values[k].is_zero() ? 0 : values[k].value, values[k].error});
  return triplets;
}

class Elimination {
 public:
  // Eliminates in M w = 0, where M is the transpose of J if w combines rows of J, else J itself.
  Elimination(Graph& graph, std::size_t size, const std::vector<Entry>& entries, Side side,
              const GenericValues::Table& table)
      : graph_(graph), rows_(size), pivot_row_(size, -1), limit_(graph.size() + most_new_nodes) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      Cell cell{entries[k].node, {}};
      for (const auto& values : table) cell.values.push_back(values[k]);
      const bool combines_rows = side == Side::rows;
      put(combines_rows ? entries[k].column : entries[k].row,
          combines_rows ? entries[k].row : entries[k].column, std::move(cell));
    }
  }

  // False if it grows too large.
  bool run() {
    for (auto pivot = best_pivot(); pivot.row >= 0; pivot = best_pivot()) {
      eliminate(pivot.row, pivot.column);
      if (graph_.size() > limit_) return false;
    }
    return true;
  }

  // For each column without a pivot: it has weight 1, those with pivots follow. Pairs of place and
  // factor.
  std::vector<std::vector<std::pair<int, Factored>>> basis() {
    std::vector<std::vector<std::pair<int, Factored>>> vectors;
    for (int free = 0; free < size(); ++free)
      if (pivot_row_[free] < 0) vectors.push_back(vector_of(free));
    return vectors;
  }

 private:
  struct Pivot {
    int row = -1, column = -1;
  };

  int size() const { return static_cast<int>(rows_.size()); }

  void put(int row, int column, Cell cell) {
    if (cell.is_zero()) {
      rows_[row].erase(column);
      return;
    }
    if (const auto number = recognised(cell.values)) {
      cell.node = graph_.constant(*number);
      for (Rounded& value : cell.values) value = *number;
    }
    rows_[row].insert_or_assign(column, std::move(cell));
  }

  // Numbers, then expressions of parameters, then the smallest.
  std::tuple<int, std::size_t, std::size_t> cost(int row, const Cell& cell) const {
    const int kind = graph_.is_constant(cell.node) ? 0 : graph_.varies(cell.node) ? 2 : 1;
    const std::size_t nodes = kind == 0 ? 0 : expr::reachable(graph_, {&cell.node, 1}).size();
    return {kind, nodes, rows_[row].size()};
  }

  Pivot best_pivot() const {
    Pivot best;
    std::tuple<int, std::size_t, std::size_t> lowest;
    for (int row = 0; row < size(); ++row) {
      if (std::find(pivot_row_.begin(), pivot_row_.end(), row) != pivot_row_.end()) continue;
      for (const auto& [column, cell] : rows_[row]) {
        if (pivot_row_[column] >= 0 || !cell.is_never_zero()) continue;
        const auto price = cost(row, cell);
        if (best.row >= 0 && price >= lowest) continue;
        lowest = price;
        best = {row, column};
      }
    }
    return best;
  }

  void eliminate(int pivot_row, int pivot_column) {
    pivot_row_[pivot_column] = pivot_row;
    const std::map<int, Cell> row = rows_[pivot_row];
    const Cell& pivot = row.at(pivot_column);
    for (int r = 0; r < size(); ++r) {
      const auto found = rows_[r].find(pivot_column);
      if (r == pivot_row || found == rows_[r].end()) continue;
      const Cell factor = quotient(found->second, pivot);
      rows_[r].erase(found);
      for (const auto& [column, cell] : row)
        if (column != pivot_column) subtract(r, column, factor, cell);
    }
  }

  Cell quotient(const Cell& a, const Cell& b) {
    Cell result{reduced_quotient(graph_, a.node, b.node), a.values};
    for (std::size_t p = 0; p < a.values.size(); ++p) result.values[p] = a.values[p] / b.values[p];
    return result;
  }

  // row[column] -= factor*cell
  void subtract(int row, int column, const Cell& factor, const Cell& cell) {
    Factored product = factors_of(graph_, factor.node);
    product.multiply(factors_of(graph_, cell.node));
    NodeId node = graph_.negate(reduce::node_of(graph_, product));
    std::vector<Rounded> values;
    for (std::size_t p = 0; p < cell.values.size(); ++p)
      values.push_back(-(factor.values[p] * cell.values[p]));
    if (const auto found = rows_[row].find(column); found != rows_[row].end()) {
      node = graph_.add(found->second.node, node);
      for (std::size_t p = 0; p < values.size(); ++p) values[p] += found->second.values[p];
    }
    put(row, column, {node, std::move(values)});
  }

  std::vector<std::pair<int, Factored>> vector_of(int free) {
    std::map<int, Factored> entries = {{free, {}}};
    for (int column = 0; column < size(); ++column) {
      if (pivot_row_[column] < 0) continue;
      const auto& row = rows_[pivot_row_[column]];
      const auto found = row.find(free);
      if (found == row.end()) continue;
      Factored entry = factors_of(graph_, found->second.node);
      entry.multiply(factors_of(graph_, row.at(column).node), -1);
      entry.coefficient = -entry.coefficient;
      entries[column] = std::move(entry);
    }
    return {entries.begin(), entries.end()};
  }

  Graph& graph_;
  std::vector<std::map<int, Cell>> rows_;
  std::vector<int> pivot_row_;  // by column; -1 if none
  std::size_t limit_;
};

// 2/3 is not a double, and what should cancel with it would not: coefficients become whole numbers
// where they are fractions with a common denominator.
void clear_denominators(std::vector<Factored>& factors) {
  constexpr int largest = 5040;
  constexpr double rounding = 1e-13;
  for (int denominator = 1; denominator <= largest; ++denominator) {
    const bool is_common = std::all_of(factors.begin(), factors.end(), [&](const Factored& f) {
      const double whole = f.coefficient * denominator;
      return std::abs(whole - std::round(whole)) <= rounding * std::abs(whole);
    });
    if (!is_common) continue;
    for (Factored& f : factors) f.coefficient = std::round(f.coefficient * denominator);
    return;
  }
}

NullVector in_nodes(Graph& graph, const std::vector<int>& members, Side side,
                    const std::vector<std::pair<int, Factored>>& vector) {
  NullVector result{.side = side, .members = {}, .factors = {}, .is_constant = true};
  std::vector<Factored> factors;
  for (const auto& [place, factor] : vector) {
    result.members.push_back(members[place]);
    factors.push_back(factor);
  }
  make_primitive(factors);
  clear_denominators(factors);
  for (const Factored& factor : factors) {
    result.factors.push_back(node_of(graph, factor));
    result.is_constant = result.is_constant && graph.is_constant(result.factors.back());
  }
  return result;
}

// A vector of small whole ratios that is the same at every point, from numbers alone: for blocks
// too large to eliminate, and nicer where elimination would carry factors along.
std::vector<std::pair<int, Factored>> constant_vector(std::size_t size,
                                                      const std::vector<Entry>& entries, Side side,
                                                      const GenericValues::Table& table) {
  // What the dense and the sparse search leave of the ratios' accuracy; they are confirmed later.
  const long double accuracy = size <= linear::largest_dense ? 1e-14L : 1e-12L;
  std::vector<std::vector<Rounded>> ratios(size);
  for (const auto& values : table) {
    const linear::RankVerdict verdict =
        linear::judge_rank(static_cast<int>(size), triplets_of(entries, values));
    const std::vector<double>& w =
        side == Side::rows ? verdict.row_combination : verdict.column_combination;
    if (w.empty()) return {};
    const double scale = *std::max_element(
        w.begin(), w.end(), [](double a, double b) { return std::abs(a) < 0.99 * std::abs(b); });
    for (std::size_t k = 0; k < size; ++k)
      ratios[k].push_back({w[k] / scale, accuracy * std::abs(w[k] / scale)});
  }
  std::vector<std::pair<int, Factored>> vector;
  for (std::size_t k = 0; k < size; ++k) {
    const auto number = recognised(ratios[k]);
    if (!number) return {};
    if (*number != 0.0) vector.emplace_back(static_cast<int>(k), Factored{*number, {}});
  }
  return vector;
}

// Does it map the block to zero wherever it is evaluated? Sums are of values, not of nodes, in
// which numbers would be added up without a trace of their rounding.
bool is_confirmed(Graph& graph, const std::vector<Entry>& entries, const structure::Block& block,
                  const NullVector& vector, const GenericValues& values) {
  const bool combines_rows = vector.side == Side::rows;
  const std::vector<int>& members = combines_rows ? block.equations : block.unknowns;
  std::vector<NodeId> nodes = nodes_of(entries);
  nodes.insert(nodes.end(), vector.factors.begin(), vector.factors.end());
  const GenericValues::Table table = values.everywhere(graph, nodes);
  for (const std::vector<Rounded>& point : table) {
    std::map<int, Rounded> sums;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const Entry& entry = entries[e];
      const int k = place_of(vector.members, members[combines_rows ? entry.row : entry.column]);
      if (k >= 0)
        sums[combines_rows ? entry.column : entry.row] += point[entries.size() + k] * point[e];
    }
    for (const auto& [place, sum] : sums)
      if (!sum.is_zero()) return false;
  }
  return !table.empty();
}

}  // namespace

std::vector<NullVector> null_vectors(AnalysedModel& model, int b, Side side,
                                     const GenericValues& values) {
  Graph& graph = model.graph();
  const structure::Block& block = model.structure.fine_blocks[b];
  const std::vector<int>& members = side == Side::rows ? block.equations : block.unknowns;
  const std::vector<Entry> entries = entries_of(model, b);
  const GenericValues::Table table = values.everywhere(graph, nodes_of(entries));
  std::vector<std::vector<std::pair<int, Factored>>> found;
  if (auto vector = constant_vector(members.size(), entries, side, table); !vector.empty())
    found.push_back(std::move(vector));
  if (found.empty() && !table.empty() && members.size() <= largest_symbolic) {
    Elimination elimination(graph, members.size(), entries, side, table);
    if (elimination.run()) found = elimination.basis();
  }
  std::vector<NullVector> vectors;
  for (const auto& vector : found) {
    NullVector nodes = in_nodes(graph, members, side, vector);
    if (is_confirmed(graph, entries, block, nodes, values)) vectors.push_back(std::move(nodes));
  }
  return vectors;
}

std::vector<model::ParameterId> decisive_parameters(AnalysedModel& model, int b,
                                                    const GenericValues& values) {
  Graph& graph = model.graph();
  const std::vector<Entry> entries = entries_of(model, b);
  const std::vector<NodeId> nodes = nodes_of(entries);
  const auto size = static_cast<int>(model.structure.fine_blocks[b].equations.size());
  const auto is_regular_somewhere = [&](const GenericValues::Table& table) {
    return std::any_of(table.begin(), table.end(), [&](const std::vector<Rounded>& point) {
      return !linear::judge_rank(size, triplets_of(entries, point)).is_singular;
    });
  };
  if (!is_regular_somewhere(values.everywhere(graph, nodes))) return {};
  std::vector<model::ParameterId> found, all;
  for (const NodeId node : expr::reachable(graph, nodes)) {
    if (graph.op(node) != expr::Op::parameter) continue;
    const model::ParameterId parameter = graph.parameter(node);
    if (!values.may_change(parameter)) continue;
    all.push_back(parameter);
    if (is_regular_somewhere(values.with_other(parameter, graph, nodes)))
      found.push_back(parameter);
  }
  return found.empty() ? all : found;
}

}  // namespace daedal::reduce
