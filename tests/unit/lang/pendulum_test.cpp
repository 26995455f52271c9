#include <gtest/gtest.h>

#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

TEST(Load, the_pendulum_of_the_product_page_is_read_as_written) {
  const auto model = parsed(pendulum_text);
  EXPECT_EQ(model.name, "Pendulum");
  EXPECT_EQ(model.description, "simple pendulum in cartesian coordinates");
  ASSERT_EQ(model.variables.size(), 3U);
  EXPECT_EQ(model.variables[0].name, "x");
  EXPECT_EQ(start_text(model, "x"), "10 0");
  EXPECT_EQ(start_text(model, "y"), "0! 1!");
  EXPECT_EQ(start_text(model, "lambda"), "");
  ASSERT_EQ(model.equations.size(), 3U);
  EXPECT_EQ(model.equations[2].name, "length");
  EXPECT_EQ(model.equations[2].place.text(), "model.mo:10:3");
  EXPECT_EQ(equation_texts(model),
            (std::vector<std::string>{"der(x, 2) + x*lambda = 0", "der(y, 2) + y*lambda = g",
                                      "x^2 + y^2 = L^2"}));
  EXPECT_EQ(model.experiment.start_time, 0.0);
  EXPECT_EQ(model.experiment.stop_time, 100.0);
  EXPECT_EQ(model.experiment.tolerance, 1e-9);
  EXPECT_EQ(model.place.text(), "model.mo:1:7");
}

}  // namespace
}  // namespace daedal::lang
