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
#include "benchmarks/array_timing.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

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
    {"reactor", problems::reactor_separator},
    {"column", [] { return problems::tray_column(5); }},
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

// Growth with the number of trays: everything is sparse, so linear is what one may hope for.
void tray_table() {
  constexpr int r = 2;
  fmt::print("\nColumns of N trays, r = {}: microseconds, and nanoseconds per unknown\n", r);
  fmt::print(
      "{:>5} {:>8} {:>8} | {:>9} {:>9} {:>6} | {:>10} {:>9} {:>6} | {:>9} {:>9} | {:>6} {:>6} | "
      "{:>9}\n",
      "N", "unknowns", "J stored", "G ADOL-C", "daedal", "ratio", "J ADOL-C", "daedal", "ratio",
      "kB ADOL-C", "daedal", "G/unk.", "J/unk.", "build ms");
  for (const int num_trays : {5, 10, 20, 50, 100, 200, 500, 1000}) {
    Equations equations(problems::tray_column(num_trays));
    std::size_t num_stored = 0;
    const double building =
        seconds_of([&] { num_stored = equations.array(r).jacobian().columns.size(); });
    const Row row = measure(equations, r, Kind::timed, {Weights::coloured});
    const auto size = static_cast<double>(equations.residuals.size());
    fmt::print(
        "{:>5} {:>8} {:>8} | {:>9.1f} {:>9.2f} {:>6.1f} | {:>10.1f} {:>9.2f} {:>6.1f} | {:>9.0f} "
        "{:>9.0f} | {:>6.1f} {:>6.1f} | {:>9.1f}\n",
        num_trays, size, num_stored, 1e6 * row.traced_G, 1e6 * row.own_G, row.traced_G / row.own_G,
        1e6 * row.traced_J, 1e6 * row.own_J, row.traced_J / row.own_J,
        1e-3 * static_cast<double>(row.traced_bytes), 1e-3 * static_cast<double>(row.own_bytes),
        1e9 * row.own_G / size, 1e9 * row.own_J / size, 1e3 * building);
  }
}

void self_test() {
  for (const auto& [name, make] : all_problems) {
    Equations equations(make());
    for (int r = 1; r <= 5; ++r)
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
    if (wants("trays")) tray_table();
  }
  return num_wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int num_words, char** words) {
  return daedal::benchmarks::run({words + 1, words + num_words});
}
