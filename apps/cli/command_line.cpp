// CLI11 sorts the words; what they mean and what is wrong with them is said here.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "base/near_miss.hpp"
#include "cli/file_clashes.hpp"
#include "cli/option_values.hpp"
#include "daedal/method.hpp"
#include "report/plotted.hpp"

namespace daedal::cli {
namespace {

constexpr const char* shown = "options";  // the group of options that messages list

// What parse throws when it was asked for words: the definitions are complete at that point.
struct WordsAsked {
  VerbWords words;
};

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

bool is_value_optional(const CLI::Option& option) {
  return !is_flag(option) && option.get_items_expected_min() == 0;
}

// CLI11 keeps a description of each option; here it is the choices, with bars between them.
constexpr char bar = '|';

VerbWords words_in(const CLI::App& app) {
  VerbWords words;
  for (const CLI::Option* option : app.get_options()) {
    Word word = {.names = {},
                 .takes = is_flag(*option) ? "" : option->get_type_name(),
                 .choices = CLI::detail::split(option->get_description(), bar),
                 .is_value_optional = is_value_optional(*option)};
    std::erase(word.choices, "");
    if (option->get_positional()) {
      word.names = {option->get_name()};
      words.places.push_back(word);
      continue;
    }
    for (const std::string& name : option->get_snames()) word.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) word.names.push_back("--" + name);
    words.options.push_back(word);
  }
  return words;
}

// The words a verb takes, as its messages show them.
struct Usage {
  std::vector<std::string> options;      // "-p name=value", "--json"
  std::vector<std::string> names;        // "-p", "--param", "--json"
  std::vector<std::string> positionals;  // "MODEL"

  explicit Usage(const CLI::App& app) {
    const VerbWords words = words_in(app);
    for (const Word& place : words.places) positionals.push_back(place.names.front());
    for (const Word& word : words.options) {
      names.insert(names.end(), word.names.begin(), word.names.end());
      options.push_back(word.names.front() + (word.takes.empty() ? "" : " " + word.takes));
    }
  }
};

// An option that every verb has is near, too.
Problem unknown_option(const CommandLine& line, const std::string& given, const Usage& usage) {
  std::vector<std::string> names = usage.names;
  names.insert(names.end(), {"--help", "--color"});
  const std::string hint = base::did_you_mean(given.substr(0, given.find('=')), names);
  const std::string known =
      usage.options.empty() ? "none" : fmt::format("{}", fmt::join(usage.options, ", "));
  return line.problem(
      "E-CLI-002", fmt::format("there is no option '{}'", given),
      fmt::format("the options of `daedal {}` are: {}", line.verb(), known),
      hint.empty() ? fmt::format("`daedal help {}` says what they do", line.verb()) : hint);
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

// The first word that a verb needs and did not get.
Problem missing_word(const CommandLine& line, const CLI::App& app) {
  const auto is_missing = [](const CLI::Option* option) {
    return option->get_positional() && option->count() == 0;
  };
  const std::string wanted = app.get_options(is_missing).front()->get_name();
  return line.problem("E-CLI-002", fmt::format("the {} is missing", wanted),
                      fmt::format("`daedal {}` needs one", line.verb()),
                      fmt::format("write `daedal {} {}`; `daedal help {}` says more", line.verb(),
                                  fmt::join(Usage(app).positionals, " "), line.verb()));
}

// A flag with a value, or an option without one, with whose name CLI11's message then begins.
Problem ill_fitting_value(const CommandLine& line, const CLI::App& app, const std::string& why) {
  const std::string name = why.substr(0, why.find(':'));
  return line.problem(
      "E-CLI-002",
      name.starts_with('-') ? fmt::format("there is no value after '{}'", name)
                            : "an option and its value do not fit",
      fmt::format("the options are written {}", fmt::join(Usage(app).options, ", ")),
      fmt::format("`daedal help {}` says what they do", line.verb()));
}

void parse(CLI::App& app, const CommandLine& line) {
  app.set_help_flag();  // --help was looked for before
  app.allow_extras();
  if (line.asks_for_words) throw WordsAsked{words_in(app)};
  std::vector<std::string> rest(line.arguments.rbegin(),
                                line.arguments.rend() - 1);  // CLI11 takes them from the back
  try {
    app.parse(rest);
  } catch (const CLI::RequiredError&) {
    throw Error(missing_word(line, app));
  } catch (const CLI::ParseError& error) {
    throw Error(ill_fitting_value(line, app, error.what()));
  }
  check_all_placed(line, app);
}

void add_flag(CLI::App& app, const char* name, bool& flag) {
  app.add_flag(name, flag)->disable_flag_override()->group(shown);
}

CLI::Option* add_option(CLI::App& app, const char* names, const char* type,
                        std::vector<std::string>& texts) {
  return app.add_option(names, texts)->allow_extra_args(false)->type_name(type)->group(shown);
}

CLI::Option* add_option(CLI::App& app, const char* type, GivenOption& option) {
  return add_option(app, option.name, type, option.texts)
      ->description(fmt::format("{}", fmt::join(option.choices, std::string(1, bar))));
}

std::string only_word(const CommandLine& line, const char* name, bool is_required,
                      const char* choices = "") {
  std::string word;
  CLI::App app;
  app.add_option(name, word, choices)->required(is_required);
  parse(app, line);
  return word;
}

// MODEL, -p, --json and what it may cost, which every verb that reads a model has.
class ModelWords {
 public:
  ModelWords(CLI::App& app, ModelRequest& request) : request_(request) {
    app.add_option("MODEL", request.model)->required();
    add_option(app, "-p,--param", "name=value", settings_);
  }
  // Last, so that messages list it after what the verb has of its own.
  void add_common(CLI::App& app) {
    add_option(app, "N", max_elements_);
    add_option(app, "S", max_seconds_);
    add_option(app, "MB", max_memory_);
    add_flag(app, "--json", request_.json);
  }

  void read(const CommandLine& line, OptionReader& reader) {
    request_.parameters = reader.parameters(settings_);
    if (const auto elements = reader.positive_whole_number(max_elements_))
      request_.limits.max_elements = *elements;
    request_.caps.seconds = reader.positive_number(max_seconds_);
    request_.caps.megabytes = reader.positive_number(max_memory_);
    if (request_.model.empty())
      reader.add(line.problem("E-CLI-002", "the name of the model is empty",
                              "MODEL is '', perhaps from a shell variable that is not set",
                              "give the name of a file, such as pendulum.mo"));
  }

 private:
  ModelRequest& request_;
  std::vector<std::string> settings_;
  GivenOption max_elements_ = {"--max-elements", "a whole number greater than 0, such as 20000000"};
  GivenOption max_seconds_ = {"--max-seconds", "a number greater than 0, such as 60"};
  GivenOption max_memory_ = {"--max-memory", "a number of MB greater than 0, such as 4000"};
};

std::vector<std::string> names_of_methods() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.push_back(method.name);
  return names;
}

// The options that set SolveOptions.
class SolveWords {
 public:
  explicit SolveWords(CLI::App& app) {
    add_option(app, "T0", from_);
    add_option(app, "T1", to_);
    add_option(app, "TOL", tol_);
    add_option(app, "P", order_);
    add_option(app, "M", method_);
    add_option(app, "Q", index_);
    add_option(app, "H", fixed_step_);
    add_option(app, "S", start_up_);
    add_option(app, "K", kernel_);
    add_flag(app, "--no-cache", no_cache_);
    add_option(app, "t1,t2,...", at_);
    add_option(app, "H", max_step_);
    add_option(app, "N", max_steps_);
    add_flag(app, "--verify", verify_);
  }

  SolveOptions read(OptionReader& reader) const {
    SolveOptions options;
    options.from = reader.number(from_);
    options.to = reader.number(to_);
    options.tol = reader.positive_number(tol_);
    options.order = reader.whole_number(order_);
    options.method = reader.text(method_, options.method);
    options.index = reader.whole_number(index_);
    options.fixed_step = reader.positive_number(fixed_step_);
    options.start_up = reader.choice(start_up_, options.start_up);
    options.kernel = reader.text(kernel_, options.kernel);
    options.use_cache = !no_cache_;
    options.at = reader.numbers(at_);
    options.max_step = reader.positive_number(max_step_).value_or(options.max_step);
    if (const auto steps = reader.whole_number(max_steps_)) options.max_steps = *steps;
    options.verify = verify_;
    return options;
  }

 private:
  GivenOption from_ = {"--from", "a time, such as 0"};
  GivenOption to_ = {"--to", "a time, such as 100"};
  GivenOption tol_ = {"--tol", "a number from 1e-15 to 0.1, such as 1e-9"};
  GivenOption order_ = {"--order", "a whole number from 1 to 100"};
  GivenOption method_ = {"--method", "the name of a method, such as auto or taylor",
                         names_of_methods()};
  GivenOption index_ = {"--index", "a whole number from 0 to 3", {"0", "1", "2", "3"}};
  GivenOption fixed_step_ = {"--fixed-step", "a number greater than 0"};
  GivenOption start_up_ = {"--start-up", "series or orders", {"series", "orders"}};
  GivenOption kernel_ = {
      "--kernel", "auto, interpreter or compiled", {"auto", "interpreter", "compiled"}};
  bool no_cache_ = false;
  GivenOption at_ = {"--at", "times with commas between them and no blanks, such as 1,2.5,10"};
  GivenOption max_step_ = {"--max-step", "a number greater than 0"};
  GivenOption max_steps_ = {"--max-steps", "a whole number, such as 100000"};
  bool verify_ = false;
};

// --checkpoint FILE, --checkpoint-every S, --resume FILE, --anchor-every N
class CheckpointWords {
 public:
  explicit CheckpointWords(CLI::App& app) {
    add_option(app, "FILE", checkpoint_);
    add_option(app, "S", every_);
    add_option(app, "FILE", resume_);
    add_option(app, "N", anchor_every_);
  }

  // A run that is resumed goes on keeping its file, unless another one is named.
  void read(const CommandLine& line, RunRequest& request, OptionReader& reader) const {
    SolveOptions& options = request.options;
    options.resume = reader.text(resume_, "");
    options.checkpoint.file = reader.text(checkpoint_, options.resume);
    options.checkpoint.every = reader.number(every_).value_or(options.checkpoint.every);
    options.anchor_every = reader.whole_number(anchor_every_);
    if (!options.checkpoint.file.empty() && !can_take_back(request.output))
      reader.add(line.problem(
          "E-CLI-010", "a run with checkpoints does not write to a pipe or device",
          fmt::format("rows behind the last checkpoint are written again by a run that continues "
                      "it, and cannot be taken back from -o {}",
                      request.output),
          "write the trajectory to a file, such as -o out.csv"));
  }

 private:
  // Rows that were written there; a folder is refused when it is opened.
  static bool can_take_back(const std::string& output) {
    std::error_code ignored;
    const auto status = std::filesystem::status(output, ignored);
    return output != "-" &&
           (!std::filesystem::exists(status) || is_regular_file(status) || is_directory(status));
  }

  GivenOption checkpoint_ = {"--checkpoint", "the name of a file, such as run.checkpoint"};
  GivenOption every_ = {"--checkpoint-every", "a number of seconds, such as 60"};
  GivenOption resume_ = {"--resume", "the name of a checkpoint, such as run.checkpoint"};
  GivenOption anchor_every_ = {"--anchor-every", "a whole number of steps, such as 100"};
};

// --plot [NAMES]
class PlotWords {
 public:
  explicit PlotWords(CLI::App& app)
      : option_(add_option(app, "[NAMES]", plot_)
                    ->expected(0, 1)
                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)) {}

  void read(const CommandLine& line, RunRequest& request, OptionReader& reader) const {
    if (option_->count() == 0) return;
    const std::string names = plot_.texts.empty() ? "" : plot_.texts.back();
    request.plot = names.empty() ? std::vector<std::string>() : report::split_names(names);
    if (request.json || request.output == "-")
      reader.add(line.problem(
          "E-CLI-010",
          fmt::format("--plot and {} do not go together", request.json ? "--json" : "-o -"),
          "both print to standard output",
          request.json ? "leave one of them out"
                       : "write the trajectory to a file, such as -o out.csv"));
  }

 private:
  GivenOption plot_ = {"--plot", "names with commas between them, such as x,der(x),x:y"};
  const CLI::Option* option_;
};

// --report FILE
class ReportWords {
 public:
  explicit ReportWords(CLI::App& app) { add_option(app, "FILE", report_); }

  ReportRequest read(const CommandLine& line, OptionReader& reader) const {
    const std::string file = reader.text(report_, "");
    if (file == "-")
      reader.add(line.problem("E-CLI-010", "a report goes to a file", "- is standard output",
                              "give it a name, such as --report out.html"));
    return {file, line.text()};
  }

 private:
  GivenOption report_ = {"--report", "the name of a file, such as out.html"};
};

void check_output(const CommandLine& line, const SolveRequest& request, OptionReader& reader) {
  if (request.output == "-" && request.json)
    reader.add(line.problem("E-CLI-010", "-o - and --json do not go together",
                            "both print to standard output",
                            "write the trajectory to a file, such as -o out.csv"));
}

// What `run` and `ensemble` share.
class SolveRequestWords {
 public:
  SolveRequestWords(CLI::App& app, SolveRequest& request)
      : request_(request), model_(app, request), solve_(app) {
    add_option(app, "FILE", output_);
    model_.add_common(app);
    add_flag(app, "--quiet", request.quiet);
  }

  void read(const CommandLine& line, OptionReader& reader) {
    model_.read(line, reader);
    request_.options = solve_.read(reader);
    request_.options.max_seconds = request_.caps.seconds.value_or(request_.options.max_seconds);
    request_.options.max_memory = request_.caps.megabytes;
    request_.output = reader.text(output_, "");
    check_output(line, request_, reader);
  }

 private:
  SolveRequest& request_;
  ModelWords model_;
  SolveWords solve_;
  GivenOption output_ = {"-o", "the name of a file, or - for standard output"};
};

// MEMBERS.csv, --lanes and --threads.
class EnsembleWords {
 public:
  EnsembleWords(CLI::App& app, EnsembleRequest& request) : request_(request) {
    app.add_option("MEMBERS.csv", request.members)->required();
    add_option(app, "L", lanes_);
    add_option(app, "N", threads_);
  }

  void read(const CommandLine& line, OptionReader& reader) {
    EnsembleOptions& options = request_.ensemble;
    options.lanes = reader.whole_number(lanes_).value_or(options.lanes);
    options.threads = reader.whole_number(threads_).value_or(options.threads);
    if (request_.members.empty())
      reader.add(line.problem("E-CLI-002", "the name of the members' file is empty",
                              "MEMBERS.csv is '', perhaps from a shell variable that is not set",
                              "give the name of a file, or - for standard input"));
  }

 private:
  EnsembleRequest& request_;
  GivenOption lanes_ = {"--lanes", "a whole number from 1 to 64"};
  GivenOption threads_ = {"--threads", "a whole number, 0 for as many as the machine has"};
};

}  // namespace

bool CommandLine::has(const std::string& argument) const {
  return std::find(arguments.begin(), arguments.end(), argument) != arguments.end();
}

std::string CommandLine::text() const {
  std::string result = "daedal";
  for (const std::string& argument : arguments) result += argument.empty() ? " ''" : " " + argument;
  return result;
}

Problem CommandLine::problem(const char* id, std::string what, std::string why,
                             std::string todo) const {
  return {.id = id,
          .what = std::move(what),
          .where = text(),
          .why = std::move(why),
          .todo = std::move(todo)};
}

AnalyzeRequest read_analyze(const CommandLine& line) {
  AnalyzeRequest request;
  CLI::App app;
  ModelWords model(app, request);
  add_flag(app, "--equations", request.equations);
  const ReportWords report(app);
  model.add_common(app);
  parse(app, line);
  OptionReader reader;
  model.read(line, reader);
  request.report = report.read(line, reader);
  reader.add(clashes_of(request));
  reader.finish();
  return request;
}

InitRequest read_init(const CommandLine& line) {
  InitRequest request;
  GivenOption method = {"--method", "auto, structure or array", {"auto", "structure", "array"}};
  CLI::App app;
  ModelWords model(app, request);
  add_option(app, "M", method);
  model.add_common(app);
  parse(app, line);
  OptionReader reader;
  model.read(line, reader);
  request.options.method = reader.text(method, request.options.method);
  reader.finish();
  return request;
}

ArrayRequest read_array(const CommandLine& line) {
  ArrayRequest request;
  GivenOption t = {"--from", "a time, such as 0"};
  GivenOption derivatives = {"--derivatives", "a whole number, such as 2"};
  GivenOption times = {"--differentiate",
                       "a whole number, or one for each equation with commas between them"};
  bool coefficients = false;
  CLI::App app;
  ModelWords model(app, request);
  add_option(app, "T0", t);
  add_option(app, "M", derivatives);
  add_option(app, "R", times);
  add_flag(app, "--coefficients", coefficients);
  model.add_common(app);
  parse(app, line);
  OptionReader reader;
  model.read(line, reader);
  request.analysis.t = reader.number(t);
  request.analysis.derivatives =
      reader.whole_number(derivatives).value_or(request.analysis.derivatives);
  if (const std::vector<int> counts = reader.whole_numbers(times); !counts.empty()) {
    DerivativeArrayOptions& options = request.array.emplace();
    options.t = request.analysis.t;
    options.differentiations = counts.front();
    if (counts.size() > 1) options.differentiations_by_equation = counts;
    if (coefficients) options.entries = ArrayEntries::coefficients;
  }
  reader.finish();
  return request;
}

RunRequest read_run(const CommandLine& line) {
  RunRequest request;
  CLI::App app;
  SolveRequestWords words(app, request);
  const PlotWords plot(app);
  const ReportWords report(app);
  const CheckpointWords checkpoint(app);
  parse(app, line);
  OptionReader reader;
  words.read(line, reader);
  plot.read(line, request, reader);
  checkpoint.read(line, request, reader);
  request.report = report.read(line, reader);
  reader.add(clashes_of(request));
  reader.finish();
  return request;
}

EnsembleRequest read_ensemble(const CommandLine& line) {
  EnsembleRequest request;
  CLI::App app;
  SolveRequestWords words(app, request);
  EnsembleWords ensemble(app, request);
  parse(app, line);
  OptionReader reader;
  words.read(line, reader);
  ensemble.read(line, reader);
  reader.add(clashes_of(request, line.text()));
  reader.finish();
  return request;
}

std::string read_error_id(const CommandLine& line) { return only_word(line, "ERROR-ID", true); }

std::string read_verb(const CommandLine& line) { return only_word(line, "VERB", false); }

std::string read_shell(const CommandLine& line) {
  GivenOption shell = {"daedal completion", "bash, zsh or fish", {"bash", "zsh", "fish"}};
  shell.texts = {only_word(line, "SHELL", true, "bash|zsh|fish")};
  OptionReader reader;
  std::string name = reader.choice(shell, "");
  reader.finish();
  return name;
}

VerbWords words_of(const std::string& verb) {
  const CommandLine line = {.arguments = {verb}, .asks_for_words = true};
  try {
    if (verb == "analyze") read_analyze(line);
    if (verb == "init") read_init(line);
    if (verb == "array") read_array(line);
    if (verb == "run") read_run(line);
    if (verb == "ensemble") read_ensemble(line);
    if (verb == "explain") read_error_id(line);
    if (verb == "help") read_verb(line);
    if (verb == "completion") read_shell(line);
  } catch (const WordsAsked& asked) {
    return asked.words;
  }
  return {};
}

}  // namespace daedal::cli
