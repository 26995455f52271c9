// Work and precision: daedal on equations as given against SUNDIALS IDA on the best form that we
// could write by hand, in one run.
//
// Both integrate to the reference time of problems/<name>.json with tolerances from loose to tight.
// Digits are the minimum over the positions of -log10(|error|/max(|reference|, 1)); a time is the
// median of several runs. Times at equal digits are interpolated linearly, digits against
// log(time), on the runs that no other run beats in both.
//
//   work_precision               the tables
//   work_precision --self-test   only: Jacobians against differences, starts, convergence to the
//                                references; exit code 1 if something is wrong
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/ida/forms.hpp"
#include "benchmarks/ida/integrate.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

using Json = nlohmann::json;

struct Reference {
  double t = 0.0;
  std::vector<double> values;
};

double number(const Json& json) {
  return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

// The first reference of a problem, or of its variant with P pendula.
Reference read_reference(const std::string& problem, int num_pendula,
                         const std::vector<std::string>& names) {
  Json json = Json::parse(std::ifstream(std::string(DAEDAL_SOURCE_DIR) + "/problems/" + problem +
                                        "/" + problem + ".json"));
  for (const Json& variant : json.value("variants", Json::array()))
    if (variant.at("parameters").value("P", 0) == num_pendula) {
      const Json chosen = variant;
      json = chosen;
      break;
    }
  const Json& reference = json.at("references").at(0);
  Reference result = {.t = number(reference.at("t")), .values = {}};
  for (const std::string& name : names)
    result.values.push_back(number(reference.at("values").at(name)));
  return result;
}

double digits_of(const std::vector<double>& values, const Reference& reference) {
  double digits = 17.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double scale = std::max(std::abs(reference.values[j]), 1.0);
    const double error = std::abs(values[j] - reference.values[j]) / scale;
    digits = std::min(digits, error > 0 ? -std::log10(error) : 17.0);
  }
  return std::isnan(digits) ? -1.0 : digits;
}

// One solver at one tolerance.
struct Point {
  double tol = 0.0;
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

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Runs five times at least, and for 0.1 s, but not for more than 2 s; returns the median.
double median_seconds(const std::function<double()>& run) {
  std::vector<double> times;
  double sum = 0.0;
  while (sum < 2.0 && (times.size() < 5 || (sum < 0.1 && times.size() < 1000))) {
    times.push_back(run());
    sum += times.back();
  }
  return median(times);
}

// --------------------------------------------------------------------------------------------------------------------
// The two solvers

const std::vector<double> ida_tolerances = {1e-4,  1e-5,  1e-6,  1e-7,  1e-8, 1e-9,
                                            1e-10, 1e-11, 1e-12, 1e-13, 1e-14};
const std::vector<double> daedal_tolerances = {1e-2, 1e-3,  1e-4,  1e-5,  1e-6,  1e-7, 1e-8,
                                               1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14};

template <typename Form>
Point ida_point(double tol, const Reference& reference) {
  IdaResult<Form> last;
  const auto once = [&] {
    Ida<Form> ida(tol);
    const auto begin = std::chrono::steady_clock::now();
    last = ida.integrate(reference.t);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Point point = {.tol = tol, .seconds = once()};
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

Point daedal_point(const Model& model, double tol, const std::vector<std::string>& names,
                   const Reference& reference) {
  Solution last;
  std::vector<double> totals;
  const auto once = [&] {
    last = solve(model, {.to = reference.t, .tol = tol, .keep_steps = false});
    totals.push_back(last.seconds.total);
    return last.seconds.integrate;
  };
  Point point = {.tol = tol, .seconds = median_seconds(once)};
  point.total_seconds = median(totals);
  point.ok = last.ok();
  point.steps = last.statistics.steps;
  if (!point.ok) {
    point.detail = to_string(last.status);
    return point;
  }
  std::vector<double> values;
  for (const std::string& name : names) {
    const auto found = std::find(last.variables.begin(), last.variables.end(), name);
    values.push_back(last.final.at(static_cast<std::size_t>(found - last.variables.begin())));
  }
  point.digits = digits_of(values, reference);
  point.detail = fmt::format("order {}, {} rejected, {:.2f} ms with analysis and start", last.order,
                             last.statistics.rejected, 1e3 * point.total_seconds);
  return point;
}

Curve daedal_curve(const Model& model, const std::vector<std::string>& names,
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

// --------------------------------------------------------------------------------------------------------------------
// Tables

void print(const Curve& curve) {
  fmt::print("  {}\n  {:>9} {:>7} {:>10} {:>8}\n", curve.solver, "tol", "digits", "ms", "steps");
  for (const Point& p : curve.points) {
    if (p.ok)
      fmt::print("  {:9.1e} {:7.2f} {:10.4f} {:8}   {}\n", p.tol, p.digits, 1e3 * p.seconds,
                 p.steps, p.detail);
    else
      fmt::print("  {:9.1e} {:>7} {:>10} {:8}   {}\n", p.tol, "failed", "-", p.steps, p.detail);
  }
}

// What this solver needs for `digits`; nothing if it does not get there.
struct Cost {
  double seconds = 0.0;
  double steps = 0.0;
};

std::optional<Cost> cost_at(const Curve& curve, double digits) {
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

// The IDA form that is the fastest at these digits, and daedal.
void print_comparison(const std::vector<Curve>& ida, const Curve& ours) {
  fmt::print("  at equal digits\n  {:>6} {:>11} {:>10} {:>11} {:>12} {:>10}   {}\n", "digits",
             "IDA ms", "IDA steps", "daedal ms", "daedal steps", "IDA/daedal", "fastest IDA form");
  for (int digits = 3; digits <= 12; ++digits) {
    std::optional<Cost> best;
    std::string form = "none gets there";
    for (const Curve& curve : ida)
      if (const auto cost = cost_at(curve, digits);
          cost && (!best || cost->seconds < best->seconds)) {
        best = cost;
        form = curve.solver;
      }
    const std::optional<Cost> mine = cost_at(ours, digits);
    const auto text = [](const std::optional<Cost>& cost, bool steps) {
      if (!cost) return std::string("-");
      return steps ? fmt::format("{:.0f}", cost->steps)
                   : fmt::format("{:.4f}", 1e3 * cost->seconds);
    };
    fmt::print("  {:6} {:>11} {:>10} {:>11} {:>12} {:>10}   {}\n", digits, text(best, false),
               text(best, true), text(mine, false), text(mine, true),
               best && mine ? fmt::format("{:.2f}", best->seconds / mine->seconds) : "-", form);
  }
}

// Forms... the reduced one first, then those for information.
template <typename... Forms>
void compare(const std::string& title, const Model& model, const Reference& reference,
             const std::vector<std::string>& names) {
  fmt::print("\n{}, to t = {}\n", title, reference.t);
  const std::vector<Curve> ida = {ida_curve<Forms>(reference)...};
  for (const Curve& curve : ida) print(curve);
  const Curve ours = daedal_curve(model, names, reference);
  if (!ours.points.empty()) print(ours);
  print_comparison(ida, ours);
}

// --------------------------------------------------------------------------------------------------------------------
// Self-test

int num_wrong = 0;

void check(bool right, const std::string& what) {
  if (right) return;
  ++num_wrong;
  fmt::print("WRONG: {}\n", what);
}

// Central differences, at the start and at points that satisfy nothing.
template <typename Form>
void check_jacobian(const std::string& problem) {
  constexpr double alpha = 3.7, step = 1e-6;
  for (int trial = 0; trial < 3; ++trial) {
    const double t = 0.3 * trial;
    State<Form> y = Form::start, yp = Form::slope;
    for (std::size_t j = 0; j < Form::size; ++j) {
      y[j] += 0.1 * trial * std::cos(1.3 * static_cast<double>(j));
      yp[j] += 0.3 * trial * std::sin(0.7 + 1.9 * static_cast<double>(j));
    }
    const auto exact = jacobian<Form>(t, alpha, y, yp);
    for (std::size_t j = 0; j < Form::size; ++j) {
      State<Form> ahead = y, ahead_p = yp, back = y, back_p = yp, f_ahead, f_back;
      ahead[j] += step;
      ahead_p[j] += alpha * step;
      back[j] -= step;
      back_p[j] -= alpha * step;
      Form::residual(t, ahead, ahead_p, f_ahead);
      Form::residual(t, back, back_p, f_back);
      for (std::size_t i = 0; i < Form::size; ++i) {
        const double difference = (f_ahead[i] - f_back[i]) / (2 * step);
        check(std::abs(difference - exact[i][j]) < 1e-7 * (1 + std::abs(difference)),
              fmt::format("{}, {}: dF[{}]/dy[{}] is {}, by differences {}", problem, Form::name, i,
                          j, exact[i][j], difference));
      }
    }
  }
}

template <typename Form>
void check_form(const std::string& problem, const Reference& reference, double tol, double digits) {
  check_jacobian<Form>(problem);
  State<Form> f;
  Form::residual(0.0, Form::start, Form::slope, f);
  for (const double residual : f)
    check(std::abs(residual) < 1e-14,
          fmt::format("{}, {}: the start has a residual of {}", problem, Form::name, residual));
  const IdaResult<Form> run = Ida<Form>(tol).integrate(reference.t);
  const double reached = run.ok ? digits_of(Form::outputs(run.t, run.y), reference) : 0.0;
  check(reached >= digits, fmt::format("{}, {}: {:.1f} digits at tol {}, expected {}", problem,
                                       Form::name, reached, tol, digits));
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  using namespace daedal::benchmarks;
  namespace problems = daedal::problems;
  using Pendula2 = CoupledPendulaReduced<2>;
  using Pendula3 = CoupledPendulaReduced<3>;
  const Reference car = read_reference("car_axis", 0, CarAxis::names());
  const Reference pendula_2 = read_reference("coupled_pendula", 2, Pendula2::names());
  const Reference pendula_3 = read_reference("coupled_pendula", 3, Pendula3::names());
  const Reference double_pendulum = read_reference("double_pendulum", 0, DoublePendulum::names());

  // what the forms reach at these tolerances, a digit less
  check_form<CarAxisReduced>("car axis", car, 1e-12, 8);
  check_form<CarAxisCartesian<2>>("car axis", car, 1e-12, 8);
  check_form<Pendula2>("coupled pendula", pendula_2, 1e-12, 8);
  check_form<Pendula3>("coupled pendula", pendula_3, 1e-12, 8);
  check_form<DoublePendulumReduced>("double pendulum", double_pendulum, 1e-12, 8);
  check_form<DoublePendulumCartesian<2>>("double pendulum", double_pendulum, 1e-12, 8);
  check_jacobian<CarAxisCartesian<0>>("car axis");
  check_jacobian<CarAxisCartesian<1>>("car axis");
  check_jacobian<DoublePendulumCartesian<0>>("double pendulum");
  check_jacobian<DoublePendulumCartesian<1>>("double pendulum");
  if (num_wrong > 0) return 1;
  fmt::print("self-test passed: Jacobians, starts, convergence to the references\n");
  if (argc > 1 && std::string_view(argv[1]) == "--self-test") return 0;

  compare<CarAxisReduced, CarAxisCartesian<2>, CarAxisCartesian<1>, CarAxisCartesian<0>>(
      "Car axis", problems::car_axis(), car, CarAxis::names());
  compare<Pendula2>("Coupled pendula, P = 2", problems::coupled_pendula(2), pendula_2,
                    Pendula2::names());
  compare<Pendula3>("Coupled pendula, P = 3", problems::coupled_pendula(3), pendula_3,
                    Pendula3::names());
  compare<DoublePendulumReduced, DoublePendulumCartesian<2>, DoublePendulumCartesian<1>,
          DoublePendulumCartesian<0>>("Double pendulum", problems::double_pendulum(),
                                      double_pendulum, DoublePendulum::names());
}
