// Expressions as deep as a loop can make them: nothing on the way from a model to its solution may
// use a level of the stack for each level of an expression.
#include <gtest/gtest.h>

#include "daedal/analysis.hpp"
#include "daedal/initialize.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

constexpr int depth = 100'000;  // of 8 MB of stack, 80 bytes each

TEST(Depth, of_functions_of_functions_is_no_matter) {
  Model model("Deep");
  const Expression x = model.variable("x", {.start = {1}});
  Expression deep = x;
  for (int k = 0; k < depth; ++k) deep = sin(deep) + 0.5;
  model.equation(der(x) == -x + 0.0 * model.time() + 1e-3 * deep);
  EXPECT_EQ(analyze(model).structural_index, 0);
  EXPECT_TRUE(initialize(model).ok());
  EXPECT_EQ(solve(model, {.to = 1.0, .order = 3, .kernel = "interpreter", .max_steps = 1}).status(),
            Status::too_many_steps);
}

TEST(Depth, of_conditions_in_conditions_is_no_matter) {
  Model model("Branches");
  const Expression x = model.variable("x", {.start = {1}});
  Expression deep = x;
  for (int k = 0; k < depth; ++k) deep = abs(deep - 0.25);
  model.equation(der(x) == -deep);
  EXPECT_EQ(analyze(model).structural_index, 0);
  EXPECT_TRUE(initialize(model).ok());
}

TEST(Depth, of_a_sum_made_term_by_term_is_no_matter) {
  Model model("Sum");
  const std::vector<Expression> x = model.variables("x", 100, {.start = {1}});
  Expression sum = 0.0;
  for (int k = 0; k < depth; ++k) sum = sum + x[static_cast<std::size_t>(k % 100)] * (k % 7 + 1.0);
  for (const Expression& each : x) model.equation(der(each) == -each + 1e-6 * sum);
  EXPECT_EQ(analyze(model).structural_index, 0);
  EXPECT_TRUE(initialize(model).ok());
}

}  // namespace
}  // namespace daedal
