#include "taylor/generic_point.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::taylor {
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

}  // namespace daedal::taylor
