// Solves manufactured problems by the thousand and prints a table of outcomes
// (docs/theory/manufactured-problems.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "manufactured/sensitivity.hpp"
#include "manufactured/trial.hpp"

namespace daedal::manufactured {
namespace {

constexpr const char* usage = R"(manufactured [OPTIONS]: random DAEs with known solutions

  --seeds A:B         seeds A to B - 1 (default 0:200)
  --method M,...      methods (default all); "auto", "taylor", "array", "completion", "dd-erk", "dd-ida", "bdf"
  --tol T             tolerance (default: drawn from the seed, 1e-4 to 1e-10)
  --size N  --index K (0 to 20)  --order S (1 to 4)  --nonlinearity L (0 to 3)  --coupling C (0 to 3)
                      default: drawn from the seed
  --starts S          asked: what analysis asks for is fixed, at exact values; exact: exact guesses;
                      off: guesses off by 0.1 (default: asked and exact by turns)
  --jobs J            threads (default 1)
  --verbose           a line for every run that is not right
  --help              prints this
  --show SEED         prints the model and its solution, solves nothing

Exit code 1 if an answer is wrong without a word.
)";

struct Options {
  std::uint64_t first = 0, last = 200;
  std::vector<std::string> methods = {};
  double tolerance = 0.0;
  Choice choice = {};
  std::string starts = "mixed";
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
  for (const Method& method : methods()) options.methods.push_back(method.name);
  const std::map<std::string_view, int*> numbers = {
      {"--size", &options.choice.size},         {"--index", &options.choice.index},
      {"--order", &options.choice.order},       {"--nonlinearity", &options.choice.nonlinearity},
      {"--coupling", &options.choice.coupling}, {"--jobs", &options.jobs}};
  for (int k = 1; k < argc; ++k) {
    const std::string_view name = argv[k];
    if (name == "--help") {
      fmt::print("{}", usage);
      std::exit(0);
    }
    if (name == "--verbose") {
      options.verbose = true;
      continue;
    }
    if (k + 1 == argc) throw std::invalid_argument(std::string(name));
    const std::string value = argv[++k];
    if (const auto number = numbers.find(name); number != numbers.end()) {
      *number->second = std::stoi(value);
    } else if (name == "--seeds") {
      const std::vector<std::string> ends = split(value, ':');
      options.first = std::stoull(ends.front());
      options.last = ends.size() > 1 ? std::stoull(ends[1]) : options.first + 1;
    } else if (name == "--method") {
      options.methods = split(value, ',');
    } else if (name == "--tol") {
      options.tolerance = std::stod(value);
    } else if (name == "--starts") {
      options.starts = value;
    } else if (name == "--show") {
      options.show = true;
      options.first = std::stoull(value);
    } else {
      throw std::invalid_argument(std::string(name));
    }
  }
  return options;
}

void show(const Problem& problem) {
  const Choice& choice = problem.choice();
  fmt::print("size {}, index {}, order {}, nonlinearity {}, coupling {}; t = {} to {}\n\n",
             problem.size(), choice.index, choice.order, choice.nonlinearity, choice.coupling,
             problem.from(), problem.to());
  fmt::print("{}\nundisguised, with the solution\n", problem.text(Start::asked));
  std::vector<std::string> names;
  for (int j = 1; j <= problem.size(); ++j) names.push_back(fmt::format("z{}", j));
  for (std::size_t j = 0; j < names.size(); ++j) {
    const Unknown& unknown = problem.system().unknowns[j];
    fmt::print("  {:<4} {:<10} lag {:>2}  {} = {}\n", names[j], unknown.role, unknown.lag, names[j],
               to_text(unknown.exact.derivative(0), {}));
  }
  for (const CanonicalEquation& equation : problem.system().equations)
    fmt::print("  {} = the same of the solution\n", to_text(equation.left, names));
  fmt::print("\nexact values at t = {}\n", problem.to());
  for (int j = 0; j < problem.size(); ++j)
    fmt::print("  x{} = {:.17g}\n", j + 1,
               static_cast<double>(problem.exact(problem.to(), 1)[static_cast<std::size_t>(j)][0]));
  const Sensitivity sensitivity = sensitivity_of(problem);
  fmt::print("\nkappa = {:.3g}, mu = {:.3g}, growth {:.3g}\n", sensitivity.mixing, sensitivity.rate,
             sensitivity.growth);
}

struct Row {
  std::uint64_t seed = 0;
  std::string method;
  Choice choice;
  int size = 0;
  double tolerance = 0.0;
  Outcome outcome;
};

Start start_of(const Options& options, std::uint64_t seed) {
  if (options.starts == "asked") return Start::asked;
  if (options.starts == "exact") return Start::exact;
  if (options.starts == "off") return Start::off;
  return seed % 2 == 0 ? Start::asked : Start::exact;
}

std::string describe(const Row& row) {
  constexpr const char* verdicts[] = {"right", "said ", "WRONG"};
  return fmt::format(
      "{} seed {:>6} {:<10} index {:>2} order {} size {:>2} nonlinearity {} coupling {} tol "
      "{:.0e}: "
      "achieved {:.2g} fair {:.2g} steps {} {:.2f} s {}\n",
      verdicts[static_cast<int>(row.outcome.verdict)], row.seed, row.method, row.choice.index,
      row.choice.order, row.size, row.choice.nonlinearity, row.choice.coupling, row.tolerance,
      row.outcome.achieved, row.outcome.fair, row.outcome.steps, row.outcome.seconds,
      row.outcome.words);
}

std::vector<Row> run_seed(const Options& options, std::uint64_t seed) {
  std::vector<Row> rows;
  const Problem problem(seed, options.choice);
  for (const std::string& method : options.methods) {
    if (!claims(method, problem)) continue;
    const double tolerance =
        options.tolerance > 0.0 ? options.tolerance : drawn_tolerance(seed, method);
    const Trial trial{method, tolerance, start_of(options, seed), seed % 8 == 3};
    rows.push_back(
        {seed, method, problem.choice(), problem.size(), tolerance, run(problem, trial)});
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

using Rows = std::vector<const Row*>;

int count(const Rows& rows, Verdict verdict) {
  return static_cast<int>(
      std::ranges::count_if(rows, [&](const Row* row) { return row->outcome.verdict == verdict; }));
}

std::string cell(const Rows& rows) {
  if (rows.empty()) return "–";
  return fmt::format("{} / {} / {}", count(rows, Verdict::right), count(rows, Verdict::said),
                     count(rows, Verdict::wrong));
}

void print_by_index(const Options& options, const std::vector<Row>& rows) {
  std::string line = "|---|";
  for (std::size_t k = 0; k < options.methods.size(); ++k) line += "---|";
  fmt::print("right / said why not / wrong without a word\n\n| index | {} |\n{}\n",
             fmt::join(options.methods, " | "), line);
  for (int index = 0; index <= max_index; ++index) {
    line.clear();
    bool has_any = false;
    for (const std::string& method : options.methods) {
      Rows some;
      for (const Row& row : rows)
        if (row.choice.index == index && row.method == method) some.push_back(&row);
      has_any = has_any || !some.empty();
      line += " " + cell(some) + " |";
    }
    if (has_any) fmt::print("| {} |{}\n", index, line);
  }
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

void print_by_method(const Options& options, const std::vector<Row>& rows) {
  fmt::print(
      "\n| method | runs | right | said | wrong | error/tolerance: median | 99% | largest | "
      "largest "
      "error/fair | what was said |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string& method : options.methods) {
    Rows some;
    std::vector<double> achieved, fair;
    std::map<std::string, int> said;
    for (const Row& row : rows) {
      if (row.method != method) continue;
      some.push_back(&row);
      if (row.outcome.verdict == Verdict::said) ++said[row.outcome.words];
      if (row.outcome.verdict != Verdict::right) continue;
      achieved.push_back(row.outcome.achieved);
      fair.push_back(row.outcome.achieved / row.outcome.fair);
    }
    std::string words;
    for (const auto& [word, times] : said)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", times, word);
    fmt::print("| {} | {} | {} | {} | {} | {:.2g} | {:.2g} | {:.2g} | {:.2g} | {} |\n", method,
               some.size(), count(some, Verdict::right), count(some, Verdict::said),
               count(some, Verdict::wrong), quantile(achieved, 0.5), quantile(achieved, 0.99),
               quantile(achieved, 1.0), quantile(fair, 1.0), words);
  }
}

int print_wrong(const std::vector<Row>& rows) {
  int wrong = 0;
  for (const Row& row : rows)
    if (row.outcome.verdict == Verdict::wrong) {
      fmt::print("{}{}", wrong == 0 ? "\n" : "", describe(row));
      ++wrong;
    }
  return wrong;
}

int run(const Options& options) {
  if (options.show) {
    show(Problem(options.first, options.choice));
    return 0;
  }
  const std::vector<Row> rows = run_all(options);
  print_by_index(options, rows);
  print_by_method(options, rows);
  return print_wrong(rows) > 0 ? 1 : 0;
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
