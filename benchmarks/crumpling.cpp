// The cost of a step of a large sparse system, and how it grows with the number of unknowns: the
// thin sheet of problems/crumpling_sheet, quasi-static with damping (index 1, one sparse block).
//
//   crumpling                   bdf, bdf on the full equations, dd-ida; 10, 16, 24 nodes along a
//   side crumpling --method taylor   another method of SolveOptions::method crumpling --form 2 1:
//   quasi-static with damping, 2: without, 3: full crumpling --to 5 --tol 1e-5 another end and
//   tolerance crumpling --sizes 10,20,40  other sizes
//
// The exponent is the slope of log(seconds per step) over log(unknowns), by least squares: 1 is
// linear. Entries are those of the signature matrix, what a Jacobian has at most.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/markdown.hpp"
#include "daedal/analysis.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace {

struct Task {
  std::string method = "bdf";
  daedal::problems::SheetForm form = daedal::problems::SheetForm::damped;
  double to = 5.0;
  double tolerance = 1e-5;
  std::vector<int> sizes = {10, 16, 24};
};

struct Measured {
  double unknowns = 0.0;
  double seconds_per_step = 0.0;
};

std::vector<int> numbers_of(const std::string& list) {
  std::vector<int> numbers;
  std::istringstream stream(list);
  for (std::string number; std::getline(stream, number, ',');) numbers.push_back(std::stoi(number));
  return numbers;
}

Task read_task(const std::vector<std::string>& arguments) {
  Task task;
  for (std::size_t k = 0; k < arguments.size(); k += 2) {
    const std::string& name = arguments[k];
    if (k + 1 == arguments.size()) throw std::invalid_argument(name + " needs a value");
    const std::string& value = arguments[k + 1];
    if (name == "--method")
      task.method = value;
    else if (name == "--form")
      task.form = static_cast<daedal::problems::SheetForm>(std::stoi(value));
    else if (name == "--to")
      task.to = std::stod(value);
    else if (name == "--tol")
      task.tolerance = std::stod(value);
    else if (name == "--sizes")
      task.sizes = numbers_of(value);
    else
      throw std::invalid_argument("no option is called " + name);
  }
  return task;
}

Measured measure(const Task& task, int num_nodes) {
  const daedal::Model model = daedal::problems::crumpling_sheet(num_nodes, task.form);
  const std::size_t num_entries = daedal::analyze(model).signature.size();
  using Clock = std::chrono::steady_clock;
  constexpr long first_steps = 5;  // in which orders of elimination are looked for, once
  Clock::time_point begun, now;
  daedal::SolveOptions options{
      .to = task.to, .tolerance = task.tolerance, .method = task.method, .keep_steps = false};
  options.on_step = [&](const daedal::Progress& progress) {
    now = Clock::now();
    if (progress.steps == first_steps) begun = now;
    return true;
  };
  const daedal::Solution solution = daedal::solve(model, options);
  const Measured measured = {
      .unknowns = static_cast<double>(model.num_variables()),
      .seconds_per_step = std::chrono::duration<double>(now - begun).count() /
                          static_cast<double>(solution.statistics().steps - first_steps)};
  fmt::print(
      "{:>5} {:>9} {:>9} {:>7} {:>9} {:>10.3f} {:>10.3f} {:>11.1f} {:>14.4f}  {}\n", num_nodes,
      model.num_variables(), num_entries, solution.statistics().steps,
      solution.statistics().factorisations,
      solution.seconds().analysis + solution.seconds().compile + solution.seconds().initialize,
      solution.seconds().integrate, 1e6 * measured.seconds_per_step,
      1e6 * measured.seconds_per_step / measured.unknowns,
      solution.ok() ? "" : daedal::to_string(solution.status()));
  std::fflush(stdout);
  return measured;
}

double fitted_exponent(const std::vector<Measured>& all) {
  const auto n = static_cast<double>(all.size());
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const Measured& m : all) {
    const double u = std::log(m.unknowns), v = std::log(m.seconds_per_step);
    x += u;
    y += v;
    xx += u * u;
    xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

const char* name_of(daedal::problems::SheetForm form) {
  using enum daedal::problems::SheetForm;
  return form == damped ? "quasi-static with damping"
         : form == full ? "full equations"
                        : "quasi-static without damping";
}

// One row of the table: microseconds per step by size, and the exponent.
std::vector<std::string> measure_all(const Task& task) {
  fmt::print("crumpling sheet, method {}, to t = {}, tolerance {}\n", task.method, task.to,
             task.tolerance);
  fmt::print("{:>5} {:>9} {:>9} {:>7} {:>9} {:>10} {:>10} {:>11} {:>14}\n", "N", "unknowns",
             "entries", "steps", "factored", "prepare s", "run s", "us per step", "us per unknown");
  std::vector<Measured> all;
  for (const int num_nodes : task.sizes) all.push_back(measure(task, num_nodes));
  std::vector<std::string> row = {fmt::format("{}, {}", task.method, name_of(task.form))};
  for (const Measured& m : all) row.push_back(fmt::format("{:.0f}", 1e6 * m.seconds_per_step));
  row.push_back(all.size() > 1 ? fmt::format("{:.2f}", fitted_exponent(all)) : "");
  return row;
}

// What is asked for, or what the documentation shows.
void print_all(const std::vector<std::string>& arguments) {
  using enum daedal::problems::SheetForm;
  std::vector<Task> tasks = {read_task(arguments)};
  if (arguments.empty()) tasks = {{}, {.form = full}, {.method = "dd-ida"}};
  std::vector<std::vector<std::string>> rows;
  for (const Task& task : tasks) rows.push_back(measure_all(task));
  fmt::print("\nmicroseconds per step, and the exponent of their growth\n");
  std::vector<std::string> head = {"method, form"};
  for (const int num_nodes : tasks.front().sizes)
    head.push_back(
        fmt::format("{}{}", 6 * num_nodes * num_nodes, head.size() == 1 ? " unknowns" : ""));
  head.emplace_back("exponent");
  const daedal::benchmarks::MarkdownTable table(head);
  for (const auto& row : rows) table.row(row);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    print_all({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    fmt::print("{}\n", problem.what());
    return 2;
  }
}
