// `daedal run`: rows go to the file as the run goes, the rest is printed at its end.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "base/wording.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/messages.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "model/model_data.hpp"
#include "report/csv.hpp"
#include "report/solution_headline.hpp"

namespace daedal::cli {
namespace {

// The CSV file of a run.
class CsvFile {
 public:
  CsvFile(const std::string& path, const Model& model)
      : file_(path), csv_([this](std::string_view lines) { file_.write(lines); }) {
    for (const model::Variable& variable : model.data().variables) names_.push_back(variable.name);
  }

  void write(double t, std::span<const double> values) {
    write_header();
    csv_.write_row(t, values);
  }
  void flush() { csv_.flush(); }
  // A run that did not get to its first row leaves a file with names only, not an old one.
  void finish() {
    write_header();
    flush();
  }
  long num_rows() const { return csv_.num_rows(); }

 private:
  void write_header() {
    if (!has_header_) csv_.write_header(names_);
    has_header_ = true;
  }

  OutputFile file_;
  report::CsvWriter csv_;
  std::vector<std::string> names_;
  bool has_header_ = false;
};

// About five times a second, counted from the first step.
class Ticker {
 public:
  bool is_due() {
    if (num_calls_++ == 0) first_ = last_ = Clock::now();
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return false;
    last_ = now;
    return true;
  }
  double seconds() const { return std::chrono::duration<double>(last_ - first_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point first_, last_;
  long num_calls_ = 0;
};

bool is_pipe(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
}

bool is_progress_wanted(const RunRequest& request) {
  const bool are_rows_on_terminal = request.output == "-" && isatty(STDOUT_FILENO) != 0;
  return !request.quiet && isatty(STDERR_FILENO) != 0 && !is_pipe(STDOUT_FILENO) &&
         !are_rows_on_terminal;
}

// Why the run stopped, with what the solver cannot know: the signal.
Problem interrupted(const Solution& solution, const InterruptGuard& interrupt) {
  const auto num_steps = static_cast<std::size_t>(solution.statistics.steps);
  return {.id = "S-INT-006",
          .what = fmt::format("the run was interrupted at t = {}", solution.t),
          .where = fmt::format("after {}", base::plural(num_steps, "step")),
          .why = fmt::format("the program was told to stop: {}", interrupt.name()),
          .todo =
              "what was computed until then is complete; run again without interruption for "
              "the rest"};
}

// Solves, and writes rows and progress on the way.
Solution follow(const Model& model, const RunRequest& request, const Solver& solver, CsvFile* csv) {
  const InterruptGuard interrupt;
  ProgressLine line(is_progress_wanted(request));
  Ticker ticker;
  SolveOptions options = request.options;
  options.keep_steps = false;
  if (csv != nullptr)
    options.on_sample = [&](double t, std::span<const double> values) { csv->write(t, values); };
  options.on_step = [&](const Progress& progress) {
    if (ticker.is_due()) {
      if (csv != nullptr) csv->flush();
      line.show(progress_line(progress, ticker.seconds()));
    }
    return !interrupt.is_requested();
  };
  Solution solution = solver(model, options);
  if (csv != nullptr) csv->finish();
  if (solution.status == Status::interrupted)
    solution.problems = {interrupted(solution, interrupt)};
  return solution;
}

// What is printed as text: everything, or a line about the file; "" for nothing.
std::string text_of(const RunRequest& request, const Solution& solution, const CsvFile* csv) {
  if (csv == nullptr) return to_text(solution);
  if (request.output == "-" || request.quiet) return "";
  return fmt::format("{}{} in {}\n", report::headline(solution),
                     base::plural(static_cast<std::size_t>(csv->num_rows()), "row"),
                     request.output);
}

}  // namespace

int run(const RunRequest& request, const Solver& solver) {
  const Model model = load_model(request.model, request.parameters);
  const auto csv =
      request.output.empty() ? nullptr : std::make_unique<CsvFile>(request.output, model);
  const Solution solution = follow(model, request, solver, csv.get());
  const std::string text =
      request.json ? to_json(solution) + "\n" : text_of(request, solution, csv.get());
  fmt::print("{}", text);
  print_findings(solution.problems, !request.json && !text.empty());
  return solution.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
