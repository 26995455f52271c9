#include "reduce/array/array_study.hpp"

#include <gtest/gtest.h>

#include "unit/reduce/form_of.hpp"
#include "unit/reduce/pendulum_series.hpp"

namespace daedal::reduce {
namespace {

struct PendulumStudy {
  const Model model = test::unit_pendulum();
  FirstOrderForm form = form_of(model);

  ArrayFinding at(const std::vector<double>& guesses, int extra) {
    std::vector<init::GivenStart> starts;
    for (const double guess : guesses) {
      init::GivenStart& start = starts.emplace_back();
      start.derivatives.push_back({.value = guess});
    }
    ArrayStudy study(form, starts, {});
    return study.at(0.0, extra);
  }
};

TEST(ArrayStudy, of_the_pendulum_gives_the_nearest_point_and_its_derivatives) {
  PendulumStudy pendulum;
  const ArrayFinding finding = pendulum.at({0.5, 0.5, 0, 0, 0}, 4);
  ASSERT_EQ(finding.point.outcome, init::Outcome::found);
  EXPECT_EQ(finding.index, 3);
  EXPECT_EQ(finding.projectors.rank_Pi, 2);
  EXPECT_EQ(finding.num_determined, 5);
  const auto series = test::pendulum_series(4);
  const double factorial[] = {1, 1, 2, 6, 24};
  for (std::size_t j = 0; j < 5; ++j) {
    ASSERT_EQ(finding.point.derivatives[j].size(), 5u);
    for (std::size_t m = 0; m < 5; ++m)
      EXPECT_NEAR(finding.point.derivatives[j][m], factorial[m] * series[j][m], 1e-11)
          << j << " " << m;
  }
}

// At the start the tangent of the circle is (1, -1): a velocity across it is lost, one along it
// stays.
TEST(ArrayStudy, keeps_of_a_velocity_what_the_constraint_leaves) {
  PendulumStudy pendulum;
  const double r = std::numbers::sqrt2 / 2;
  const ArrayFinding finding = pendulum.at({r, r, 0.01, 0.0, 0}, 1);
  ASSERT_EQ(finding.point.outcome, init::Outcome::found);
  const auto& z = finding.point.derivatives;
  EXPECT_NEAR(z[0][0] * z[2][0] + z[1][0] * z[3][0], 0.0, 1e-14);
  EXPECT_NEAR(z[2][0], 0.005, 1e-4);  // positions move by the square of the velocity
  EXPECT_NEAR(z[3][0], -0.005, 1e-4);
}

}  // namespace
}  // namespace daedal::reduce
