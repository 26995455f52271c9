#include "start/converted_start.hpp"

#include <algorithm>
#include <cmath>

#include "start/array_start.hpp"
#include "start/consistent_start.hpp"

namespace daedal::start {
namespace {

constexpr std::size_t largest_array = 150;  // equations
constexpr int num_derivatives = 2;          // that new unknowns may be made of
constexpr double same = 1e-7;               // in nominal values

// Values, and slopes where both have them: a slope that is free in the model as written may hide in
// a new unknown, of which nothing was given.
bool are_same(const ConsistentPoint& a, const ConsistentPoint& b,
              const std::vector<double>& nominals) {
  for (std::size_t j = 0; j < b.values.size(); ++j) {
    const std::size_t known = std::min({a.values[j].size(), b.values[j].size(), std::size_t{2}});
    if (known == 0) return false;
    for (std::size_t order = 0; order < known; ++order) {
      const double x = a.values[j][order], y = b.values[j][order];
      if (!(std::abs(x - y) <= same * (nominals[j] + std::abs(y)))) return false;
    }
  }
  return true;
}

}  // namespace

Problem explain_other_start(const plan::Plan& original) {
  return {.id = "S-STR-003",
          .what = "the converted model has no start at the point nearest to the guesses",
          .where = original.model.place.text(),
          .why =
              "structural analysis fails on the model; in the equivalent one that was made, "
              "values that are free are others than in the equations as written",
          .todo = "use the method auto or array, which work on the equations as they are"};
}

std::optional<ConvertedStart> start_of_converted(plan::RegularizedModel& model, double t) {
  if (model.original().size() > largest_array) return std::nullopt;
  ArrayModel array(model.original(), t);
  const ConsistentPoint nearest = array_start(array, array.study().at(t, num_derivatives), t);
  if (!nearest.ok()) return std::nullopt;
  ConvertedStart start{
      .point = with_outputs(model.plan(), StartSearch(model.plan()).near(t, nearest.values, {}))};
  start.agrees = start.point.ok() && are_same(start.point, nearest, model.original().nominals());
  start.point.start = nearest.start;
  start.point.distance = nearest.distance;
  return start;
}

}  // namespace daedal::start
