// Prints what is achieved against what is asked for, in Markdown: the error at the end of a run,
// max over the variables of |error|/max(|reference|, nominal), divided by the tolerance.
//
//   tolerance_table                          auto, tolerances 1e-4 to 1e-13
//   tolerance_table --methods taylor,dd-ida  these, on the problems that they claim
//   tolerance_table --small                  small problems only
//   tolerance_table --seconds 20             no run may take longer (default 60)
//   tolerance_table --verify                 every run is verified by a second one
//
// A point is less than 0.05; w: the run warned. Below the table: how many cells there are, how many
// above 100, and how many of those without a word of warning by the run itself. The exit code is 1
// if there are cells where a run failed; one that took too long has not.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "conformance/achieved.hpp"

namespace daedal::test {
namespace {

constexpr int coarsest = 4, finest = 13;  // tolerances are 10^-k
constexpr double outlier = 100.0;

struct Cell {
  std::string text;
  bool is_run = false, is_outlier = false, is_warned = false, has_failed = false;
};

struct Count {
  int cells = 0, outliers = 0, silent = 0, failed = 0;
  void add(const Cell& cell) {
    cells += cell.is_run ? 1 : 0;
    outliers += cell.is_outlier ? 1 : 0;
    silent += cell.is_outlier && !cell.is_warned ? 1 : 0;
    failed += cell.has_failed ? 1 : 0;
  }
};

std::string ratio_text(double ratio) {
  if (ratio < 0.05) return "·";
  return ratio < 10 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.0f}", ratio);
}

struct Choice {
  std::string_view methods = "auto";
  bool only_small = false;
  double seconds = 60.0;
  bool verify = false;
};

Cell measure(const Row& row, const std::string& method, double tol, const Choice& choice) {
  const Variant& problem = variant(row.problem);
  const Json& reference = problem.facts.at("references").at(0);
  const Model model = problem.cpp();
  const double end = number(reference.at("t"));
  Cell cell;
  try {
    const Solution solution = solve(model, {.to = end,
                                            .tolerance = tol,
                                            .method = method,
                                            .max_seconds = choice.seconds,
                                            .keep_steps = false,
                                            .verify = choice.verify});
    if (solution.status() == Status::tolerance_below_rounding) return {"–"};
    if (solution.status() == Status::out_of_time) return {"long"};
    cell.is_run = true;
    if (!solution.ok() || solution.t() != end) {
      cell.has_failed = true;
      cell.text = to_string(solution.status());
      return cell;
    }
    const double error = std::pow(10.0, -final_digits(model, solution, reference));
    const double trusted = std::pow(10.0, -number(reference.at("digits")));
    if (trusted > tol) return {"–"};  // nobody knows the solution to so many digits
    const double ratio = error / tol;
    cell.is_warned = !solution.warnings().empty();
    cell.is_outlier = ratio > outlier;
    cell.text = ratio_text(ratio) + (cell.is_warned ? " w" : "");
  } catch (const Error& error) {
    cell.has_failed = !is_refusal(error);
    cell.text = is_refusal(error) ? "–" : error.problems().front().id;
  }
  return cell;
}

bool is_listed(std::string_view list, std::string_view name) {
  return ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

bool is_claimed(const Row& row, std::string_view method) {
  for (std::size_t k = 0; k < num_methods; ++k)
    if (methods[k].name == method) return row.claims[k] != no;
  return true;  // auto
}

void print_head(const std::string& method) {
  std::string head = fmt::format("| `{}`: problem |", method), line = "|---|";
  for (int k = coarsest; k <= finest; ++k) {
    head += fmt::format(" 1e-{} |", k);
    line += "---|";
  }
  fmt::print("{}\n{}\n", head, line);
}

Count print_method(const std::string& method, const Choice& choice) {
  print_head(method);
  Count count;
  for (const Row& row : rows()) {
    if (!is_claimed(row, method) || (choice.only_small && row.size == Size::large)) continue;
    fmt::print("| `{}` |", row.problem);
    for (int k = coarsest; k <= finest; ++k) {
      const Cell cell = measure(row, method, std::pow(10.0, -k), choice);
      count.add(cell);
      fmt::print(" {} |", cell.text);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  fmt::print(
      "\n`{}`: {} runs, {} with an error above {:g} tolerances ({} of them without a warning), "
      "{} that ended early\n\n",
      method, count.cells, count.outliers, outlier, count.silent, count.failed);
  return count;
}

int print(const Choice& choice) {
  int failed = 0;
  for (const char* method : {"auto", "taylor", "array", "completion", "dd-erk", "dd-ida", "bdf"})
    if (is_listed(choice.methods, method)) failed += print_method(method, choice).failed;
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace daedal::test

int main(int argc, char** argv) {
  daedal::test::Choice choice;
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (argument == "--small") choice.only_small = true;
    if (argument == "--verify") choice.verify = true;
    if (argument == "--methods" && k + 1 < argc) choice.methods = argv[++k];
    if (argument == "--seconds" && k + 1 < argc) choice.seconds = std::atof(argv[++k]);
  }
  return daedal::test::print(choice);
}
