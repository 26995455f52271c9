#include "run/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <variant>

#include "base/whole_file.hpp"
#include "base/wording.hpp"
#include "daedal/version.hpp"
#include "model/fingerprint.hpp"
#include "settings/option_table.hpp"

namespace daedal {

namespace run {
namespace {

struct KeptOption {
  std::string name;
  OptionValue value;
};

template <std::size_t... kinds>
OptionValue empty_value(std::size_t kind, std::index_sequence<kinds...>) {
  OptionValue value;
  const bool is_known = ((kind == kinds && (value.emplace<kinds>(), true)) || ...);
  if (!is_known) throw base::BadArchive("an option in it has a value of an unknown type");
  return value;
}

// An empty value of the type that stands at this place in OptionValue.
OptionValue empty_value(std::size_t kind) {
  return empty_value(kind, std::make_index_sequence<std::variant_size_v<OptionValue>>());
}

std::vector<KeptOption> as_list(const std::map<std::string, OptionValue>& options) {
  std::vector<KeptOption> list;
  for (const auto& [name, value] : options) list.push_back({name, value});
  return list;
}

std::map<std::string, OptionValue> as_map(const std::vector<KeptOption>& list) {
  std::map<std::string, OptionValue> options;
  for (const KeptOption& option : list) options[option.name] = option.value;
  return options;
}

template <typename Archive>
void transfer(Archive& archive, KeptOption& option) {
  auto kind = static_cast<std::uint8_t>(option.value.index());
  archive(option.name, kind);
  if (kind != option.value.index()) option.value = empty_value(kind);
  std::visit(
      [&](auto& value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          archive(value);
      },
      option.value);
}

}  // namespace
}  // namespace run

template <typename Archive>
void transfer(Archive& archive, Checkpoint& run) {
  std::vector<run::KeptOption> options = run::as_list(run.options);
  archive(run.model, run.t, run.steps, run.is_finished, run.keep_steps, options, run.parameters,
          run.note);
  run.options = run::as_map(options);
}

namespace run {

template <typename Archive>
void transfer(Archive& archive, CheckpointContent& content) {
  archive(content.run, content.fingerprint, content.state, content.results);
}

namespace {

constexpr std::string_view magic = "daedal checkpoint\n";
constexpr std::uint32_t format_version = 2;
// Part of the time that writing may take.
constexpr double affordable = 0.1;

Error error_of(std::string id, const std::string& file, std::string what, std::string why,
               std::string todo) {
  return Error(Problem{.id = std::move(id),
                       .what = std::move(what),
                       .where = file,
                       .why = std::move(why),
                       .todo = std::move(todo)});
}

// The file: magic, version of the format, version of the program, content with length and checksum.
std::string bytes_of(const CheckpointContent& content) {
  base::Writer body;
  body(content);
  base::Writer file;
  file.append(magic);
  file(format_version, std::string(version()), static_cast<std::uint64_t>(body.bytes().size()),
       base::checksum_of(body.bytes()));
  file.append(body.bytes());
  return file.take();
}

[[noreturn]] void refuse_damaged(const std::string& file, const std::string& why) {
  throw error_of("E-CHK-002", file, "the file is not a whole checkpoint", why,
                 "take another copy of it, or begin the run anew; the file was left as it is");
}

[[noreturn]] void refuse_version(const std::string& file, const std::string& of_file) {
  throw error_of("E-CHK-003", file, "the checkpoint was written by another version of daedal",
                 fmt::format("it is of {}, this program is daedal {} with format {}: other "
                             "versions may compute other bits, or keep other things",
                             of_file, version(), format_version),
                 "continue it with the version that wrote it, or begin the run anew; the file was "
                 "left as it is");
}

Error cannot_write(const std::string& file, const base::FileFailure& failure) {
  return error_of(
      "E-CHK-005", file, "the checkpoint cannot be written", failure.why,
      failure.todo.empty() ? "check the folder, its permissions and the room on it" : failure.todo);
}

CheckpointContent read(const std::string& file) {
  try {
    return parse_checkpoint_file(file, base::read_whole(file));
  } catch (const base::FileFailure& failure) {
    throw error_of("E-CHK-001", file, "the checkpoint cannot be read", failure.why,
                   "check the name and the permissions");
  }
}

// Collects what is given and differs from the run that is resumed.
class Comparison {
 public:
  explicit Comparison(const std::string& file) : file_(file) {}

  void add(const std::string& option, const OptionValue& given, const OptionValue& kept) {
    if (given != kept)
      differences_.push_back(fmt::format("{} is {}, in the checkpoint {}", option,
                                         settings::text_of(given), settings::text_of(kept)));
  }
  void add(std::string difference) { differences_.push_back(std::move(difference)); }

  void finish() const {
    if (differences_.empty()) return;
    throw error_of("E-CHK-004", file_, "the checkpoint belongs to another run",
                   base::listed(differences_),
                   "leave out what differs, which the checkpoint knows, or begin the run anew; the "
                   "file was left as it is");
  }

 private:
  const std::string& file_;
  std::vector<std::string> differences_;
};

ParameterValues set_values(const model::ModelData& model) {
  ParameterValues values;
  for (const model::Parameter& parameter : model.parameters)
    if (parameter.override_value) values[parameter.name] = *parameter.override_value;
  return values;
}

void compare_parameters(const ParameterValues& given, const ParameterValues& kept,
                        Comparison& comparison) {
  const auto text = [](const ParameterValues& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string("not set") : fmt::format("{}", found->second);
  };
  ParameterValues all = given;
  all.insert(kept.begin(), kept.end());
  for (const auto& [name, value] : all)
    if (text(given, name) != text(kept, name))
      comparison.add(fmt::format("parameter {} is {}, in the checkpoint {}", name,
                                 text(given, name), text(kept, name)));
}

// Whether more time, steps or memory would bring the run further.
bool can_go_on(Status status) {
  return status == Status::interrupted || status == Status::too_many_steps ||
         status == Status::out_of_time || status == Status::out_of_memory;
}

// On which the results depend, with what the model says where the options say nothing.
std::map<std::string, OptionValue> kept_options(const settings::Settings& settings,
                                                const SolveOptions& given) {
  SolveOptions options = given;
  options.from = settings.from;
  options.to = settings.to;
  options.tolerance = settings.tolerance;
  std::map<std::string, OptionValue> kept;
  for (const settings::OptionRow<SolveOptions>& row : settings::option_rows<SolveOptions>())
    if (row.info.is_kept) kept[row.info.name] = row.get(options);
  return kept;
}

Checkpoint run_of(const model::ModelData& model, const settings::Settings& settings,
                  const SolveOptions& options) {
  return {.model = model.name,
          .program_version = version(),
          .t = settings.from,
          .steps = 0,
          .is_finished = false,
          .keep_steps = options.keep_steps,
          .options = kept_options(settings, options),
          .parameters = set_values(model),
          .note = {}};
}

// The option's value in the run that is resumed. Throws BadArchive.
const OptionValue& kept_value(const Checkpoint& kept, const std::string& option) {
  const auto found = kept.options.find(option);
  if (found == kept.options.end())
    throw base::BadArchive(fmt::format("it does not have the option {}", option));
  return found->second;
}

void compare_options(const SolveOptions& options, const Checkpoint& kept, Comparison& comparison) {
  for (const settings::OptionRow<SolveOptions>& row : settings::option_rows<SolveOptions>()) {
    const OptionValue given = row.get(options);
    if (row.info.is_kept && given != row.info.default_value)
      comparison.add(row.info.name, given, kept_value(kept, row.info.name));
  }
  if (options.keep_steps && !kept.keep_steps)
    comparison.add("its steps are wanted, and were not kept");
}

// The options with those of the run that is resumed, which are of a type that this version knows.
SolveOptions taken_over(const SolveOptions& given, const Checkpoint& kept) {
  SolveOptions options = given;
  try {
    for (const settings::OptionRow<SolveOptions>& row : settings::option_rows<SolveOptions>())
      if (row.info.is_kept) row.set(options, kept_value(kept, row.info.name));
  } catch (const Error& error) {
    throw base::BadArchive(error.problems().front().what);
  }
  return options;
}

}  // namespace

CheckpointContent parse_checkpoint(std::string_view content) {
  base::Reader reader(content);
  auto result = reader.read<CheckpointContent>();
  if (!reader.rest().empty()) throw base::BadArchive("it has more bytes than it should");
  return result;
}

CheckpointContent parse_checkpoint_file(const std::string& file, std::string_view bytes) {
  if (!bytes.starts_with(magic))
    refuse_damaged(file, bytes.empty() ? "it is empty" : "it does not begin as checkpoints do");
  try {
    base::Reader reader(bytes.substr(magic.size()));
    const auto format = reader.read<std::uint32_t>();
    if (format != format_version) refuse_version(file, fmt::format("format {}", format));
    const auto program = reader.read<std::string>();
    if (program != version()) refuse_version(file, "daedal " + program);
    const auto size = reader.read<std::uint64_t>(), checksum = reader.read<std::uint64_t>();
    if (reader.rest().size() != size)
      refuse_damaged(file, fmt::format("it should have {} bytes after its head and has {}", size,
                                       reader.rest().size()));
    if (base::checksum_of(reader.rest()) != checksum)
      refuse_damaged(file, "its checksum is that of another content");
    CheckpointContent content = parse_checkpoint(reader.rest());
    content.run.program_version = program;
    return content;
  } catch (const base::BadArchive& reason) {
    refuse_damaged(file, reason.what());
  }
}

std::map<std::string, std::string> decisive_options(const settings::Settings& settings,
                                                    const SolveOptions& options) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : kept_options(settings, options))
    texts[name] = settings::text_of(value);
  return texts;
}

SolveOptions with_options_of_resumed(const model::ModelData& model, const SolveOptions& options) {
  if (options.resume.empty()) return options;
  const CheckpointContent content = read(options.resume);
  const Checkpoint& kept = content.run;
  Comparison comparison(options.resume);
  if (content.fingerprint != model::fingerprint_of(model))
    comparison.add(fmt::format(
        "the equations, start values or names of the model are not those of '{}' at that time",
        kept.model));
  compare_parameters(set_values(model), kept.parameters, comparison);
  try {
    compare_options(options, kept, comparison);
    comparison.finish();
    return taken_over(options, kept);
  } catch (const base::BadArchive& reason) {
    refuse_damaged(options.resume, reason.what());
  }
}

Checkpoints::Checkpoints(const model::ModelData& model, const settings::Settings& settings,
                         const SolveOptions& options)
    : model_(model),
      options_(options),
      run_(run_of(model, settings, options)),
      interval_(options.checkpoint.every) {
  if (!options.resume.empty()) resumed_ = read(options.resume);
  if (options.checkpoint.file.empty()) return;
  fingerprint_ = model::fingerprint_of(model);
  claim_file();
}

void Checkpoints::claim_file() const {
  require_unneeded();
  try {
    base::require_replaceable(options_.checkpoint.file, magic);
  } catch (const base::FileFailure& failure) {
    throw cannot_write(options_.checkpoint.file, failure);
  }
}

// What is there may be replaced if it is what the run continues, or a run that is over.
void Checkpoints::require_unneeded() const {
  const std::string& file = options_.checkpoint.file;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  if (!options_.resume.empty() && std::filesystem::equivalent(file, options_.resume, ignored))
    return;
  const auto refuse = [&](const std::string& why) {
    throw error_of("E-CHK-006", file, "the file would be replaced by a checkpoint", why,
                   "resume the run that it belongs to, name another file, or remove it");
  };
  try {
    const Checkpoint old = read(file).run;
    if (!old.is_finished)
      refuse(fmt::format("it holds an unfinished run of '{}', which can be continued from t = {}",
                         old.model, old.t));
  } catch (const Error& error) {
    if (error.problems().front().id == "E-CHK-006") throw;
    refuse(fmt::format("it is something else: {}", error.problems().front().why));
  }
}

std::optional<base::Reader> Checkpoints::resume(solution::Record& solution) {
  if (resumed_ && !resumed_->state.empty()) try {
      base::Reader results(resumed_->results);
      solution::read_results(results, solution, options_.keep_steps);
      take_over(solution);
      return base::Reader(resumed_->state);
    } catch (const base::BadArchive& reason) {
      refuse_state(reason.what());
    }
  keep(solution, run_.t, {});
  return std::nullopt;
}

bool Checkpoints::was(const std::string& kind) const {
  if (!resumed_ || resumed_->state.empty()) return false;
  try {
    return base::Reader(resumed_->state).read<std::string>() == kind;
  } catch (const base::BadArchive& reason) {
    refuse_state(reason.what());
  }
}

// The anchor that the run continues is its own until it comes to the next one.
void Checkpoints::take_over(const solution::Record& solution) {
  if (options_.checkpoint.file.empty()) return;
  anchor_ = {.t = resumed_->run.t,
             .steps = resumed_->run.steps,
             .state = resumed_->state,
             .mark = solution::ResultMark(solution),
             .note = resumed_->run.note};
  std::error_code ignored;
  is_written_ = std::filesystem::equivalent(options_.checkpoint.file, options_.resume, ignored);
  if (!is_written_) write(solution, false);
}

void Checkpoints::refuse_state(const std::string& why) const {
  refuse_damaged(options_.resume, why);
}

void Checkpoints::keep(const solution::Record& solution, double t, std::string state) {
  if (options_.checkpoint.file.empty()) return;
  anchor_ = {.t = t,
             .steps = solution.statistics.steps,
             .state = std::move(state),
             .mark = solution::ResultMark(solution),
             .note = options_.checkpoint.note ? options_.checkpoint.note() : ""};
  is_written_ = false;
  if (anchor_->state.empty() || watch_.seconds() >= interval_) write(solution, false);
}

void Checkpoints::finish(solution::Record& solution) {
  const bool is_finished = !can_go_on(solution.status);
  if (anchor_ && (!is_written_ || is_finished)) write(solution, is_finished);
  if (failure_) solution.warnings.push_back(*failure_);
}

// A file that cannot be written is no reason to end a run that goes on.
void Checkpoints::write(const solution::Record& solution, bool is_finished) {
  base::Stopwatch writing;
  run::CheckpointContent content{
      .run = run_, .fingerprint = fingerprint_, .state = anchor_->state, .results = {}};
  content.run.t = anchor_->t;
  content.run.steps = anchor_->steps;
  content.run.is_finished = is_finished;
  content.run.note = anchor_->note;
  base::Writer results;
  anchor_->mark.write(results, solution);
  content.results = results.take();
  try {
    if (options_.checkpoint.before_write) options_.checkpoint.before_write();
    base::replace_whole(options_.checkpoint.file, bytes_of(content), magic);
    failure_.reset();
    is_written_ = true;
  } catch (const base::FileFailure& failure) {
    const Error error = cannot_write(options_.checkpoint.file, failure);
    if (anchor_->state.empty() && !resumed_) throw error;
    failure_ = error.problems().front();
  }
  interval_ = std::max(options_.checkpoint.every, writing.lap() / affordable);
  watch_.lap();
}

}  // namespace run

Checkpoint read_checkpoint(const std::string& file) { return run::read(file).run; }

}  // namespace daedal
