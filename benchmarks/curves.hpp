// Digits against time: a solver at many tolerances, and what it takes for so many digits. daedal
// solves the equations as given, IDA a form of ida/forms.hpp.
//
// Digits are the minimum over the positions of -log10(|error|/max(|reference|, 1)); a time is the
// median of several runs. Times at equal digits are interpolated linearly, digits against
// log(time), on the runs that no other run beats in both.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/ida/forms.hpp"
#include "benchmarks/ida/integrate.hpp"
#include "benchmarks/measure.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {

// One solver at one tolerance.
struct Point {
  double tolerance = 0.0;
  bool ok = false;
  double digits = 0.0;
  double seconds = 0.0;        // of the integration
  double total_seconds = 0.0;  // with preparation, where there is any
  long steps = 0;
  std::string detail = {};
};

struct Curve {
  std::string solver;
  std::vector<Point> points;
};

// --------------------------------------------------------------------------------------------------------------------
// The two solvers

inline const std::vector<double> ida_tolerances = {1e-4,  1e-5,  1e-6,  1e-7,  1e-8, 1e-9,
                                                   1e-10, 1e-11, 1e-12, 1e-13, 1e-14};
inline const std::vector<double> daedal_tolerances = {1e-2, 1e-3,  1e-4,  1e-5,  1e-6,  1e-7, 1e-8,
                                                      1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14};

template <typename Form>
Point ida_point(double tol, const Reference& reference) {
  IdaResult<Form> last;
  const auto once = [&] {
    Ida<Form> ida(tol);
    return seconds_of([&] { last = ida.integrate(reference.t); });
  };
  Point point = {.tolerance = tol, .seconds = once()};
  if (last.ok) point.seconds = median_seconds(once);
  point.total_seconds = point.seconds;
  point.ok = last.ok;
  point.digits = last.ok ? digits_of(Form::outputs(last.t, last.y), reference) : 0.0;
  point.steps = last.steps;
  point.detail = last.ok ? fmt::format("{} residuals, {} Jacobians", last.residuals, last.jacobians)
                         : fmt::format("stopped at t = {:.4g}", last.t);
  return point;
}

template <typename Form>
Curve ida_curve(const Reference& reference) {
  Curve curve = {.solver = fmt::format("IDA, {}", Form::name), .points = {}};
  for (const double tol : ida_tolerances) curve.points.push_back(ida_point<Form>(tol, reference));
  return curve;
}

// By a method of SolveOptions::method. Machine code is for series; other methods take what they
// find.
inline Point daedal_point(const Model& model, double tol, const std::vector<std::string>& names,
                          const Reference& reference, const std::string& method = "auto") {
  const bool has_series = method == "auto" || method == "taylor";
  Solution last;
  std::vector<double> totals;
  const auto once = [&] {
    const double seconds = integration_seconds(last, [&] {
      return solve(model, {.to = reference.t,
                           .tolerance = tol,
                           .method = method,
                           .kernel = has_series ? warm_kernel() : "auto",
                           .keep_steps = false});
    });
    totals.push_back(last.seconds().total);
    return seconds;
  };
  Point point = {.tolerance = tol, .seconds = median_seconds(once)};
  point.total_seconds = median(totals);
  point.ok = last.ok();
  point.steps = last.statistics().steps;
  if (!point.ok) {
    point.detail = to_string(last.status());
    return point;
  }
  std::vector<double> values;
  for (const std::string& name : names) {
    const auto found = std::find(last.variables().begin(), last.variables().end(), name);
    values.push_back(last.final().at(static_cast<std::size_t>(found - last.variables().begin())));
  }
  point.digits = digits_of(values, reference);
  point.detail = fmt::format("order {}, {} rejected, {:.2f} ms with analysis and start",
                             last.order(), last.statistics().rejected, 1e3 * point.total_seconds);
  return point;
}

inline Curve daedal_curve(const Model& model, const std::vector<std::string>& names,
                          const Reference& reference) {
  Curve curve = {.solver = "daedal, as given", .points = {}};
  try {
    for (const double tol : daedal_tolerances)
      curve.points.push_back(daedal_point(model, tol, names, reference));
  } catch (const std::exception& problem) {
    fmt::print("  daedal: {}\n", problem.what());
  }
  return curve;
}

// By one method; no points, and a note, if this build has no such method.
inline Curve method_curve(const Model& model, const std::string& method,
                          const std::vector<double>& tolerances,
                          const std::vector<std::string>& names, const Reference& reference) {
  Curve curve = {.solver = method, .points = {}};
  try {
    for (const double tol : tolerances)
      curve.points.push_back(daedal_point(model, tol, names, reference, method));
  } catch (const Error& error) {
    if (error.id() != "E-OPT-002") throw;
    fmt::print("  {} is left out: {}\n", method, error.problems().front().why);
    curve.points.clear();
  }
  return curve;
}

// What this solver needs for `digits`; nothing if it does not get there.
struct Cost {
  double seconds = 0.0;
  double steps = 0.0;
};

inline std::optional<Cost> cost_at(const Curve& curve, double digits) {
  std::vector<Point> front;  // more digits only for more time
  for (const Point& p : curve.points)
    if (p.ok && std::none_of(curve.points.begin(), curve.points.end(), [&](const Point& q) {
          return q.ok && q.digits > p.digits && q.seconds <= p.seconds;
        }))
      front.push_back(p);
  std::sort(front.begin(), front.end(),
            [](const Point& a, const Point& b) { return a.digits < b.digits; });
  if (front.empty() || digits > front.back().digits) return std::nullopt;
  if (digits <= front.front().digits)
    return Cost{front.front().seconds, static_cast<double>(front.front().steps)};
  const auto above =
      std::find_if(front.begin(), front.end(), [&](const Point& p) { return p.digits >= digits; });
  const Point &a = *(above - 1), &b = *above;
  const double part = (digits - a.digits) / (b.digits - a.digits);
  const auto between = [part](double x, double y) { return x * std::pow(y / x, part); };
  return Cost{between(a.seconds, b.seconds),
              between(static_cast<double>(a.steps), static_cast<double>(b.steps))};
}

}  // namespace daedal::benchmarks
