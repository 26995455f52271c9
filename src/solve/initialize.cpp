#include "daedal/initialize.hpp"

#include <fmt/format.h>

#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "hybrid/guards.hpp"
#include "model/check.hpp"
#include "plan/balanced_model.hpp"
#include "run/modes/transitions.hpp"
#include "start/consistent_start.hpp"
#include "start/formulation.hpp"

namespace daedal {
namespace {

start::Ladder ladder_of_start(StartMethod method) {
  switch (method) {
    case StartMethod::automatic: return start::Ladder::structure_or_array;
    case StartMethod::structure: return start::Ladder::structure;
    case StartMethod::array: break;
  }
  return start::Ladder::array;
}

template <typename Enum>
void check_choice(const Choice<Enum>& choice, const std::string& option, const std::string& noun,
                  const std::string& id) {
  if (choice.is_known()) return;
  const std::vector<std::string>& names = names_of<Enum>();
  const std::string hint = base::did_you_mean(choice.name(), names);
  throw Error({.id = id,
               .what = fmt::format("there is no {} '{}' for a start", noun, choice.name()),
               .where = "option " + option,
               .why = fmt::format("the {}s are: {}", noun, base::listed(names)),
               .todo = hint.empty() ? "leave the option out" : hint});
}

}  // namespace

template <>
const std::vector<std::string>& names_of<StartMethod>() {
  static const std::vector<std::string> names = {"auto", "structure", "array"};
  return names;
}

ConsistentPoint initialize(const Model& model, const InitializeOptions& options) {
  check_choice(options.method, "method", "method", "E-OPT-002");
  check_choice(options.start_weighting, "start_weighting", "weighting", "E-OPT-008");
  const double t = options.t.value_or(model.experiment().start_time.value_or(0.0));
  if (hybrid::is_hybrid(model.data()))
    return run::initialize_hybrid(model.data(), t, options.start_weighting.value());
  const plan::BalancedModel balanced(model.data(), t);
  const start::Formulation formulation =
      start::choose_formulation(balanced.data(),
                                {.t = t,
                                 .parameters = model::check(balanced.data()),
                                 .weights = options.start_weighting.value()},
                                ladder_of_start(options.method.value()));
  ConsistentPoint point = formulation.start();
  if (formulation.is_array()) return point;
  point = start::without_auxiliaries(std::move(point), balanced.data());
  point.converted = formulation.is_converted();
  return point;
}

}  // namespace daedal
