// The stored numbers themselves, held against witnesses that need no integrator: the equations and
// their hidden constraints, closed forms, conserved quantities, and the other form of the same
// model.
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "expr/evaluate.hpp"
#include "hybrid/guards.hpp"
#include "model/model_data.hpp"
#include "published/problem_data.hpp"
#include "published/rod_chain_energy.hpp"
#include "taylor/interpreter.hpp"

namespace daedal::test {
namespace {

using expr::NodeId;
using expr::UnknownId;

constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

// x_j and its derivatives at a time; what is not given is NaN.
struct Point {
  double time = 0.0;
  std::vector<std::vector<double>> values;  // [variable][order]

  double derivative(std::size_t variable, int order) const {
    const std::vector<double>& given = values[variable];
    return order < static_cast<int>(given.size()) ? given[order] : unknown_value;
  }
};

std::string derivative_name(const std::string& name, int order) {
  if (order == 0) return name;
  return order == 1 ? "der(" + name + ")" : "der(" + name + ", " + std::to_string(order) + ")";
}

// A start or reference entry of a data file. Every value must belong to a variable.
Point point_of(const Model& model, const Json& entry) {
  Point point{.time = number(entry.at("t")), .values = {}};
  std::size_t num_read = 0;
  for (const model::Variable& variable : model.data().variables) {
    std::vector<double> derivatives;
    for (int order = 0; order <= 2; ++order) {
      const auto found = entry.at("values").find(derivative_name(variable.name, order));
      const bool is_given = found != entry.at("values").end();
      derivatives.push_back(is_given ? number(*found) : unknown_value);
      num_read += is_given ? 1 : 0;
    }
    point.values.push_back(derivatives);
  }
  EXPECT_EQ(num_read, entry.at("values").size()) << "a value belongs to no variable";
  return point;
}

// The residuals of a model and their derivatives up to the offsets: what a consistent point makes
// zero. Of a model with modes only the residuals themselves: offsets are those of one mode.
class Residuals {
 public:
  explicit Residuals(const Model& model, int max_order = std::numeric_limits<int>::max())
      : model_(model),
        orders_(orders_of(model, max_order)),
        parameters_(model::parameter_values(model.data())),
        roots_(roots_of(model)) {
    if (hybrid::is_hybrid(model.data())) return;
    const int highest = *std::max_element(orders_.begin(), orders_.end());
    tape_.emplace(*model.data().graph, roots_, highest);
    interpreter_.emplace(*tape_);
  }

  // (d/dt)^k f_i for k = 0..c_i, max_order at most, equation by equation, NaN where the point does
  // not say enough.
  std::vector<double> at(const Point& point) {
    if (!interpreter_) return equations_at(point);
    interpreter_->run(
        {.time = point.time, .parameters = parameters_, .derivative = [&](UnknownId j, int order) {
           return point.derivative(j.index(), order);
         }});
    std::vector<double> residuals;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      double factorial = 1.0;
      for (int k = 0; k <= orders_[i]; factorial *= ++k)
        residuals.push_back(factorial * interpreter_->coefficient(roots_[i], k));
    }
    return residuals;
  }

  // How much each residual changes, to first order, when every value and the time change by
  // relative 1: the size of the terms that cancel in it.
  std::vector<double> sensitivity(const Point& point) {
    constexpr double relative_change = 1e-7;
    const std::vector<double> base = at(point);
    std::vector<double> total(base.size(), 0.0);
    const auto add = [&](const Point& changed) {
      const std::vector<double> there = at(changed);
      for (std::size_t i = 0; i < total.size(); ++i)
        total[i] += std::abs(there[i] - base[i]) / relative_change;
    };
    Point changed = point;
    changed.time += relative_change * std::abs(point.time);
    add(changed);
    for (std::size_t j = 0; j < point.values.size(); ++j) {
      for (std::size_t order = 0; order < point.values[j].size(); ++order) {
        changed = point;
        changed.values[j][order] += relative_change * std::abs(point.values[j][order]);
        if (!std::isnan(changed.values[j][order])) add(changed);
      }
    }
    return total;
  }

  const Model& model() const { return model_; }

  // Of an entry of a data file: values that discrete variables have there.
  void set_discrete(const Json& entry) {
    parameters_ = model::parameter_values(model_.data());
    if (!entry.contains("discrete")) return;
    for (const auto& [name, value] : entry.at("discrete").items())
      for (std::size_t k = 0; k < parameters_.size(); ++k)
        if (model_.data().parameters[k].name == name) parameters_[k] = number(value);
  }

 private:
  std::vector<double> equations_at(const Point& point) const {
    expr::Evaluator evaluator(*model_.data().graph);
    std::vector<double> values;
    for (const NodeId root : roots_)
      values.push_back(evaluator.value(
          root,
          {.time = point.time, .parameters = parameters_, .unknown = [&](UnknownId j, int order) {
             return point.derivative(j.index(), order);
           }}));
    return values;
  }
  static std::vector<int> orders_of(const Model& model, int max_order) {
    std::vector<int> orders = analyze(model).c;
    for (int& order : orders) order = std::min(order, max_order);
    return orders;
  }
  static std::vector<NodeId> roots_of(const Model& model) {
    std::vector<NodeId> roots;
    for (const model::Equation& equation : model.data().equations)
      roots.push_back(equation.residual);
    return roots;
  }

  const Model& model_;
  std::vector<int> orders_;
  std::vector<double> parameters_;
  std::vector<NodeId> roots_;
  std::optional<taylor::Tape> tape_;  // not of a model with modes
  std::optional<taylor::Interpreter> interpreter_;
};

// Every residual that the point determines vanishes as far as its digits, and double precision,
// allow. Returns how many.
int expect_zero_residuals(Residuals& residuals, const Point& point, double digits) {
  constexpr double rounding =
      16 * std::numeric_limits<double>::epsilon();  // a few operations beyond the condition
  const double relative = std::max(std::pow(10.0, -digits), rounding);
  const std::vector<double> values = residuals.at(point);
  const std::vector<double> sensitivity = residuals.sensitivity(point);
  int num_checked = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    ++num_checked;
    EXPECT_LE(std::abs(values[i]), relative * (sensitivity[i] + std::numeric_limits<double>::min()))
        << "residual " << i << " of " << residuals.model().name() << " at t = " << point.time;
  }
  return num_checked;
}

int num_witnessed(const std::string& name, const Json& entry) {
  const Model model = variant(name).cpp();
  Residuals residuals(model);
  return expect_zero_residuals(residuals, point_of(model, entry), number(entry.at("digits")));
}

ParameterValues values_of(const Model& model) {
  ParameterValues values;
  const std::vector<double> numbers = model::parameter_values(model.data());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    values[model.data().parameters[k].name] = numbers[k];
  return values;
}

// {x, x', ...} of each variable as given, and whether it is fixed.
std::vector<std::vector<std::pair<double, bool>>> starts_of(const Model& model) {
  const std::vector<double> parameters = model::parameter_values(model.data());
  expr::Evaluator evaluator(*model.data().graph);
  std::vector<std::vector<std::pair<double, bool>>> starts;
  for (const model::Variable& variable : model.data().variables) {
    starts.emplace_back();
    for (const model::Start& start : variable.start)
      starts.back().emplace_back(
          evaluator.value(start.value.value(),
                          {.time = 0.0, .parameters = parameters, .unknown = {}}),
          start.fixed);
  }
  return starts;
}

const Json& start_of(const std::string& name) { return variant(name).facts.at("start"); }
const Json& reference_of(const std::string& name, int k = 0) {
  return variant(name).facts.at("references").at(k);
}

// ---------------------------------------------------------------------------------------------------------------------
// Every problem

class ProblemData : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(All, ProblemData, testing::ValuesIn(all_variants()),
                         [](const auto& test) { return test.param.name(); });

TEST_P(ProblemData, satisfies_the_equations_and_hidden_constraints) {
  const Model model = GetParam().cpp();
  Residuals residuals(model);
  std::vector<Json> entries = GetParam().facts.value("references", std::vector<Json>{});
  if (GetParam().facts.contains("start")) entries.push_back(GetParam().facts.at("start"));
  for (const Json& entry : entries) {
    SCOPED_TRACE(entry.at("source").get<std::string>());
    residuals.set_discrete(entry);
    expect_zero_residuals(residuals, point_of(model, entry), number(entry.at("digits")));
  }
}

// A model of the closed forms: the right side of equation j is x_j as a function of time.
Model closed_forms(const Model& model, const Json& exact) {
  std::string text =
      "model Exact\n  Real x[" + std::to_string(model.num_variables()) + "];\nequation\n";
  int j = 0;
  for (const model::Variable& variable : model.data().variables)
    text +=
        "  x[" + std::to_string(++j) + "] = " + exact.at(variable.name).get<std::string>() + ";\n";
  return parse_model(text + "end Exact;\n", "exact");
}

// x_j and its derivatives at a time, from expressions of time.
Point series_of(expr::Graph& graph, const std::vector<NodeId>& roots, double time) {
  constexpr int order = 14;
  const taylor::Tape tape(graph, roots, order);
  taylor::Interpreter interpreter(tape);
  interpreter.run(
      {.time = time, .parameters = {}, .derivative = [](UnknownId, int) { return unknown_value; }});
  Point point{.time = time, .values = {}};
  for (const NodeId root : roots) {
    std::vector<double> derivatives;
    double factorial = 1.0;
    for (int k = 0; k <= order; factorial *= ++k)
      derivatives.push_back(factorial * interpreter.coefficient(root, k));
    point.values.push_back(derivatives);
  }
  return point;
}

Point closed_form_point(const Model& exact, double time) {
  std::vector<NodeId> roots;
  for (const model::Equation& equation : exact.data().equations) roots.push_back(equation.right);
  return series_of(*exact.data().graph, roots, time);
}

TEST_P(ProblemData, closed_forms_satisfy_all_equations_to_1e_14) {
  if (!GetParam().facts.contains("exact")) return;
  const Model model = GetParam().cpp();
  const Model exact = closed_forms(model, GetParam().facts.at("exact"));
  Residuals residuals(model);
  for (const double time : {0.3, 2.1}) {
    const Point point = closed_form_point(exact, time);
    const std::vector<double> values = residuals.at(point);
    const std::vector<double> sensitivity = residuals.sensitivity(point);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_LE(std::abs(values[i]), 1e-14 * std::max(1.0, sensitivity[i]))
          << "residual " << i << " at " << time;
  }
}

TEST_P(ProblemData, closed_forms_give_the_stored_values) {
  if (!GetParam().facts.contains("exact")) return;
  const Model model = GetParam().cpp();
  const Model exact = closed_forms(model, GetParam().facts.at("exact"));
  for (const Json& entry :
       {GetParam().facts.at("start"), GetParam().facts.at("references").at(0)}) {
    const Point stored = point_of(model, entry);
    const Point point = closed_form_point(exact, stored.time);
    for (std::size_t j = 0; j < stored.values.size(); ++j)
      for (int order = 0; order <= 2; ++order)
        if (!std::isnan(stored.values[j][order])) {
          EXPECT_NEAR(point.values[j][order], stored.values[j][order],
                      1e-13 * std::max(1.0, std::abs(stored.values[j][order])));
        }
  }
}

// At a point that satisfies nothing, so that every term counts.
TEST_P(ProblemData, cpp_and_model_language_forms_are_the_same_equations) {
  const Model cpp = GetParam().cpp();
  const Model mo = GetParam().mo();
  Residuals of_cpp(cpp, 0);
  Residuals of_mo(mo, 0);
  Point point{.time = 0.37, .values = {}};
  for (std::size_t j = 0; j < cpp.data().variables.size(); ++j) {
    const double value = 0.4 + 0.29 * static_cast<double>(j % 7) + 0.011 * static_cast<double>(j);
    point.values.push_back({value, -0.6 * value, 0.7 * value});
  }
  const std::vector<double> a = of_cpp.at(point);
  const std::vector<double> b = of_mo.at(point);
  const std::vector<double> sensitivity = of_cpp.sensitivity(point);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(std::isfinite(a[i]));
    EXPECT_LE(std::abs(a[i] - b[i]), 1e-14 * std::max(std::abs(a[i]), sensitivity[i]))
        << "residual " << i;
  }
}

TEST_P(ProblemData, parameters_have_the_same_values_in_both_forms) {
  const ParameterValues cpp = values_of(GetParam().cpp());
  const ParameterValues mo = values_of(GetParam().mo());
  for (const auto& [name, value] : cpp) {
    ASSERT_TRUE(mo.contains(name)) << name;
    EXPECT_DOUBLE_EQ(mo.at(name), value) << name;
  }
}

TEST_P(ProblemData, start_values_and_experiment_are_the_same_in_both_forms) {
  const Model cpp = GetParam().cpp();
  const Model mo = GetParam().mo();
  EXPECT_EQ(starts_of(cpp), starts_of(mo));
  EXPECT_EQ(cpp.experiment().start_time, mo.experiment().start_time);
  EXPECT_EQ(cpp.experiment().stop_time, mo.experiment().stop_time);
  EXPECT_EQ(cpp.experiment().tolerance, mo.experiment().tolerance);
}

// ---------------------------------------------------------------------------------------------------------------------
// One by one: how much of the stored numbers the equations can vouch for

TEST(PendulumData, all_equations_and_two_hidden_constraints_hold_at_the_references) {
  EXPECT_EQ(num_witnessed("pendulum", reference_of("pendulum", 0)), 5);
  EXPECT_EQ(num_witnessed("pendulum", reference_of("pendulum", 1)), 5);
}

TEST(CarAxisData, all_equations_and_four_hidden_constraints_hold_at_t_3) {
  EXPECT_EQ(num_witnessed("car_axis", reference_of("car_axis")), 10);
}

TEST(CarAxisData, published_values_at_t_3_satisfy_both_constraints_and_their_rates) {
  EXPECT_EQ(num_witnessed("car_axis", reference_of("car_axis", 1)), 4);
}

TEST(CarAxisData, published_values_at_t_3_agree_with_ours_to_9_digits) {
  const Model model = problems::car_axis();
  const Point ours = point_of(model, reference_of("car_axis", 0));
  const Point published = point_of(model, reference_of("car_axis", 1));
  for (std::size_t j = 0; j < ours.values.size(); ++j)
    for (int order = 0; order <= (j < 4 ? 1 : 0); ++order)
      EXPECT_NEAR(published.values[j][order] / ours.values[j][order], 1.0, 1e-9);
}

TEST(ShuttleData, start_and_end_satisfy_the_path_and_its_first_two_derivatives) {
  EXPECT_EQ(num_witnessed("shuttle", start_of("shuttle")), 11);
  EXPECT_EQ(num_witnessed("shuttle", reference_of("shuttle")), 11);
}

// The model's guesses are the printed values.
TEST(ShuttleData, printed_start_satisfies_the_path_to_its_digits_with_this_rotation_of_the_earth) {
  const Model model = problems::shuttle();
  const auto printed = starts_of(model);
  // two residuals of each of H and V, one of each other state, then three of the path
  Residuals residuals(model);
  Point point = point_of(model, start_of("shuttle"));
  for (std::size_t j = 0; j < printed.size(); ++j) point.values[j][0] = printed[j][0].first;
  point.values[0][1] -= residuals.at(point)[0];  // der(H) and der(V) from their equations
  point.values[3][1] -= residuals.at(point)[4];
  const std::vector<double> values = residuals.at(point);
  EXPECT_LT(std::abs(values[8]), 1e-7);   // the path
  EXPECT_LT(std::abs(values[9]), 1e-10);  // its derivative
}

TEST(CoupledPendulaData,
     starts_and_references_satisfy_the_lengths_and_their_first_two_derivatives) {
  EXPECT_EQ(num_witnessed("coupled_pendula", start_of("coupled_pendula")), 10);
  EXPECT_EQ(num_witnessed("coupled_pendula_P_4", start_of("coupled_pendula_P_4")), 20);
  EXPECT_EQ(num_witnessed("coupled_pendula_P_4", reference_of("coupled_pendula_P_4")), 20);
}

TEST(TransistorAmplifierData, start_satisfies_all_equations) {
  EXPECT_EQ(num_witnessed("transistor_amplifier", start_of("transistor_amplifier")), 8);
}

// The sums of equations 1 + 2, 4 + 5 and 7 + 8 are free of derivatives: currents out of a node add
// up to zero.
TEST(TransistorAmplifierData, reference_satisfies_the_hidden_algebraic_equations) {
  const Model model = problems::transistor_amplifier();
  Residuals residuals(model);
  Point point = point_of(model, reference_of("transistor_amplifier"));
  for (auto& derivatives : point.values) derivatives[1] = 0.0;
  const std::vector<double> f = residuals.at(point);
  const std::vector<double> sensitivity = residuals.sensitivity(point);
  for (const int i : {0, 3, 6})
    EXPECT_LT(std::abs(f[i] + f[i + 1]), 1e-10 * (sensitivity[i] + sensitivity[i + 1]));
}

TEST(RobotArmData, exact_values_satisfy_all_equations_with_the_corrected_sign) {
  EXPECT_EQ(num_witnessed("robot_arm", start_of("robot_arm")), 14);
  EXPECT_EQ(num_witnessed("robot_arm", reference_of("robot_arm", 1)), 14);
}

// x1 and x3 are given (Campbell and Hollenbeck 1996, end of the appendix); equations (21d) and
// (21f) then are linear in x2 and u1 - u2, (21b) gives x5 and (21e) gives u2.
TEST(RobotArmData, closed_form_agrees_at_1_43) {
  Model exact("Exact");
  const auto t = exact.time();
  const auto x1 = 1 - exp(t), x3 = exp(t) - t;
  const auto x4 = der(x1), x6 = der(x3);
  const auto denominator = 2 - sqr(cos(x3));
  const auto a = 2 / denominator, b = cos(x3) / denominator;
  const auto c = sin(x3) / denominator, d = cos(x3) * sin(x3) / denominator;
  const auto force = 2 * c * sqr(x4 + x6) + sqr(x4) * d;
  const auto r4 = der(x4) - force;  // = twist (a + 2b) + a w
  const auto r6 =
      der(x6) + force + 2 * sqr(x4) * c + sqr(x4 + x6) * d;  // = twist (a - 9b) - (a + b) w
  const auto determinant = -(a + 2 * b) * (a + b) - a * (a - 9 * b);
  const auto twist = (-(a + b) * r4 - a * r6) / determinant;
  const auto w = ((a + 2 * b) * r6 - (a - 9 * b) * r4) / determinant;  // u1 - u2
  const auto x2 = 2 * x3 - twist;
  const auto x5 = der(x2);
  const auto u2 = der(x5) + force - twist * (1 - 3 * a - 2 * b) + a * w;
  std::vector<NodeId> roots;
  for (const Expression& e : {x1, x2, x3, x4, x5, x6, w + u2, u2}) roots.emplace_back(e.node());
  const Point point = series_of(*exact.data().graph, roots, 1.43);

  const Model model = problems::robot_arm();
  const Point stored = point_of(model, reference_of("robot_arm", 1));
  for (std::size_t j = 0; j < stored.values.size(); ++j)
    EXPECT_NEAR(point.values[j][0], stored.values[j][0], 1e-12 * std::abs(stored.values[j][0]));
  Residuals residuals(model);
  EXPECT_EQ(expect_zero_residuals(residuals, point, 13), 14);
}

TEST(ArcLengthData, references_lie_on_the_curve_and_move_at_unit_speed) {
  EXPECT_EQ(num_witnessed("arc_length", reference_of("arc_length", 0)), 3);
  EXPECT_EQ(num_witnessed("arc_length", reference_of("arc_length", 1)), 3);
}

// Composite Simpson's rule on the length integral of y = x^3 - 3x, from x = -2.
TEST(ArcLengthData, references_are_as_far_along_the_curve_as_they_say) {
  for (int k = 0; k < 2; ++k) {
    const Json& reference = reference_of("arc_length", k);
    const double end = number(reference.at("values").at("x"));
    const auto speed = [](double x) { return std::hypot(1.0, 3 * x * x - 3); };
    constexpr int n = 20000;
    const double h = (end + 2) / n;
    double sum = speed(-2) + speed(end);
    for (int i = 1; i < n; ++i) sum += (i % 2 == 0 ? 2 : 4) * speed(-2 + i * h);
    EXPECT_NEAR(sum * h / 3, number(reference.at("t")), 1e-12);
  }
}

TEST(PendulumData, references_conserve_energy) {
  const Model model = problems::pendulum();
  const double g = values_of(model).at("g");
  const auto energy = [&](const Json& entry) {
    const auto& v = point_of(model, entry).values;
    return 0.5 * (v[0][1] * v[0][1] + v[1][1] * v[1][1]) - g * v[1][0];
  };
  for (int k = 0; k < 2; ++k)
    EXPECT_NEAR(energy(reference_of("pendulum", k)), energy(start_of("pendulum")), 1e-13);
}

TEST(DoublePendulumData, reference_satisfies_all_equations_and_conserves_energy) {
  EXPECT_EQ(num_witnessed("double_pendulum", reference_of("double_pendulum")), 18);
  const Json& v = reference_of("double_pendulum").at("values");
  double energy =
      values_of(problems::double_pendulum()).at("g") * (number(v.at("y1")) + number(v.at("y2")));
  for (const char* name : {"u1", "v1", "u2", "v2"}) energy += 0.5 * std::pow(number(v.at(name)), 2);
  EXPECT_NEAR(energy, 0.0, 1e-13);
}

TEST(SpinningPendulumData, reference_satisfies_all_equations_and_conserves_energy) {
  EXPECT_EQ(num_witnessed("pendulum_spinning", reference_of("pendulum_spinning")), 5);
  const Model model = problems::pendulum_spinning();
  const double g = values_of(model).at("g");
  const auto energy = [&](const Json& entry) {
    const auto& v = point_of(model, entry).values;
    return 0.5 * (v[0][1] * v[0][1] + v[1][1] * v[1][1]) - g * v[1][0];
  };
  EXPECT_NEAR(energy(reference_of("pendulum_spinning")), energy(start_of("pendulum_spinning")),
              1e-13);
}

TEST(SpinningDoublePendulumData, reference_satisfies_all_equations_and_conserves_energy) {
  EXPECT_EQ(num_witnessed("double_pendulum_spinning", reference_of("double_pendulum_spinning")),
            10);
  const Model model = problems::double_pendulum_spinning();
  const double g = values_of(model).at("g");
  const auto energy = [&](const Json& entry) {
    const auto& v = point_of(model, entry).values;
    double sum = g * (v[1][0] + v[3][0]);
    for (std::size_t j = 0; j < 4; ++j) sum += 0.5 * v[j][1] * v[j][1];
    return sum;
  };
  EXPECT_NEAR(energy(reference_of("double_pendulum_spinning")),
              energy(start_of("double_pendulum_spinning")), 1e-12);
}

// Kinetic, potential, and that of the spring: (r - 1)^2/(2 eps).
TEST(StiffPendulumData, references_satisfy_all_equations_and_conserve_energy) {
  for (const char* name : {"stiff_pendulum", "stiff_pendulum_eps_1e_06"}) {
    EXPECT_EQ(num_witnessed(name, reference_of(name)), 5) << name;
    const Model model = variant(name).cpp();
    const double g = values_of(model).at("g"), eps = values_of(model).at("eps");
    const auto v = point_of(model, reference_of(name)).values;
    const double stretch = std::hypot(v[0][0], v[1][0]) - 1;
    const double energy =
        0.5 * (v[2][0] * v[2][0] + v[3][0] * v[3][0]) + g * v[1][0] + stretch * stretch / (2 * eps);
    EXPECT_NEAR(energy, 0.0, 1e-12) << name;
  }
}

TEST(ChemicalAkzoData, start_and_reference_satisfy_all_equations) {
  EXPECT_EQ(num_witnessed("chemical_akzo", start_of("chemical_akzo")), 6);
  EXPECT_EQ(num_witnessed("chemical_akzo", reference_of("chemical_akzo")), 6);
}

TEST(ChemicalAkzoData, printed_values_at_t_180_agree_with_ours_in_all_digits) {
  const Json& ours = reference_of("chemical_akzo", 0).at("values");
  for (const auto& [name, printed] : reference_of("chemical_akzo", 1).at("values").items())
    EXPECT_NEAR(number(printed) / number(ours.at(name)), 1.0, 1e-15) << name;
}

TEST(RodChainData, references_satisfy_all_equations_and_twice_differentiated_rods) {
  EXPECT_EQ(num_witnessed("rod_chain_n_1", reference_of("rod_chain_n_1")), 6);
  EXPECT_EQ(num_witnessed("rod_chain", reference_of("rod_chain")), 11);
}

TEST(RodChainData, references_have_the_energy_of_the_start) {
  for (const char* name : {"rod_chain_n_1", "rod_chain"}) {
    const Model model = variant(name).cpp();
    const int num_rods = (model.num_variables() - 1) / 3;
    for (const Json& entry : {start_of(name), reference_of(name)}) {
      const Point point = point_of(model, entry);
      EXPECT_NEAR(rod_chain_energy(num_rods,
                                   [&](int j, int order) {
                                     return point.derivative(static_cast<std::size_t>(j), order);
                                   }),
                  80.0, 1e-12);
    }
  }
}

// Energy and angular momentum of Sun and planets about their centre of mass, per k2 and mass where
// that is natural.
struct Conserved {
  double energy = 0.0;
  std::array<double, 3> angular_momentum = {};
};

Conserved conserved_quantities(const Model& model, const Point& point) {
  const ParameterValues parameters = values_of(model);
  const double k2 = parameters.at("k2");
  std::array<double, 6> m = {parameters.at("m0")};
  for (std::size_t j = 1; j < 6; ++j) m[j] = parameters.at("m[" + std::to_string(j) + "]");
  std::array<std::array<double, 3>, 6> r = {}, v = {};
  std::array<double, 3> centre = {}, drift = {};
  double total = m[0];
  for (std::size_t j = 1; j < 6; ++j) {
    total += m[j];
    for (std::size_t i = 0; i < 3; ++i) {
      r[j][i] = point.values[3 * (j - 1) + i][0];
      v[j][i] = point.values[3 * (j - 1) + i][1];
      centre[i] += m[j] * r[j][i];
      drift[i] += m[j] * v[j][i];
    }
  }
  Conserved result;
  for (std::size_t j = 0; j < 6; ++j) {
    std::array<double, 3> x = {}, u = {};
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = r[j][i] - centre[i] / total;
      u[i] = v[j][i] - drift[i] / total;
      result.energy += 0.5 * m[j] * u[i] * u[i];
    }
    for (std::size_t i = 0; i < 3; ++i)
      result.angular_momentum[i] +=
          m[j] * (x[(i + 1) % 3] * u[(i + 2) % 3] - x[(i + 2) % 3] * u[(i + 1) % 3]);
    for (std::size_t k = j + 1; k < 6; ++k)
      result.energy -=
          k2 * m[j] * m[k] / std::hypot(r[j][0] - r[k][0], r[j][1] - r[k][1], r[j][2] - r[k][2]);
  }
  return result;
}

TEST(OuterPlanetsData, references_conserve_energy_and_angular_momentum) {
  const Model model = problems::detest_c5();
  const Conserved before = conserved_quantities(model, point_of(model, start_of("detest_c5")));
  for (int k = 0; k < 2; ++k) {
    const Json& reference = reference_of("detest_c5", k);
    const double relative = std::max(1e-14, std::pow(10.0, -number(reference.at("digits"))));
    const Conserved after = conserved_quantities(model, point_of(model, reference));
    EXPECT_NEAR(after.energy / before.energy, 1.0, relative);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(after.angular_momentum[i] / before.angular_momentum[i], 1.0, relative);
  }
}

}  // namespace
}  // namespace daedal::test
