// Consistent starts of large sparse models, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "daedal/daedal.hpp"
#include "daedal/ensemble.hpp"
#include "problems/problems.hpp"

namespace daedal::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::string element(const std::string& name, int k) { return name + "[" + std::to_string(k) + "]"; }

class Values {
 public:
  explicit Values(const ConsistentPoint& point) : point_(point) {
    for (std::size_t j = 0; j < point.variables.size(); ++j) place_[point.variables[j]] = j;
  }
  double at(const std::string& name, std::size_t order) const {
    return point_.values.at(place_.at(name)).at(order);
  }

 private:
  const ConsistentPoint& point_;
  std::unordered_map<std::string, std::size_t> place_;
};

// At rest and horizontal, a chain of rods moves along itself as one body: a = -k x0/(M + n m). Rod
// i pulls at the mass behind its middle: 2 l lam_i = m a (n - i + 1/2).
TEST(LargeStart, chain_of_2000_rods_accelerates_as_one_body) {
  constexpr int n = 2000;
  constexpr double M = 5, m = 2, k = 10, l = 2, x0 = 4;
  const ConsistentPoint p = initialize(problems::rod_chain(n));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p.dof, 2 * n + 2);
  EXPECT_EQ(p.distance, 0);
  const Values values(p);
  const double a = -k * x0 / (M + n * m);
  const double tolerance = 1e-12 * n * m * -a;  // rounding of forces that add up over n rods
  for (int i = 1; i <= n; ++i) {
    EXPECT_NEAR(values.at(element("x", i), 2), a, tolerance);
    EXPECT_NEAR(values.at(element("lam", i), 0), m * a * (n - i + 0.5) / (2 * l), tolerance);
  }
}

// n points, each at distance 1 from the one before, horizontal. x is no coordinate there, y is.
struct Given {
  std::function<bool(int)> fixes_x = [](int) { return false; };
  std::function<bool(int)> fixes_y = [](int) { return false; };
  bool gives_y = true;
  bool repeats_y = false;  // by initial equations
};
bool always(int /*k*/) { return true; }

Model links(int n, const Given& given) {
  Model model("Links");
  Expression last_x = 0.0, last_y = 0.0;
  for (int k = 1; k <= n; ++k) {
    const bool fixes_x = given.fixes_x(k), fixes_y = given.fixes_y(k);
    const auto x =
        model.variable(element("x", k), {.start = {1.0 * k, 0}, .fixed = {fixes_x, fixes_x}});
    VariableOptions of_y;
    if (given.gives_y) of_y = {.start = {0, 0}, .fixed = {fixes_y, fixes_y}};
    const auto y = model.variable(element("y", k), of_y);
    const auto force = model.variable(element("force", k));
    model.equation(der(x, 2) == force * (x - last_x));
    model.equation(der(y, 2) == force * (y - last_y) - 1);
    model.equation(sqr(x - last_x) + sqr(y - last_y) == 1);
    if (given.repeats_y && fixes_y) model.initial_equation(y == 0);
    last_x = x;
    last_y = y;
  }
  return model;
}

TEST(LargeStart, takes_1000_coordinates_of_1000_links) {
  EXPECT_TRUE(initialize(links(1000, {.fixes_y = always})).ok());
}

TEST(LargeStart, names_one_of_2000_values_that_are_no_coordinates) {
  const ConsistentPoint p = initialize(links(1000, {.fixes_x = always}));
  EXPECT_EQ(p.status, Status::conflicting_conditions);
  ASSERT_THAT(p.problems, SizeIs(1));
  EXPECT_EQ(p.problems[0].id, "S-INI-004");
  EXPECT_THAT(p.conflicts.at(0).conditions, ElementsAre(StartsWith("x[1] = 1 (fixed)")));
  EXPECT_THAT(p.problems[0].why, HasSubstr("2000 conditions of rank 0 meet 2000 degrees"));
}

// x[1] in the place of y[1]; others are repeated or not, which makes no difference to the rank.
TEST(LargeStart, tells_the_rank_of_conditions_one_of_which_is_no_coordinate) {
  for (const auto& [n, repeats] : {std::pair{1000, false}, std::pair{150, true}}) {
    const auto is_first = [](int k) { return k == 1; };
    const auto is_later = [](int k) { return k > 1; };
    const ConsistentPoint p =
        initialize(links(n, {.fixes_x = is_first, .fixes_y = is_later, .repeats_y = repeats}));
    ASSERT_THAT(p.problems, SizeIs(1));
    EXPECT_THAT(p.conflicts.at(0).conditions, ElementsAre(StartsWith("x[1] = 1 (fixed)")));
    EXPECT_THAT(p.problems[0].why, HasSubstr("of rank " + std::to_string(2 * n - 2) + " meet " +
                                             std::to_string(2 * n) + " degrees"));
  }
}

TEST(LargeStart, accepts_all_4000_values_fixed_where_2000_determine_the_others) {
  EXPECT_TRUE(initialize(links(1000, {.fixes_x = always, .fixes_y = always})).ok());
}

// Each y is free to first order; x is given, and does not move.
TEST(LargeStart, marks_each_of_2000_values_that_nothing_determines) {
  const ConsistentPoint p = initialize(links(1000, {.gives_y = false}));
  ASSERT_TRUE(p.ok());
  int num_marked = 0;
  for (const auto& start : p.start) {
    const bool is_y = p.variables[start.variable].starts_with('y');
    EXPECT_EQ(start.undetermined, is_y) << p.variables[start.variable];
    num_marked += start.undetermined ? 1 : 0;
  }
  EXPECT_EQ(num_marked, 2000);
}

TEST(LargeStart, of_a_member_of_an_ensemble_is_that_of_the_member_alone) {
  const Model model = problems::rod_chain(5);
  const std::vector<ParameterValues> members = {{{"k", 3.0}}, {{"k", 30.0}}, {{"k", 3.0}}};
  const auto solutions = solve_ensemble(model, members, {.to = 1e-3});
  for (std::size_t a = 0; a < members.size(); ++a)
    EXPECT_EQ(Values(solutions[a].start()).at("x0", 2) < -7, a == 1);
  EXPECT_EQ(solutions[0].start().values, solutions[2].start().values);
}

}  // namespace
}  // namespace daedal::test
