// Work and precision: daedal on equations as given against SUNDIALS IDA on the best form that we
// could write by hand, in one run.
//
// Both integrate to the reference time of problems/<name>.json with tolerances from loose to tight;
// curves.hpp says what digits and times are.
//
//   work_precision               the tables
//   work_precision --methods     only: the methods of daedal and IDA side by side, car axis and
//                                chain of rods
//   work_precision --self-test   only: Jacobians against differences, starts, convergence to the
//                                references; exit code 1 if something is wrong
#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/chain_curve.hpp"
#include "benchmarks/curves.hpp"
#include "benchmarks/markdown.hpp"

namespace daedal::benchmarks {
namespace {

// --------------------------------------------------------------------------------------------------------------------
// Tables

void print(const Curve& curve) {
  fmt::print("  {}\n  {:>9} {:>7} {:>10} {:>8}\n", curve.solver, "tol", "digits", "ms", "steps");
  for (const Point& p : curve.points) {
    if (p.ok)
      fmt::print("  {:9.1e} {:7.2f} {:10.4f} {:8}   {}\n", p.tolerance, p.digits, 1e3 * p.seconds,
                 p.steps, p.detail);
    else
      fmt::print("  {:9.1e} {:>7} {:>10} {:8}   {}\n", p.tolerance, "failed", "-", p.steps,
                 p.detail);
  }
}

// Milliseconds of IDA's fastest form and of daedal, and their ratio, by digits: a column of the
// last table.
using Summary = std::map<int, std::string>;

std::string summary_of(const std::optional<Cost>& ida, const std::optional<Cost>& ours) {
  const auto text = [](const std::optional<Cost>& cost) {
    return cost ? fmt::format("{:.2f}", 1e3 * cost->seconds) : "not reached";
  };
  return fmt::format("{} / {}{}", text(ida), text(ours),
                     ida && ours ? fmt::format(" = {:.1f}", ida->seconds / ours->seconds) : "");
}

// The IDA form that is the fastest at these digits, and daedal.
Summary print_comparison(const std::vector<Curve>& ida, const Curve& ours) {
  Summary summary;
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
    summary[digits] = summary_of(best, mine);
  }
  return summary;
}

// Forms... the reduced one first, then those for information.
template <typename... Forms>
Summary compare(const std::string& title, const Model& model, const Reference& reference,
                const std::vector<std::string>& names) {
  fmt::print("\n{}, to t = {}\n", title, reference.t);
  const std::vector<Curve> ida = {ida_curve<Forms>(reference)...};
  for (const Curve& curve : ida) print(curve);
  const Curve ours = daedal_curve(model, names, reference);
  if (!ours.points.empty()) print(ours);
  return print_comparison(ida, ours);
}

void print_summaries(const std::vector<std::string>& names, const std::vector<Summary>& summaries) {
  fmt::print("\nMilliseconds at equal digits: IDA's fastest form / daedal = ratio\n");
  std::vector<std::string> head = {"digits"};
  head.insert(head.end(), names.begin(), names.end());
  const MarkdownTable table(head);
  for (const int digits : {3, 6, 9, 11, 12}) {
    std::vector<std::string> row = {fmt::format("{}", digits)};
    for (const Summary& summary : summaries) row.push_back(summary.at(digits));
    table.row(row);
  }
}

// --------------------------------------------------------------------------------------------------------------------
// The methods side by side

struct MethodRange {
  const char* name;
  std::vector<double> tolerances;
};

// The first is the one that the others are compared with. Of bdf nobody wants more digits.
const std::vector<MethodRange> methods = {
    {"taylor", daedal_tolerances},
    {"dd-erk", {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}},
    {"dd-ida", {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}},
    {"bdf", {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}},
};

// Seconds over those of `first` for as many digits, if it gets there.
std::string ratio_at_equal_digits(const Point& point, const Curve& first) {
  const std::optional<Cost> cost = cost_at(first, point.digits);
  return cost ? fmt::format("{:.2f}", point.seconds / cost->seconds) : "-";
}

void print_methods(const std::string& title, const Model& model, const Reference& reference,
                   const std::vector<std::string>& names, const Curve& ida) {
  fmt::print("\n{}, to t = {}: methods side by side\n", title, reference.t);
  std::vector<Curve> curves;
  for (const MethodRange& method : methods)
    curves.push_back(method_curve(model, method.name, method.tolerances, names, reference));
  curves.push_back(ida);
  fmt::print("| method | tol | digits | ms | steps | times {} at equal digits |\n",
             methods.front().name);
  fmt::print("|---|---|---|---|---|---|\n");
  for (const Curve& curve : curves)
    for (const Point& p : curve.points)
      if (p.ok)
        fmt::print("| {} | {:.0e} | {:.1f} | {:.3f} | {} | {} |\n", curve.solver, p.tolerance,
                   p.digits, 1e3 * p.seconds, p.steps, ratio_at_equal_digits(p, curves.front()));
      else
        fmt::print("| {} | {:.0e} | fails | | {} | |\n", curve.solver, p.tolerance, p.steps);
}

void print_all_methods(const Reference& car) {
  print_methods("Car axis", problems::car_axis(), car, CarAxis::names(),
                ida_curve<CarAxisReduced>(car));
  constexpr int num_rods = 2;
  const Reference chain = read_reference("rod_chain", chain_names(num_rods), "n", num_rods);
  print_methods(fmt::format("Chain of {} rods", num_rods), problems::rod_chain(num_rods), chain,
                chain_names(num_rods), ida_chain_curve(ChainAngles(num_rods), chain));
}

// --------------------------------------------------------------------------------------------------------------------
// Self-test

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
  const Reference car = read_reference("car_axis", CarAxis::names());
  const Reference pendula_2 = read_reference("coupled_pendula", Pendula2::names());
  const Reference pendula_3 = read_reference("coupled_pendula", Pendula3::names(), "P", 3);
  const Reference double_pendulum = read_reference("double_pendulum", DoublePendulum::names());

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
  if (argc > 1 && std::string_view(argv[1]) == "--methods") {
    print_all_methods(car);
    return 0;
  }

  std::vector<Summary> summaries;
  summaries.push_back(
      compare<CarAxisReduced, CarAxisCartesian<2>, CarAxisCartesian<1>, CarAxisCartesian<0>>(
          "Car axis", problems::car_axis(), car, CarAxis::names()));
  summaries.push_back(compare<Pendula2>("Coupled pendula, P = 2", problems::coupled_pendula(2),
                                        pendula_2, Pendula2::names()));
  summaries.push_back(compare<Pendula3>("Coupled pendula, P = 3", problems::coupled_pendula(3),
                                        pendula_3, Pendula3::names()));
  summaries.push_back(compare<DoublePendulumReduced, DoublePendulumCartesian<2>,
                              DoublePendulumCartesian<1>, DoublePendulumCartesian<0>>(
      "Double pendulum", problems::double_pendulum(), double_pendulum, DoublePendulum::names()));
  print_summaries({"car axis", "coupled pendula, P = 2", "P = 3", "double pendulum"}, summaries);
  print_all_methods(car);
}
