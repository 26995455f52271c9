#include "taylor/regularity.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "linear/numerical_rank.hpp"
#include "taylor/generic_point.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {

// ---------------------------------------------------------------------------------------------------------------------
// A generic point

namespace {

constexpr int num_rounds = 60;

// splitmix64: a fixed, well-mixed function of its argument (public-domain constants of Steele, Lea
// and Flood).
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Uniform in +-[0.3, 1]: away from zero, where products vanish by accident.
double noise(std::uint64_t key) {
  const std::uint64_t bits = scramble(key);
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
  const double size = 0.3 + 0.7 * unit;
  return (bits & 1) != 0 ? size : -size;
}

}  // namespace

GenericPoint::GenericPoint(const expr::Graph& graph, const GenericPointInput& input,
                           std::uint64_t seed, double reach)
    : graph_(graph),
      cone_(graph),
      input_(input),
      seed_(seed),
      reach_(reach),
      num_moves_(graph.num_unknowns(), 0) {}

// Near a guess: a tenth of its size or of the nominal. Without one: about the nominal. Each move of
// an unknown draws again, and every fourth doubles the reach, so that a domain far from the guess
// is found at last.
double GenericPoint::derivative(expr::UnknownId unknown, int order) const {
  const Guess& guess = input_.guesses[unknown.index()];
  const std::uint32_t moves = num_moves_[unknown.index()];
  const bool is_given =
      order < static_cast<int>(guess.derivatives.size()) && std::isfinite(guess.derivatives[order]);
  const double center = is_given ? guess.derivatives[order] : 0.0;
  const double near = is_given ? 0.1 * std::max(guess.nominal, std::abs(center)) : guess.nominal;
  const double reach = std::ldexp(reach_ * near, static_cast<int>(std::min(moves / 4, 12U)));
  const std::uint64_t key =
      scramble(seed_ ^ (static_cast<std::uint64_t>(unknown.value) << 20)) + 97 * moves + order;
  return center + reach * noise(key);
}

void GenericPoint::move_below(expr::NodeId node) {
  for (const expr::NodeId below : cone_.below(node))
    if (graph_.op(below) == expr::Op::unknown) ++num_moves_[graph_.unknown(below).index()];
}

expr::NodeId GenericPoint::evaluate(RoundedInterpreter& interpreter) {
  const SeriesPoint point{
      .time = input_.time + input_.duration * std::abs(noise(seed_)),
      .parameters = input_.parameters,
      .derivative = [this](expr::UnknownId u, int order) { return derivative(u, order); }};
  std::vector<expr::NodeId> undefined;
  for (int round = 0; round < num_rounds; ++round) {
    interpreter.run(point);
    undefined = interpreter.undefined_operations();
    if (undefined.empty()) return {};
    for (const expr::NodeId node : undefined) move_below(node);
  }
  return undefined.front();
}

// ---------------------------------------------------------------------------------------------------------------------
// The verdict

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
