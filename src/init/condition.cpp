#include "init/condition.hpp"

namespace daedal::init {
namespace {

using CanHold = std::function<bool(const std::vector<Condition>&)>;
using Conditions = std::vector<Condition>;

Conditions joined(const Conditions& a, const Conditions& b) {
  Conditions all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// QuickXplain [Junker2004]: the part of `candidates` in a minimal conflict that
// contains what of `background` it needs.
Conditions explain(const Conditions& background, bool background_grew, const Conditions& candidates,
                   const CanHold& can_hold) {
  if (background_grew && !can_hold(background)) return {};
  if (candidates.size() == 1) return candidates;
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
  const Conditions first(candidates.begin(), middle), second(middle, candidates.end());
  const Conditions of_second = explain(joined(background, first), !first.empty(), second, can_hold);
  const Conditions of_first =
      explain(joined(background, of_second), !of_second.empty(), first, can_hold);
  return joined(of_first, of_second);
}

}  // namespace

std::vector<Condition> conditions_of(const SearchInput& input) {
  std::vector<Condition> conditions;
  for (std::size_t j = 0; j < input.starts.size(); ++j)
    for (std::size_t m = 0; m < input.starts[j].derivatives.size(); ++m)
      if (input.starts[j].derivatives[m].fixed)
        conditions.push_back({static_cast<int>(j), static_cast<int>(m), -1});
  for (std::size_t e = 0; e < input.initial_residuals.size(); ++e)
    conditions.push_back({-1, 0, static_cast<int>(e)});
  return conditions;
}

std::vector<Condition> minimal_conflict(
    const std::vector<Condition>& conditions,
    const std::function<bool(const std::vector<Condition>&)>& can_hold) {
  return explain({}, false, conditions, can_hold);
}

}  // namespace daedal::init
