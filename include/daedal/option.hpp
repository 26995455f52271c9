// Every option of a run and of an ensemble, with its type, default, range and help, and access to
// it by name.
//
//   for (const daedal::OptionInfo& option : daedal::options())
//     std::cout << option.name << ": " << option.help << '\n';
//   daedal::set_option(options, "tolerance", 1e-12);
//
// The command line and its help, Python's keywords, the checks of a run, what a checkpoint keeps
// and docs/reference/options.md read this table. Callbacks are not in the table: they have no text.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace daedal {

struct SolveOptions;
struct EnsembleOptions;

// The value of an option; std::monostate: none was given, so that the default holds.
using OptionValue =
    std::variant<std::monostate, bool, long, double, std::string, std::vector<double>>;

enum class OptionType { flag, whole_number, number, numbers, file, choice };

enum class OptionGroup {
  run,          // what is computed, by whichever method
  method,       // by which method, and how
  bdf,          // options of the method bdf alone
  resources,    // what any computation may use of the machine
  checkpoints,  // how a run is kept and continued; not for ensembles
  ensemble      // EnsembleOptions
};

// Numbers from least to most, both included unless least is excluded.
struct OptionBounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool is_least_excluded = false;

  bool contain(double value) const {
    return (is_least_excluded ? value > least : value >= least) && value <= most;
  }
};

struct OptionInfo {
  std::string name = {};        // the keyword in Python: "tolerance", "checkpoint_every"
  std::string short_name = {};  // another keyword, if there is one: "tol"
  // The field of SolveOptions, or of EnsembleOptions in the group ensemble: "bdf.index".
  std::string field = {};
  OptionGroup group = OptionGroup::run;
  OptionType type = OptionType::flag;
  OptionValue default_value = {};
  std::string default_text = {};          // "auto"; "the model's Tolerance, else 1e-9"
  OptionBounds bounds = {};               // what numbers must lie in
  std::string range = {};                 // the bounds in words: "above 0"; empty if there are none
  std::vector<std::string> choices = {};  // the words that it takes; empty if it takes no words
  std::string help = {};                  // what it does, in one sentence
  std::vector<std::string> details = {};  // lines below it, one for each method or choice
  std::string flag = {};                  // on the command line: "--tol"; empty if it has none
  std::string flag_help = {};             // what the flag does, if `help` does not say it
  std::string value_name = {};            // "TOL", in "--tol TOL"
  std::string takes = {};                 // "a number from 1e-15 to 0.1, such as 1e-9"
  std::string error_id = "E-OPT-001";     // the id of the error for a value that makes no sense
  // Whether results depend on the option: then a checkpoint keeps its value, and a run that
  // continues from the checkpoint must have the same value.
  bool is_kept = false;
};

// All options, group by group, in the order in which documentation lists them. The table is valid
// as long as the program runs.
const std::vector<OptionInfo>& options();
// The option of this name or short name; null if there is none.
const OptionInfo* find_option(std::string_view name);

// The value of an option in `options`. Both functions throw E-OPT-007 for a name that is no option,
// or is an option of the other struct.
OptionValue get_option(const SolveOptions& options, std::string_view name);
OptionValue get_option(const EnsembleOptions& options, std::string_view name);
// Sets an option. A long is taken where a number is wanted; std::monostate sets the default. Ranges
// are not checked here but by solve(), which names all that is wrong at once. Both functions throw
// what get_option() throws, E-OPT-007 for a value of another type, and E-OPT-001 for a whole number
// that is too large for the field's type.
void set_option(SolveOptions& options, std::string_view name, const OptionValue& value);
void set_option(EnsembleOptions& options, std::string_view name, const OptionValue& value);

std::string to_string(OptionGroup group);
std::string to_string(OptionType type);

}  // namespace daedal
