#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/near_miss.hpp"
#include "cli/commands.hpp"
#include "daedal/error.hpp"

namespace daedal::cli {
namespace {

constexpr const char* init_help = R"(daedal init MODEL [-p name=value]... [--method M] [--json]

Finds the point nearest to the guesses at which every equation and every hidden constraint holds, together with the values
that are fixed and the initial equations. Prints the values and derivatives found, which guesses moved and by how much, and
what nothing determines. If conditions contradict each other it names them, and says which one to free.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
  --method M               auto (default), structure or array: min |P(x - guess)| subject to the derivative array, where the
                           index is the numerical one
  --json                   one JSON object on standard output and nothing else there

examples
  daedal init problems/pendulum/pendulum.mo
  daedal init problems/pendulum/pendulum.mo -p L=9 --json

exit codes: 0 done; 1 no consistent point, or conflicting conditions; 2 wrong input.
)";

constexpr const char* array_help =
    R"(daedal array MODEL [-p name=value]... [--from T0] [--derivatives M] [--differentiate R] [--coefficients] [--json]

Asks the derivative array of the model, written in order one, at the consistent point nearest to the guesses: the numerical
index, the degrees of freedom, which values may be prescribed at the start (the projector Pi), the condition number and the
smallest singular value, and how many Taylor coefficients of the solution are determined. It needs no structure, and time
that grows with the cube of the model's size.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
  --from T0                the time; default: the model's StartTime, else 0
  --derivatives M          how many derivatives of each variable to determine; default: 1
  --differentiate R        print the array itself instead, G and its Jacobian J, of the equations and their first R
                           derivatives; r1,r2,... for each equation its own number
  --coefficients           entries as Taylor coefficients instead of derivatives
  --json                   one JSON object on standard output and nothing else there

examples
  daedal array problems/robot_arm/robot_arm.mo
  daedal array problems/pendulum/pendulum.mo --differentiate 2 --json

exit codes: 0 done; 1 no consistent point, no index, or a condition that cannot be prescribed; 2 wrong input.
)";

constexpr const char* run_help =
    R"(daedal run MODEL [-p name=value]... [--from T0] [--to T1] [--tol TOL] [--order P] [--method M] [--index Q]
           [--fixed-step H] [--start-up S] [--kernel K] [--no-cache] [--at t1,t2,...] [--max-step H] [-o FILE] [--json]
           [--quiet]

Finds a consistent start, as `daedal init` does, and follows the solution. Without -o and --json it prints the values at the
end and at the times of --at.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
  --from T0                where to start; default: the model's StartTime, else 0
  --to T1                  where to end, also before T0; default: the model's StopTime, else 1
  --tol TOL                the error of a step in x is kept below TOL*(nominal + |x|); from 1e-15 to 0.1;
                           default: the model's Tolerance, else 1e-9
  --order P                order of the method, from 2 to 100; default: chosen from the tolerance. dd-erk: 2 to 6, or 8;
                           dd-ida and bdf: the highest, 1 to 5
  --method M               auto (default): structure, or a converted model, or the derivative array, whichever works first;
                           taylor: the first two; array: derivative array; completion: Runge-Kutta on x' = g(t, x) that
                           the derivative array defines; dd-erk: dummy derivatives, explicit Runge-Kutta; dd-ida: the same
                           in implicit form, IDA; bdf: backward differentiation on f(t, x, x') = 0
  --index Q                bdf: integrate the form of index 3, 2, 1 or 0, in which equations are differentiated; those as
                           written are then not enforced, and drift; default: the equations as written
  --fixed-step H           bdf: steps of length H and of one order (--order, else 3), without error control
  --start-up S             bdf with fixed steps: the values before the start are those of the solution (series, default), or
                           the first steps are of order 1, 2, ... (orders)
  --kernel K               who computes the series: auto (default), interpreter or compiled; the results are the same
  --no-cache               neither use nor keep machine code in the cache
  --at t1,t2,...           times at which values are wanted, in any order
  --max-step H             no step is longer than H
  -o FILE                  write CSV as the run goes: t, then every variable, at every step end or at the times of --at;
                           - is standard output
  --json                   one JSON object on standard output and nothing else there
  --quiet                  no progress line, and no line about the file

examples
  daedal run problems/pendulum/pendulum.mo
  daedal run problems/pendulum/pendulum.mo --to 10 --tol 1e-12 -o pendulum.csv
  daedal run problems/pendulum/pendulum.mo --at 1,2.5,10 --to 10 --json
  daedal run problems/double_pendulum/double_pendulum_spinning.mo --method dd-erk
  daedal run problems/pendulum_first_order/pendulum_first_order.mo --method bdf --index 2

Ctrl-C ends the run after its step: what was computed is written, the status is "interrupted". A second Ctrl-C ends at once.

exit codes: 0 done; 1 numerical trouble or interrupted, with everything computed until then; 2 wrong input.
)";

constexpr const char* ensemble_help =
    R"(daedal ensemble MODEL MEMBERS.csv [-p name=value]... [--from T0] [--to T1] [--tol TOL] [--order P] [--at t1,t2,...]
                [--max-step H] [--lanes L] [--threads N] [-o FILE] [--json] [--quiet]

Solves one model for many values of its parameters: several members side by side in the lanes of the processor's vectors,
on all its cores. Each member gives what `daedal run` gives for its values, to the last bit.

MEMBERS.csv names parameters in its first line, array elements as m[2], and has the values of one member in each further
line; - is standard input. Blank lines and lines that begin with # are skipped.

options
  -p, --param name=value   override a parameter for all members (repeatable); a column of the file wins over it
  --from T0, --to T1, --tol TOL, --order P, --max-step H
                           as for `daedal run`
  --at t1,t2,...           times at which values are wanted, in any order
  --lanes L                members that a thread computes side by side, from 1 to 64; default: 8
  --threads N              default: 0, as many as the machine has
  -o FILE                  write CSV at the end: member, t, then every variable, at the times of --at, or at the end;
                           - is standard output
  --json                   one JSON object on standard output and nothing else there
  --quiet                  no progress line, and no line about the file

examples
  daedal ensemble problems/pendulum/pendulum.mo examples/030_ensemble/lengths.csv --to 10
  daedal ensemble problems/pendulum/pendulum.mo examples/030_ensemble/lengths.csv --at 1,2,5 --to 5 -o swings.csv

Ctrl-C ends every member after its step: what was computed is written, the status is "interrupted". A second Ctrl-C ends at
once.

exit codes: 0 every member reached the end; 1 some did not, with everything computed until then; 2 wrong input.
)";

}  // namespace

const std::vector<std::string>& verbs() {
  static const std::vector<std::string> names = {"analyze",  "init",    "array", "run",
                                                 "ensemble", "explain", "help"};
  return names;
}

std::string help_text(const std::string& verb) {
  if (verb.empty())
    return R"(daedal: differential-algebraic equations as people write them

  daedal analyze MODEL [-p name=value]... [--equations] [--json]
  daedal init MODEL [-p name=value]... [--method M] [--json]
  daedal array MODEL [-p name=value]... [--differentiate R] [--json] ...
  daedal run MODEL [-p name=value]... [--from T0] [--to T1] [--tol TOL] [--at t1,t2,...] [-o out.csv] [--json] ...
  daedal ensemble MODEL MEMBERS.csv [-p name=value]... [--to T1] [--tol TOL] [--at t1,t2,...] [-o out.csv] [--json] ...
  daedal explain ERROR-ID
  daedal help VERB
  daedal --version

verbs
  analyze   offsets, index, degrees of freedom, blocks, what to give at the start; or what is wrong with the model
  array     numerical index, projectors, condition: what the derivative array says, whatever the structure; or the array itself
  init      the consistent point nearest to the guesses; or which conditions contradict each other
  run       the solution from start to end, as final values, CSV or JSON
  ensemble  the solutions for many values of the parameters
  explain   the page of an error id, such as E-STR-001; `daedal explain list` lists all ids
  help      more about a verb, with examples

exit codes
  0 done   1 numerical trouble   2 wrong input   3 a bug of daedal

try
  daedal analyze problems/pendulum/pendulum.mo
  daedal run problems/pendulum/pendulum.mo
  daedal help run
)";
  if (verb == "analyze")
    return R"(daedal analyze MODEL [-p name=value]... [--equations] [--json]

Reads a model (.mo) and finds its structure: the signature matrix, which equations must be differentiated and how often (c),
the highest derivatives that then occur (d), the structural index, the degrees of freedom, the blocks in the order in which
they can be solved, and the initial values to give. If the model is ill-posed it names the equations and unknowns concerned.

options
  -p, --param name=value   override a parameter (repeatable); array elements as 'm[2]=1.5'
  --equations              print every equation as daedal understands it
  --json                   one JSON object on standard output and nothing else there

examples
  daedal analyze problems/pendulum/pendulum.mo
  daedal analyze problems/coupled_pendula/coupled_pendula.mo -p P=23 --json
  daedal analyze problems/robot_arm/robot_arm.mo         a model on which structural analysis fails

exit codes: 0 also if structural analysis fails (that is a finding); 2 for wrong input or a structurally singular model.
)";
  if (verb == "explain")
    return R"(daedal explain ERROR-ID

Prints the page of an error: what it means, an example, what to do. `daedal explain list` lists all ids.

example
  daedal explain E-STR-001
)";
  if (verb == "help")
    return R"(daedal help [VERB]

Prints what a verb does, its options and examples.
)";
  if (verb == "init") return init_help;
  if (verb == "array") return array_help;
  if (verb == "run") return run_help;
  if (verb == "ensemble") return ensemble_help;
  return "";
}

Problem unknown_verb(const std::string& verb, const std::string& command_line) {
  const std::string hint = base::did_you_mean(verb, verbs());
  return {.id = "E-CLI-001",
          .what = fmt::format("there is no verb '{}'", verb),
          .where = command_line,
          .why = fmt::format("the verbs are {}", fmt::join(verbs(), ", ")),
          .todo = hint.empty() ? "`daedal help` shows what each does" : hint};
}

int help(const std::string& verb) {
  const std::string text = help_text(verb);
  if (text.empty()) throw Error(unknown_verb(verb, "daedal help " + verb));
  fmt::print("{}", text);
  return exit_done;
}

}  // namespace daedal::cli
