// Derivative arrays beside ADOL-C, in tables of the shape of Campbell and Hollenbeck (1996),
// sec. 7.
//
//   derivative_arrays                 all tables, about two minutes
//   derivative_arrays problems        G and J for r = 1 .. 5 on four problems
//   derivative_arrays source          the same from source in C beside the interpreter
//   derivative_arrays trays           r = 2 on columns of 5 to 1000 trays
//   derivative_arrays --self-test     values of both compared, nothing timed
//
// Source is written and compiled with -O2 by the C compiler of this build while the program runs.
//
// Times are processor time of this process: medians of batches, the batches of both taken in turns;
// those of the compiler are by the clock on the wall.
// Values are compared wherever times are taken; a difference beyond rounding is an error.
#include <fmt/format.h>

#include <functional>
#include <span>
#include <string_view>

#include "benchmarks/adolc/traced_array.hpp"
#include "benchmarks/array_timing.hpp"
#include "benchmarks/compiled_array.hpp"
#include "benchmarks/markdown.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

// Largest difference of values, each relative to the largest of its row: rows of G to the sum of
// the sizes of J's entries times values, entries of J to their row.
double largest_difference(const reduce::DerivativeArray& array, std::span<const double> G,
                          std::span<const double> values_of_J, const std::vector<double>& point) {
  const reduce::SparseRows& J = array.jacobian();
  double largest = 0.0;
  for (int row = 0; row < array.num_rows(); ++row) {
    double size_of_J = 0.0, size_of_G = 0.0, difference = 0.0;
    for (int e = J.starts[row]; e < J.starts[row + 1]; ++e) {
      size_of_J = std::max(size_of_J, std::abs(J.values[e]));
      size_of_G = std::max(size_of_G, std::abs(J.values[e] * point[J.columns[e]]));
      difference = std::max(difference, std::abs(J.values[e] - values_of_J[e]));
    }
    const double of_G =
        std::abs(array.values()[row] - G[row]) / std::max(size_of_G, std::abs(array.values()[row]));
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
    row.difference = std::max(row.difference, largest_difference(array, traced.values(),
                                                                 traced.jacobian_values(), values));
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

// Times of G and of J, each of ADOL-C, of daedal and their ratio, and memory in kB.
std::vector<std::string> cells_of(const Row& row, int digits) {
  return {fmt::format("{:.{}f}", 1e6 * row.traced_G, digits),
          fmt::format("{:.{}f}", 1e6 * row.own_G, digits + 1),
          fmt::format("{:.1f}", row.traced_G / row.own_G),
          fmt::format("{:.{}f}", 1e6 * row.traced_J, digits),
          fmt::format("{:.{}f}", 1e6 * row.own_J, digits + 1),
          fmt::format("{:.1f}", row.traced_J / row.own_J),
          fmt::format("{:.{}f}", 1e-3 * static_cast<double>(row.traced_bytes), digits - 1),
          fmt::format("{:.{}f}", 1e-3 * static_cast<double>(row.own_bytes), digits - 1)};
}

void problem_table() {
  fmt::print("G alone, and G with J: microseconds\n");
  const MarkdownTable table({"problem (unknowns)", "r", "G: ADOL-C", "daedal", "ratio", "J: ADOL-C",
                             "daedal", "ratio", "kB: ADOL-C", "daedal"});
  double largest = 0.0;
  for (const auto& [name, make] : all_problems) {
    Equations equations(make());
    for (int r = 1; r <= 5; ++r) {
      const Row row =
          measure(equations, r, Kind::timed, {Weights::one_per_equation, Weights::coloured});
      std::vector<std::string> cells = {fmt::format("{} ({})", name, equations.residuals.size()),
                                        fmt::format("{}", r)};
      const std::vector<std::string> measured = cells_of(row, 2);
      cells.insert(cells.end(), measured.begin(), measured.end());
      table.row(cells);
      largest = std::max(largest, row.difference);
    }
  }
  fmt::print("largest difference of values, relative to the row: {:.0e}\n", largest);
}

// ---------------------------------------------------------------------------------------------------------------------
// Source in C beside the interpreter

struct SourceRow {
  double own_G = 0.0, compiled_G = 0.0, own_J = 0.0, compiled_J = 0.0;  // seconds
  double seconds_to_write = 0.0, seconds_to_compile = 0.0;
  std::size_t text_bytes = 0;
};

SourceRow measure_source(Equations& equations, int r, Kind kind) {
  reduce::DerivativeArray array = equations.array(r);
  const std::vector<double> values = equations.point(array);
  const reduce::ArrayPoint point{0.3, equations.parameters, values};
  array.linearise(point);
  CompiledArray compiled(array, equations.parameters);
  compiled.linearise(point);
  const double difference =
      largest_difference(array, compiled.values(), compiled.jacobian_values(), values);
  check(difference < allowed_difference,
        fmt::format("values of the source differ by {:.1e} at r = {}", difference, r));
  SourceRow row{.seconds_to_write = compiled.seconds_to_write(),
                .seconds_to_compile = compiled.seconds_to_compile(),
                .text_bytes = compiled.num_text_bytes()};
  if (kind == Kind::compared) return row;
  const std::vector<double> seconds =
      seconds_per_call({[&] { array.evaluate(point); }, [&] { compiled.evaluate(point); },
                        [&] { array.linearise(point); }, [&] { compiled.linearise(point); }},
                       21);
  row.own_G = seconds[0];
  row.compiled_G = seconds[1];
  row.own_J = seconds[2];
  row.compiled_J = seconds[3];
  return row;
}

void source_table() {
  fmt::print("\nG alone, and G with J, by the interpreter and by source: microseconds\n");
  const MarkdownTable table({"problem (unknowns)", "r", "G: interpreter", "source", "ratio",
                             "J: interpreter", "source", "ratio", "kB of text", "ms to write",
                             "s to compile"});
  for (const auto& [name, make] : all_problems) {
    Equations equations(make());
    for (int r = 1; r <= 5; ++r) {
      const SourceRow row = measure_source(equations, r, Kind::timed);
      table.row(
          {fmt::format("{} ({})", name, equations.residuals.size()), fmt::format("{}", r),
           fmt::format("{:.3f}", 1e6 * row.own_G), fmt::format("{:.3f}", 1e6 * row.compiled_G),
           fmt::format("{:.1f}", row.own_G / row.compiled_G),
           fmt::format("{:.3f}", 1e6 * row.own_J), fmt::format("{:.3f}", 1e6 * row.compiled_J),
           fmt::format("{:.1f}", row.own_J / row.compiled_J),
           fmt::format("{:.0f}", 1e-3 * static_cast<double>(row.text_bytes)),
           fmt::format("{:.1f}", 1e3 * row.seconds_to_write),
           fmt::format("{:.1f}", row.seconds_to_compile)});
    }
  }
}

// Growth with the number of trays: everything is sparse, so linear is what one may hope for.
void tray_table() {
  constexpr int r = 2;
  fmt::print("\nColumns of N trays, r = {}: microseconds, and nanoseconds per unknown\n", r);
  const MarkdownTable table({"N", "unknowns", "stored in J", "G: ADOL-C", "daedal", "ratio",
                             "J: ADOL-C", "daedal", "ratio", "kB: ADOL-C", "daedal",
                             "G per unknown", "J per unknown", "build"});
  for (const int num_trays : {5, 10, 20, 50, 100, 200, 500, 1000}) {
    Equations equations(problems::tray_column(num_trays));
    std::size_t num_stored = 0;
    const double building =
        seconds_of([&] { num_stored = equations.array(r).jacobian().columns.size(); });
    const Row row = measure(equations, r, Kind::timed, {Weights::coloured});
    const auto size = static_cast<double>(equations.residuals.size());
    std::vector<std::string> cells = {fmt::format("{}", num_trays), fmt::format("{}", size),
                                      fmt::format("{}", num_stored)};
    const std::vector<std::string> measured = cells_of(row, 1);
    cells.insert(cells.end(), measured.begin(), measured.end());
    cells.insert(cells.end(), {fmt::format("{:.1f}", 1e9 * row.own_G / size),
                               fmt::format("{:.1f}", 1e9 * row.own_J / size),
                               fmt::format("{:.1f}", 1e3 * building)});
    table.row(cells);
  }
}

void self_test() {
  for (const auto& [name, make] : all_problems) {
    Equations equations(make());
    for (int r = 1; r <= 5; ++r) {
      measure(equations, r, Kind::compared, {Weights::one_per_equation, Weights::coloured});
      if (r % 2 == 1) measure_source(equations, r, Kind::compared);
    }
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
    if (wants("source")) source_table();
    if (wants("trays")) tray_table();
  }
  return num_wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int num_words, char** words) {
  return daedal::benchmarks::run({words + 1, words + num_words});
}
