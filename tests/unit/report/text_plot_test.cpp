// Plots in the terminal: what they show can be read off them.
#include "daedal/text_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "daedal/daedal.hpp"
#include "report/plotted.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// x = t, from 0 to 1.
Solution line() {
  Model m("Line");
  const auto x = m.variable("x", {.start = {0}, .fixed = {true}});
  m.equation(der(x) == 1);
  return solve(m, {.from = 0.0, .to = 1.0});
}

// x = cos t, y = sin t, once around.
Solution circle() {
  Model m("Circle");
  const auto x = m.variable("x", {.start = {1}, .fixed = {true}});
  const auto y = m.variable("y", {.start = {0}, .fixed = {true}});
  m.equation(der(x) == -y);
  m.equation(der(y) == x);
  m.output("radius", sqrt(sqr(x) + sqr(y)));
  return solve(m, {.from = 0.0, .to = 6.283185307179586});
}

std::string ids_of(const Solution& solution, std::vector<std::string> names) {
  try {
    text_plot(solution, {.names = std::move(names)});
  } catch (const Error& error) {
    std::string ids;
    for (const Problem& problem : error.problems()) ids += problem.id + " ";
    return ids;
  }
  return "";
}

TEST(TextPlot, of_a_straight_line_is_a_straight_line) {
  // 30 by 6 dots: y goes from k to k + 1 at t = 0.1 + 0.2 k, in column 29 t =
  // 3, 8.7, 14.5, 20.3, 26.1.
  const std::string plot =
      text_plot(line(), {.names = {"x"}, .width = 40, .height = 3, .unicode = false});
  EXPECT_EQ(plot,
            "x\n"
            "       1 +                     ......'''\n"
            "         |          .....''''''\n"
            "       0 +....''''''\n"
            "         +------------------------------\n"
            "          0              t             1\n");
}

TEST(TextPlot, of_a_straight_line_in_braille_rises_by_one_dot_in_four) {
  // 30 columns of 2 dots, 4 rows of 4 dots: 60 by 16.
  const auto rows =
      lines_of(text_plot(line(), {.names = {"x"}, .width = 40, .height = 4, .unicode = true}));
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_THAT(rows[1], testing::StartsWith("       1 \u2524"));
  EXPECT_THAT(rows[4], testing::StartsWith("       0 \u2524\u28C0"));  // two dots at the bottom
}

TEST(TextPlot, of_a_circle_is_round) {
  const auto rows = lines_of(
      text_plot(circle(), {.names = {"x:y"}, .width = 80, .phase_height = 10, .unicode = false}));
  ASSERT_EQ(rows.size(), 14U);  // title, 10 rows, axis, labels, start and end
  EXPECT_EQ(rows[0], "y against x");
  // 20 by 20 dots; the rows are of radius 10 about (9.5, 9.5), whatever column they begin in.
  for (int row = 0; row < 10; ++row) {
    const std::string dots = rows[static_cast<std::size_t>(row) + 1].substr(10);
    const auto first = static_cast<double>(dots.find_first_not_of(' '));
    const auto last = static_cast<double>(dots.find_last_not_of(' '));
    // A dot stands for what is half a dot around it.
    const double inner = std::min(std::abs(9.5 - 2 * row), std::abs(9.5 - 2 * row - 1)) - 0.5;
    EXPECT_NEAR(first, 9.5 - std::sqrt(9.5 * 9.5 - inner * inner), 1.0) << row;
    EXPECT_NEAR(last, 9.5 + std::sqrt(9.5 * 9.5 - inner * inner), 1.0) << row;
    const std::string between =
        dots.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
    if (row >= 3 && row <= 6) {
      EXPECT_THAT(between, HasSubstr("          ")) << row;  // it is hollow
    }
  }
  EXPECT_THAT(rows[13], HasSubstr("o start  @ end"));
}

TEST(TextPlot, has_the_range_as_labels) {
  const auto rows = lines_of(text_plot(circle(), {.names = {"x"}, .height = 8, .unicode = false}));
  EXPECT_EQ(rows[1].substr(0, 10), "       1 +");
  EXPECT_EQ(rows[8].substr(0, 10), "      -1 +");
  EXPECT_THAT(rows[4].substr(0, 10) + rows[5].substr(0, 10), HasSubstr("       0 +"));
  EXPECT_THAT(rows[10], testing::EndsWith(" 6.283"));
  for (const std::string& row : rows) EXPECT_LE(row.size(), 80U);
}

TEST(TextPlot, shows_derivatives_and_outputs) {
  const std::string plot = text_plot(circle(), {.names = {"der(x)", "der(x, 2)", "radius"}});
  EXPECT_THAT(plot, HasSubstr("der(x)\n"));
  EXPECT_THAT(plot, HasSubstr("\nder(x, 2)\n"));
  EXPECT_THAT(plot, HasSubstr("\nradius\n"));
}

TEST(TextPlot, of_a_derivative_is_the_plot_of_what_it_equals) {
  const Solution s = circle();
  const auto without_title = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_EQ(without_title(text_plot(s, {.names = {"der(y)"}})),
            without_title(text_plot(s, {.names = {"x"}})));
}

TEST(TextPlot, of_a_constant_is_a_line_in_the_middle_with_one_label) {
  Model m("Constant");
  const auto x = m.variable("x", {.start = {3.5}, .fixed = {true}});
  m.equation(der(x) == 0 * x);
  const auto rows = lines_of(
      text_plot(solve(m, {.from = 0.0, .to = 1.0}), {.width = 40, .height = 3, .unicode = false}));
  EXPECT_EQ(rows[1], "         |");
  EXPECT_EQ(rows[2], "     3.5 +" + std::string(30, '\''));
  EXPECT_EQ(rows[3], "         |");
}

TEST(TextPlot, labels_have_the_digits_that_tell_them_apart) {
  Model m("Close");
  const auto x = m.variable("x", {.start = {1000000}, .fixed = {true}});
  m.equation(der(x) == 1);
  const std::string plot = text_plot(solve(m, {.from = 0.0, .to = 1.0}), {.unicode = false});
  EXPECT_THAT(plot, HasSubstr("1000001 +"));
  EXPECT_THAT(plot, HasSubstr("1000000 +"));
}

TEST(TextPlot, of_a_run_backwards_has_time_going_to_the_right) {
  Model m("Line");
  const auto x = m.variable("x", {.start = {0}, .fixed = {true}});
  m.equation(der(x) == 1);
  const auto rows = lines_of(
      text_plot(solve(m, {.from = 0.0, .to = -1.0}), {.width = 40, .height = 3, .unicode = false}));
  EXPECT_EQ(rows[3], "      -1 +...''''''");
  EXPECT_EQ(rows[5], "          -1             t             0");
}

TEST(TextPlot, marks_events_where_they_are) {
  const Model m = parse_model(R"(model Saw
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    fall: when x >= 1 then reinit(x, 0); end when;
  end Saw;)");
  const Solution s = solve(m, {.from = 0.0, .to = 1.5});
  ASSERT_EQ(s.events().size(), 1U);
  const auto rows = lines_of(text_plot(s, {.width = 40, .height = 4, .unicode = false}));
  // 30 columns for 0 to 1.5: t = 1 is dot round(29/1.5) = 19. The jump is vertical there.
  EXPECT_EQ(rows[5], "         +-------------------^----------");
  EXPECT_THAT(rows[7], HasSubstr("^ 1 event: fall"));
  EXPECT_EQ(rows[2].substr(10, 20), "           .''''   :");
  EXPECT_EQ(rows[1].substr(10), "                ...:");
}

TEST(TextPlot, without_names_draws_four_variables_at_most) {
  Model m("Five");
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    const auto x = m.variable(name, {.start = {1}, .fixed = {true}});
    m.equation(der(x) == -x);
  }
  const std::string plot = text_plot(solve(m, {.from = 0.0, .to = 1.0}));
  EXPECT_THAT(plot, testing::StartsWith("a\n"));
  EXPECT_THAT(plot, HasSubstr("\nd\n"));
  EXPECT_THAT(plot, Not(HasSubstr("\ne\n")));
}

TEST(TextPlot, names_that_are_none_are_all_told) {
  const Solution s = circle();
  EXPECT_EQ(ids_of(s, {"z", "der(w)", "x:q", "x"}), "E-SOL-002 E-SOL-002 E-SOL-002 ");
  EXPECT_EQ(ids_of(s, {"der(radius)"}), "E-SOL-004 ");
  EXPECT_EQ(ids_of(s, {"der(x, 99)"}), "E-SOL-004 ");
  EXPECT_EQ(ids_of(s, {""}), "E-SOL-002 ");
  try {
    text_plot(s, {.names = {"der(radios)"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].todo, "did you mean 'radius'?");
  }
}

TEST(TextPlot, needs_the_steps) {
  Model m("Line");
  const auto x = m.variable("x", {.start = {0}, .fixed = {true}});
  m.equation(der(x) == 1);
  const Solution without = solve(m, {.from = 0.0, .to = 1.0, .keep_steps = false});
  EXPECT_EQ(ids_of(without, {"x"}), "E-SOL-003 ");
}

TEST(TextPlot, shows_the_peak_between_two_of_its_times) {
  Model m("Spike");
  const auto x = m.variable("x", {.start = {0}, .fixed = {true}});
  const auto y = m.variable("y");
  m.equation(der(x) == y);
  m.equation(y == 7 / (1 + sqr((m.time() - 0.33333) / 1e-5)));
  const Solution s = solve(m, {.to = 1.0});
  EXPECT_THAT(text_plot(s, {.names = {"y"}, .unicode = false}), HasSubstr("       7 +"));
}

TEST(TextPlot, of_a_run_without_a_start_is_empty) {
  Model m("NoStart");
  const auto x = m.variable("x", {.start = {1}});
  m.equation(sqr(x) + 1 + 0 * der(x) == 0);
  const Solution s = solve(m, {.from = 0.0, .to = 1.0});
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(text_plot(s), "");
}

TEST(PlotNames, are_parted_at_commas_outside_of_brackets_and_quotes) {
  EXPECT_THAT(report::split_names("x,y[1,2], der(z, 2),x:y,'a,b'"),
              ElementsAre("x", "y[1,2]", "der(z, 2)", "x:y", "'a,b'"));
}

TEST(PlotNames, are_variables_derivatives_or_pairs) {
  const auto found = report::find_plotted({"der(x, 3)", "y:der(x)"}, {"x", "y"}, {});
  EXPECT_EQ(found[0].up.label(), "der(x, 3)");
  EXPECT_FALSE(found[0].across);
  EXPECT_EQ(found[1].across->label(), "y");
  EXPECT_EQ(found[1].up.label(), "der(x)");
}

}  // namespace
}  // namespace daedal
