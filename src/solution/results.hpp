// What a run has found so far, as bytes (docs/theory/checkpoints.md). Most of it only grows: an
// earlier state of it is a copy of the rest, and lengths.
#pragma once

#include <cstdint>
#include <string>

#include "base/archive.hpp"
#include "solution/record.hpp"

namespace daedal::solution {

// The results of a run up to some step.
class ResultMark {
 public:
  ResultMark() = default;
  explicit ResultMark(const Record& solution);

  // The solution is that of the constructor; its run may have gone on since.
  void write(base::Writer& archive, const Record& solution) const;

 private:
  struct Lengths {
    std::uint64_t at = 0, singularities = 0, events = 0, step_times = 0, steps = 0;
  };
  Lengths lengths_;
  std::string rest_;
};

// Replaces the results of a run that has begun. Polynomials of steps are taken only if the run
// keeps them. Throws base::BadArchive.
void read_results(base::Reader& archive, Record& solution, bool keep_steps);

}  // namespace daedal::solution
