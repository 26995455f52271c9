// Reads the command line, calls the verb, turns exceptions into messages and exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "base/near_miss.hpp"
#include "commands.hpp"
#include "daedal/error.hpp"
#include "daedal/version.hpp"
#include "report/errors_json.hpp"

namespace daedal::cli {
namespace {

// What the user typed after the program's name.
struct CommandLine {
  std::vector<std::string> arguments;

  bool has(const std::string& argument) const {
    return std::find(arguments.begin(), arguments.end(), argument) != arguments.end();
  }
  std::string verb() const { return arguments.front(); }
  // "daedal analyze crane.mo --jsno": the place of every mistake in it.
  std::string text() const {
    std::string result = "daedal";
    for (const std::string& argument : arguments)
      result += argument.empty() ? " ''" : " " + argument;
    return result;
  }
  Problem problem(const char* id, std::string what, std::string why, std::string todo) const {
    return {.id = id,
            .what = std::move(what),
            .where = text(),
            .why = std::move(why),
            .todo = std::move(todo)};
  }
};

// The words a verb takes, as its messages show them.
struct Usage {
  std::vector<std::string> options;      // "-p name=value", "--json"
  std::vector<std::string> names;        // "-p", "--param", "--json"
  std::vector<std::string> positionals;  // "MODEL"

  explicit Usage(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) {
        positionals.push_back(option->get_name());
        continue;
      }
      const std::size_t first = names.size();
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      const bool is_flag = option->get_items_expected_max() == 0;
      options.push_back(names[first] + (is_flag ? "" : " " + option->get_type_name()));
    }
  }
};

Problem unknown_option(const CommandLine& line, const std::string& given, const Usage& usage) {
  const std::string hint = base::did_you_mean(given, usage.names);
  const std::string known =
      usage.options.empty() ? "none" : fmt::format("{}", fmt::join(usage.options, ", "));
  return line.problem(
      "E-CLI-002", fmt::format("there is no option '{}'", given),
      fmt::format("the options of `daedal {}` are: {}", line.verb(), known),
      hint.empty() ? fmt::format("`daedal help {}` says what they do", line.verb()) : hint);
}

Problem option_in_place_of_verb(const CommandLine& line) {
  const std::string hint = base::did_you_mean(line.verb(), {"--version", "--help"});
  return line.problem(
      "E-CLI-002", fmt::format("there is no option '{}' before the verb", line.verb()),
      "a verb comes first, except with --version and --help",
      hint.empty()
          ? "write `daedal VERB` and then the options, such as `daedal analyze MODEL --json`"
          : hint);
}

Problem not_yet(const CommandLine& line) {
  return line.problem(
      "E-CLI-005", fmt::format("`daedal {}` is not in this version yet", line.verb()),
      "this version analyses models; consistent starts and integration come next",
      "use `daedal analyze` for the structure, the index and the initial values to give");
}

// CLI11 collects what it cannot place; the first of these is reported.
void check_all_placed(const CommandLine& line, const CLI::App& app) {
  std::vector<std::string> extras = app.remaining();
  std::erase(extras, "--");
  if (extras.empty()) return;
  const std::string& first = extras.front();
  const Usage usage(app);
  if (first.starts_with('-')) throw Error(unknown_option(line, first, usage));
  throw Error(line.problem(
      "E-CLI-002", fmt::format("'{}' is one argument too many", first),
      fmt::format("`daedal {}` takes one {}", line.verb(), fmt::join(usage.positionals, ", one ")),
      fmt::format("leave it out, or see `daedal help {}`", line.verb())));
}

void parse(CLI::App& app, const CommandLine& line) {
  app.set_help_flag();  // --help was looked for before
  app.allow_extras();
  std::vector<std::string> rest(line.arguments.rbegin(),
                                line.arguments.rend() - 1);  // CLI11 takes them from the back
  try {
    app.parse(rest);
  } catch (const CLI::RequiredError&) {
    const std::string wanted = Usage(app).positionals.front();
    throw Error(line.problem("E-CLI-002", fmt::format("the {} is missing", wanted),
                             fmt::format("`daedal {}` needs one", line.verb()),
                             fmt::format("write `daedal {} {}`; `daedal help {}` says more",
                                         line.verb(), wanted, line.verb())));
  } catch (const CLI::ParseError&) {
    throw Error(
        line.problem("E-CLI-002", "an option and its value do not fit",
                     fmt::format("the options are written {}", fmt::join(Usage(app).options, ", ")),
                     fmt::format("`daedal help {}` says what they do", line.verb())));
  }
  check_all_placed(line, app);
}

int run_analyze(const CommandLine& line) {
  AnalyzeRequest request;
  CLI::App app;
  app.add_option("MODEL", request.model)->required();
  app.add_option("-p,--param", request.parameters)
      ->allow_extra_args(false)
      ->type_name("name=value");
  app.add_flag("--equations", request.equations)->disable_flag_override();
  app.add_flag("--json", request.json)->disable_flag_override();
  parse(app, line);
  if (request.model.empty())
    throw Error(line.problem("E-CLI-002", "the name of the model is empty",
                             "MODEL is '', perhaps from a shell variable that is not set",
                             "give the name of a file, such as pendulum.mo"));
  return analyze(request);
}

int run_explain(const CommandLine& line) {
  std::string id;
  CLI::App app;
  app.add_option("ERROR-ID", id)->required();
  parse(app, line);
  return id == "list" ? list_explained() : explain(id);
}

int run_help(const CommandLine& line) {
  std::string verb;
  CLI::App app;
  app.add_option("VERB", verb);
  parse(app, line);
  return help(verb);
}

int run(const CommandLine& line) {
  if (line.arguments.empty()) return help("");
  const std::string verb = line.verb();
  if (verb == "--version") {
    fmt::print("daedal {}\n", version());
    return exit_done;
  }
  if (verb == "--help" || verb == "-h") return help("");
  if (verb.starts_with('-')) throw Error(option_in_place_of_verb(line));
  if (std::find(verbs().begin(), verbs().end(), verb) == verbs().end())
    throw Error(unknown_verb(verb, line.text()));
  if (line.has("--help") || line.has("-h")) return help(verb);
  if (verb == "analyze") return run_analyze(line);
  if (verb == "explain") return run_explain(line);
  if (verb == "help") return run_help(line);
  throw Error(not_yet(line));
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
  fmt::print(stderr, "{}", Error(problems).what());
  if (line.has("--json") && was_output_written())
    fmt::print("{}\n", report::errors_to_json(status, problems));
  return exit_code;
}

int run_safely(const CommandLine& line) {
  try {
    const int exit_code = run(line);
    return was_output_written() ? exit_code
                                : report(line, "error", {not_written(line)}, exit_wrong_input);
  } catch (const Error& error) {
    return report(line, "error", error.problems(), exit_wrong_input);
  } catch (const std::bad_alloc&) {
    const Problem problem = line.problem(
        "E-CLI-006", "out of memory", "the model needs more memory than this machine gives",
        "make the model smaller, or use a machine with more memory");
    return report(line, "error", {problem}, exit_wrong_input);
  } catch (const std::exception& bug) {
    if (!was_output_written()) return report(line, "error", {not_written(line)}, exit_wrong_input);
    const Problem problem = line.problem("E-CLI-008", "this is a bug of daedal", bug.what(),
                                         "please report it, with the model and this message");
    return report(line, "bug", {problem}, exit_bug);
  }
}

}  // namespace
}  // namespace daedal::cli

int main(int argc, char** argv) {
  try {
    return daedal::cli::run_safely({.arguments = {argv + std::min(argc, 1), argv + argc}});
  } catch (...) {  // only if a message could not be written
    return daedal::cli::exit_bug;
  }
}
