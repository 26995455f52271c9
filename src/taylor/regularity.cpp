#include "taylor/regularity.hpp"

#include <algorithm>
#include <map>

#include "linear/numerical_rank.hpp"
#include "taylor/generic_point.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {
namespace {

// Near the guesses first; then nearer, where steep functions (the exponentials of diodes) are tame,
// and once farther away. Regular at one point is regular.
constexpr double reaches[] = {1.0, 0.1, 0.01, 3.0};

// Where each equation and unknown sits: its block, and its place inside the block.
struct Places {
  std::vector<int> block_of_equation, row, block_of_unknown, column;

  explicit Places(const structure::Structure& s)
      : block_of_equation(s.c.size()),
        row(s.c.size()),
        block_of_unknown(s.d.size()),
        column(s.d.size()) {
    for (std::size_t b = 0; b < s.fine_blocks.size(); ++b) {
      const structure::Block& block = s.fine_blocks[b];
      for (std::size_t k = 0; k < block.equations.size(); ++k) {
        block_of_equation[block.equations[k]] = static_cast<int>(b);
        row[block.equations[k]] = static_cast<int>(k);
        block_of_unknown[block.unknowns[k]] = static_cast<int>(b);
        column[block.unknowns[k]] = static_cast<int>(k);
      }
    }
  }
};

// Entries that are zero to rounding are zeros: scaling a row of nothing but noise to size 1 would
// make it look regular (the derivative of sqrt(y)^2 - y, say).
using BlockMatrices = std::vector<std::vector<linear::Triplet>>;

BlockMatrices diagonal_blocks(const std::vector<JacobianEntry>& jacobian,
                              const structure::Structure& s, const Places& places,
                              const RoundedInterpreter& values) {
  BlockMatrices blocks(s.fine_blocks.size());
  for (const JacobianEntry& entry : jacobian) {
    const int b = places.block_of_equation[entry.equation];
    if (places.block_of_unknown[entry.unknown] != b) continue;
    const linear::Rounded value = values.coefficient(entry.value);
    blocks[b].push_back({places.row[entry.equation], places.column[entry.unknown],
                         value.is_zero() ? 0 : value.value, value.error});
  }
  return blocks;
}

std::vector<int> with_weight(const std::vector<int>& members, const std::vector<double>& weights,
                             std::vector<double>* kept_weights) {
  if (weights.empty()) return members;
  std::vector<int> kept;
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (weights[k] == 0.0) continue;
    kept.push_back(members[k]);
    if (kept_weights != nullptr) kept_weights->push_back(weights[k]);
  }
  return kept;
}

SingularBlock describe(int b, const structure::Block& block, const linear::RankVerdict& verdict) {
  SingularBlock result;
  result.block = b;
  result.pivot_ratio = verdict.pivot_ratio;
  result.equations = with_weight(block.equations, verdict.row_combination, &result.weights);
  result.unknowns = with_weight(block.unknowns, verdict.column_combination, nullptr);
  return result;
}

}  // namespace

Regularity judge_regularity(expr::Graph& graph, std::span<const expr::NodeId> residuals,
                            const std::vector<JacobianEntry>& jacobian,
                            const structure::Structure& structure, const GenericPointInput& input) {
  std::vector<expr::NodeId> roots(residuals.begin(), residuals.end());
  for (const JacobianEntry& entry : jacobian) roots.push_back(entry.value);
  const Tape tape(graph, roots, 0);
  RoundedInterpreter interpreter(tape);
  const Places places(structure);

  Regularity result;
  std::map<int, SingularBlock> suspects;  // singular at every point so far
  std::uint64_t seed = 0x5eed;
  for (const double reach : reaches) {
    GenericPoint point(graph, input, seed++, reach);
    if (const expr::NodeId undefined = point.evaluate(interpreter); undefined.is_set()) {
      result.undefined = undefined;
      continue;
    }
    const BlockMatrices blocks = diagonal_blocks(jacobian, structure, places, interpreter);
    std::map<int, SingularBlock> still;
    for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
      if (result.was_evaluated && !suspects.contains(b)) continue;
      const structure::Block& block = structure.fine_blocks[b];
      const linear::RankVerdict verdict =
          linear::judge_rank(static_cast<int>(block.equations.size()), blocks[b]);
      if (verdict.is_singular) still.emplace(b, describe(b, block, verdict));
    }
    suspects = std::move(still);
    result.was_evaluated = true;
    if (suspects.empty()) break;  // regular somewhere: generically regular
  }
  for (auto& [b, suspect] : suspects) result.singular.push_back(std::move(suspect));
  return result;
}

}  // namespace daedal::taylor
