#include "solve/consistent_start.hpp"

#include "expr/evaluate.hpp"
namespace daedal::solving {
ConsistentPoint consistent_start(Plan& plan, double t) {
  ConsistentPoint p;
  p.t = t;
  p.variables = plan.variable_names();
  expr::Evaluator e(*plan.model.graph);
  for (const auto& v : plan.model.variables) {
    auto& d = p.values.emplace_back();
    for (const auto& s : v.start)
      d.push_back(
          s.value ? e.value(*s.value, {.time = 0.0, .parameters = plan.parameters, .unknown = {}})
                  : 0.0);
  }
  return p;
}
}  // namespace daedal::solving
