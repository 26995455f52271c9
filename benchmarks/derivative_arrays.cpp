// Derivative arrays beside ADOL-C, in tables of the shape of Campbell and Hollenbeck (1996),
// sec. 7.
//
//   derivative_arrays                 all tables, about a minute
//   derivative_arrays problems        G and J for r = 1 .. 5 on four problems
//   derivative_arrays trays           r = 2 on columns of 5 to 1000 trays
//   derivative_arrays --self-test     values of both compared, nothing timed
//
// Times are processor time of this process: medians of batches, the batches of both taken in turns.
// Values are compared wherever times are taken; a difference beyond rounding is an error.
#include <fmt/format.h>

#include <functional>
#include <string_view>

#include "benchmarks/adolc/traced_array.hpp"
#include "benchmarks/measure.hpp"
#include "expr/partial.hpp"
#include "expr/simplify.hpp"
#include "model/check.hpp"
#include "model/model_data.hpp"
#include "problems/problems.hpp"
#include "reduce/derivative_array.hpp"
#include "solve/guessed_mode.hpp"

namespace daedal::benchmarks {
namespace {

// A model's equations, and a point: guesses as they are, derivatives of a tenth of their size.
class Equations {
 public:
  explicit Equations(const Model& model)
      : parameters(model::check(model.data())),
        equations_(expr::simplify(*model.data().graph, residuals_of(model))),
        residuals(expr::expand_derivatives(*equations_.graph, equations_.roots)),
        guesses_(solving::guesses_of(model.data(), parameters, 0.0)) {}

  expr::Graph& graph() { return *equations_.graph; }

  reduce::DerivativeArray array(int r) {
    return {graph(), residuals, std::vector<int>(residuals.size(), r),
            reduce::Entries::derivatives};
  }

  std::vector<double> point(const reduce::DerivativeArray& array) const {
    std::vector<double> values;
    for (int column = 0; column < array.num_columns(); ++column) {
      const auto [j, m] = array.place_of_column(column);
      const double guess = guesses_[j].empty() ? 0.0 : guesses_[j][0];
      values.push_back(m == 0 ? guess : 0.1 * (0.1 + std::abs(guess)) * std::sin(1.0 + column + m));
    }
    return values;
  }

 private:
  static std::vector<expr::NodeId> residuals_of(const Model& model) {
    std::vector<expr::NodeId> nodes;
    for (const model::Equation& equation : model.data().equations)
      nodes.push_back(equation.residual);
    return nodes;
  }

 public:
  std::vector<double> parameters;

 private:
  expr::Simplified equations_;

 public:
  std::vector<expr::NodeId> residuals;

 private:
  solving::Derivatives guesses_;
};

// Largest difference of values, each relative to the largest of its row: rows of G to the sum of
// the sizes of J's entries times values, entries of J to their row.
double largest_difference(const reduce::DerivativeArray& array, const TracedArray& traced,
                          const std::vector<double>& point) {
  const reduce::SparseRows& J = array.jacobian();
  double largest = 0.0;
  for (int row = 0; row < array.num_rows(); ++row) {
    double size_of_J = 0.0, size_of_G = 0.0, difference = 0.0;
    for (int e = J.starts[row]; e < J.starts[row + 1]; ++e) {
      size_of_J = std::max(size_of_J, std::abs(J.values[e]));
      size_of_G = std::max(size_of_G, std::abs(J.values[e] * point[J.columns[e]]));
      difference = std::max(difference, std::abs(J.values[e] - traced.jacobian_values()[e]));
    }
    const double of_G = std::abs(array.values()[row] - traced.values()[row]) /
                        std::max(size_of_G, std::abs(array.values()[row]));
    for (const double value : {difference / size_of_J, of_G})
      largest = std::max(largest, std::isfinite(value) ? value : 1.0);
  }
  return largest;
}

// Rounding of sums of hundreds of terms.
constexpr double allowed_difference = 1e-11;

// Seconds per call of each, batches of about 2 ms taken in turns.
std::vector<double> seconds_per_call(const std::vector<std::function<void()>>& calls,
                                     int num_batches) {
  std::vector<int> count;
  for (const auto& call : calls) {
    int n = 1;
    while (seconds_of([&] {
             for (int k = 0; k < n; ++k) call();
           }) < 2e-3)
      n *= 2;
    count.push_back(n);
  }
  std::vector<std::vector<double>> times(calls.size());
  for (int batch = 0; batch < num_batches; ++batch)
    for (std::size_t c = 0; c < calls.size(); ++c)
      times[c].push_back(seconds_of([&] {
                           for (int k = 0; k < count[c]; ++k) calls[c]();
                         }) /
                         count[c]);
  std::vector<double> medians;
  for (const auto& list : times) medians.push_back(median(list));
  return medians;
}

struct Row {
  double traced_G = 0.0, own_G = 0.0;  // seconds
  double traced_J = 0.0, own_J = 0.0;  // of G and J
  std::size_t traced_bytes = 0, own_bytes = 0;
  int num_weights = 0;  // of the faster way
  double difference = 0.0;
};

enum class Kind { timed, compared };

Row measure(Equations& equations, int r, Kind kind, const std::vector<Weights>& ways) {
  reduce::DerivativeArray array = equations.array(r);
  const std::vector<double> values = equations.point(array);
  const reduce::ArrayPoint point{0.3, equations.parameters, values};
  array.linearise(point);
  Row row = {.own_bytes = array.num_bytes()};
  row.traced_J = 1e300;
  for (const Weights weights : ways) {
    TracedArray traced(equations.graph(), equations.residuals, r, equations.parameters, array,
                       weights);
    traced.linearise(point);
    row.difference = std::max(row.difference, largest_difference(array, traced, values));
    if (kind == Kind::compared) continue;
    const std::vector<double> seconds =
        seconds_per_call({[&] { traced.evaluate(point); }, [&] { array.evaluate(point); },
                          [&] { traced.linearise(point); }, [&] { array.linearise(point); }},
                         21);
    if (seconds[2] >= row.traced_J) continue;  // the faster way counts
    row.traced_G = seconds[0];
    row.own_G = seconds[1];
    row.traced_J = seconds[2];
    row.own_J = seconds[3];
    row.traced_bytes = traced.num_bytes();
    row.num_weights = traced.num_weights();
  }
  check(row.difference < allowed_difference,
        fmt::format("values differ by {:.1e} at r = {}", row.difference, r));
  return row;
}

struct Problem {
  std::string name;
  Model (*make)();
};
const std::vector<Problem> all_problems = {
    {"shuttle", problems::shuttle},
    {"robot arm", problems::robot_arm},
};

void print_head() {
  fmt::print("{:>18} {:>2} | {:>9} {:>9} {:>6} | {:>9} {:>9} {:>6} | {:>9} {:>9} | {:>7} {:>8}\n",
             "", "r", "G ADOL-C", "daedal", "ratio", "J ADOL-C", "daedal", "ratio", "kB ADOL-C",
             "daedal", "weights", "differ");
}

void print_row(const std::string& name, int r, const Row& row) {
  fmt::print(
      "{:>18} {:>2} | {:>9.2f} {:>9.3f} {:>6.1f} | {:>9.2f} {:>9.3f} {:>6.1f} | {:>9.1f} {:>9.1f} "
      "| {:>7} {:>8.0e}\n",
      name, r, 1e6 * row.traced_G, 1e6 * row.own_G, row.traced_G / row.own_G, 1e6 * row.traced_J,
      1e6 * row.own_J, row.traced_J / row.own_J, 1e-3 * static_cast<double>(row.traced_bytes),
      1e-3 * static_cast<double>(row.own_bytes), row.num_weights, row.difference);
}

void problem_table() {
  fmt::print("G alone, and G with J: microseconds\n");
  print_head();
  for (const auto& [name, make] : all_problems) {
    Equations equations(make());
    for (int r = 1; r <= 5; ++r)
      print_row(fmt::format("{} ({})", name, equations.residuals.size()), r,
                measure(equations, r, Kind::timed, {Weights::one_per_equation, Weights::coloured}));
  }
}

void self_test() {
  for (const auto& [name, make] : all_problems) {
    Equations equations(make());
    for (int r = 1; r <= 3; ++r)
      measure(equations, r, Kind::compared, {Weights::one_per_equation, Weights::coloured});
  }
}

int run(const std::vector<std::string_view>& words) {
  used_clock = Clock::processor;
  const auto wants = [&](std::string_view table) {
    return words.empty() || std::find(words.begin(), words.end(), table) != words.end();
  };
  if (!words.empty() && words[0] == "--self-test") {
    self_test();
  } else {
    if (wants("problems")) problem_table();
  }
  return num_wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int num_words, char** words) {
  return daedal::benchmarks::run({words + 1, words + num_words});
}
