// The verbs of the program, one file each.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/caps.hpp"
#include "cli/report_file.hpp"
#include "daedal/array_analysis.hpp"
#include "daedal/ensemble.hpp"
#include "daedal/error.hpp"
#include "daedal/initialize.hpp"
#include "daedal/model.hpp"
#include "daedal/solve.hpp"

namespace daedal::cli {

// Exit codes; scripts depend on them.
inline constexpr int exit_done = 0;
inline constexpr int exit_numerical_trouble = 1;
inline constexpr int exit_wrong_input = 2;
inline constexpr int exit_bug = 3;

// What every verb that reads a model is told.
struct ModelRequest {
  std::string model;  // the file
  ParameterValues parameters;
  ModelLimits limits;
  Caps caps;
  bool json = false;
};

struct AnalyzeRequest : ModelRequest {
  bool equations = false;
  ReportRequest report;
};

struct InitRequest : ModelRequest {
  InitializeOptions options;
};

struct ArrayRequest : ModelRequest {
  ArrayAnalysisOptions analysis;
  std::optional<DerivativeArrayOptions> array;  // G and J are wanted
  std::optional<ArrayPointValues> point;        // and there; else at the consistent point
  std::string source;                           // the file that is to compute them, "" for none
  std::string command;
};

// What every verb that solves is told.
struct SolveRequest : ModelRequest {
  SolveOptions options;
  std::string output;  // the CSV file, "-" for standard output, "" for none
  bool quiet = false;
};

struct RunRequest : SolveRequest {
  std::optional<std::vector<std::string>> plot;  // what to draw; empty for the first variables
  ReportRequest report;
};

struct EnsembleRequest : SolveRequest {
  std::string members;  // the file, "-" for standard input
  EnsembleOptions ensemble;
};

using Solver = std::function<Solution(const Model&, const SolveOptions&)>;
using EnsembleSolver = std::function<std::vector<Solution>(
    const Model&, std::span<const ParameterValues>, const SolveOptions&, const EnsembleOptions&)>;

int analyze(const AnalyzeRequest& request);
int init(const InitRequest& request);
int array(const ArrayRequest& request);
// `solver` stands for daedal::solve; tests put others in its place.
int run(const RunRequest& request, const Solver& solver);
// `solver` stands for daedal::solve_ensemble.
int ensemble(const EnsembleRequest& request, const EnsembleSolver& solver);
int explain(const std::string& id);
// `daedal explain list`: every id with its short meaning.
int list_explained();
int help(const std::string& verb);
// `daedal completion SHELL`: a script for the shell.
int completion(const std::string& shell);
// `daedal complete -- WORDS...`, which these scripts call: what the last word may become. Never
// fails; whoever types has not finished yet.
int complete_words(const std::vector<std::string>& words);

// Every verb the program has, for help and near misses.
const std::vector<std::string>& verbs();
// What `daedal help VERB` prints; empty for an unknown verb.
std::string help_text(const std::string& verb);
// What a help text says of an option or verb, in a few words; "" if it does not mention it.
std::string summary(const std::string& help_text, const std::string& word);
// Error E-CLI-001, with the nearest verb; the place is the command line.
Problem unknown_verb(const std::string& verb, const std::string& command_line);

}  // namespace daedal::cli
