// The series that the stages produce satisfy the equations, coefficient by coefficient, as judged
// by an interpreter that knows nothing of stages, blocks and completion.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "integrate/taylor/taylor_integrator.hpp"
#include "model/model_data.hpp"
#include "plan/plan.hpp"
#include "problem_data.hpp"
#include "taylor/interpreter.hpp"

namespace daedal::test {
namespace {

constexpr int order = 18;

// A problem with its integrator, set at a stored point.
struct AtPoint {
  Model model;
  plan::Plan plan;
  integrate::TaylorIntegrator integrator;
  double t;
  bool has_series;

  AtPoint(const Variant& variant, const Json& point)
      : model(variant.mo()),
        plan(plan::make_plan(model.data())),
        integrator(taylor::SeriesSolver(
                       taylor::make_series_schedule({*plan.equations.graph, plan.residuals(),
                                                     plan.structure, plan.leads, plan.is_linear}),
                       plan.structure, order - 1, {plan.parameters}, plan.nominals()),
                   plan.nominals(), {.tolerance = 1e-12, .max_step = 1e300}),
        t(number(point.at("t"))) {
    std::vector<std::vector<double>> derivatives(plan.size());
    const std::vector<int> orders = plan.local_orders();
    for (std::size_t j = 0; j < plan.size(); ++j)
      for (int n = 0; n <= orders[j]; ++n) {
        const std::string name = model::derivative_name(model.data().variables[j].name, n);
        const Json& values = point.at("values");
        derivatives[j].push_back(values.contains(name) ? number(values.at(name)) : 0.0);
      }
    has_series = integrator.begin(t, t + 1.0, derivatives);
  }

  double derivative(expr::UnknownId unknown, int n) const {
    return integrator.run().current().value(integrator.run().shape().layout,
                                            static_cast<int>(unknown.index()), t, n);
  }
};

// Residuals of all equations, and the sizes of their terms, in powers of (t - t0)/scale.
class Judge {
 public:
  explicit Judge(AtPoint& at)
      : at_(at), roots_(at.plan.residuals().begin(), at.plan.residuals().end()) {
    const expr::Graph& graph = *at.plan.equations.graph;
    for (const expr::NodeId residual : at.plan.residuals())
      for (const expr::NodeId term : graph.arguments(residual)) roots_.push_back(term);
  }

  // Largest over equations and coefficients of |residual| / (largest sum of terms so far).
  double worst_residual() {
    expr::Graph& graph = *at_.plan.equations.graph;
    taylor::Tape tape(graph, roots_, order - 1);
    taylor::Interpreter interpreter(tape);
    interpreter.run({.time = at_.t,
                     .parameters = at_.plan.parameters,
                     .derivative = [&](expr::UnknownId u, int n) { return at_.derivative(u, n); }});
    const double scale = at_.integrator.run().current().scale;
    double worst = 0.0;
    for (const expr::NodeId residual : at_.plan.residuals()) {
      double power = 1.0, largest = 0.0;
      for (int k = 0; k < order; ++k, power *= scale) {
        double terms = 0.0;
        for (std::size_t a = 0; a < graph.arguments(residual).size(); ++a) {
          const bool is_sum = graph.op(residual) == expr::Op::affine;
          const double factor = is_sum ? graph.coefficients(residual)[a] : 1.0;
          terms += std::abs(factor * interpreter.coefficient(graph.arguments(residual)[a], k));
        }
        largest = std::max(largest, power * terms);
        const double error = power * std::abs(interpreter.coefficient(residual, k));
        if (error > 0.0) worst = std::max(worst, error / largest);
      }
    }
    return worst;
  }

 private:
  AtPoint& at_;
  std::vector<expr::NodeId> roots_;
};

std::vector<Variant> solvable_variants() {
  std::vector<Variant> result;
  for (const Variant& variant : all_variants())
    if (!variant.is_hybrid() && variant.facts.contains("start") &&
        variant.facts.contains("structure") &&
        variant.facts.at("structure").value("status", "") == "ok")
      result.push_back(variant);
  return result;
}

class SeriesOf : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(All, SeriesOf, testing::ValuesIn(solvable_variants()),
                         [](const auto& case_info) { return case_info.param.name(); });

// 1e-13: a few hundred roundings of 1e-16. The sheet's springs are strained by 0.001: of their
// forces 3 digits cancel before they are terms.
double rounding_of(const std::string& problem) {
  return problem == "crumpling_sheet" ? 1e-12 : 1e-13;
}

TEST_P(SeriesOf, satisfies_every_equation_to_order_17_at_start_and_references) {
  std::vector<Json> points = {GetParam().facts.at("start")};
  for (const Json& reference : GetParam().facts.value("references", Json::array()))
    points.push_back(reference);
  for (const Json& point : points) {
    AtPoint at(GetParam(), point);
    ASSERT_TRUE(at.has_series);
    EXPECT_LT(Judge(at).worst_residual(), rounding_of(GetParam().problem)) << "t = " << at.t;
  }
}

// Coefficients of expressions of time alone.
class OfTime {
 public:
  expr::Graph graph;

  expr::NodeId t() { return graph.time(); }
  expr::NodeId of(expr::Op op, expr::NodeId u) { return graph.unary(op, u); }

  std::vector<double> coefficients(expr::NodeId root, double at, int highest) {
    const taylor::Tape tape(graph, std::vector{root}, highest);
    taylor::Interpreter interpreter(tape);
    interpreter.run({.time = at, .parameters = {}, .derivative = {}});
    std::vector<double> result;
    for (int k = 0; k <= highest; ++k) result.push_back(interpreter.coefficient(root, k));
    return result;
  }
};

void expect_near(const std::vector<double>& found, const std::vector<double>& printed,
                 double tolerance) {
  ASSERT_EQ(found.size(), printed.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], printed[k], tolerance) << k;
}

constexpr double four_decimals = 5.1e-5, rounding = 1e-15;

TEST(EstevezSchwarzLamour2019, example_1_of_appendix_A_1_coefficient_by_coefficient) {
  OfTime f;
  expect_near(f.coefficients(f.t(), 1.0, 4), {1, 1, 0, 0, 0}, 0.0);
  expect_near(f.coefficients(f.of(expr::Op::exp, f.t()), 1.0, 4),
              {2.7183, 2.7183, 1.3591, 0.4530, 0.1133}, four_decimals);
  const double pi = std::numbers::pi;
  expect_near(f.coefficients(f.of(expr::Op::cos, f.t()), pi, 2), {-1, 0, 0.5}, rounding);
  expect_near(f.coefficients(f.of(expr::Op::sin, f.t()), pi, 2), {0, -1, 0}, rounding);
}

TEST(EstevezSchwarzLamour2019, example_2_of_appendix_A_2_coefficient_by_coefficient) {
  OfTime f;
  expr::Graph& g = f.graph;
  expect_near(f.coefficients(g.multiply(f.t(), f.of(expr::Op::exp, f.t())), 1.0, 4),
              {2.7183, 5.4366, 4.0774, 1.8122, 0.5663}, four_decimals);
  const expr::NodeId c = f.of(expr::Op::cos, f.t()), s = f.of(expr::Op::sin, f.t());
  const expr::NodeId c2 = f.of(expr::Op::cos, g.scale(2.0, f.t()));
  const expr::NodeId s2 = f.of(expr::Op::sin, g.scale(2.0, f.t()));
  const double pi = std::numbers::pi;
  expect_near(f.coefficients(s2, pi, 2), {0, 2, 0}, rounding);
  expect_near(f.coefficients(c2, pi, 2), {1, 0, -2}, rounding);
  const expr::NodeId q1 = g.subtract(g.multiply(c, s2), g.multiply(s, c2));
  const expr::NodeId q2 = g.add(g.multiply(s, s2), g.multiply(c, c2));
  expect_near(f.coefficients(q1, pi, 2), {0, -1, 0}, rounding);
  expect_near(f.coefficients(q2, pi, 2), {-1, 0, 0.5}, rounding);
}

}  // namespace
}  // namespace daedal::test
