#include "init/jacobian_condition.hpp"

#include <klu.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/balance.hpp"
#include "linear/dense_decompositions.hpp"
#include "linear/klu_memory.hpp"
#include "linear/numerical_rank.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::init {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double suspect_condition = 1e10;
constexpr double singular_condition = 1e14;

// A point satisfies its equations to some units of rounding, not to half of one: what has lost 11
// digits or more to cancellation is zero there.
constexpr long double rounding_of_a_point = 1e5L;

double value_at_a_point(const linear::Rounded& entry) {
  if (!std::isfinite(entry.value) || !std::isfinite(entry.error))
    return std::numeric_limits<double>::quiet_NaN();
  return std::abs(entry.value) <= rounding_of_a_point * entry.error
             ? 0.0
             : static_cast<double>(entry.value);
}

// By block: the diagonal blocks, rows scaled.
std::vector<Entries> scaled_blocks(const SearchInput& input,
                                   const std::vector<taylor::JacobianEntry>& jacobian,
                                   const taylor::RoundedInterpreter& values) {
  const structure::Structure& s = input.structure;
  std::vector<int> block_of(s.c.size()), row(s.c.size()), column(s.d.size());
  for (std::size_t b = 0; b < s.fine_blocks.size(); ++b)
    for (std::size_t k = 0; k < s.fine_blocks[b].equations.size(); ++k) {
      block_of[s.fine_blocks[b].equations[k]] = static_cast<int>(b);
      row[s.fine_blocks[b].equations[k]] = static_cast<int>(k);
      column[s.fine_blocks[b].unknowns[k]] = static_cast<int>(k);
    }
  const auto value_of = [&](const taylor::JacobianEntry& entry) {
    return value_at_a_point(values.coefficient(entry.value)) * input.starts[entry.unknown].nominal;
  };
  std::vector<double> largest(s.c.size(), 0.0);
  for (const taylor::JacobianEntry& entry : jacobian)
    largest[entry.equation] = std::max(largest[entry.equation], std::abs(value_of(entry)));
  std::vector<Entries> blocks(s.fine_blocks.size());
  for (const taylor::JacobianEntry& entry : jacobian) {
    const double scale = largest[entry.equation];
    blocks[block_of[entry.equation]].emplace_back(row[entry.equation], column[entry.unknown],
                                                  value_of(entry) / (scale > 0.0 ? scale : 1.0));
  }
  return blocks;
}

double dense_condition(int size, const Entries& entries) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (const auto& e : entries) matrix(e.row(), e.col()) += e.value();
  const Eigen::MatrixXd inverse = matrix.partialPivLu().inverse();
  return matrix.cwiseAbs().colwise().sum().maxCoeff() *
         inverse.cwiseAbs().colwise().sum().maxCoeff();
}

double sparse_condition(int size, const Entries& entries) {
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic =
      klu_analyze(size, matrix.outerIndexPtr(), matrix.innerIndexPtr(), &common);
  klu_numeric* numeric = symbolic == nullptr
                             ? nullptr
                             : klu_factor(matrix.outerIndexPtr(), matrix.innerIndexPtr(),
                                          matrix.valuePtr(), symbolic, &common);
  if (numeric == nullptr) klu_free_symbolic(&symbolic, &common);
  if (numeric == nullptr) linear::require_memory(common);
  common.condest = std::numeric_limits<double>::infinity();
  if (numeric != nullptr)
    klu_condest(matrix.outerIndexPtr(), matrix.valuePtr(), symbolic, numeric, &common);
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return common.condest;
}

double condition_of(int size, const Entries& entries) {
  const double condition = size <= linear::largest_dense ? dense_condition(size, entries)
                                                         : sparse_condition(size, entries);
  return std::isfinite(condition) ? condition : std::numeric_limits<double>::infinity();
}

// Whether a null vector can be shown, or the condition is beyond rounding in the units that are the
// equations' own, too.
bool is_singular(int size, const Entries& entries) {
  std::vector<linear::Triplet> triplets;
  for (const auto& e : entries)
    triplets.push_back({e.row(), e.col(), e.value(), 4 * eps * std::abs(e.value())});
  const linear::Balance balance = linear::balance(size, size, triplets);
  Entries balanced;
  for (const auto& e : entries)
    balanced.emplace_back(e.row(), e.col(),
                          e.value() * balance.rows[static_cast<std::size_t>(e.row())] *
                              balance.columns[static_cast<std::size_t>(e.col())]);
  return condition_of(size, balanced) >= singular_condition ||
         linear::judge_rank(size, triplets).is_singular;
}

std::vector<expr::NodeId> nodes_of(const std::vector<taylor::JacobianEntry>& jacobian) {
  std::vector<expr::NodeId> nodes;
  for (const taylor::JacobianEntry& entry : jacobian) nodes.push_back(entry.value);
  return nodes;
}

bool is_finite(const Entries& entries) {
  return std::all_of(entries.begin(), entries.end(),
                     [](const auto& e) { return std::isfinite(e.value()); });
}

}  // namespace

JacobianJudge::JacobianJudge(const SearchInput& input)
    : input_(input),
      entries_(taylor::system_jacobian(input.graph, input.residuals, input.structure,
                                       taylor::JacobianPart::diagonal_blocks)),
      tape_(input.graph, nodes_of(entries_), 0),
      values_(tape_) {}

JacobianCondition JacobianJudge::judge(
    const std::function<double(expr::UnknownId, int)>& derivative) {
  values_.run({.time = input_.time, .parameters = input_.parameters, .derivative = derivative});
  const std::vector<Entries> blocks = scaled_blocks(input_, entries_, values_);
  JacobianCondition result;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int size = static_cast<int>(input_.structure.fine_blocks[b].equations.size());
    result.is_defined = result.is_defined && is_finite(blocks[b]);
    if (!result.is_defined) return result;
    const double condition = condition_of(size, blocks[b]);
    result.worst = std::max(result.worst, condition);
    const bool is_suspect = condition >= suspect_condition && result.singular_block < 0;
    if (is_suspect && is_singular(size, blocks[b])) result.singular_block = static_cast<int>(b);
  }
  return result;
}

}  // namespace daedal::init
