#include "daedal/initialize.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "hybrid/guards.hpp"
#include "solve/array_start.hpp"
#include "solve/balanced_model.hpp"
#include "solve/consistent_start.hpp"
#include "solve/converted_start.hpp"
#include "solve/hybrid_run.hpp"
#include "solve/regularized_model.hpp"

namespace daedal {
namespace {

using StartOfArray = ConsistentPoint(solving::ArrayModel&, const reduce::ArrayFinding&, double);

ConsistentPoint start_of_array(solving::Plan& plan, double t, StartOfArray& start) {
  solving::ArrayModel array(plan, t);
  return start(array, array.study().at(t), t);
}

// Of the user's model, or of the one that it was converted to.
ConsistentPoint start_of_regular(solving::RegularizedModel& model, double t,
                                 const std::string& method) {
  if (model.is_converted() && method == "auto")
    if (auto start = solving::start_of_converted(model, t))
      return start->agrees ? std::move(start->point)
                           : start_of_array(model.original(), t, solving::array_start);
  return solving::consistent_start(model.plan(), t);
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
  if (hybrid::is_hybrid(model.data())) return solving::initialize_hybrid(model.data(), t);
  const solving::BalancedModel balanced(model.data(), t);
  if (options.method == "array") {
    solving::Plan plan = solving::make_plan(balanced.data());
    return start_of_array(plan, t, solving::array_start);
  }
  solving::RegularizedModel regular(balanced.data());
  if (options.method == "auto" && !regular.plan().regularity.singular.empty())
    return start_of_array(regular.original(), t, solving::array_start_instead_of_structure);
  ConsistentPoint point = start_of_regular(regular, t, options.method);
  if (options.method == "auto" && point.status == Status::singular_point &&
      solving::has_regular_array(regular.original(), t))
    return start_of_array(regular.original(), t, solving::array_start);
  if (point.index_kind == "numerical") return point;
  point = solving::without_auxiliaries(std::move(point), balanced.data());
  point.converted = regular.is_converted();
  return point;
}

}  // namespace daedal
