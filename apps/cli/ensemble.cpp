// `daedal ensemble`: the members from their file, all solutions, then files and text at the end.
#include "daedal/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>

#include "base/wording.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/members.hpp"
#include "cli/messages.hpp"
#include "cli/model_file.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "report/csv.hpp"
#include "report/ensemble_result.hpp"
#include "settings/settings.hpp"
#include "solution/access.hpp"

namespace daedal::cli {
namespace {

using report::EnsembleResult;

// Solves, and shows progress on the way.
std::vector<Solution> follow(const Model& model, const Members& members,
                             const EnsembleRequest& request, const EnsembleSolver& solver) {
  const InterruptGuard interrupt;
  ProgressLine line(is_progress_wanted(request));
  Ticker ticker;
  EnsembleProgress done{.members = members.size() * (request.options.verify ? 2 : 1)};
  SolveOptions options = request.options;
  options.keep_steps = false;
  options.on_step = [&](const Progress& progress) {
    ++done.steps;
    if (progress.t == progress.to) ++done.members_done;
    if (ticker.is_due()) line.show(progress_line(done, ticker.seconds()));
    return !interrupt.is_requested();
  };
  std::vector<ParameterValues> values;
  for (std::size_t k = 0; k < members.size(); ++k) values.push_back(members[k]);
  std::vector<Solution> solutions = solver(model, values, options, request.ensemble);
  for (Solution& solution : solutions)
    if (solution.status() == Status::interrupted)
      SolutionAccess::record(solution).problems = {explain_interruption(solution, interrupt)};
  return solutions;
}

// Starts are found one after the other, so their times add up; what members take side by side does
// not, and is what is left of the whole.
Seconds seconds_of(const std::vector<Solution>& solutions, double total) {
  Seconds seconds{.total = total};
  if (solutions.empty()) return seconds;
  seconds.analysis = solutions.front().seconds().analysis;
  seconds.compile = solutions.front().seconds().compile;
  for (const Solution& solution : solutions) seconds.initialize += solution.seconds().initialize;
  seconds.integrate =
      std::max(0.0, total - seconds.analysis - seconds.compile - seconds.initialize);
  return seconds;
}

EnsembleResult solve_all(const Model& model, const Members& members, const EnsembleRequest& request,
                         const EnsembleSolver& solver) {
  const auto start = std::chrono::steady_clock::now();
  EnsembleResult result{.parameters = members.parameters,
                        .values = members.values,
                        .solutions = follow(model, members, request, solver),
                        .options = settings::fitted(request.ensemble, members.size()),
                        .seconds = {}};
  const std::chrono::duration<double> total = std::chrono::steady_clock::now() - start;
  result.seconds = seconds_of(result.solutions, total.count());
  return result;
}

// A row for each time asked for, or for the end; none for a member without a start.
long write_rows(OutputFile& file, const EnsembleRequest& request, const EnsembleResult& result) {
  report::CsvWriter csv([&](std::string_view lines) { file.write(lines); });
  const auto joined = [](auto first, const auto& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  };
  const Solution& any = result.solutions.front();
  csv.write_member_header(joined(any.variables(), any.outputs()));
  for (std::size_t k = 0; k < result.solutions.size(); ++k) {
    const Solution& solution = result.solutions[k];
    for (const Sample& sample : solution.at())
      csv.write_member_row(k + 1, sample.t, joined(sample.values, sample.outputs));
    if (request.options.at.empty() && solution.start().ok())
      csv.write_member_row(k + 1, solution.t(), joined(solution.final(), solution.final_outputs()));
  }
  csv.flush();
  return csv.num_rows();
}

// "blow-up: 2, interrupted: 5"
std::string counted_statuses(const std::vector<Solution>& solutions) {
  std::map<std::string, std::size_t> counts;
  for (const Solution& solution : solutions)
    if (!solution.ok()) ++counts[to_string(solution.status())];
  std::string text;
  for (const auto& [status, count] : counts)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", status, count);
  return text;
}

Problem explain_failures(const EnsembleResult& result, const Members& members) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < members.size(); ++k)
    if (!result.solutions[k].ok()) lines.push_back(std::to_string(members.lines[k]));
  return {.id = "S-ENS-001",
          .what = fmt::format("{} of {} did not reach the end", lines.size(),
                              base::plural(members.size(), "member")),
          .where = fmt::format("{} line{} {}", members.file, lines.size() == 1 ? "" : "s",
                               base::listed(lines)),
          .why = counted_statuses(result.solutions),
          .todo = "the first member of each kind follows; --json has what there is to say of each"};
}

Problem of_member(const Members& members, std::size_t k, Problem problem) {
  problem.where = fmt::format("{} member {}, {}", members.place(k), k + 1, problem.where);
  return problem;
}

// How many members failed, and of each id the first member that has it.
std::vector<Problem> findings(const EnsembleResult& result, const Members& members) {
  if (result.num_ok() == members.size()) return {};
  std::vector<Problem> problems = {explain_failures(result, members)};
  std::set<std::string> seen;
  for (std::size_t k = 0; k < members.size(); ++k)
    for (const Problem& problem : result.solutions[k].problems())
      if (seen.insert(problem.id).second) problems.push_back(of_member(members, k, problem));
  return problems;
}

// For each id one problem: that of the first member that has it, and how many members have it.
std::vector<Problem> warnings(const EnsembleResult& result, const Members& members) {
  std::vector<Problem> first;
  std::map<std::string, std::size_t> counts;
  for (std::size_t k = 0; k < members.size(); ++k)
    for (const Problem& warning : result.solutions[k].warnings())
      if (counts[warning.id]++ == 0) first.push_back(of_member(members, k, warning));
  for (Problem& warning : first)
    if (const std::size_t others = counts[warning.id] - 1; others > 0)
      warning.where += fmt::format("; and {}", base::plural(others, "other member"));
  return first;
}

// What is printed as text: a table, or a line about the file; "" for nothing.
std::string text_of(const EnsembleRequest& request, const EnsembleResult& result, long num_rows) {
  if (request.output.empty()) return report::to_text(result);
  if (request.output == "-" || request.quiet) return "";
  return fmt::format("{}{} in {}\n", report::headline(result),
                     base::plural(static_cast<std::size_t>(num_rows), "row"), request.output);
}

}  // namespace

int ensemble(const EnsembleRequest& request, const EnsembleSolver& solver) {
  Model model = load(request);
  const lang::Source source = load_members_text(request.members);
  const Members members = read_members(source, model);
  complete(model, members);
  const auto file = request.output.empty() ? nullptr : std::make_unique<OutputFile>(request.output);
  const EnsembleResult result = solve_all(model, members, request, solver);
  const long num_rows = file == nullptr ? 0 : write_rows(*file, request, result);
  const std::vector<Problem> problems = findings(result, members);
  const std::string text = request.json ? "" : text_of(request, result, num_rows);
  if (request.json) print_json(report::to_json(result, problems));
  print_result(text, problems.empty());
  print_findings(problems, !text.empty());
  print_findings(warnings(result, members), !text.empty() || !problems.empty());
  return problems.empty() ? exit_done : exit_numerical_trouble;
}

}  // namespace daedal::cli
