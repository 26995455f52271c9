// What the user typed, and its reading into requests.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace daedal::cli {

// What the user typed after the program's name.
struct CommandLine {
  std::vector<std::string> arguments;
  bool asks_for_words = false;  // nothing is read: words_of wants to know what could be

  bool has(const std::string& argument) const;
  std::string verb() const { return arguments.front(); }
  // "daedal analyze crane.mo --jsno": the place of every mistake in it.
  std::string text() const;
  Problem problem(const char* id, std::string what, std::string why, std::string todo) const;
};

// Each throws Error with every mistake found: words that do not fit (E-CLI-002), malformed
// parameters (E-CLI-003), values that are none (E-CLI-009), options that exclude each other
// (E-CLI-010).
AnalyzeRequest read_analyze(const CommandLine& line);
InitRequest read_init(const CommandLine& line);
ArrayRequest read_array(const CommandLine& line);
RunRequest read_run(const CommandLine& line);
EnsembleRequest read_ensemble(const CommandLine& line);
// The one word after `explain` or `help`; "" if it may be left out and was.
std::string read_error_id(const CommandLine& line);
std::string read_verb(const CommandLine& line);
// The shell after `completion`: bash, zsh or fish (E-CLI-009 otherwise).
std::string read_shell(const CommandLine& line);

// One option or place of a verb.
struct Word {
  std::vector<std::string> names;         // "-p", "--param"; of a place, "MODEL"
  std::string takes = {};                 // "name=value", "FILE"; "" for a flag
  std::vector<std::string> choices = {};  // if only these can be taken
  bool is_value_optional = false;
};

struct VerbWords {
  std::vector<Word> options;  // in the order in which messages list them
  std::vector<Word> places;
};

// What a verb takes, from the definitions by which command lines are read. Empty for what is no
// verb.
VerbWords words_of(const std::string& verb);

}  // namespace daedal::cli
