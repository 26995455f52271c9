// Series of random DAEs: whatever the stages, blocks, tight paths and completions are, every
// coefficient of every equation vanishes, as judged by an interpreter that knows nothing of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "daedal/analysis.hpp"
#include "daedal/expression.hpp"
#include "integrate/taylor/taylor_integrator.hpp"
#include "plan/plan.hpp"
#include "taylor/interpreter.hpp"

namespace daedal {
namespace {

constexpr int order = 9;

class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed), model_("Random" + std::to_string(seed)) {
    const int size = 1 + pick(4);
    for (int j = 0; j < size; ++j) unknowns_.push_back(model_.variable("x" + std::to_string(j)));
    parameter_ = model_.parameter("p", 0.7);
    for (int i = 0; i < size; ++i) {
      // A leading term that keeps most models regular, and whatever else.
      Expression leading = der(unknowns_[i], pick(4));
      if (pick(3) == 0) leading = leading * (2.0 + sqr(leaf()));
      if (pick(4) == 0) leading = leading + 0.2 * sin(leading);
      if (pick(6) == 0) leading = der(leading + 0.3 * sqr(leaf()));
      model_.equation(leading + 0.4 * expression(3) == sin(model_.time() + i));
    }
  }

  Model& model() { return model_; }
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

 private:
  int pick(int count) { return static_cast<int>(random_() % count); }

  Expression leaf() {
    switch (pick(7)) {
      case 0: return model_.time();
      case 1: return parameter_;
      case 2: return 0.5 + number();
      default: return der(unknowns_[pick(static_cast<int>(unknowns_.size()))], pick(3));
    }
  }

  Expression expression(int depth) {
    if (depth == 0) return leaf();
    const Expression a = expression(depth - 1), b = expression(depth - 1);
    switch (pick(18)) {
      case 0: return sin(a);
      case 1: return cos(a) + b;
      case 2: return exp(-sqr(a)) + b;
      case 3: return a / (2.0 + sqr(b));
      case 4: return sqrt(1.0 + sqr(a) + sqr(b));
      case 5: return atan(a) - b;
      case 6: return tanh(a) * b;
      case 7: return pow(1.5 + sqr(a), 0.3 * b);
      case 8: return pow(2.0 + sin(a), parameter_);
      case 9: return log(2.0 + sqr(a)) * b;
      case 10: return atan2(a, 2.0 + sqr(b));
      case 11: return asinh(a) + erf(b);
      case 12: return sqr(a) - b;
      case 13: return der(a) + b;
      case 14: return max(a, b);
      case 15: return a + b;
      default: return a * b;
    }
  }

  std::mt19937 random_;
  Model model_;
  std::vector<Expression> unknowns_;
  Expression parameter_;
};

// Largest coefficient of a residual, relative to the size of its terms.
double last_coefficient(const integrate::TaylorRun& run, int unknown) {
  const solution::Polynomial x = run.current().polynomial(run.shape().layout, unknown);
  return x[x.degree()];
}

double worst_residual(plan::Plan& plan, const integrate::TaylorIntegrator& integrator, double t) {
  expr::Graph& graph = *plan.equations.graph;
  std::vector<expr::NodeId> roots(plan.residuals().begin(), plan.residuals().end());
  for (const expr::NodeId residual : plan.residuals())
    for (const expr::NodeId term : graph.arguments(residual)) roots.push_back(term);
  const taylor::Tape tape(graph, roots, order - 1);
  taylor::Interpreter interpreter(tape);
  const solution::StepView step = integrator.run().current();
  const auto derivative = [&](expr::UnknownId unknown, int n) {
    const int j = static_cast<int>(unknown.index());
    const solution::StepLayout& layout = integrator.run().shape().layout;
    return n <= layout.degree(j) ? step.value(layout, j, t, n) : 0.0;
  };
  interpreter.run({.time = t, .parameters = plan.parameters, .derivative = derivative});
  double worst = 0.0;
  for (const expr::NodeId residual : plan.residuals()) {
    double power = 1.0, largest = 1e-3;
    for (int k = 0; k < order; ++k, power *= step.scale) {
      for (const expr::NodeId term : graph.arguments(residual))
        largest = std::max(largest, power * std::abs(interpreter.coefficient(term, k)));
      worst = std::max(worst, power * std::abs(interpreter.coefficient(residual, k)) / largest);
    }
  }
  return worst;
}

// With all branches of max in one structure; none if that is singular.
std::optional<plan::Plan> plan_of(const Model& model) {
  try {
    plan::Plan plan = plan::make_plan(model.data());
    if (plan.regularity.singular.empty()) return plan;
  } catch (const Error&) {
  }
  return std::nullopt;
}

TEST(RandomDae, series_satisfy_every_equation_to_order_8) {
  int num_solved = 0, num_nonlinear = 0, num_high_index = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RandomModel random(seed);
    std::optional<plan::Plan> planned = plan_of(random.model());
    if (!planned) continue;
    plan::Plan& plan = *planned;
    integrate::TaylorIntegrator integrator(
        taylor::SeriesSolver(
            taylor::make_series_schedule({*plan.equations.graph, plan.residuals(), plan.structure,
                                          plan.leads, plan.is_linear}),
            plan.structure, order - 1, {plan.parameters}, plan.nominals()),
        plan.nominals(), {.tolerance = 1e-6, .max_step = 0.125});
    std::vector<std::vector<double>> start;
    for (const int local_order : plan.local_orders()) {
      start.emplace_back();
      for (int n = 0; n <= local_order; ++n) start.back().push_back(random.number());
    }
    if (!integrator.begin(0.3, 0.4, start)) continue;  // no consistent point near
    double condition = 1.0;
    for (std::size_t b = 0; b < plan.structure.fine_blocks.size(); ++b)
      condition = std::max(condition, integrator.series().condition(static_cast<int>(b)));
    // Rounding grows with the coefficients, and they grow if the scale is beyond the radius of
    // convergence.
    bool is_tame = true;
    for (int unknown = 0; unknown < static_cast<int>(plan.size()); ++unknown)
      is_tame = is_tame && std::abs(last_coefficient(integrator.run(), unknown)) < 1e-3;
    if (condition > 1e4 || !is_tame) continue;
    ++num_solved;
    num_nonlinear += std::ranges::count(plan.is_linear, false) > 0 ? 1 : 0;
    num_high_index += plan.structure.index >= 2 ? 1 : 0;
    EXPECT_LT(worst_residual(plan, integrator, 0.3), 1e-9)
        << "seed " << seed << "\n"
        << to_text(analyze(random.model()), true);
  }
  EXPECT_GT(num_solved, 1000);
  EXPECT_GT(num_nonlinear, 100);
  EXPECT_GT(num_high_index, 100);
  RecordProperty("solved", num_solved);
}

}  // namespace
}  // namespace daedal
