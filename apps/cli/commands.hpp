// The verbs of the program, one file each.
#pragma once

#include <string>
#include <vector>

#include "daedal/error.hpp"
#include "daedal/model.hpp"

namespace daedal::cli {

// Exit codes; scripts depend on them.
inline constexpr int exit_done = 0;
inline constexpr int exit_wrong_input = 2;
inline constexpr int exit_bug = 3;

struct AnalyzeRequest {
  std::string model;
  std::vector<std::string> parameters;  // "name=value"
  bool json = false;
  bool equations = false;
};

int analyze(const AnalyzeRequest& request);
int explain(const std::string& id);
// `daedal explain list`: every id with its short meaning.
int list_explained();
int help(const std::string& verb);

// Every verb the program has, for help and near misses.
const std::vector<std::string>& verbs();
// What `daedal help VERB` prints; empty for an unknown verb.
std::string help_text(const std::string& verb);
// Error E-CLI-001, with the nearest verb; the place is the command line.
Problem unknown_verb(const std::string& verb, const std::string& command_line);

// "g=9.81" -> {"g", 9.81}; throws Error E-CLI-003, all offenders at once.
ParameterValues parse_parameters(const std::vector<std::string>& settings);

}  // namespace daedal::cli
