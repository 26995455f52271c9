// Backward differentiation formulas on published problems.
#include <gmock/gmock.h>

#include "problems/problems.hpp"
#include "published/digits.hpp"
#include "run/steppers/bdf_method.hpp"
#include "start/consistent_start.hpp"

namespace daedal::test {
namespace {

using plan::Plan;
using testing::Each;
using testing::ElementsAre;

std::vector<int> levels_of(const Model& model, std::optional<int> index) {
  const Plan plan = plan::make_plan(model.data());
  return reduce::index_form(*plan.equations.graph, plan.residuals(), plan.structure, index).levels;
}

// Unknowns x1, y1, u1, v1, x2, y2, u2, v2, lambda1, lambda2.
TEST(BdfLevels, of_the_double_pendulum) {
  const Model model = problems::double_pendulum();
  EXPECT_THAT(levels_of(model, {}), ElementsAre(1, 1, 2, 2, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(levels_of(model, 2), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 2, 2));
  EXPECT_THAT(levels_of(model, 1), Each(1));
}

// Unknowns xl, yl, xr, yr, lam1, lam2, then the velocities.
TEST(BdfLevels, of_the_car_axis) {
  const Model model = problems::car_axis();
  EXPECT_THAT(levels_of(model, {}), ElementsAre(1, 1, 1, 1, 3, 3, 2, 2, 2, 2));
  EXPECT_THAT(levels_of(model, 2), ElementsAre(1, 1, 1, 1, 2, 2, 1, 1, 1, 1));
}

// x6 is given, the others are derivatives one of another.
TEST(BdfLevels, of_the_linear_system_of_index_6) {
  EXPECT_THAT(levels_of(problems::linear_2(), {}), ElementsAre(6, 5, 4, 3, 2, 1));
}

// From the consistent start at 0, with everything a caller does.
std::unique_ptr<integrate::Bdf> run_to(const Model& model, double to, const SolveOptions& options) {
  Plan plan = plan::make_plan(model.data());
  auto method = run::make_bdf(plan, settings::settings_of(model.data(), options), options.bdf);
  EXPECT_TRUE(method->begin(0.0, to, start::consistent_start(plan, 0.0).values));
  while (method->t() != to)
    if (!method->advance()) {
      ADD_FAILURE() << "no step from " << method->t();
      break;
    }
  return method;
}

// Largest difference to the Taylor method at the end, relative to 1 + |x_j|.
double difference(const Model& model, double to, const SolveOptions& options) {
  const auto method = run_to(model, to, options);
  const Solution exact =
      solve(model, {.from = 0.0, .to = to, .tolerance = 1e-13, .keep_steps = false});
  double largest = 0.0;
  for (std::size_t j = 0; j < exact.final().size(); ++j)
    largest =
        std::max(largest, std::abs(method->derivative(static_cast<int>(j), 0) - exact.final()[j]) /
                              (1 + std::abs(exact.final()[j])));
  return largest;
}

// Measured at a tolerance of 1e-7: 3e-6 in the multipliers at index 3, 1e-6 and less otherwise.
TEST(BdfMethod, agrees_with_the_taylor_method_on_the_double_pendulum_at_any_index) {
  for (int index = 0; index <= 3; ++index)
    EXPECT_LT(
        difference(
            problems::double_pendulum(), 1.0,
            {.from = 0.0, .to = 1.0, .tolerance = 1e-7, .method = "bdf", .bdf = {.index = index}}),
        1e-5)
        << index;
}

// 600 equations, 1000 unknowns in order one.
TEST(BdfMethod, agrees_with_the_taylor_method_on_a_row_of_200_pendula) {
  EXPECT_LT(difference(problems::pendulum_row_inerters(200), 1.0,
                       {.from = 0.0, .to = 1.0, .tolerance = 1e-6}),
            1e-4);
}

// The smallest number of digits of the values of a derivative at the end of a run.
double digits_at_end(const integrate::Bdf& method, const Model& model, const Json& values,
                     int order) {
  double digits = all_digits;
  for (std::size_t j = 0; j < model.data().variables.size(); ++j) {
    const auto stored = values.find(model::derivative_name(model.data().variables[j].name, order));
    if (stored == values.end()) continue;
    const double value = number(*stored);
    digits = std::min(digits, digits_of(method.derivative(static_cast<int>(j), order) - value,
                                        std::max(std::abs(value), 1.0)));
  }
  return digits;
}

// As written, index 3, and with both constraints differentiated once or twice. Digits measured at
// a tolerance of 1e-7, less one.
TEST(MazziaMagherini2008, car_axis_at_t_3_has_5_digits_at_index_3_and_6_at_lower_ones) {
  const Json& reference = variant("car_axis").facts.at("references").at(0);
  const Model model = problems::car_axis();
  for (const int index : {3, 2, 1}) {
    const auto method = run_to(
        model, 3.0,
        {.from = 0.0, .to = 3.0, .tolerance = 1e-7, .method = "bdf", .bdf = {.index = index}});
    EXPECT_GE(digits_at_end(*method, model, reference.at("values"), 0), index == 3 ? 5 : 6);
    EXPECT_GE(digits_at_end(*method, model, reference.at("values"), 1), index == 3 ? 3 : 5);
  }
}

}  // namespace
}  // namespace daedal::test
