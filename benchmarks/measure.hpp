// What all benchmarks share: reference values of problems/ and medians of times.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "daedal/error.hpp"
#include "daedal/solve.hpp"

namespace daedal::benchmarks {

using Json = nlohmann::json;

struct Reference {
  double t = 0.0;
  std::vector<double> values;
};

inline double number(const Json& json) {
  return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

inline Json facts_of(const std::string& problem) {
  return Json::parse(std::ifstream(std::string(DAEDAL_SOURCE_DIR) + "/problems/" + problem + "/" +
                                   problem + ".json"));
}

// A "start" or one of the "references" of a problem's file.
inline Reference read_point(const Json& entry, const std::vector<std::string>& names) {
  Reference result = {.t = number(entry.at("t")), .values = {}};
  for (const std::string& name : names)
    result.values.push_back(number(entry.at("values").at(name)));
  return result;
}

// The first reference of a problem, or of its variant with this size.
inline Reference read_reference(const std::string& problem, const std::vector<std::string>& names,
                                const std::string& parameter = "", int size = 0) {
  const Json facts = facts_of(problem);
  for (const Json& variant : facts.value("variants", Json::array()))
    if (variant.at("parameters").value(parameter, 0) == size && !parameter.empty())
      return read_point(variant.at("references").at(0), names);
  return read_point(facts.at("references").at(0), names);
}

inline double digits_of(const std::vector<double>& values, const Reference& reference) {
  double digits = 17.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double scale = std::max(std::abs(reference.values[j]), 1.0);
    const double error = std::abs(values[j] - reference.values[j]) / scale;
    digits = std::min(digits, error > 0 ? -std::log10(error) : 17.0);
  }
  return std::isnan(digits) ? -1.0 : digits;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Runs five times at least, and for 0.1 s, but not for more than 2 s; returns the median.
inline double median_seconds(const std::function<double()>& run) {
  std::vector<double> times;
  double sum = 0.0;
  while (sum < 2.0 && (times.size() < 5 || (sum < 0.1 && times.size() < 1000))) {
    times.push_back(run());
    sum += times.back();
  }
  return median(times);
}

// On a busy machine the processor time of the process says more than the clock on the wall.
enum class Clock { wall, processor };
inline Clock used_clock = Clock::wall;

inline double now() {
  if (used_clock == Clock::processor)
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double seconds_of(const std::function<void()>& run) {
  const double begin = now();
  run();
  return now() - begin;
}

// Seconds of the integration alone. Of processor time the whole run is known; the integration has
// the part of it that it has of the time on the wall.
inline double integration_seconds(Solution& solution, const std::function<Solution()>& solve_it) {
  const double whole = seconds_of([&] { solution = solve_it(); });
  const Seconds& seconds = solution.seconds();
  return used_clock == Clock::wall ? seconds.integrate : whole * seconds.integrate / seconds.total;
}

// Machine code, which is in the cache after the first run; where there is no compiler, whatever
// there is.
inline const std::string& warm_kernel() {
  static const std::string kernel = [] {
    Model model("Test");
    const auto x = model.variable("x", {.start = {1.0}, .fixed = {true}});
    model.equation(der(x) == -x);
    try {
      return solve(model, {.to = 1.0, .kernel = "compiled"}).kernel();
    } catch (const Error&) {
      return std::string("auto");
    }
  }();
  return kernel;
}

// Of a self-test.
inline int num_wrong = 0;

inline void check(bool right, const std::string& what) {
  if (right) return;
  ++num_wrong;
  fmt::print("WRONG: {}\n", what);
}

}  // namespace daedal::benchmarks
