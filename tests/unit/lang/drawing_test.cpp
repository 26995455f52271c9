// annotation(__daedal(draw = {...})): what an animation shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daedal/error.hpp"
#include "daedal/model.hpp"
#include "model/model_data.hpp"

namespace daedal {
namespace {

using testing::HasSubstr;

Model with_drawing(const std::string& shapes) {
  return parse_model(R"(
model M
  parameter Integer n = 3;
  Real x[n](each start = 1);
  Real p[2, 2, 3];
equation
  for i in 1:n loop der(x[i]) = -x[i]; end for;
  p = zeros(2, 2, 3);
  annotation(experiment(StopTime = 2), __daedal(draw = {)" +
                     shapes + R"(}), Icon(graphics = {}));
end M;)");
}

std::string complaint(const std::string& shapes) {
  try {
    with_drawing(shapes);
  } catch (const Error& error) {
    return error.problems().front().id + " " + error.what();
  }
  return "";
}

TEST(Drawing, takes_points_and_lists_of_points) {
  const Model model = with_drawing(
      R"(line({{0, 0}, {x[1], time}}, color = "red", width = 3), circle({x[2], x[3]}, radius = 2*x[1]),
         trace({{x[i], 0} for i in 1:n}))");
  const auto& drawings = model.data().drawings;
  ASSERT_EQ(drawings.size(), 3U);
  EXPECT_EQ(drawings[0].points.size(), 2U);
  EXPECT_EQ(drawings[0].color, "red");
  EXPECT_EQ(drawings[0].width, 3.0);
  EXPECT_EQ(drawings[1].kind, Shape::Kind::circle);
  EXPECT_EQ(drawings[2].points.size(), 3U);
}

TEST(Drawing, of_lists_of_lists_has_a_shape_for_each) {
  const Model model = with_drawing("line(p)");
  ASSERT_EQ(model.data().drawings.size(), 2U);
  EXPECT_EQ(model.data().drawings[0].points.size(), 2U);
  EXPECT_EQ(model.data().drawings[0].points[0].size(), 3U);
}

TEST(Drawing, does_not_change_what_is_counted_of_the_equations) {
  EXPECT_EQ(with_drawing("circle({x[1]^3 - 2*x[2], sin(x[3])})").data().graph->num_recorded(),
            with_drawing("circle({x[1], x[2]})").data().graph->num_recorded());
}

TEST(Drawing, says_what_is_wrong) {
  EXPECT_THAT(complaint("circel({0, 0})"), HasSubstr("did you mean 'circle'?"));
  EXPECT_THAT(complaint("line({{0, 0}, {1, x[9]}})"), HasSubstr("E-LNG-005"));
  EXPECT_THAT(complaint("circle(x[1])"), HasSubstr("E-MOD-017"));
  EXPECT_THAT(complaint("circle({1, 2, 3, 4})"), HasSubstr("4 coordinates"));
  EXPECT_THAT(complaint("circle({1, 2}), circle({1, 2, 3})"), HasSubstr("differ"));
  EXPECT_THAT(complaint("circle({1, 2}, colour = \"red\")"), HasSubstr("did you mean 'color'?"));
  EXPECT_THAT(complaint("circle({1, 2}, color = \"red;}</style>\")"), HasSubstr("is no colour"));
  EXPECT_THAT(complaint("circle({1, 2}, color = 3)"), HasSubstr("a colour is a text"));
  EXPECT_THAT(complaint("line({{0, 0}, {1, 1}}, width = 0)"), HasSubstr("pixels wide"));
  EXPECT_THAT(complaint("circle({1, 2}, radius = {1, 2})"), HasSubstr("one number"));
  EXPECT_THAT(complaint("circle({1, 2}, radius = 1, radius = 2)"), HasSubstr("given twice"));
  EXPECT_THAT(complaint("line"), HasSubstr("E-LNG-001"));
}

TEST(Drawing, by_hand_is_checked_too) {
  Model model("M");
  const Expression x = model.variable("x");
  model.draw({.kind = Shape::Kind::circle, .points = {{x, 0.0}}});
  EXPECT_THROW(model.draw({.points = {{x, 0.0}, {x}}}), Error);
  EXPECT_THROW(model.draw({.points = {}}), Error);
  EXPECT_EQ(model.data().drawings.size(), 1U);
}

}  // namespace
}  // namespace daedal
