#include "settings/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/wording.hpp"
#include "daedal/method.hpp"

namespace daedal {
namespace settings {
namespace {

// ---------------------------------------------------------------------------------------------------------------------
// How a row reaches its field

// From fields to values.

OptionValue value_of(bool field) { return field; }
OptionValue value_of(int field) { return static_cast<long>(field); }
OptionValue value_of(long field) { return field; }
OptionValue value_of(double field) { return field; }
OptionValue value_of(const std::string& field) { return field; }
OptionValue value_of(const std::vector<double>& field) { return field; }
template <typename Enum>
OptionValue value_of(const Choice<Enum>& field) {
  return field.name();
}
template <typename T>
OptionValue value_of(const std::optional<T>& field) {
  return field ? value_of(*field) : OptionValue();
}

// From values to fields; false for a value of another type.

template <typename T>
bool take(const OptionValue& value, T& field) {
  const T* given = std::get_if<T>(&value);
  if (given != nullptr) field = *given;
  return given != nullptr;
}
bool take(const OptionValue& value, double& field) {
  const std::optional<double> given = number_in(value);
  if (given) field = *given;
  return given.has_value();
}
// Throws std::out_of_range for a number that the field does not hold.
bool take(const OptionValue& value, int& field) {
  const long* given = std::get_if<long>(&value);
  if (given == nullptr) return false;
  if (*given < std::numeric_limits<int>::min() || *given > std::numeric_limits<int>::max())
    throw std::out_of_range("int");
  field = static_cast<int>(*given);
  return true;
}
template <typename Enum>
bool take(const OptionValue& value, Choice<Enum>& field) {
  const std::string* given = std::get_if<std::string>(&value);
  if (given != nullptr) field = *given;
  return given != nullptr;
}
template <typename T>
bool take(const OptionValue& value, std::optional<T>& field) {
  T given = {};
  const bool is_taken = take(value, given);
  if (is_taken) field = given;
  return is_taken;
}

// `access` returns a reference to the field, of constant options and of others.
template <typename Options, typename Access>
OptionRow<Options> make_row(OptionInfo info, Access access) {
  const Options defaults = {};
  info.default_value = value_of(access(defaults));
  if (info.default_text.empty()) info.default_text = text_of(info.default_value);
  if (info.range.empty()) info.range = range_in_words(info.bounds, info.type);
  if (info.field.empty()) info.field = info.name;
  const auto get = [access](const Options& options) { return value_of(access(options)); };
  const auto set = [access, name = info.name](Options& options, const OptionValue& value) {
    try {
      if (std::holds_alternative<std::monostate>(value)) {
        const Options none = {};
        access(options) = access(none);
      } else if (!take(value, access(options))) {
        throw wrong_type(*find_option(name), value);
      }
    } catch (const std::out_of_range&) {
      throw too_large(*find_option(name), value);
    }
  };
  return {.info = std::move(info), .get = get, .set = set};
}

// ---------------------------------------------------------------------------------------------------------------------
// The rows

// Powers of steps must not overflow.
constexpr double farthest_time = 1e30;
constexpr double largest_tolerance = 0.1;
constexpr int highest_index = 3;  // of the forms that bdf integrates
constexpr int most_newton_iterations = 100;
constexpr int most_lanes = 64, most_threads = 1024;

OptionBounds above(double least, double most = std::numeric_limits<double>::infinity()) {
  return {.least = least, .most = most, .is_least_excluded = true};
}
OptionBounds from(double least, double most = std::numeric_limits<double>::infinity()) {
  return {.least = least, .most = most};
}

// "1e-9", which is written 1e-09 elsewhere
std::string short_text(double number) {
  std::string text = fmt::format("{}", number);
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

// "auto: taylor, or array where structure misleads"
std::vector<std::string> lines_of_methods() {
  std::vector<std::string> lines;
  for (const MethodInfo& method : methods())
    lines.push_back(fmt::format("{}: {}", method.name, method.summary));
  return lines;
}

// "auto, taylor, array: from 2 to 100"
std::vector<std::string> lines_of_orders() {
  std::vector<std::string> lines;
  const std::vector<MethodInfo>& all = methods();
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(), [&](const MethodInfo& method) {
      return method.orders_text != first->orders_text;
    });
    const auto name = [&](std::size_t k) { return first[static_cast<std::ptrdiff_t>(k)].name; };
    lines.push_back(fmt::format(
        "{}: {}", base::listed(static_cast<std::size_t>(last - first), name), first->orders_text));
    first = last;
  }
  return lines;
}

using Rows = std::vector<settings::OptionRow<SolveOptions>>;

template <typename Access>
void add(Rows& rows, OptionInfo info, Access access) {
  rows.push_back(make_row<SolveOptions>(std::move(info), access));
}

void add_run(Rows& rows) {
  add(
      rows,
      {.name = "from",
       .type = OptionType::number,
       .default_text = fmt::format("the model's StartTime, else {}", settings::default_start),
       .bounds = from(-farthest_time, farthest_time),
       .help = "where to start",
       .flag = "--from",
       .value_name = "T0",
       .takes = "a time, such as 0",
       .is_kept = true},
      [](auto& options) -> auto& { return options.from; });
  add(
      rows,
      {.name = "to",
       .type = OptionType::number,
       .default_text =
           fmt::format("the model's StopTime, else the start + {}", settings::default_duration),
       .bounds = from(-farthest_time, farthest_time),
       .help = "where to end, also before the start",
       .flag = "--to",
       .value_name = "T1",
       .takes = "a time, such as 100",
       .is_kept = true},
      [](auto& options) -> auto& { return options.to; });
  add(
      rows,
      {.name = "tolerance",
       .short_name = "tol",
       .type = OptionType::number,
       .default_text = "the model's Tolerance, else " + short_text(settings::default_tolerance),
       .bounds = above(0.0, largest_tolerance),
       .help = "tolerance: the error of a step in x is kept below TOL*(nominal + |x|); from 1e-15 "
               "to 0.1",
       .flag = "--tol",
       .value_name = "TOL",
       .takes = "a number from 1e-15 to 0.1, such as 1e-9",
       .is_kept = true},
      [](auto& options) -> auto& { return options.tolerance; });
  add(
      rows,
      {.name = "at",
       .type = OptionType::numbers,
       .help = "times at which values are wanted, in any order, inside the run",
       .flag = "--at",
       .value_name = "t1,t2,...",
       .takes = "times with commas between them and no blanks, such as 1,2.5,10",
       .error_id = "E-OPT-003",
       .is_kept = true},
      [](auto& options) -> auto& { return options.at; });
  add(
      rows,
      {.name = "max_steps",
       .type = OptionType::whole_number,
       .bounds = from(0.0),
       .help = "end after so many steps",
       .flag = "--max-steps",
       .value_name = "N",
       .takes = "a whole number, such as 100000"},
      [](auto& options) -> auto& { return options.max_steps; });
  add(
      rows,
      {.name = "verify",
       .type = OptionType::flag,
       .help =
           "solve again with a tenth of the tolerance; reports by how much the values at the end "
           "and at the wanted times differ: the error of the whole run",
       .flag = "--verify"},
      [](auto& options) -> auto& { return options.verify; });
  add(
      rows,
      {.name = "keep_steps",
       .type = OptionType::flag,
       .help = "keep the polynomial of every step, so that the solution can be asked at any time; "
               "takes variables*order numbers a step"},
      [](auto& options) -> auto& { return options.keep_steps; });
}

void add_method(Rows& rows) {
  add(
      rows,
      {.name = "method",
       .group = OptionGroup::method,
       .type = OptionType::choice,
       .choices = names_of<Method>(),
       .help = "how to solve",
       .details = lines_of_methods(),
       .flag = "--method",
       .value_name = "M",
       .takes = "the name of a method, such as auto or taylor",
       .error_id = "E-OPT-002",
       .is_kept = true},
      [](auto& options) -> auto& { return options.method; });
  add(
      rows,
      {.name = "order",
       .group = OptionGroup::method,
       .type = OptionType::whole_number,
       .default_text = "chosen from the tolerance",
       .range = "by method",
       .help = "order of the method; of dd-ida and bdf the highest that is used",
       .details = lines_of_orders(),
       .flag = "--order",
       .value_name = "P",
       .takes = "a whole number from 1 to 100",
       .is_kept = true},
      [](auto& options) -> auto& { return options.order; });
  add(
      rows,
      {.name = "start_weighting",
       .group = OptionGroup::method,
       .type = OptionType::choice,
       .choices = names_of<StartWeighting>(),
       .help = "which guesses the start stays near to: those of values that it may choose; or all, "
               "accelerations, forces and multipliers included, where the model is not linear in "
               "its highest derivatives",
       .flag = "--start-weighting",
       .value_name = "W",
       .takes = "choosable or all",
       .error_id = "E-OPT-008",
       .is_kept = true},
      [](auto& options) -> auto& { return options.start_weighting; });
  add(
      rows,
      {.name = "max_step",
       .group = OptionGroup::method,
       .type = OptionType::number,
       .bounds = above(0.0),
       .help = "no step is longer than H",
       .flag = "--max-step",
       .value_name = "H",
       .takes = "a number greater than 0",
       .is_kept = true},
      [](auto& options) -> auto& { return options.max_step; });
  add(
      rows,
      {.name = "kernel",
       .group = OptionGroup::method,
       .type = OptionType::choice,
       .choices = names_of<Kernel>(),
       .help =
           "who computes the series: the interpreter; compiled machine code from the first step "
           "on; or auto, machine code as soon as it is ready; the results are the same",
       .flag = "--kernel",
       .value_name = "K",
       .takes = "auto, interpreter or compiled",
       .error_id = "E-OPT-004"},
      [](auto& options) -> auto& { return options.kernel; });
  add(
      rows,
      {.name = "use_cache",
       .group = OptionGroup::method,
       .type = OptionType::flag,
       .help = "keep machine code on disk for later runs, and use what is there",
       .flag = "--no-cache",
       .flag_help = "neither use nor keep machine code in the cache"},
      [](auto& options) -> auto& { return options.use_cache; });
}

void add_bdf(Rows& rows) {
  add(
      rows,
      {.name = "index",
       .field = "bdf.index",
       .group = OptionGroup::bdf,
       .type = OptionType::whole_number,
       .default_text = fmt::format("the equations as written, but index {} at most", highest_index),
       .bounds = from(0, highest_index),
       .help = "the form that bdf integrates: that of index 3, 2, 1 or 0, in which equations are "
               "differentiated; those as written are then not enforced, and drift",
       .flag = "--index",
       .value_name = "Q",
       .takes = "a whole number from 0 to 3",
       .is_kept = true},
      [](auto& options) -> auto& { return options.bdf.index; });
  add(
      rows,
      {.name = "fixed_step",
       .field = "bdf.fixed_step",
       .group = OptionGroup::bdf,
       .type = OptionType::number,
       .default_text = "none",
       .bounds = above(0.0),
       .help = "steps of length H for bdf, of one order (3 unless given) and without error control",
       .flag = "--fixed-step",
       .value_name = "H",
       .takes = "a number greater than 0"},
      [](auto& options) -> auto& { return options.bdf.fixed_step; });
  add(
      rows,
      {.name = "start_up",
       .field = "bdf.start_up",
       .group = OptionGroup::bdf,
       .type = OptionType::choice,
       .choices = names_of<StartUp>(),
       .help = "how bdf begins with fixed steps: with values of the solution before the start "
               "(series), or with steps of order 1, 2, ... (orders)",
       .flag = "--start-up",
       .value_name = "S",
       .takes = "series or orders",
       .error_id = "E-OPT-006"},
      [](auto& options) -> auto& { return options.bdf.start_up; });
  add(
      rows,
      {.name = "newton_tolerance",
       .field = "bdf.newton_tolerance",
       .group = OptionGroup::bdf,
       .type = OptionType::number,
       .bounds = above(0.0, 1.0),
       .help = "bdf ends the iteration of a step where the error left is below this part of what a "
               "step may err",
       .flag = "--newton-tolerance",
       .value_name = "F",
       .takes = "a number greater than 0 and at most 1",
       .is_kept = true},
      [](auto& options) -> auto& { return options.bdf.newton_tolerance; });
  add(
      rows,
      {.name = "newton_iterations",
       .field = "bdf.newton_iterations",
       .group = OptionGroup::bdf,
       .type = OptionType::whole_number,
       .bounds = from(1, most_newton_iterations),
       .help = "so many iterations of a step of bdf at most, before its matrix is made anew",
       .flag = "--newton-iterations",
       .value_name = "N",
       .takes = "a whole number from 1 to 100",
       .is_kept = true},
      [](auto& options) -> auto& { return options.bdf.newton_iterations; });
}

void add_resources(Rows& rows) {
  add(
      rows,
      {.name = "max_seconds",
       .group = OptionGroup::resources,
       .type = OptionType::number,
       .bounds = above(0.0),
       .help = "end when so many seconds are over",
       .flag = "--max-seconds",
       .value_name = "S",
       .takes = "a number greater than 0, such as 60"},
      [](auto& options) -> auto& { return options.max_seconds; });
  add(
      rows,
      {.name = "max_memory",
       .group = OptionGroup::resources,
       .type = OptionType::number,
       .default_text =
           fmt::format("{:.0f} % of the machine's", 100.0 * settings::default_part_of_memory),
       .bounds = above(0.0),
       .help = "end when so many megabytes are used",
       .flag = "--max-memory",
       .value_name = "MB",
       .takes = "a number of MB greater than 0, such as 4000"},
      [](auto& options) -> auto& { return options.max_memory; });
}

void add_checkpoints(Rows& rows) {
  add(
      rows,
      {.name = "checkpoint",
       .field = "checkpoint.file",
       .group = OptionGroup::checkpoints,
       .type = OptionType::file,
       .help =
           "keep what is needed to continue the run, and replace it as the run goes and when it "
           "is stopped",
       .flag = "--checkpoint",
       .value_name = "FILE",
       .takes = "the name of a file, such as run.checkpoint"},
      [](auto& options) -> auto& { return options.checkpoint.file; });
  add(
      rows,
      {.name = "checkpoint_every",
       .field = "checkpoint.every",
       .group = OptionGroup::checkpoints,
       .type = OptionType::number,
       .bounds = from(0.0),
       .help = "seconds between two checkpoints; more if writing takes more than "
               "a tenth of them",
       .flag = "--checkpoint-every",
       .value_name = "S",
       .takes = "a number of seconds, such as 60"},
      [](auto& options) -> auto& { return options.checkpoint.every; });
  add(
      rows,
      {.name = "resume",
       .group = OptionGroup::checkpoints,
       .type = OptionType::file,
       .help = "continue the run of a checkpoint, with the same results, bit by bit; options that "
               "are not given are taken from it, others must agree",
       .flag = "--resume",
       .value_name = "FILE",
       .takes = "the name of a checkpoint, such as run.checkpoint"},
      [](auto& options) -> auto& { return options.resume; });
  add(
      rows,
      {.name = "anchor_every",
       .group = OptionGroup::checkpoints,
       .type = OptionType::whole_number,
       .default_text =
           fmt::format("by method, {} for taylor", info_of(Method::taylor).steps_between_anchors),
       .bounds = above(0.0),
       .help = "steps between points from which a run can be continued; another N gives other "
               "results, within the tolerance",
       .flag = "--anchor-every",
       .value_name = "N",
       .takes = "a whole number of steps, such as 100",
       .is_kept = true},
      [](auto& options) -> auto& { return options.anchor_every; });
}

std::vector<settings::OptionRow<SolveOptions>> rows_of_runs() {
  std::vector<settings::OptionRow<SolveOptions>> rows;
  constexpr std::size_t most_expected = 32;
  rows.reserve(most_expected);  // rows hold a dozen texts each, which would move
  add_run(rows);
  add_method(rows);
  add_bdf(rows);
  add_resources(rows);
  add_checkpoints(rows);
  return rows;
}

std::vector<settings::OptionRow<EnsembleOptions>> rows_of_ensembles() {
  return {make_row<EnsembleOptions>(
              {.name = "lanes",
               .group = OptionGroup::ensemble,
               .type = OptionType::whole_number,
               .bounds = from(1, most_lanes),
               .help = fmt::format("members that a thread computes side by side, from 1 to {}",
                                   most_lanes),
               .flag = "--lanes",
               .value_name = "L",
               .takes = fmt::format("a whole number from 1 to {}", most_lanes)},
              [](auto& options) -> auto& { return options.lanes; }),
          make_row<EnsembleOptions>(
              {.name = "threads",
               .group = OptionGroup::ensemble,
               .type = OptionType::whole_number,
               .default_text = "0, as many as the machine has",
               .bounds = from(0, most_threads),
               .help = "threads",
               .flag = "--threads",
               .value_name = "N",
               .takes = "a whole number, 0 for as many as the machine has"},
              [](auto& options) -> auto& { return options.threads; })};
}

}  // namespace

template <>
const std::vector<settings::OptionRow<SolveOptions>>& option_rows() {
  static const std::vector<OptionRow<SolveOptions>> rows = rows_of_runs();
  return rows;
}

template <>
const std::vector<settings::OptionRow<EnsembleOptions>>& option_rows() {
  static const std::vector<OptionRow<EnsembleOptions>> rows = rows_of_ensembles();
  return rows;
}

}  // namespace settings

template <>
const std::vector<std::string>& names_of<Kernel>() {
  static const std::vector<std::string> names = {"auto", "interpreter", "compiled"};
  return names;
}

template <>
const std::vector<std::string>& names_of<StartWeighting>() {
  static const std::vector<std::string> names = {"choosable", "all"};
  return names;
}

template <>
const std::vector<std::string>& names_of<StartUp>() {
  static const std::vector<std::string> names = {"series", "orders"};
  return names;
}

}  // namespace daedal
