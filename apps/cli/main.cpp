// Reads the command line, calls the verb, turns exceptions into messages and exit codes.
#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/near_miss.hpp"
#include "commands.hpp"
#include "daedal/error.hpp"
#include "daedal/version.hpp"
#include "report/analysis_json.hpp"

namespace daedal::cli {
namespace {

Problem wrong_usage(const std::string& why, const std::string& todo) {
  return {.id = "E-CLI-002",
          .what = "the command line is not understood",
          .where = "daedal",
          .why = why,
          .todo = todo,
          .excerpt = {}};
}

Problem unknown_verb(const std::string& verb) {
  const std::string hint = base::did_you_mean(verb, verbs());
  return {.id = "E-CLI-001",
          .what = fmt::format("there is no verb '{}'", verb),
          .where = "daedal",
          .why = "the verbs are analyze, init, run, explain, help",
          .todo = hint.empty() ? "`daedal help` shows what each does" : hint,
          .excerpt = {}};
}

Problem not_yet(const std::string& verb) {
  return {.id = "E-CLI-005",
          .what = fmt::format("`daedal {}` is not in this version yet", verb),
          .where = "daedal",
          .why = "this version analyses models; consistent starts and integration come next",
          .todo = "use `daedal analyze` for the structure, the index and the initial values to give",
          .excerpt = {}};
}

// The name of the option that CLI11 could not place, with near misses among those that exist.
Problem unplaced_arguments(const CLI::App& app, const std::vector<std::string>& extras) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  const std::string first = extras.empty() ? "" : extras.front();
  const std::string hint = base::did_you_mean(first, known);
  return wrong_usage(fmt::format("'{}' is neither an option nor expected here", first),
                     hint.empty() ? fmt::format("see `daedal help {}`", app.get_name()) : hint);
}

struct Request {
  AnalyzeRequest analyze;
  std::string explain_id;
  std::string help_verb;
};

void add_analyze(CLI::App& program, Request& request) {
  CLI::App* verb = program.add_subcommand("analyze");
  verb->set_help_flag("-h,--help");
  verb->add_option("MODEL", request.analyze.model)->required();
  verb->add_option("-p,--param", request.analyze.parameters)->allow_extra_args(false);
  verb->add_flag("--equations", request.analyze.equations);
  verb->add_flag("--json", request.analyze.json);
  verb->allow_extras();
}

int explain_or_list(const std::string& id) {
  if (id != "list") return explain(id);
  for (const std::string& known : error_ids()) {
    const std::string page = error_page(known);
    fmt::print("{}\n", page.substr(2, page.find('\n') - 2));
  }
  return exit_done;
}

int dispatch(CLI::App& program, Request& request) {
  const auto chosen = program.get_subcommands();
  if (chosen.empty()) return help("");
  CLI::App& verb = *chosen.front();
  if (!verb.remaining().empty()) throw Error(unplaced_arguments(verb, verb.remaining()));
  if (verb.get_name() == "analyze") return analyze(request.analyze);
  if (verb.get_name() == "explain") return explain_or_list(request.explain_id);
  return help(request.help_verb);
}

int run(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "--version") {
    fmt::print("daedal {}\n", version());
    return exit_done;
  }
  if (first == "--help" || first == "-h") return help("");
  if (first == "init" || first == "run") throw Error(not_yet(first));
  if (!first.empty() && std::find(verbs().begin(), verbs().end(), first) == verbs().end())
    throw Error(first.starts_with('-') ? wrong_usage(fmt::format("unknown option '{}'", first), "see `daedal --help`")
                                       : unknown_verb(first));
  Request request;
  CLI::App program;
  program.set_help_flag();
  add_analyze(program, request);
  program.add_subcommand("explain")->allow_extras()->add_option("ERROR-ID", request.explain_id)->required();
  program.add_subcommand("help")->allow_extras()->add_option("VERB", request.help_verb);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return help(first);
  } catch (const CLI::ParseError& error) {
    throw Error(wrong_usage(error.what(), fmt::format("see `daedal help {}`", first)));
  }
  return dispatch(program, request);
}

bool wants_json(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* argument) { return std::strcmp(argument, "--json") == 0; });
}

}  // namespace
}  // namespace daedal::cli

int main(int argc, char** argv) {
  using namespace daedal;
  try {
    return cli::run(argc, argv);
  } catch (const Error& error) {
    if (cli::wants_json(argc, argv)) fmt::print("{}\n", report::errors_to_json("error", error.problems()));
    fmt::print(stderr, "{}", error.what());
    return cli::exit_wrong_input;
  } catch (const std::bad_alloc&) {
    const Problem problem{.id = "E-CLI-006",
                          .what = "out of memory",
                          .where = "daedal",
                          .why = "the model needs more memory than this machine gives",
                          .todo = "make the model smaller, or use a machine with more memory",
                          .excerpt = {}};
    if (cli::wants_json(argc, argv)) fmt::print("{}\n", report::errors_to_json("error", {problem}));
    fmt::print(stderr, "{}", problem.text());
    return cli::exit_wrong_input;
  } catch (const std::exception& bug) {
    fmt::print(stderr, "daedal: {}\n", bug.what());
    return cli::exit_bug;
  }
}
