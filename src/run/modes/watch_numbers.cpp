#include "run/modes/watch_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::run {
namespace {

std::vector<expr::NodeId> expressions_of(const hybrid::ModeModel& model) {
  std::vector<expr::NodeId> nodes;
  for (const hybrid::Watch& watch : model.watches) {
    nodes.insert(nodes.end(), {watch.constant, watch.slope});
    for (const hybrid::Watch::Term& term : watch.terms) nodes.push_back(term.factor);
  }
  for (const hybrid::Timer& timer : model.timers)
    nodes.insert(nodes.end(), {timer.slope, timer.at_zero});
  for (const hybrid::DecidedGuard& decided : model.decided) nodes.push_back(decided.function);
  return nodes;
}

}  // namespace

WatchNumbers::WatchNumbers(const hybrid::ModeModel& model)
    : model_(model),
      expressions_(*model.data.graph, expressions_of(model)),
      functions_(model.watches.size()),
      timers_(model.timers.size()),
      decided_(model.decided.size()) {
  for (std::size_t k = 0; k < model.watches.size(); ++k)
    if (depends_on_parameters(model.watches[k])) dependent_.push_back(static_cast<int>(k));
}

bool WatchNumbers::depends_on_parameters(const hybrid::Watch& watch) const {
  const expr::Graph& graph = *model_.data.graph;
  return !graph.is_constant(watch.constant) || !graph.is_constant(watch.slope) ||
         std::any_of(watch.terms.begin(), watch.terms.end(),
                     [&](const auto& term) { return !graph.is_constant(term.factor); });
}

double WatchNumbers::number(expr::NodeId node) const { return expressions_.value(node); }

void WatchNumbers::set(std::span<const double> parameters, const std::vector<double>& nominals) {
  expressions_.evaluate({.time = 0.0, .parameters = parameters, .unknown = {}});
  if (!is_set_ || nominals != nominals_) {
    nominals_ = nominals;
    for (std::size_t k = 0; k < functions_.size(); ++k) set_function(static_cast<int>(k));
  } else {
    for (const int k : dependent_) set_function(k);
  }
  is_set_ = true;
  for (std::size_t k = 0; k < timers_.size(); ++k)
    timers_[k] = {number(model_.timers[k].slope), number(model_.timers[k].at_zero)};
  for (std::size_t k = 0; k < decided_.size(); ++k) decided_[k] = number(model_.decided[k].function);
}

void WatchNumbers::set_function(int k) {
  const hybrid::Watch& watch = model_.watches[k];
  integrate::WatchedFunction& function = functions_[k];
  function.constant = number(watch.constant);
  function.slope = number(watch.slope);
  function.size = std::abs(function.constant);
  function.terms.clear();
  for (const hybrid::Watch::Term& term : watch.terms) {
    function.terms.push_back({term.unknown, term.order, number(term.factor)});
    function.size += std::abs(function.terms.back().factor) * nominals_[term.unknown];
    const bool is_value_of_guard =
        term.unknown >= static_cast<int>(model_.own.variables.size());
    function.is_own = function.is_own || is_value_of_guard;
  }
}

}  // namespace daedal::run
