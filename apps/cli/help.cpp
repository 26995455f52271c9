#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/near_miss.hpp"
#include "commands.hpp"
#include "daedal/error.hpp"

namespace daedal::cli {

const std::vector<std::string>& verbs() {
  static const std::vector<std::string> names = {"analyze", "init", "run", "explain", "help"};
  return names;
}

std::string help_text(const std::string& verb) {
  if (verb.empty())
    return R"(daedal: differential-algebraic equations as people write them

  daedal analyze MODEL [-p name=value]... [--equations] [--json]
  daedal explain ERROR-ID
  daedal help VERB
  daedal --version

verbs
  analyze   offsets, index, degrees of freedom, blocks, what to give at the start; or what is wrong with the model
  explain   the page of an error id, such as E-STR-001; `daedal explain list` lists all ids
  help      more about a verb, with examples
  init, run come with the next versions

exit codes
  0 done   1 numerical trouble   2 wrong input   3 a bug of daedal

try
  daedal analyze problems/pendulum/pendulum.mo
  daedal help analyze
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
  if (verb == "init" || verb == "run")
    return fmt::format(
        "daedal {} is not in this version yet: it comes with the Taylor integrator.\n", verb);
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
