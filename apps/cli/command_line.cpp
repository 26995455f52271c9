// CLI11 sorts the words; what they mean and what is wrong with them is said here.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <filesystem>

#include "base/near_miss.hpp"
#include "cli/file_clashes.hpp"
#include "cli/option_values.hpp"
#include "daedal/option.hpp"
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

GivenOption given_option(const OptionInfo& info) {
  return {.name = info.flag.c_str(), .takes = info.takes.c_str(), .choices = info.choices};
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
    add_option(app, find_option("max_seconds")->value_name.c_str(), max_seconds_);
    add_option(app, find_option("max_memory")->value_name.c_str(), max_memory_);
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
  GivenOption max_seconds_ = given_option(*find_option("max_seconds"));
  GivenOption max_memory_ = given_option(*find_option("max_memory"));
};

// The options of some groups of the table that have a place on the command line.
class OptionWords {
 public:
  OptionWords(CLI::App& app, std::initializer_list<OptionGroup> groups) {
    for (const OptionInfo& info : options())
      if (!info.flag.empty() && std::ranges::find(groups, info.group) != groups.end())
        add(app, words_.emplace_back(Word{&info, given_option(info)}));
  }

  // Options that are given; `chosen` is SolveOptions or EnsembleOptions.
  template <typename Options>
  void read(OptionReader& reader, Options& chosen) const {
    for (const Word& word : words_)
      if (const OptionValue value = value_of(word, reader); value != OptionValue())
        set_option(chosen, word.info->name, value);
  }

 private:
  struct Word {
    const OptionInfo* info;
    GivenOption option;
    bool is_given = false;  // if it is a flag
  };

  static void add(CLI::App& app, Word& word) {
    if (word.info->type == OptionType::flag)
      add_flag(app, word.option.name, word.is_given);
    else
      add_option(app, word.info->value_name.c_str(), word.option);
  }

  // A flag asks for the opposite of the default: --verify, --no-cache.
  static OptionValue value_of(const Word& word, OptionReader& reader) {
    switch (word.info->type) {
      case OptionType::flag:
        return word.is_given ? !std::get<bool>(word.info->default_value) : OptionValue();
      case OptionType::whole_number: return as_value(reader.whole_number(word.option));
      case OptionType::number: return number_in(word, reader);
      case OptionType::numbers: return times_in(word, reader);
      case OptionType::file:
      case OptionType::choice: break;
    }
    const std::string text = reader.text(word.option, "");
    return text.empty() ? OptionValue() : text;
  }

  static OptionValue number_in(const Word& word, OptionReader& reader) {
    const OptionBounds& bounds = word.info->bounds;
    const bool is_positive = bounds.is_least_excluded && bounds.least == 0.0;
    return as_value(is_positive ? reader.positive_number(word.option) : reader.number(word.option));
  }

  static OptionValue times_in(const Word& word, OptionReader& reader) {
    const std::vector<double> times = reader.numbers(word.option);
    return times.empty() ? OptionValue() : times;
  }

  static OptionValue as_value(std::optional<int> number) {
    return number ? OptionValue(static_cast<long>(*number)) : OptionValue();
  }
  static OptionValue as_value(std::optional<double> number) {
    return number ? OptionValue(*number) : OptionValue();
  }

  std::deque<Word> words_;  // whose addresses the parser keeps
};

// What continues a run, and lets it be continued.
class CheckpointWords {
 public:
  explicit CheckpointWords(CLI::App& app) : words_(app, {OptionGroup::checkpoints}) {}

  // A run that is resumed goes on keeping its file, unless another one is named.
  void read(const CommandLine& line, RunRequest& request, OptionReader& reader) const {
    SolveOptions& options = request.options;
    words_.read(reader, options);
    if (options.checkpoint.file.empty()) options.checkpoint.file = options.resume;
    if (!options.checkpoint.file.empty() && !can_take_back(request.output))
      reader.add(line.problem(
          "E-CLI-010", "a run with checkpoints does not write to a pipe or device",
          fmt::format("rows after the last checkpoint are written again by a run that continues "
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

  OptionWords words_;
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

// --differentiate R, and what can be asked of the array then.
class ArrayWords {
 public:
  explicit ArrayWords(CLI::App& app) {
    add_option(app, "R", times_);
    add_flag(app, "--coefficients", coefficients_);
    add_option(app, "column=value", point_);
    add_option(app, "FILE", source_);
  }

  void read(const CommandLine& line, ArrayRequest& request, OptionReader& reader) const {
    request.source = reader.text(source_, "");
    if (!point_.texts.empty()) request.point = reader.point(point_);
    const std::vector<int> counts = reader.whole_numbers(times_);
    if (times_.texts.empty()) return refuse_without_array(line, reader);
    check_together(line, request, reader);
    DerivativeArrayOptions& options = request.array.emplace();
    options.t = request.analysis.t;
    if (!counts.empty()) options.differentiations = counts.front();
    if (counts.size() > 1) options.differentiations_by_equation = counts;
    if (coefficients_) options.entries = ArrayEntries::coefficients;
  }

 private:
  void refuse_without_array(const CommandLine& line, OptionReader& reader) const {
    const std::pair<const char*, bool> given[] = {{"--coefficients", coefficients_},
                                                  {"--point", !point_.texts.empty()},
                                                  {"--source", !source_.texts.empty()}};
    for (const auto& [name, is_given] : given)
      if (is_given)
        reader.add(line.problem("E-CLI-010", fmt::format("{} needs --differentiate", name),
                                "it is about the derivative array, which is not asked for",
                                "add --differentiate with a number, such as --differentiate 2"));
  }

  static void check_together(const CommandLine& line, const ArrayRequest& request,
                             OptionReader& reader) {
    if (!request.source.empty() && request.point)
      reader.add(line.problem("E-CLI-010", "--source and --point do not go together",
                              "the source computes G and J at any point; nothing is computed here",
                              "leave one of them out"));
    if (request.source == "-" && request.json)
      reader.add(line.problem("E-CLI-010", "--source - and --json do not go together",
                              "both print to standard output",
                              "write the source to a file, such as --source array.c"));
  }

  GivenOption times_ = {"--differentiate",
                        "a whole number, or one for each equation with commas between them"};
  GivenOption point_ = {"--point", "a variable or derivative and its value, such as 'der(x)=1.5'"};
  GivenOption source_ = {"--source",
                         "the name of a file, such as array.c, or - for standard output"};
  bool coefficients_ = false;
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
      : request_(request),
        model_(app, request),
        words_(app, {OptionGroup::run, OptionGroup::method, OptionGroup::bdf}) {
    add_option(app, "FILE", output_);
    model_.add_common(app);
    add_flag(app, "--quiet", request.quiet);
  }

  void read(const CommandLine& line, OptionReader& reader) {
    model_.read(line, reader);
    words_.read(reader, request_.options);
    request_.options.max_seconds = request_.caps.seconds.value_or(request_.options.max_seconds);
    request_.options.max_memory = request_.caps.megabytes;
    request_.output = reader.text(output_, "");
    check_output(line, request_, reader);
  }

 private:
  SolveRequest& request_;
  ModelWords model_;
  OptionWords words_;
  GivenOption output_ = {"-o", "the name of a file, or - for standard output"};
};

// MEMBERS.csv, and how they are shared out.
class EnsembleWords {
 public:
  EnsembleWords(CLI::App& app, EnsembleRequest& request)
      : request_(request), words_(app, {OptionGroup::ensemble}) {
    app.add_option("MEMBERS.csv", request.members)->required();
  }

  void read(const CommandLine& line, OptionReader& reader) {
    words_.read(reader, request_.ensemble);
    if (request_.members.empty())
      reader.add(line.problem("E-CLI-002", "the name of the members' file is empty",
                              "MEMBERS.csv is '', perhaps from a shell variable that is not set",
                              "give the name of a file, or - for standard input"));
  }

 private:
  EnsembleRequest& request_;
  OptionWords words_;
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
  GivenOption method = {"--method", "auto, structure or array", names_of<StartMethod>()};
  GivenOption weighting = {"--start-weighting", "choosable or all", names_of<StartWeighting>()};
  CLI::App app;
  ModelWords model(app, request);
  add_option(app, "M", method);
  add_option(app, "W", weighting);
  model.add_common(app);
  parse(app, line);
  OptionReader reader;
  model.read(line, reader);
  request.options.start_weighting = reader.text(weighting, request.options.start_weighting.name());
  request.options.method = reader.text(method, request.options.method.name());
  reader.finish();
  return request;
}

ArrayRequest read_array(const CommandLine& line) {
  ArrayRequest request;
  GivenOption t = {"--from", "a time, such as 0"};
  GivenOption derivatives = {"--derivatives", "a whole number, such as 2"};
  CLI::App app;
  ModelWords model(app, request);
  add_option(app, "T0", t);
  add_option(app, "M", derivatives);
  ArrayWords array(app);
  model.add_common(app);
  parse(app, line);
  OptionReader reader;
  model.read(line, reader);
  request.analysis.t = reader.number(t);
  request.analysis.derivatives =
      reader.whole_number(derivatives).value_or(request.analysis.derivatives);
  array.read(line, request, reader);
  request.command = line.text();
  reader.add(clashes_of(request));
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
