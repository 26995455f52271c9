// Solves random models with modes by the thousand and prints a table of outcomes
// (docs/theory/manufactured-problems.md, F12 to F16).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "manufactured/hybrid_trial.hpp"

namespace daedal::manufactured {
namespace {

constexpr const char* usage =
    R"(manufactured_hybrid [OPTIONS]: random models with modes and known solutions

  --family F          conditions (default): nested conditions on known trajectories
                      events: manufactured problems with counters, resets, friction and so on
                      feedback: conditions on what they decide, by brute force
  --seeds A:B         seeds A to B - 1 (default 0:200)
  --method M,...      methods (default auto); "auto", "dd-erk", "dd-ida", "bdf", "array", "completion"
  --share N           methods after the first solve every N-th seed only (default 1)
  --tol T             tolerance (default: drawn from the seed, 1e-5 to 1e-9)
  --jobs J            threads (default 1)
  --verbose           a line for every run that is not right
  --show SEED         prints the model, solves nothing

Exit code 1 if an answer is wrong without a word, or if more than 3 % of the runs gave none.
)";

constexpr double largest_part_said = 0.03;

using Family = std::function<HybridProblem(std::uint64_t)>;
const std::map<std::string, Family>& families() {
  static const std::map<std::string, Family> all = {
      {"conditions", nested_conditions}, {"events", with_events}, {"feedback", with_feedback}};
  return all;
}

struct Options {
  std::string family = "conditions";
  std::uint64_t first = 0, last = 200;
  std::vector<std::string> methods = {"auto"};
  std::uint64_t share = 1;
  double tolerance = 0.0;
  int jobs = 1;
  bool verbose = false;
  bool show = false;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts = {""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string name = argv[k];
    if (name == "--verbose") {
      options.verbose = true;
      continue;
    }
    if (k + 1 == argc) throw std::invalid_argument(name);
    const std::string value = argv[++k];
    if (name == "--family" && families().contains(value)) {
      options.family = value;
    } else if (name == "--seeds") {
      const std::vector<std::string> ends = split(value, ':');
      options.first = std::stoull(ends.front());
      options.last = ends.size() > 1 ? std::stoull(ends[1]) : options.first + 1;
    } else if (name == "--method") {
      options.methods = split(value, ',');
    } else if (name == "--share") {
      options.share = std::stoull(value);
    } else if (name == "--tol") {
      options.tolerance = std::stod(value);
    } else if (name == "--jobs") {
      options.jobs = std::stoi(value);
    } else if (name == "--show") {
      options.show = true;
      options.first = std::stoull(value);
    } else {
      throw std::invalid_argument(name);
    }
  }
  return options;
}

struct Row {
  std::uint64_t seed = 0;
  std::string method;
  double tolerance = 0.0;
  Outcome outcome;
};

std::string describe(const Row& row) {
  constexpr const char* verdicts[] = {"right", "said ", "WRONG"};
  return fmt::format(
      "{} seed {:>6} {:<10} tol {:.0e}: achieved {:.2g} fair {:.2g} steps {} {:.2f} s {}\n",
      verdicts[static_cast<int>(row.outcome.verdict)], row.seed, row.method, row.tolerance,
      row.outcome.achieved, row.outcome.fair, row.outcome.steps, row.outcome.seconds,
      row.outcome.words);
}

double tolerance_of(const Options& options, std::uint64_t seed, const std::string& method) {
  if (options.tolerance > 0.0) return options.tolerance;
  constexpr double tolerances[] = {1e-5, 1e-6, 1e-8, 1e-9};
  return std::max(tolerances[seed / 3 % 4], method == "auto" ? 1e-9 : 1e-6);
}

std::vector<Row> run_seed(const Options& options, std::uint64_t seed) {
  std::vector<Row> rows;
  const HybridProblem problem = families().at(options.family)(seed);
  for (const std::string& method : options.methods) {
    if (!rows.empty() && seed % options.share != 0) break;
    const double tolerance = tolerance_of(options, seed, method);
    rows.push_back({seed, method, tolerance, run(problem, method, tolerance)});
    if (options.verbose && rows.back().outcome.verdict != Verdict::right) {
      fmt::print("{}", describe(rows.back()));
      std::fflush(stdout);
    }
  }
  return rows;
}

std::vector<Row> run_all(const Options& options) {
  std::vector<std::vector<Row>> by_seed(options.last - options.first);
  std::atomic<std::uint64_t> next = options.first;
  const auto work = [&] {
    for (std::uint64_t seed = next++; seed < options.last; seed = next++)
      by_seed[seed - options.first] = run_seed(options, seed);
  };
  std::vector<std::jthread> threads;
  for (int k = 1; k < options.jobs; ++k) threads.emplace_back(work);
  work();
  threads.clear();
  std::vector<Row> rows;
  for (std::vector<Row>& some : by_seed)
    rows.insert(rows.end(), std::make_move_iterator(some.begin()),
                std::make_move_iterator(some.end()));
  return rows;
}

// Prints a row of the table; returns whether it is as promised.
bool print_method(const std::string& method, const std::vector<Row>& rows) {
  int counts[3] = {0, 0, 0}, runs = 0;
  double largest = 0.0;
  std::map<std::string, int> said;
  for (const Row& row : rows) {
    if (row.method != method) continue;
    ++runs;
    ++counts[static_cast<int>(row.outcome.verdict)];
    if (row.outcome.verdict == Verdict::said) ++said[row.outcome.words];
    if (row.outcome.verdict == Verdict::right)
      largest = std::max(largest, row.outcome.achieved / row.outcome.fair);
  }
  std::string words;
  for (const auto& [word, times] : said)
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", times, word);
  fmt::print("| {} | {} | {} | {} | {} | {:.2g} | {} |\n", method, runs, counts[0], counts[1],
             counts[2], largest, words);
  return counts[2] == 0 && counts[1] <= largest_part_said * runs;
}

int run(const Options& options) {
  if (options.show) {
    fmt::print("{}", families().at(options.family)(options.first).text);
    return 0;
  }
  const std::vector<Row> rows = run_all(options);
  fmt::print(
      "{}\n\n| method | runs | right | said | wrong | largest error/fair | what was said |\n"
      "|---|---|---|---|---|---|---|\n",
      options.family);
  bool is_as_promised = true;
  for (const std::string& method : options.methods)
    is_as_promised = print_method(method, rows) && is_as_promised;
  for (const Row& row : rows)
    if (row.outcome.verdict == Verdict::wrong) fmt::print("{}", describe(row));
  return is_as_promised ? 0 : 1;
}

}  // namespace
}  // namespace daedal::manufactured

int main(int argc, char** argv) {
  using namespace daedal::manufactured;
  try {
    return run(parse(argc, argv));
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "not understood: {}\n\n{}", error.what(), usage);
    return 2;
  }
}
