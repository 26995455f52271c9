#include "daedal/initialize.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "hybrid/guards.hpp"
#include "plan/balanced_model.hpp"
#include "run/modes/transitions.hpp"
#include "start/consistent_start.hpp"
#include "start/formulation.hpp"

namespace daedal {
namespace {

start::Ladder ladder_of_start(const std::string& method) {
  if (method == "array") return start::Ladder::array;
  return method == "auto" ? start::Ladder::structure_or_array : start::Ladder::structure;
}

void check_method(const std::string& method) {
  static const std::vector<std::string> names = {"auto", "structure", "array"};
  if (std::find(names.begin(), names.end(), method) != names.end()) return;
  const std::string hint = base::did_you_mean(method, names);
  throw Error({.id = "E-OPT-002",
               .what = fmt::format("there is no method '{}' for a start", method),
               .where = "option method",
               .why = fmt::format("the methods are: {}", base::listed(names)),
               .todo = hint.empty() ? "leave the option out" : hint});
}

}  // namespace

ConsistentPoint initialize(const Model& model, const InitializeOptions& options) {
  check_method(options.method);
  const double t = options.t.value_or(model.experiment().start_time.value_or(0.0));
  if (hybrid::is_hybrid(model.data())) return run::initialize_hybrid(model.data(), t);
  const plan::BalancedModel balanced(model.data(), t);
  const start::Formulation formulation =
      start::choose_formulation(balanced.data(), t, ladder_of_start(options.method));
  ConsistentPoint point = formulation.start();
  if (formulation.is_array()) return point;
  point = start::without_auxiliaries(std::move(point), balanced.data());
  point.converted = formulation.is_converted();
  return point;
}

}  // namespace daedal
