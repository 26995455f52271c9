// `daedal run`: rows go to the file as the run goes, the rest is printed at its end.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/wording.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "daedal/text_plot.hpp"
#include "model/model_data.hpp"
#include "report/csv.hpp"
#include "report/plotted.hpp"
#include "report/solution_headline.hpp"
#include "report/solution_json.hpp"

namespace daedal::cli {
namespace {

// The CSV file of a run.
class CsvFile {
 public:
  CsvFile(const std::string& path, const Model& model)
      : file_(path), csv_([this](std::string_view lines) { file_.write(lines); }) {
    for (const model::Variable& variable : model.data().variables) names_.push_back(variable.name);
    for (const model::Output* output : model::outputs_of(model.data()))
      names_.push_back(output->name);
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

// Solves, and writes rows and progress on the way.
Solution follow(const Model& model, const RunRequest& request, const Solver& solver, CsvFile* csv) {
  const InterruptGuard interrupt;
  ProgressLine line(is_progress_wanted(request));
  Ticker ticker;
  SolveOptions options = request.options;
  options.keep_steps = request.plot.has_value() || request.report.is_wanted();
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
    solution.problems = {explain_interruption(solution, interrupt)};
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

// Names that are none cost no run.
void check_plot(const RunRequest& request, const Model& model) {
  if (!request.plot) return;
  std::vector<std::string> variables, outputs;
  for (const model::Variable& variable : model.data().variables) variables.push_back(variable.name);
  for (const model::Output* output : model::outputs_of(model.data()))
    outputs.push_back(output->name);
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

int run(const RunRequest& request, const Solver& solver) {
  const Model model = load(request);
  check_plot(request, model);
  const auto csv =
      request.output.empty() ? nullptr : std::make_unique<CsvFile>(request.output, model);
  ReportFile report_file(request.report);
  const Solution solution = follow(model, request, solver, csv.get());
  report_file.write(model, solution);
  const std::string text = request.json ? "" : text_of(request, solution, csv.get());
  if (request.json) print_json(with_problems(report::json_of(solution), report_file.problems()));
  print_result(text, solution.ok());
  print_plot(request, solution, !text.empty());
  if (!request.json && !request.quiet && request.output != "-")
    print_result(report_file.message(), solution.ok());
  print_findings(solution.problems, !text.empty() || request.plot.has_value());
  if (!report_file.problems().empty()) {
    print_findings(report_file.problems(), true);
    return exit_wrong_input;
  }
  return solution.ok() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
