#include "hybrid/mode_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "daedal/model.hpp"
#include "expr/print.hpp"
#include "model/model_data.hpp"

namespace daedal::hybrid {
namespace {

using Texts = std::vector<std::string>;

// A model whose guards have been found, and its modes.
struct Hybrid {
  explicit Hybrid(const Model& model) : data(model::copy_of(model.data())), guards(data) {}

  Texts guard_texts() const {
    Texts texts;
    for (int k = 0; k < guards.size(); ++k) texts.push_back(guards.text(k, Side::plus));
    return texts;
  }
  ModeModel mode(const Sides& sides, const std::vector<double>& parameters = {}) const {
    return make_mode_model(data, guards, sides, parameters,
                           std::vector<double>(data.variables.size(), 1.0));
  }
  Texts equations(const Sides& sides, const std::vector<double>& parameters = {}) const {
    const ModeModel mode = this->mode(sides, parameters);
    Texts texts;
    for (const model::Equation& equation : mode.data.equations)
      texts.push_back(expr::to_text(*mode.data.graph, equation.left) + " = " +
                      expr::to_text(*mode.data.graph, equation.right));
    return texts;
  }

  model::ModelData data;
  Guards guards;
};

constexpr Side minus = Side::minus, zero = Side::zero, plus = Side::plus, slides = Side::slides;

TEST(Guards, are_shared_by_relations_that_cannot_disagree) {
  Model m("M");
  const Expression x = m.variable("x"), y = m.variable("y");
  m.equation(x == if_else(x > y, 1.0, if_else(y < x, 2.0, if_else(y - x >= 0, 3.0, abs(x - y)))));
  m.equation(y == max(y, x));
  const Hybrid hybrid(m);
  EXPECT_EQ(hybrid.guards.size(), 1);
}

TEST(Guards, are_told_in_the_words_of_the_model) {
  Model m("M");
  const Expression x = m.variable("x"), p = m.parameter("p", 2.0);
  m.equation(x == if_else(3.0 * x > 2.0 * p + 1.0, 1.0, if_else(p >= x, 2.0, sign(der(x)))));
  const Hybrid hybrid(m);
  ASSERT_EQ(hybrid.guards.size(), 3);
  Texts texts;
  for (int k = 0; k < 3; ++k) texts.push_back(hybrid.guards.text(k, minus));
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (Texts{"3*x <= 2*p + 1", "der(x) <= 0", "x <= p"}));
}

TEST(ModeModel, has_both_branches_of_a_switch_with_inputs_for_its_sides) {
  Model m("M");
  const Expression x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == if_else(x >= 1.0, y, -y));
  m.equation(y == 2.0 * sign(x) + x);
  const Hybrid hybrid(m);
  const std::vector<bool> all = Switches(hybrid.data, hybrid.guards).possible({});
  ASSERT_EQ(all, (std::vector<bool>{true, true}));
  const auto mode_at = [&](const Sides& sides) {
    return make_mode_model(hybrid.data, hybrid.guards, sides, {}, std::vector<double>{1.0, 1.0},
                           all);
  };
  const ModeModel mode = mode_at({plus, minus});
  EXPECT_EQ(mode.is_switch, all);
  std::vector<std::string> names;
  for (const model::Parameter& parameter : mode.own.parameters) names.push_back(parameter.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Texts{"[x < 1]", "[x >= 1]", "sign(x)"}));
  ASSERT_EQ(mode.inputs.size(), 3U);
  for (const SwitchInput& input : mode.inputs) {
    if (input.at(minus) == -1.0) {
      EXPECT_EQ(input.by_side, (std::array{-1.0, 0.0, 1.0}));
    } else {
      EXPECT_EQ(input.at(zero), input.at(plus));  // of x >= 1
    }
  }
  const ModeModel other = mode_at({minus, plus});
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(expr::to_text(*other.own.graph, other.own.equations[i].residual),
              expr::to_text(*mode.own.graph, mode.own.equations[i].residual));
  EXPECT_FALSE(mode_at({slides, plus}).is_switch[0]);
}

TEST(ModeModel, has_the_branches_of_its_sides) {
  Model m("M");
  const Expression x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == if_else(x > 0, y, -y));
  m.equation(y == abs(x) + sign(x) + min(x, 0.0));
  const Hybrid hybrid(m);
  ASSERT_EQ(hybrid.guards.size(), 1);
  EXPECT_EQ(hybrid.equations({plus}), (Texts{"der(x) = y", "y = x + 1"}));
  EXPECT_EQ(hybrid.equations({minus}), (Texts{"der(x) = -y", "y = x - (x + 1)"}));
  EXPECT_EQ(hybrid.equations({zero})[0], "der(x) = -y");
}

TEST(ModeModel, watches_an_unknown_itself_and_gives_other_guards_one) {
  Model m("M");
  const Expression x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == if_else(x > 0, 1.0, 2.0));
  m.equation(y == if_else(x * x > 2.0, x, 0.0));
  const Hybrid hybrid(m);
  const ModeModel mode = hybrid.mode({plus, plus});
  ASSERT_EQ(mode.watches.size(), 2u);
  EXPECT_EQ(mode.own.equations.size(), 2u);
  EXPECT_EQ(mode.data.equations.size(), 3u);
  EXPECT_EQ(mode.data.variables.size(), 3u);
  EXPECT_TRUE(mode.data.variables[2].is_auxiliary);
}

TEST(ModeModel, does_not_look_at_guards_that_decide_nothing) {
  Model m("M");
  const Expression x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == if_else(x > 0, if_else(sqrt(x) > y, 1.0, 2.0), 3.0));
  m.equation(y == if_else(x > 1 && y > 5, 1.0, 0.0));
  const Hybrid hybrid(m);
  ASSERT_EQ(hybrid.guards.size(), 4);
  int num_relevant = 0;
  const ModeModel mode = hybrid.mode({minus, minus, minus, minus});
  for (const bool is_relevant : mode.is_relevant) num_relevant += is_relevant ? 1 : 0;
  EXPECT_EQ(num_relevant, 2);  // x > 0, and one factor of the conjunction
}

TEST(ModeModel, knows_the_zero_of_a_guard_of_time) {
  Model m("M");
  const Expression x = m.variable("x"), p = m.parameter("p", 3.0), t = m.time();
  m.equation(der(x) == if_else(2.0 * t < p, 1.0, 0.0) + if_else(sin(t) > 0, 2.0, 3.0));
  const Hybrid hybrid(m);
  const ModeModel mode = hybrid.mode({plus, plus}, {3.0});
  ASSERT_EQ(mode.timers.size(), 1u);
  EXPECT_EQ(mode.watches.size(), 1u);  // sin(t) is not linear
}

TEST(ModeModel, that_slides_mixes_branches_and_keeps_the_guard_at_zero) {
  Model m("M");
  const Expression v = m.variable("v");
  m.equation(der(v) == 0.5 - sign(v));
  const Hybrid hybrid(m);
  const ModeModel mode = hybrid.mode({slides});
  ASSERT_EQ(mode.own.equations.size(), 2u);
  EXPECT_EQ(expr::to_text(*mode.own.graph, mode.own.equations[1].residual), "v");
  ASSERT_EQ(mode.watches.size(), 2u);  // weight > 0, 1 - weight > 0
  EXPECT_EQ(mode.watches[0].way_out, minus);
  EXPECT_EQ(mode.watches[1].way_out, plus);
}

TEST(ModeModel, takes_conditions_of_parameters_as_they_are) {
  Model m("M");
  const Expression x = m.variable("x"), on = m.discrete("on", 1.0);
  m.equation(der(x) == if_else(Condition(on) && x > 0, 1.0, 2.0));
  const Hybrid hybrid(m);
  ASSERT_EQ(hybrid.guards.size(), 2);
  const int switch_number = hybrid.guards.is_constant(0) ? 0 : 1;
  Sides sides(2, plus);
  EXPECT_EQ(hybrid.equations(sides, {1.0})[0], "der(x) = 1");
  sides[switch_number] = zero;
  EXPECT_EQ(hybrid.equations(sides, {0.0})[0], "der(x) = 2");
}

TEST(ModeModel, blends_branches_on_the_way_from_one_mode_to_the_next) {
  Model m("M");
  const Expression x = m.variable("x");
  m.equation(x == if_else(m.time() > x, 8.0, 4.0));
  const Hybrid hybrid(m);
  const Sides before = {minus}, behind = {plus};
  const ModeModel mode =
      make_blended_model(hybrid.data, hybrid.guards, behind, {}, std::vector{1.0}, {before, 0.25});
  const bool is_plus_before = hybrid.equations(before)[0] == "x = 8";
  EXPECT_EQ(expr::to_text(*mode.own.graph, mode.own.equations[0].right),
            is_plus_before ? "7" : "5");
}

TEST(Holds, joins_conditions_by_and_or_not) {
  Model m("M");
  const Expression x = m.variable("x"), y = m.variable("y"), p = m.parameter("p", 1.0);
  m.equation(x == 1.0);
  m.equation(y == 1.0);
  m.when(x > 0 && !(y > 0));
  m.when(x > 0 || y > 0);
  m.when(!(x <= p || y <= 0.0));
  const Hybrid hybrid(m);
  ASSERT_EQ(hybrid.guards.size(), 3);
  int of_x = -1, of_y = -1, of_p = -1;
  for (int k = 0; k < 3; ++k) {
    const std::string text = hybrid.guards.text(k, plus);
    (text == "x > 0" ? of_x : text == "y > 0" ? of_y : of_p) = k;
  }
  for (const bool x_is : {false, true})
    for (const bool y_is : {false, true})
      for (const bool larger : {false, true}) {
        Sides sides(3, minus);
        if (x_is) sides[of_x] = plus;
        if (y_is) sides[of_y] = plus;
        const bool is_plus_larger = hybrid.guards.text(of_p, plus) == "x > p";
        sides[of_p] = larger == is_plus_larger ? plus : minus;
        const auto holds_when = [&](int k) {
          return holds(hybrid.data, hybrid.guards, hybrid.data.whens[k].condition, sides, {1.0});
        };
        EXPECT_EQ(holds_when(0), x_is && !y_is);
        EXPECT_EQ(holds_when(1), x_is || y_is);
        EXPECT_EQ(holds_when(2), larger && y_is);
      }
}

TEST(IsHybrid, asks_whether_equations_change) {
  const auto is_hybrid_with = [](const auto& right) {
    Model m("M");
    const Expression x = m.variable("x"), y = m.variable("y");
    m.equation(der(x) == y);
    m.equation(y == right(x, y));
    return is_hybrid(m.data());
  };
  using E = const Expression&;
  EXPECT_FALSE(is_hybrid_with([](E x, E) { return sin(x); }));
  EXPECT_FALSE(is_hybrid_with([](E x, E) { return abs(x); }));
  EXPECT_FALSE(is_hybrid_with([](E x, E) { return max(x, 2.0 * x); }));
  EXPECT_TRUE(is_hybrid_with([](E x, E) { return max(x, 1.0); }));
  EXPECT_TRUE(is_hybrid_with([](E x, E) { return sign(x); }));
  EXPECT_TRUE(is_hybrid_with([](E x, E) { return if_else(x > 0, x, -x); }));
}

}  // namespace
}  // namespace daedal::hybrid
