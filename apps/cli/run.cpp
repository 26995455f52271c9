// `daedal run`: rows go to the file as the run goes, the rest is printed at its end.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "base/wording.hpp"
#include "cli/commands.hpp"
#include "cli/csv_file.hpp"
#include "cli/file_clashes.hpp"
#include "cli/interrupt.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "daedal/text_plot.hpp"
#include "model/model_data.hpp"
#include "report/plotted.hpp"
#include "report/solution_headline.hpp"
#include "report/solution_json.hpp"
#include "solution/access.hpp"

namespace daedal::cli {
namespace {

// What a run that is continued knows from its checkpoint. Its output file may be one that the
// command line names for something else.
RunRequest resumed_request(const RunRequest& given) {
  if (given.options.resume.empty()) return given;
  RunRequest request = given;
  const Checkpoint checkpoint = read_checkpoint(given.options.resume);
  request.parameters.insert(checkpoint.parameters.begin(), checkpoint.parameters.end());
  const auto mark = csv_mark(checkpoint.note, given.options.resume);
  if (mark && request.output.empty()) request.output = mark->path;
  if (const std::vector<Problem> clashes = clashes_of(request); !clashes.empty())
    throw Error(clashes);
  return request;
}

// Once the run goes on, so that a checkpoint that does not fit is not announced.
void announce(const RunRequest& request) {
  const Checkpoint checkpoint = read_checkpoint(request.options.resume);
  put(stderr, fmt::format("continues '{}' at t = {}, after {}\n", checkpoint.model, checkpoint.t,
                          base::plural(static_cast<std::size_t>(checkpoint.steps), "step")));
}

[[noreturn]] void refuse_other_output(const RunRequest& request, const std::string& why) {
  throw Error(Problem{.id = "E-CHK-004",
                      .what = "the checkpoint belongs to another output file",
                      .where = request.options.resume,
                      .why = why,
                      .todo = "leave -o out, which the checkpoint knows, or begin the run anew"});
}

// None if no rows are wanted.
std::unique_ptr<CsvFile> open_csv(const RunRequest& request, const Model& model) {
  if (request.output.empty()) return nullptr;
  if (request.options.resume.empty()) return std::make_unique<CsvFile>(request.output, model);
  const auto mark = csv_mark(read_checkpoint(request.options.resume).note, request.options.resume);
  if (!mark) refuse_other_output(request, "the run that wrote it had no -o");
  std::error_code ignored;
  if (request.output != mark->path &&
      !std::filesystem::equivalent(request.output, mark->path, ignored))
    refuse_other_output(
        request, fmt::format("its rows are in '{}', and -o is '{}'", mark->path, request.output));
  return std::make_unique<CsvFile>(*mark, model);
}

// Solves, and writes rows and progress on the way.
Solution follow(const Model& model, const RunRequest& request, const Solver& solver, CsvFile* csv) {
  const InterruptGuard interrupt;
  ProgressLine line(is_progress_wanted(request));
  Ticker ticker;
  SolveOptions options = request.options;
  options.keep_steps = request.plot.has_value() || request.report.is_wanted();
  if (csv != nullptr)
    options.on_sample = [&](double t, std::span<const double> values) { csv->write(t, values); };
  bool is_announced = request.options.resume.empty() || request.json || request.quiet;
  options.on_step = [&](const Progress& progress) {
    if (!std::exchange(is_announced, true)) announce(request);
    if (ticker.is_due()) {
      if (csv != nullptr) csv->flush();
      line.show(progress_line(progress, ticker.seconds()));
    }
    return !interrupt.is_requested();
  };
  if (csv != nullptr) {
    options.checkpoint.note = [&] { return bytes_of(csv->mark()); };
    options.checkpoint.before_write = [&] { csv->synchronise(); };
  }
  Solution solution = solver(model, options);
  if (csv != nullptr) csv->finish();
  if (solution.status() == Status::interrupted)
    SolutionAccess::record(solution).problems = {
        explain_interruption(solution, interrupt, options.checkpoint.file)};
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

std::vector<Problem> findings_of(const Solution& solution) {
  std::vector<Problem> findings = solution.problems();
  findings.insert(findings.end(), solution.warnings().begin(), solution.warnings().end());
  return findings;
}

// Names that are none cost no run.
void check_plot(const RunRequest& request, const Model& model) {
  if (!request.plot) return;
  std::vector<std::string> variables, outputs;
  for (const model::Variable& variable : model.data().variables) variables.push_back(variable.name);
  for (const model::Output& reported : model::reported_of(model.data()))
    outputs.push_back(reported.name);
  report::find_plotted(*request.plot, variables, outputs);
}

void print_plot(const RunRequest& request, const Solution& solution, bool is_text_above) {
  if (!request.plot) return;
  const std::string plot = text_plot(
      solution,
      {.names = *request.plot, .width = terminal_width(STDOUT_FILENO), .unicode = is_utf8()});
  if (!plot.empty()) print_result((is_text_above ? "\n" : "") + plot, solution.ok());
}

}  // namespace

int run(const RunRequest& given, const Solver& solver) {
  const RunRequest request = resumed_request(given);
  const Model model = load(request);
  check_plot(request, model);
  const auto csv = open_csv(request, model);
  ReportFile report_file(request.report);
  const Solution solution = follow(model, request, solver, csv.get());
  report_file.write(model, solution);
  const std::string text = request.json ? "" : text_of(request, solution, csv.get());
  if (request.json) print_json(with_problems(report::json_of(solution), report_file.problems()));
  print_result(text, solution.ok());
  print_plot(request, solution, !text.empty());
  if (!request.json && !request.quiet && request.output != "-")
    print_result(report_file.message(), solution.ok());
  print_findings(findings_of(solution), !text.empty() || request.plot.has_value());
  if (!report_file.problems().empty()) {
    print_findings(report_file.problems(), true);
    return exit_wrong_input;
  }
  return solution.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
