#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "daedal/method.hpp"
#include "integrate/runge_kutta.hpp"

namespace daedal {
namespace {

std::vector<int> range(int lowest, int highest) {
  std::vector<int> orders(highest - lowest + 1);
  std::iota(orders.begin(), orders.end(), lowest);
  return orders;
}

// Orders of a series; below 2 there is nothing to estimate an error from.
constexpr int lowest_of_series = 2, highest_of_series = 100;
// Begun again costs a series of the Taylor method about as much as a step, a Runge-Kutta method a
// few, a multistep method its history. The array keeps all it knows, and its steps are dear.
constexpr long anchors_of_taylor = 500, anchors_of_others = 5000, anchors_of_array = 20;
// Steps of the Taylor method, and of the array, lose a few roundings each.
constexpr double smallest_of_series = 1e-15;

std::vector<MethodInfo> make_table() {
  const std::string of_series = fmt::format("from {} to {}", lowest_of_series, highest_of_series);
  const std::vector<int> series = range(lowest_of_series, highest_of_series);
  return {
      {.method = Method::automatic,
       .name = "auto",
       .summary = "taylor, or array where structure misleads",
       .orders = series,
       .orders_text = of_series,
       .smallest_tolerance = smallest_of_series,
       .has_lanes = true,
       .uses_array = true,
       .steps_between_anchors = anchors_of_taylor},
      {.method = Method::taylor,
       .name = "taylor",
       .summary = "Taylor series on the equations as written, or on equivalent ones",
       .orders = series,
       .orders_text = of_series,
       .smallest_tolerance = smallest_of_series,
       .has_lanes = true,
       .steps_between_anchors = anchors_of_taylor},
      {.method = Method::array,
       .name = "array",
       .summary = "Taylor steps on the derivative array, whatever the structure",
       .orders = series,
       .orders_text = of_series,
       .smallest_tolerance = smallest_of_series,
       .uses_structure = false,
       .uses_array = true,
       .steps_between_anchors = anchors_of_array},
      {.method = Method::completion,
       .name = "completion",
       .summary = "Runge-Kutta on x' = g(t, x), which the derivative array defines",
       .orders = {integrate::RungeKuttaOptions{}.order},
       .orders_text = fmt::format("{}, the only one", integrate::RungeKuttaOptions{}.order),
       .smallest_tolerance = smallest_of_series,
       .uses_structure = false,
       .uses_array = true,
       .has_series = false,
       .dense_degree = 3,
       .steps_between_anchors = anchors_of_others},
      {.method = Method::dd_erk,
       .name = "dd-erk",
       .summary = "dummy derivatives, explicit Runge-Kutta",
       .orders = {2, 3, 4, 5, 6, 8},
       .orders_text = "from 2 to 6, or 8",
       .smallest_tolerance = 1e-14,
       .has_series = false,
       .steps_between_anchors = anchors_of_others},
      {.method = Method::dd_ida,
       .name = "dd-ida",
       .summary = "dummy derivatives in implicit form, by IDA",
       .orders = range(1, 5),
       .orders_text = "from 1 to 5",
       .smallest_tolerance = 1e-12,
       .is_multistep = true,
       .has_series = false,
       .steps_between_anchors = anchors_of_others},
      {.method = Method::bdf,
       .name = "bdf",
       .summary = "backward differentiation formulas on f(t, x, x') = 0",
       .orders = range(1, 5),
       .orders_text = "from 1 to 5",
       .smallest_tolerance = 1e-11,
       .is_multistep = true,
       .has_series = false,
       .steps_between_anchors = anchors_of_others},
  };
}

}  // namespace

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> table = make_table();
  return table;
}

const MethodInfo* find_method(std::string_view name) {
  const auto found = std::find_if(methods().begin(), methods().end(),
                                  [&](const MethodInfo& method) { return method.name == name; });
  return found == methods().end() ? nullptr : &*found;
}

const MethodInfo& info_of(Method method) { return methods()[static_cast<std::size_t>(method)]; }

template <>
const std::vector<std::string>& names_of<Method>() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const MethodInfo& method : methods()) all.push_back(method.name);
    return all;
  }();
  return names;
}

}  // namespace daedal
