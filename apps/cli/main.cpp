// Reads the command line, calls the verb, turns exceptions into messages and exit codes.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "base/near_miss.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/messages.hpp"
#include "cli/style.hpp"
#include "daedal/error.hpp"
#include "daedal/solve.hpp"
#include "daedal/version.hpp"
#include "report/errors_json.hpp"

namespace daedal::cli {
namespace {

Problem option_in_place_of_verb(const CommandLine& line) {
  const std::string hint = base::did_you_mean(line.verb(), {"--version", "--help", "--color"});
  return line.problem(
      "E-CLI-002", fmt::format("there is no option '{}' before the verb", line.verb()),
      "a verb comes first, except with --version, --help and --color",
      hint.empty()
          ? "write `daedal VERB` and then the options, such as `daedal analyze MODEL --json`"
          : hint);
}

// What follows `complete --`, which the scripts of completions/ call.
std::vector<std::string> words_to_complete(const CommandLine& line) {
  const bool is_marked = line.arguments.size() > 1 && line.arguments[1] == "--";
  return {line.arguments.begin() + (is_marked ? 2 : 1), line.arguments.end()};
}

// Calls a verb with what was read for it, held to the caps that were given.
template <typename Request, typename Verb>
int held_to_caps(const CommandLine& line, const Request& request, Verb verb) {
  const CapGuard guard(line, request.caps);
  return verb(request);
}

int dispatch(CommandLine& line) {
  set_color(take_color(line.arguments));
  if (line.arguments.empty()) return help("");
  const std::string verb = line.verb();
  if (verb == "--version") {
    fmt::print("daedal {}\n", version());
    return exit_done;
  }
  if (verb == "--help" || verb == "-h") return help("");
  if (verb == "complete") return complete_words(words_to_complete(line));
  if (verb.starts_with('-')) throw Error(option_in_place_of_verb(line));
  if (std::find(verbs().begin(), verbs().end(), verb) == verbs().end())
    throw Error(unknown_verb(verb, line.text()));
  if (line.has("--help") || line.has("-h")) return help(verb);
  if (verb == "analyze") return held_to_caps(line, read_analyze(line), analyze);
  if (verb == "init") return held_to_caps(line, read_init(line), init);
  if (verb == "array") return held_to_caps(line, read_array(line), array);
  if (verb == "run")
    return held_to_caps(line, read_run(line),
                        [](const RunRequest& request) { return run(request, daedal::solve); });
  if (verb == "ensemble")
    return held_to_caps(line, read_ensemble(line), [](const EnsembleRequest& request) {
      return ensemble(request, daedal::solve_ensemble);
    });
  if (verb == "help") return help(read_verb(line));
  if (verb == "completion") return completion(read_shell(line));
  const std::string id = read_error_id(line);
  return id == "list" ? list_explained() : explain(id);
}

// A full disk must not look like success.
bool was_output_written() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

Problem not_written(const CommandLine& line) {
  return line.problem("E-CLI-007", "the output could not be written",
                      "standard output refused it; is the disk full?",
                      "make room, or send the output elsewhere");
}

// For people on standard error, for scripts on standard output.
int report(const CommandLine& line, const char* status, const std::vector<Problem>& problems,
           int exit_code) {
  print_messages(problems);
  if (line.has("--json") && was_output_written())
    put(stdout, report::errors_to_json(status, problems) + "\n");
  return exit_code;
}

int run_safely(CommandLine line) {
  try {
    const int exit_code = dispatch(line);
    return was_output_written() ? exit_code
                                : report(line, "error", {not_written(line)}, exit_wrong_input);
  } catch (const Error& error) {
    return report(line, "error", error.problems(), exit_wrong_input);
  } catch (const std::bad_alloc&) {
    return report(line, "error", {explain_out_of_memory(line.text())}, exit_wrong_input);
  } catch (const std::exception& bug) {
    if (!was_output_written()) return report(line, "error", {not_written(line)}, exit_wrong_input);
    const Problem problem = line.problem("E-CLI-008", "this is a bug of daedal", bug.what(),
                                         "please report it, with the model and this message");
    return report(line, "bug", {problem}, exit_bug);
  }
}

// Where no exception can pass, as in the threads of a compiler.
[[noreturn]] void report_uncaught() {
  try {
    if (const auto uncaught = std::current_exception()) std::rethrow_exception(uncaught);
  } catch (const std::bad_alloc&) {
    print_messages({explain_out_of_memory("daedal")});
    _exit(exit_wrong_input);
  } catch (const std::exception& bug) {
    put(stderr, fmt::format("E-CLI-008  this is a bug of daedal: {}\n", bug.what()));
  }
  _exit(exit_bug);
}

// In a process that was started with a standard stream closed, the next file that is opened would
// take its place, and get what is printed. Writing to these fails, as it does to a closed stream.
void occupy_standard_streams() {
  int opened = 0;
  do opened = open("/dev/null", O_RDONLY);
  while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened >= 0) close(opened);
}

// A file that has grown to the limit of `ulimit -f` is told as one on a full disk is.
void outlive_file_limit() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace
}  // namespace daedal::cli

int main(int argc, char** argv) {
  daedal::cli::occupy_standard_streams();
  daedal::cli::outlive_file_limit();
  std::set_terminate(daedal::cli::report_uncaught);
  try {
    return daedal::cli::run_safely({.arguments = {argv + std::min(argc, 1), argv + argc}});
  } catch (...) {  // only if there was no memory for a message
    return daedal::cli::exit_bug;
  }
}
