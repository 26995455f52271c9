// What the way of writing a model costs: operations and time of G and J for pairs of equivalent
// formulations (docs/guide/formulation.md; the questions are those of Campbell and Hollenbeck 1996,
// sec. 8).
//
//   formulation        processor time, medians of batches taken in turns
#include <fmt/format.h>

#include <functional>

#include "benchmarks/array_timing.hpp"
#include "benchmarks/markdown.hpp"
#include "daedal/analysis.hpp"
#include "daedal/solve.hpp"

namespace daedal::benchmarks {
namespace {

struct Formulation {
  std::string text;
  std::function<void(Model&)> write;
};
using Question = std::vector<Formulation>;  // the ways to write one thing

constexpr int r = 3;

Expression variable(Model& model, const char* name) {
  return model.variable(name, {.start = {1.2}});
}

void add_balance(Model& model, bool divided) {
  const auto x = variable(model, "x"), y = variable(model, "y");
  const auto f = sin(x) * y, g = 2 + x * y;
  if (divided)
    model.equation(der(x) == f / g);
  else
    model.equation(g * der(x) == f);
  model.equation(der(y) == -x);
}

void add_square(Model& model, bool expanded) {
  const auto x = variable(model, "x"), y = variable(model, "y"), z = variable(model, "z");
  model.equation(der(x) == (expanded ? sqr(x) + 2 * y * x + 2 * z * x + 2 * y * z + sqr(y) + sqr(z)
                                     : sqr(x + y + z)));
  model.equation(der(y) == x);
  model.equation(der(z) == y);
}

void add_common(Model& model, bool twice) {
  const auto x = variable(model, "x"), y = variable(model, "y");
  const auto written = [&] { return exp(-x * y) / (1 + sqr(x)); };
  const auto once = written();
  model.equation(der(x) == 2 * once);
  model.equation(der(y) == (twice ? written() : once) - y);
}

void add_common_as_unknown(Model& model) {
  const auto x = variable(model, "x"), y = variable(model, "y"), c = variable(model, "c");
  model.equation(c == exp(-x * y) / (1 + sqr(x)));
  model.equation(der(x) == 2 * c);
  model.equation(der(y) == c - y);
}

void add_length(Model& model, bool with_root) {
  const auto x = variable(model, "x"), y = variable(model, "y"), s = variable(model, "s");
  model.equation(der(x) == y * s);
  model.equation(der(y) == -x * s);
  if (with_root)
    model.equation(sqrt(sqr(x) + sqr(y)) == 1 + s);
  else
    model.equation(sqr(x) + sqr(y) == sqr(1 + s));
}

enum class Cube { power, products, real_power };
void add_cube(Model& model, Cube cube) {
  const auto x = variable(model, "x");
  model.equation(der(x) == (cube == Cube::power      ? pow(x, 3.0)
                            : cube == Cube::products ? x * x * x
                                                     : pow(x, 2.9)));
}

void add_pendulum(Model& model, bool with_velocities) {
  const auto x = variable(model, "x"), y = variable(model, "y"), force = variable(model, "lambda");
  if (with_velocities) {
    const auto u = variable(model, "u"), v = variable(model, "v");
    model.equation(der(x) == u);
    model.equation(der(y) == v);
    model.equation(der(u) == -x * force);
    model.equation(der(v) == -y * force + 9.81);
  } else {
    model.equation(der(x, 2) == -x * force);
    model.equation(der(y, 2) == -y * force + 9.81);
  }
  model.equation(sqr(x) + sqr(y) == 100);
}

// An arm on a spring: the force is given and the position sought, or the other way round.
void add_arm(Model& model, bool path_is_known) {
  const auto q = variable(model, "q"), motor = variable(model, "motor");
  const auto u = path_is_known ? variable(model, "u") : sin(model.time());
  model.equation(der(q, 2) == motor - q);
  model.equation(der(motor, 2) == q - motor + u);
  if (path_is_known) model.equation(q == sin(model.time()));
}

const std::vector<Question> questions = {
    {{"`der(x) = f/g`", [](Model& m) { add_balance(m, true); }},
     {"`g*der(x) = f`", [](Model& m) { add_balance(m, false); }}},
    {{"`(x + y + z)^2`", [](Model& m) { add_square(m, false); }},
     {"`x^2 + 2*y*x + ... + z^2`", [](Model& m) { add_square(m, true); }}},
    {{"`exp(-x*y)/(1 + x^2)` in two equations, written once",
      [](Model& m) { add_common(m, false); }},
     {"the same, written twice", [](Model& m) { add_common(m, true); }},
     {"the same, as an unknown of its own", add_common_as_unknown}},
    {{"`sqrt(x^2 + y^2) = 1 + s`", [](Model& m) { add_length(m, true); }},
     {"`x^2 + y^2 = (1 + s)^2`", [](Model& m) { add_length(m, false); }}},
    {{"`x^3`", [](Model& m) { add_cube(m, Cube::power); }},
     {"`x*x*x`", [](Model& m) { add_cube(m, Cube::products); }},
     {"`x^2.9`", [](Model& m) { add_cube(m, Cube::real_power); }}},
    {{"pendulum with `der(x, 2)`", [](Model& m) { add_pendulum(m, false); }},
     {"pendulum with `u = der(x)`, `der(u)`", [](Model& m) { add_pendulum(m, true); }}},
    {{"arm on a spring: force given, position sought", [](Model& m) { add_arm(m, false); }},
     {"the same: position given, force sought", [](Model& m) { add_arm(m, true); }}},
};

// Microseconds of a step of the Taylor method, of one order for all: series, solves, comparison.
double microseconds_of_step(const Model& model) {
  const SolveOptions options = {.to = 0.01, .order = 20, .kernel = "interpreter", .max_step = 1e-4};
  Solution last = solve(model, options);
  const double seconds = median_seconds(
      [&] { return integration_seconds(last, [&] { return solve(model, options); }); });
  return 1e6 * seconds / static_cast<double>(last.statistics().steps);
}

void measure(const Question& question, const MarkdownTable& table) {
  std::vector<Equations> equations;
  std::vector<reduce::DerivativeArray> arrays;
  std::vector<std::vector<double>> points;
  std::vector<Analysis> analyses;
  std::vector<double> steps;
  for (const Formulation& way : question) {
    Model model("Formulation");
    way.write(model);
    analyses.push_back(analyze(model));
    steps.push_back(microseconds_of_step(model));
    equations.emplace_back(model);
  }
  for (Equations& e : equations) {
    arrays.push_back(e.array(r));
    points.push_back(e.point(arrays.back()));
  }
  std::vector<std::function<void()>> calls;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    calls.push_back([&, k] { arrays[k].evaluate({0.3, equations[k].parameters, points[k]}); });
    calls.push_back([&, k] { arrays[k].linearise({0.3, equations[k].parameters, points[k]}); });
  }
  const std::vector<double> seconds = seconds_per_call(calls, 31);
  for (std::size_t k = 0; k < arrays.size(); ++k)
    table.row({question[k].text, fmt::format("{}", analyses[k].size()),
               fmt::format("{}", analyses[k].structural_index),
               fmt::format("{}", arrays[k].num_operations(false)),
               fmt::format("{}", arrays[k].num_operations(true)),
               fmt::format("{}", arrays[k].jacobian().columns.size()),
               fmt::format("{:.0f}", 1e9 * seconds[2 * k]),
               fmt::format("{:.0f}", 1e9 * seconds[2 * k + 1]), fmt::format("{:.1f}", steps[k])});
}

}  // namespace
}  // namespace daedal::benchmarks

int main() {
  using namespace daedal::benchmarks;
  used_clock = Clock::processor;
  fmt::print(
      "Derivative arrays of equivalent formulations, all equations differentiated {} times\n", r);
  const MarkdownTable table(
      {"", "unknowns", "index", "operations: G", "with J", "stored", "G", "J", "step"});
  for (const Question& question : questions) measure(question, table);
}
