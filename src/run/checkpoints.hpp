// Anchors of a run, from which it can be continued, and the file that keeps the last one
// (docs/theory/checkpoints.md).
//
// A run asks after every step whether an anchor is due (rule K1). Then it begins again from its
// state, in the uninterrupted run as in a continued one, and hands the state to keep().
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/archive.hpp"
#include "base/stopwatch.hpp"
#include "daedal/checkpoint.hpp"
#include "daedal/method.hpp"
#include "daedal/solve.hpp"
#include "model/model_data.hpp"
#include "settings/settings.hpp"
#include "solution/record.hpp"
#include "solution/results.hpp"

namespace daedal::run {

// When the next one is due.
class AnchorRhythm {
 public:
  AnchorRhythm(const settings::Settings& settings, std::string_view method)
      : every_(settings.anchor_every.value_or(find_method(method)->steps_between_anchors)) {}
  bool is_due(long steps) const { return steps - last_ >= every_; }
  void begin_at(long steps) { last_ = steps; }

 private:
  long every_;
  long last_ = 0;
};

// What the content of a checkpoint says; `rest`: state and results.
struct CheckpointContent {
  Checkpoint run;
  std::uint64_t fingerprint = 0;  // of the model
  std::string state;
  std::string results;
};
// Throws base::BadArchive.
CheckpointContent parse_checkpoint(std::string_view content);
// Parses all bytes of a file. Throws Error E-CHK-002 and E-CHK-003, with the file's name.
CheckpointContent parse_checkpoint_file(const std::string& file, std::string_view bytes);

// Options that decide on the results, as text by name, with what the model says where they say
// nothing.
std::map<std::string, std::string> decisive_options(const settings::Settings& settings,
                                                    const SolveOptions& options);

// The options with those of the run that is resumed. Throws what read_checkpoint() throws, and
// E-CHK-004 for those that differ.
SolveOptions with_options_of_resumed(const model::ModelData& model, const SolveOptions& options);

class Checkpoints {
 public:
  // Keeps references. Reads the file to be resumed, and claims the one to be written: throws
  // E-CHK-005 if it cannot be, E-CHK-006 if that would destroy something.
  Checkpoints(const model::ModelData& model, const settings::Settings& settings,
              const SolveOptions& options);

  // The state to continue from, and the results until then put into the solution; none if the run
  // begins at its start. To be called once the solution has its start.
  std::optional<base::Reader> resume(solution::Record& solution);
  // Whether the run that is resumed was of this kind; false if it begins at its start.
  bool was(const std::string& kind) const;
  // What a state should have been. Throws E-CHK-002.
  [[noreturn]] void refuse_state(const std::string& why) const;

  // The run stands at an anchor with this state; `solution` has the results until then.
  void keep(const solution::Record& solution, double t, std::string state);
  // The run is over, for now or for good.
  void finish(solution::Record& solution);

 private:
  struct Anchor {
    double t = 0.0;
    long steps = 0;
    std::string state;
    solution::ResultMark mark;
    std::string note;
  };

  void claim_file() const;
  void require_unneeded() const;
  void take_over(const solution::Record& solution);
  void write(const solution::Record& solution, bool is_finished);

  const model::ModelData& model_;
  const SolveOptions& options_;
  Checkpoint run_;
  std::uint64_t fingerprint_ = 0;
  std::optional<CheckpointContent> resumed_;
  std::optional<Anchor> anchor_;
  bool is_written_ = false;  // the last anchor
  std::optional<Problem> failure_;
  base::Stopwatch watch_;  // since the last file
  double interval_;
};

}  // namespace daedal::run
