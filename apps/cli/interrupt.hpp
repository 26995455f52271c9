// Ctrl-C while a run goes on.
#pragma once

#include <csignal>

#include "daedal/error.hpp"
#include "daedal/solution.hpp"

namespace daedal::cli {

// While one lives, the first SIGINT or SIGTERM only sets a mark, and the run ends in good order
// after its step; the second ends the program at once. Signals that were ignored before, as in a
// background job, stay ignored. At most one may live at a time. The end of its life restores what
// was before.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool is_requested() const;
  // "SIGINT (Ctrl-C)", "SIGTERM"; "" if nothing came.
  const char* name() const;

 private:
  struct sigaction before_int_ = {};
  struct sigaction before_term_ = {};
};

// Why the run stopped, with what the solver cannot know: the signal (S-INT-006). `checkpoint` is
// the file that it can be continued from, empty if there is none.
Problem explain_interruption(const Solution& solution, const InterruptGuard& interrupt,
                             const std::string& checkpoint = "");

}  // namespace daedal::cli
