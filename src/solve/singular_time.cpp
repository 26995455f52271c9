#include "solve/singular_time.hpp"

#include <algorithm>
#include <cmath>

#include "taylor/interpreter.hpp"

namespace daedal::solving {
namespace {

constexpr std::size_t largest_block = 150;

using Matrix = std::vector<std::vector<long double>>;

// Gaussian elimination with partial pivoting; 0 if a column has no pivot.
int determinant_sign(Matrix a) {
  int sign = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < a.size(); ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    if (!(std::abs(a[pivot][k]) > 0)) return 0;
    if (pivot != k) {
      std::swap(a[pivot], a[k]);
      sign = -sign;
    }
    if (a[k][k] < 0) sign = -sign;
    for (std::size_t i = k + 1; i < a.size(); ++i) {
      const long double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < a.size(); ++j) a[i][j] -= factor * a[k][j];
    }
  }
  return sign;
}

int place_of(const std::vector<int>& members, int member) {
  const auto found = std::lower_bound(members.begin(), members.end(), member);
  return found != members.end() && *found == member ? static_cast<int>(found - members.begin())
                                                    : -1;
}

}  // namespace

SingularTime::SingularTime(const Plan& plan)
    : plan_(plan),
      graph_(plan.equations.graph->copy()),
      entries_(plan.structure.fine_blocks.size()) {
  std::vector<int> block_of(plan.structure.c.size());
  for (std::size_t b = 0; b < entries_.size(); ++b)
    for (const int i : plan.structure.fine_blocks[b].equations) block_of[i] = static_cast<int>(b);
  const auto is_in = [&](int block, int unknown) {
    return place_of(plan.structure.fine_blocks[block].unknowns, unknown) >= 0;
  };
  for (const taylor::JacobianEntry& entry : taylor::system_jacobian(
           *graph_, plan.residuals(), plan.structure, taylor::JacobianPart::diagonal_blocks))
    if (const int b = block_of[entry.equation]; is_in(b, entry.unknown))
      entries_[b].push_back(entry);
}

std::optional<double> SingularTime::find(int b, const solution::StepView& step,
                                         const solution::StepLayout& layout,
                                         const std::vector<double>& parameters) {
  const structure::Block& block = plan_.structure.fine_blocks[b];
  const std::size_t size = block.equations.size();
  const std::vector<taylor::JacobianEntry>& entries = entries_[b];
  const bool varies = std::any_of(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return graph_->varies(entry.value); });
  if (size > largest_block || !varies) return std::nullopt;
  std::vector<expr::NodeId> roots;
  for (const taylor::JacobianEntry& entry : entries) roots.push_back(entry.value);
  const taylor::Tape tape(*graph_, roots, 0);
  taylor::Interpreter interpreter(tape);
  const auto sign_at = [&](double t) {
    interpreter.run({.time = t,
                     .parameters = parameters,
                     .derivative = [&](expr::UnknownId unknown, int order) {
                       return step.value(layout, static_cast<int>(unknown.index()), t, order);
                     }});
    Matrix matrix(size, std::vector<long double>(size, 0));
    for (const taylor::JacobianEntry& entry : entries)
      matrix[place_of(block.equations, entry.equation)][place_of(block.unknowns, entry.unknown)] =
          interpreter.coefficient(entry.value);
    return determinant_sign(std::move(matrix));
  };

  double begin = step.begin, end = step.end;
  const int sign = sign_at(begin);
  if (sign == 0 || sign_at(end) == sign) return std::nullopt;
  for (double middle = 0.5 * (begin + end); middle != begin && middle != end;
       middle = 0.5 * (begin + end))
    (sign_at(middle) == sign ? begin : end) = middle;
  return end;
}

}  // namespace daedal::solving
