// What `daedal help` prints. Options stand in lines of their own, "  --name TAKES   what it does;
// more", from which completion takes its words; examples are lines "  daedal ..." below a line
// "examples", and run from the project's folder (both are tested).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <map>

#include "base/near_miss.hpp"
#include "cli/commands.hpp"
#include "cli/option_help.hpp"
#include "cli/style.hpp"
#include "daedal/error.hpp"

namespace daedal::cli {
namespace {

constexpr const char* overview =
    R"(daedal: differential-algebraic equations as people write them

  daedal analyze MODEL [-p name=value]... [--equations] [--json] ...
  daedal init MODEL [-p name=value]... [--method M] [--start-weighting W] [--json]
  daedal run MODEL [-p name=value]... [--to T1] [--tol TOL] [-o out.csv] [--plot [NAMES]] [--json] ...
  daedal ensemble MODEL MEMBERS.csv [-p name=value]... [--to T1] [--tol TOL] [-o out.csv] [--json] ...
  daedal array MODEL [-p name=value]... [--differentiate R] [--json] ...
  daedal explain ERROR-ID
  daedal completion SHELL
  daedal help VERB
  daedal --version

verbs
  analyze     index, degrees of freedom, blocks, what to give at the start; or what is wrong with the model
  init        the consistent point nearest to the guesses; or which conditions contradict each other
  run         the solution from start to end, as final values, plot, CSV or JSON
  ensemble    the solutions for many values of the parameters
  array       numerical index, projectors, condition: what the derivative array says, whatever the structure
  explain     the page of an error id, such as E-STR-001
  completion  a script that completes verbs, options and names in bash, zsh or fish
  help        more about a verb, with examples

everywhere
  -h, --help     the same as `daedal help VERB`
  --version      prints the version
  --color WHEN   when to colour: auto (default), on a terminal unless NO_COLOR is set; always; never

exit codes
  0 done   1 numerical trouble   2 wrong input   3 a bug of daedal

a first model, pendulum.mo
  model Pendulum
    parameter Real g = 9.81, L = 10;
    Real x(start = 10), y(start = 0, fixed = true), lambda;
  equation
    der(x, 2) + x*lambda = 0;
    der(y, 2) + y*lambda = g;
    x^2 + y^2 = L^2;
  end Pendulum;

examples
  daedal analyze problems/pendulum/pendulum.mo
      what has to be differentiated, and what you may prescribe at the start
  daedal run problems/pendulum/pendulum.mo --plot
      solves it, and draws it
  daedal help run
      more about a verb

read next: docs/reference/language.md (models), docs/reference/cli.md (this program).
)";

constexpr const char* analyze_help =
    R"(daedal analyze MODEL [-p name=value]... [--equations] [--report FILE] [--max-elements N] {usage resources} [--json]

Reads a model (.mo) and finds its structure: the signature matrix, which equations must be
differentiated and how often (c), the highest derivatives that then occur (d), the structural index,
the degrees of freedom, the blocks in the order in which they can be solved, and the initial values to
give. If the model is ill-posed it names the equations and unknowns concerned.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
  --equations              print every equation as daedal understands it
  --report FILE            write a self-contained HTML page about the structure
  --max-elements N         how many elements the model may unroll into; default: 10000000
{options resources}
  --json                   one JSON object on standard output and nothing else there

examples
  daedal analyze problems/pendulum/pendulum.mo --equations
      index 3: the constraint is differentiated twice
  daedal analyze problems/coupled_pendula/coupled_pendula.mo -p P=23 --json
      a parameter that shapes the model
  daedal analyze problems/robot_arm/robot_arm.mo
      structural analysis fails here, and the reason is told

exit codes: 0 also if structural analysis fails (that is a finding); 2 for wrong input or a
structurally singular model.

read next: `daedal help init`; docs/theory/structural-analysis.md says how it works.
)";

constexpr const char* init_help =
    R"(daedal init MODEL [-p name=value]... [--method M] [--start-weighting W] [--max-elements N] {usage resources}
            [--json]

Finds the point nearest to the guesses at which every equation and every hidden constraint holds,
together with the values that are fixed and the initial equations. Prints the values and derivatives
found, which guesses moved and by how much, and what nothing determines. If conditions contradict each
other it names them, and says which one to free.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
  --method M               how to find it: auto (default), structure, or array: min |P(x - guess)|
                           subject to the derivative array, where the index is the numerical one
  --start-weighting W      which guesses it stays near to: choosable (default), those of values that it
                           may choose; or all, accelerations, forces and multipliers included, where
                           the model is not linear in its highest derivatives
  --max-elements N         how many elements the model may unroll into; default: 10000000
{options resources}
  --json                   one JSON object on standard output and nothing else there

examples
  daedal init problems/pendulum/pendulum.mo
      y and der(y) are fixed there; the rest follows from the equations
  daedal init problems/pendulum/pendulum.mo -p L=9 --json
      the guess x = 10 has to move
  daedal init problems/robot_arm/robot_arm.mo --method array

exit codes: 0 done; 1 no consistent point, or conflicting conditions; 2 wrong input.

read next: `daedal help run`; docs/theory/consistent-points.md says how it works.
)";

constexpr const char* array_help =
    R"(daedal array MODEL [-p name=value]... [--from T0] [--derivatives M] [--differentiate R] [--coefficients] [--point column=value]... [--source FILE] [--max-elements N] {usage resources} [--json]

Asks the derivative array of the model, written in order one, at the consistent point nearest to the
guesses: the numerical index, the degrees of freedom, which values may be prescribed at the start (the
projector Pi), the condition number and the smallest singular value, and how many Taylor coefficients
of the solution are determined. It needs no structure, and time that grows with the cube of the
model's size.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
  --from T0                the time; default: the model's StartTime, else 0
  --derivatives M          how many derivatives of each variable to determine; default: 1
  --differentiate R        print the array itself instead, G and its Jacobian J, of the equations and
                           their first R derivatives; r1,r2,... for each equation its own number
  --coefficients           entries as Taylor coefficients instead of derivatives
  --point column=value     G and J at this point, not at the consistent one (repeatable); x, 'der(x)'
                           or 'der(x, 2)' are columns; what is not given is as guessed, else 0
  --source FILE            write functions that compute G and J as C into the file; - is standard output
  --max-elements N         how many elements the model may unroll into; default: 10000000
{options resources}
  --json                   one JSON object on standard output and nothing else there

examples
  daedal array problems/robot_arm/robot_arm.mo
      index 5, where structural analysis fails
  daedal array problems/pendulum/pendulum.mo --differentiate 2 --json
  daedal array problems/pendulum/pendulum.mo --differentiate 2 --point x=6 --point 'der(y)=-3'
      at x = 6, y = 0 as the model guesses, der(y) = -3, and 0 for the others
  daedal array problems/pendulum/pendulum.mo --differentiate 2 --source pendulum.c
      self-contained C99, which Fortran can call; its head says how

exit codes: 0 done; 1 no consistent point, no index, or a condition that cannot be prescribed;
2 wrong input.

read next: docs/theory/derivative-array.md.
)";

constexpr const char* run_help =
    R"(daedal run MODEL [-p name=value]... {usage run method bdf} [-o FILE] [--report FILE] [--plot [NAMES]] {usage checkpoints} [--max-elements N] {usage resources} [--json] [--quiet]

Finds a consistent start, as `daedal init` does, and follows the solution. Without -o and --json it
prints the values at the end and at the times of --at.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
{options run}

  --plot [NAMES]           draw curves in the terminal: x,der(x),der(x, 2) over time, x:y one against
                           the other; without names the first four variables
  --report FILE            write a self-contained HTML page about the run
  -o FILE                  write CSV as the run goes: t, then every variable, at every step end or at
                           the times of --at; - is standard output
  --json                   one JSON object on standard output and nothing else there
  --quiet                  no progress line, and no line about the file

{options checkpoints}

{options method}

{options bdf}

  --max-elements N         how many elements the model may unroll into; default: 10000000
{options resources}

examples
  daedal run problems/pendulum/pendulum.mo
      from the model's StartTime to its StopTime
  daedal run problems/double_pendulum/double_pendulum.mo --report double_pendulum.html
      a page to open in a browser, with curves, structure and an animation
  daedal run problems/bouncing_ball/bouncing_ball.mo --plot h,v --to 3
      height and velocity in the terminal, with the bounces marked
  daedal run problems/pendulum/pendulum.mo --to 10 --plot x:y
      the path of the pendulum
  daedal run problems/pendulum/pendulum.mo --to 10 --tol 1e-12 -o pendulum.csv
      the trajectory as a table
  daedal run problems/pendulum/pendulum.mo --at 1,2.5,10 --to 10 --json
      values at some times, for a script
  daedal run problems/pendulum/pendulum_spinning.mo --verify
      how much of the result can be trusted
  daedal run problems/pendulum/pendulum.mo --to 100 -o long.csv --checkpoint long.checkpoint
      a run that can be stopped, or killed, and continued:
  daedal run problems/pendulum/pendulum.mo --resume long.checkpoint
      from its checkpoint to its end, with the rest of the rows
  daedal run problems/double_pendulum/double_pendulum_spinning.mo --method dd-erk
      another method
  daedal run problems/pendulum_first_order/pendulum_first_order.mo --method bdf --index 2

Ctrl-C ends the run after its step: what was computed is written, the status is "interrupted". A
second Ctrl-C ends at once. At --max-steps, --max-seconds and --max-memory it is the same, with a status
of its own. A run that is resumed goes on keeping its checkpoint and writing its CSV file.

exit codes: 0 done; 1 numerical trouble, interrupted or at a limit, with everything computed until then;
2 wrong input.

read next: docs/guide/methods.md (which method?), docs/reference/json.md (keys of --json).
)";

constexpr const char* ensemble_help =
    R"(daedal ensemble MODEL MEMBERS.csv [-p name=value]... {usage run method bdf ensemble} [-o FILE] [--max-elements N] {usage resources} [--json] [--quiet]

Solves one model for many values of its parameters: several members side by side in the lanes of the
processor's vectors, on all its cores. Each member gives what `daedal run` gives for its values, to
the last bit. The methods auto and taylor fill the lanes; the others solve one member after the other
in every thread.

MEMBERS.csv names parameters in its first line, array elements as m[2], and has the values of one
member in each further line; - is standard input. Blank lines and lines that begin with # are skipped.

options
  -p, --param name=value   override a parameter for all members (repeatable); a column of the file
                           wins over it
{options ensemble}
  -o FILE                  write CSV at the end: member, t, then every variable, at the times of --at,
                           or at the end; - is standard output
  --max-elements N         how many elements the model may unroll into; default: 10000000
{options resources}
  --json                   one JSON object on standard output and nothing else there
  --quiet                  no progress line, and no line about the file

{as-for-run run}
{as-for-run method}
{as-for-run bdf}

examples
  daedal ensemble problems/pendulum/pendulum.mo examples/030_ensemble/lengths.csv --to 10
      a line about each member
  daedal ensemble problems/pendulum/pendulum.mo examples/030_ensemble/lengths.csv --at 1,2,5 --to 5 -o swings.csv
      all values at three times, as a table

Ctrl-C ends every member after its step: what was computed is written, the status is "interrupted". A
second Ctrl-C ends at once.

exit codes: 0 every member reached the end; 1 some did not, with everything computed until then;
2 wrong input.
)";

constexpr const char* explain_help = R"(daedal explain ERROR-ID

Prints the page of an error: what it means, an example, what to do. `daedal explain list` lists all
ids. Every message of daedal begins with its id.

examples
  daedal explain E-STR-001
  daedal explain list
)";

constexpr const char* help_help = R"(daedal help [VERB]

Prints what a verb does, its options and examples.

examples
  daedal help
  daedal help run
)";

constexpr const char* completion_help = R"(daedal completion SHELL

Prints a script with which the Tab key completes verbs, options, values, model files, error ids and
the parameters of the model on the line. SHELL is bash, zsh or fish. An installed daedal has it already
where the shells look for it.

bash, for this session and, in ~/.bashrc, for all:
  source <(daedal completion bash)
zsh, in a folder of fpath:
  daedal completion zsh > ~/.zfunc/_daedal
fish:
  daedal completion fish > ~/.config/fish/completions/daedal.fish

examples
  daedal completion bash
)";

// "  --param, -p TAKES   about" -> "about" if the word is among the names before the gap; else "".
std::string about(std::string_view line, const std::string& word) {
  if (!line.starts_with("  ") || line.starts_with("   ")) return "";
  const std::size_t gap = line.find("  ", 2);
  if (gap == std::string_view::npos) return "";
  const std::string names = fmt::format(" {} ", line.substr(2, gap - 2));
  const bool is_named = names.find(" " + word + " ") != std::string::npos ||
                        names.find(" " + word + ",") != std::string::npos;
  const std::size_t begin = line.find_first_not_of(' ', gap);
  return is_named ? std::string(line.substr(begin)) : "";
}

}  // namespace

const std::vector<std::string>& verbs() {
  static const std::vector<std::string> names = {"analyze", "init",    "run",        "ensemble",
                                                 "array",   "explain", "completion", "help"};
  return names;
}

std::string help_text(const std::string& verb) {
  static const std::map<std::string, const char*> texts = {
      {"", overview},           {"analyze", analyze_help},
      {"init", init_help},      {"array", array_help},
      {"run", run_help},        {"ensemble", ensemble_help},
      {"help", help_help},      {"completion", completion_help},
      {"explain", explain_help}};
  const auto found = texts.find(verb);
  if (found == texts.end()) return "";
  return with_options(found->second);
}

std::string summary(const std::string& help_text, const std::string& word) {
  std::string_view rest = help_text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    if (const std::string text = about(rest.substr(0, end), word); !text.empty())
      return text.substr(0, text.find_last_not_of(' ', text.find_first_of(";:(") - 1) + 1);
    rest.remove_prefix(end + 1);
  }
  return "";
}

Problem unknown_verb(const std::string& verb, const std::string& command_line) {
  const std::string hint = verb.ends_with(".mo") ? fmt::format("write `daedal run {}`", verb)
                                                 : base::did_you_mean(verb, verbs());
  return {.id = "E-CLI-001",
          .what = fmt::format("there is no verb '{}'", verb),
          .where = command_line,
          .why = fmt::format("the verbs are {}", fmt::join(verbs(), ", ")),
          .todo = hint.empty() ? "`daedal help` shows what each does" : hint};
}

int help(const std::string& verb) {
  const std::string text = help_text(verb);
  if (text.empty()) throw Error(unknown_verb(verb, "daedal help " + verb));
  fmt::print("{}", is_colored(STDOUT_FILENO) ? colored_help(text) : text);
  return exit_done;
}

}  // namespace daedal::cli
