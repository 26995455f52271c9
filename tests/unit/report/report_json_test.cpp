// The data of reports: what is told, and that numbers survive their packing.
#include "report/report_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "daedal/solve.hpp"
#include "report/index_story.hpp"
#include "report/packed_numbers.hpp"
#include "solve/start_analysis.hpp"

namespace daedal::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// RFC 4648 read back, by the definition: six bits a character.
std::vector<std::uint8_t> bytes_of(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char ch : text) {
    if (ch == '=') break;
    bits = (bits << 6) | static_cast<std::uint32_t>(digits.find(ch));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> count));
  }
  return bytes;
}

std::vector<double> unpacked(const Json& packed) {
  const bool is_full = packed.contains("f64");
  const std::vector<std::uint8_t> bytes = bytes_of(packed[is_full ? "f64" : "f32"]);
  const std::size_t size = is_full ? 8 : 4;
  std::vector<double> numbers;
  for (std::size_t k = 0; k + size <= bytes.size(); k += size) {
    std::uint64_t bits = 0;
    for (std::size_t i = size; i-- > 0;) bits = (bits << 8) | bytes[k + i];
    numbers.push_back(is_full ? std::bit_cast<double>(bits)
                              : std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  return numbers;
}

const Json& series(const Json& report, const std::string& label) {
  for (const Json& entry : report["curves"]["series"])
    if (entry["label"] == label) return entry;
  throw std::runtime_error("no series " + label);
}

Model circling() {
  return parse_model(R"(
model Circling "round and round"
  parameter Real w = 2 "rate";
  Real x(start = {1, 0}, fixed = {true, true}, unit = "m") "to the right";
  Real y(start = {0, w}, fixed = {true, true});
  Real r;
equation
  der(x, 2) = -w^2*x;
  circle: r = x^2 + y^2;
  der(y, 2) = -w^2*y;
  annotation(__daedal(draw = {circle({x, 0*y}, radius = 0.5 + 0*x), line({{0, 0}, {x, y}}, color = "#aabbcc")}));
end Circling;)",
                     "circling.mo");
}

Json report_of(const Model& model, const SolveOptions& options, const ReportOptions& report = {}) {
  const Solution solution = solve(model, options);
  return report_json(model, analyze(model), &solution, report);
}

TEST(PackedNumbers, survive) {
  const std::vector<double> numbers = {0.0, -1.5, 1e300, 0.1, std::nextafter(1.0, 2.0)};
  EXPECT_EQ(unpacked(packed(numbers, Precision::full)), numbers);
  const std::vector<double> short_ones = {0.5, -3.0, 1024.0};
  EXPECT_EQ(unpacked(packed(short_ones)), short_ones);
  EXPECT_EQ(packed(std::vector<double>{})["f32"], "");
}

TEST(Report, tells_the_model_in_the_users_words) {
  const Model model = circling();
  const Json report = report_json(model, analyze(model), nullptr, {.command = "daedal analyze"});
  EXPECT_EQ(report["kind"], "analysis");
  EXPECT_EQ(report["title"], "Circling");
  EXPECT_EQ(report["description"], "round and round");
  EXPECT_EQ(report["command"], "daedal analyze");
  EXPECT_EQ(report["model"]["parameters"][0]["value"], 2.0);
  EXPECT_EQ(report["model"]["parameters"][0]["description"], "rate");
  EXPECT_EQ(report["model"]["variables"][0]["unit"], "m");
  EXPECT_EQ(report["model"]["variables"][0]["start"], Json::parse("[1.0, 0.0]"));
  EXPECT_EQ(report["model"]["variables"][0]["fixed"], Json::parse("[true, true]"));
  EXPECT_EQ(report["model"]["equations"][1]["name"], "circle");
  EXPECT_EQ(report["model"]["equations"][1]["text"], "r = x^2 + y^2");
  EXPECT_EQ(report["model"]["equations"][1]["where"], "circling.mo:9:3");
  EXPECT_FALSE(report.contains("curves"));
}

// Two spikes, up to 1 at t = pi and down to -2 at t = e, as narrow as ten steps of 10,000.
Model spikes() {
  return parse_model(R"(
model Spikes
  Real x(start = 0, fixed = true), y;
  output Real z = -2/(1 + ((time - 2.718281828459045)/1e-3)^2);
equation
  der(x) = y;
  y = 1/(1 + ((time - 3.141592653589793)/1e-3)^2);
end Spikes;
)");
}

TEST(Report, curves_of_a_run_with_more_steps_than_points_keep_their_spikes) {
  const Json report = report_of(spikes(), {.to = 10.0, .max_step = 1e-3}, {.max_points = 1000});
  ASSERT_GT(report["run"]["steps"], 9000);
  const std::vector<double> t = unpacked(report["curves"]["t"]);
  const std::vector<double> y = unpacked(series(report, "y")["values"]);
  const std::vector<double> z = unpacked(series(report, "z")["values"]);
  EXPECT_LE(t.size(), 1000U);
  const auto highest = std::max_element(y.begin(), y.end());
  EXPECT_NEAR(*highest, 1.0, 1e-6);
  EXPECT_NEAR(t[highest - y.begin()], 3.141592653589793, 1e-6);
  EXPECT_NEAR(*std::min_element(z.begin(), z.end()), -2.0, 2e-2);
  for (std::size_t k = 0; k < t.size(); ++k)  // no point was invented
    ASSERT_NEAR(y[k], 1 / (1 + std::pow((t[k] - 3.141592653589793) / 1e-3, 2)), 1e-8) << t[k];
}

TEST(Report, curves_are_the_solution) {
  const Json report = report_of(circling(), {.to = 5.0, .tolerance = 1e-12});
  const std::vector<double> t = unpacked(report["curves"]["t"]);
  const std::vector<double> x = unpacked(series(report, "x")["values"]);
  const std::vector<double> v = unpacked(series(report, "der(x)")["values"]);
  ASSERT_GT(t.size(), 1000U);
  ASSERT_EQ(x.size(), t.size());
  EXPECT_EQ(t.front(), 0.0);
  EXPECT_EQ(t.back(), 5.0);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_TRUE(k == 0 || t[k] > t[k - 1]);
    EXPECT_NEAR(x[k], std::cos(2.0 * t[k]), 1e-9);
    EXPECT_NEAR(v[k], -2.0 * std::sin(2.0 * t[k]), 1e-9);
  }
}

TEST(Report, shapes_move_with_the_solution) {
  const Json animation = report_of(circling(), {.to = 1.0, .tolerance = 1e-12})["animation"];
  EXPECT_EQ(animation["dimension"], 2);
  const Json& circle = animation["shapes"][0];
  const Json& line = animation["shapes"][1];
  EXPECT_EQ(circle["kind"], "circle");
  EXPECT_EQ(line["color"], "#aabbcc");
  const std::vector<double> t = unpacked(animation["t"]);
  const std::vector<double> x = unpacked(circle["points"][0][0]);
  const std::vector<double> tip = unpacked(line["points"][1][1]);
  const std::vector<double> radius = unpacked(circle["radius"]);
  ASSERT_EQ(t.back(), 1.0);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(x[k], std::cos(2.0 * t[k]), 1e-6);
    EXPECT_NEAR(tip[k], std::sin(2.0 * t[k]), 1e-6);
    EXPECT_EQ(radius[k], 0.5);
  }
}

TEST(Report, steps_are_told_one_by_one) {
  const Model model = circling();
  const Solution solution = solve(model, {.to = 5.0});
  const Json steps = report_json(model, analyze(model), &solution, {})["steps"];
  const std::vector<double> ends = unpacked(steps["t"]);
  const std::vector<double> lengths = unpacked(steps["length"]);
  ASSERT_EQ(static_cast<long>(ends.size()), solution.statistics().steps);
  double total = 0.0;
  for (const double length : lengths) total += length;
  EXPECT_NEAR(total, 5.0, 1e-5);
  EXPECT_EQ(ends.back(), 5.0);
  const std::vector<double> conditions = unpacked(steps["condition"]);
  EXPECT_LE(*std::max_element(conditions.begin(), conditions.end()),
            solution.statistics().max_condition * (1.0 + 1e-6));
}

TEST(Report, values_that_jump_have_two_points_at_one_time) {
  const Model model = parse_model(R"(
model Ball
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  bounce: when h < 0 then reinit(v, -0.5*v); end when;
end Ball;)");
  const Json report = report_of(model, {.to = 1.5});
  const std::vector<double> t = unpacked(report["curves"]["t"]);
  const std::vector<double> v = unpacked(series(report, "v")["values"]);
  const auto same = std::adjacent_find(t.begin(), t.end());
  ASSERT_NE(same, t.end());
  const auto k = same - t.begin();
  EXPECT_NEAR(t[k], 1.0, 1e-9);  // h = 1 - t^2
  EXPECT_NEAR(v[k], -2.0, 1e-9);
  EXPECT_NEAR(v[k + 1], 1.0, 1e-9);
  EXPECT_EQ(report["model"]["events"][0]["actions"][0], "reinit(v, -0.5*v)");
}

TEST(Report, tells_equations_of_the_mode_in_which_the_run_began_and_as_written) {
  const Model model = parse_model(R"(
model Late
  Real x(start = 0, fixed = true);
  Real y(start = 0);
equation
  if time < 5 then der(x) + y = 1; else x + y = 1; end if;
  der(y) = -x;
end Late;)");
  const Solution solution = solve(model, {.from = 10.0, .to = 11.0});
  const Json report =
      report_json(model, solving::analyze_start(model, solution.start()), &solution, {});
  EXPECT_THAT(report["analysis"]["conditions"][0].get<std::string>(), HasSubstr("time >= 5"));
  EXPECT_EQ(report["model"]["equations"][0]["text"], "x + y = 1");
  EXPECT_THAT(report["model"]["equations"][0]["written"].get<std::string>(), HasSubstr("if "));
  EXPECT_EQ(report["analysis"]["dof"], solution.start().dof);
}

TEST(Report, of_very_many_events_keeps_to_its_number_of_points) {
  const Model model = parse_model(R"(
model Saw
  Real p(start = 0, fixed = true);
equation
  der(p) = 1;
  when p > 0.01 then reinit(p, 0); end when;
end Saw;)");
  const Json report = report_of(model, {.to = 10.0}, {.max_points = 500});
  const std::vector<double> t = unpacked(report["curves"]["t"]);
  EXPECT_LE(t.size(), 500U);
  EXPECT_GT(t.size(), 200U);
  EXPECT_EQ(t.back(), 10.0);
}

TEST(Report, small_movements_of_large_values_survive) {
  const Model model = parse_model(R"(
model Shifted
  Real x(start = 1e6, fixed = true);
  Real y[60](each start = 1, each fixed = true);
equation
  der(x) = 1e-3*cos(time);
  for i in 1:60 loop der(y[i]) = -y[i]; end for;
end Shifted;)");
  const Json report = report_of(model, {.to = 10.0, .max_step = 0.001});
  EXPECT_TRUE(series(report, "y[1]")["values"].contains("f32"));
  const std::vector<double> x = unpacked(series(report, "x")["values"]);
  const std::vector<double> t = unpacked(report["curves"]["t"]);
  for (std::size_t k = 0; k < x.size(); k += 100)
    EXPECT_NEAR(x[k] - 1e6, 1e-3 * std::sin(t[k]), 1e-8);
}

TEST(Report, keeps_to_its_number_of_points) {
  const Json report = report_of(circling(), {.to = 400.0, .tolerance = 1e-9}, {.max_points = 1500});
  EXPECT_LE(unpacked(report["curves"]["t"]).size(), 1500U);
}

TEST(IndexStory, names_the_equations_that_are_differentiated_and_why) {
  const Analysis analysis = daedal::analyze(parse_model(R"(
model Pendulum
  Real x; Real y; Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = 1;
  length: x^2 + y^2 = 1;
end Pendulum;)"));
  const std::vector<Differentiation> steps = differentiations_of(analysis);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(analysis.equations[static_cast<std::size_t>(steps[0].equation)], "length");
  EXPECT_EQ(steps[0].times, 2);
  EXPECT_THAT(steps[0].reason, HasSubstr("contains der("));
  EXPECT_THAT(index_story(analysis), testing::Contains(HasSubstr("2 + 1 = 3")));
  EXPECT_THAT(index_story(analysis), testing::Contains(HasSubstr("4 - 2 = 2")));
}

TEST(IndexStory, of_a_pattern_that_misleads_says_so) {
  const Analysis analysis = daedal::analyze(parse_model(R"(
model M
  Real u; Real v;
equation
  u + v = sin(time);
  der(u) + der(v) + u - v = 0;
end M;)"));
  const std::vector<std::string> story = index_story(analysis);
  EXPECT_THAT(story[0], HasSubstr("By their pattern"));
  EXPECT_THAT(story[1], HasSubstr("cannot be trusted"));
}

TEST(IndexStory, of_an_ode_differentiates_nothing) {
  const Analysis analysis =
      daedal::analyze(parse_model("model M Real x; equation der(x) = -x; end M;"));
  EXPECT_TRUE(differentiations_of(analysis).empty());
  EXPECT_THAT(index_story(analysis)[0], HasSubstr("No equation has to be differentiated"));
}

}  // namespace
}  // namespace daedal::report
