// The cost of a step of large sparse systems of index 3, and how it grows with the number of
// unknowns: rows of pendula (problems/pendulum_row) joined by springs, which are many blocks of
// three, and by inerters, which are one sparse block. The exponent is log(ratio of seconds per
// step)/log(ratio of sizes): 1 is linear.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/markdown.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace {

constexpr double tol = 1e-9;
constexpr std::array sizes = {300, 1000, 3000, 10000};

struct Family {
  const char* name;
  std::function<daedal::Model(int num_pendula)> make;
};

// A column of the table: microseconds per step and unknown by size, each with its exponent.
std::vector<std::vector<std::string>> measure(const Family& family) {
  std::vector<std::vector<std::string>> column;
  double before = 0.0, size_before = 0.0;
  for (const int n : sizes) {
    const int num_pendula = n / 3;
    const daedal::Solution solution =
        daedal::solve(family.make(num_pendula), {.to = 1.0, .tolerance = tol, .keep_steps = false});
    const double size = 3.0 * num_pendula;
    const auto steps = static_cast<double>(solution.statistics().steps);
    const double per_step = solution.seconds().integrate / steps;
    const std::string exponent =
        before > 0
            ? fmt::format("{:.2f}", std::log(per_step / before) / std::log(size / size_before))
            : "";
    fmt::print("{:<26} {:>6} {:>10.3f} {:>9.3f} {:>9.3f} {:>6} {:>11.3e} {:>13.3e} {:>9}  {}\n",
               family.name, 3 * num_pendula,
               solution.seconds().analysis + solution.seconds().compile,
               solution.seconds().initialize, solution.seconds().integrate,
               solution.statistics().steps, per_step, per_step / size, exponent,
               solution.ok() ? "" : daedal::to_string(solution.status()));
    column.push_back({fmt::format("{:.2f}", 1e6 * per_step / size), exponent});
    before = per_step;
    size_before = size;
  }
  return column;
}

}  // namespace

int main() {
  fmt::print("tolerance {}\n{:<26} {:>6} {:>10} {:>9} {:>9} {:>6} {:>11} {:>13} {:>9}\n", tol,
             "family", "n", "prepare s", "start s", "run s", "steps", "s per step", "s per step/n",
             "exponent");
  std::vector<std::vector<std::string>> rows;
  for (const int n : sizes) rows.push_back({fmt::format("{}", 3 * (n / 3))});
  for (const Family& family :
       {Family{"springs, blocks of 3",
               [](int num_pendula) { return daedal::problems::pendulum_row_springs(num_pendula); }},
        Family{"inerters, one block", [](int num_pendula) {
                 return daedal::problems::pendulum_row_inerters(num_pendula);
               }}}) {
    try {
      const auto column = measure(family);
      for (std::size_t k = 0; k < rows.size(); ++k)
        rows[k].insert(rows[k].end(), column[k].begin(), column[k].end());
    } catch (const std::exception& problem) {
      fmt::print("{}: {}\n", family.name, problem.what());
      return 1;
    }
  }
  fmt::print("\n");
  const daedal::benchmarks::MarkdownTable table(
      {"n", "springs, blocks of 3: microseconds per step and unknown", "exponent",
       "inerters, one block", "exponent"});
  for (const auto& row : rows) table.row(row);
}
