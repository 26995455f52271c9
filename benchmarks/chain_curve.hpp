// Digits against time of IDA on the chain of rods (problems/rod_chain).
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/curves.hpp"
#include "benchmarks/ida/run_chain.hpp"

namespace daedal::benchmarks {

inline std::vector<std::string> chain_names(int num_rods) {
  std::vector<std::string> names = {"x0"};
  for (const char* axis : {"x", "y"})
    for (int i = 1; i <= num_rods; ++i) names.push_back(fmt::format("{}[{}]", axis, i));
  return names;
}

inline std::vector<double> positions_of(const ChainMotion& motion) {
  std::vector<double> values = motion.x;
  values.insert(values.end(), motion.y.begin() + 1, motion.y.end());
  return values;
}

// median_of(run): how often to run, and the median of the seconds that run() returns.
template <typename Form>
Curve ida_chain_curve(
    const Form& form, const Reference& reference,
    const std::function<double(const std::function<double()>&)>& median_of = median_seconds) {
  Curve curve = {.solver = fmt::format("IDA, {}", Form::name), .points = {}};
  for (const double tol : ida_tolerances) {
    Point point = {.tolerance = tol};
    ChainRun run;
    point.seconds = median_of([&] {
      IdaChain<Form> ida(form, tol);
      return seconds_of([&] { run = ida.integrate(std::vector{reference.t}); });
    });
    point.ok = run.ok;
    point.steps = run.steps;
    point.digits = digits_of(positions_of(run.motion), reference);
    curve.points.push_back(point);
  }
  return curve;
}

}  // namespace daedal::benchmarks
