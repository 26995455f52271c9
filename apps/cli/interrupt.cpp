#include "cli/interrupt.hpp"

#include <fmt/format.h>

#include <atomic>

#include "base/wording.hpp"

namespace daedal::cli {
namespace {

std::atomic<int> arrived = 0;  // the signal that came, 0 for none; threads read it
static_assert(std::atomic<int>::is_always_lock_free);  // what a signal handler may write

extern "C" void mark_signal(int signal) { arrived = signal; }

// SA_RESETHAND: the second signal finds the default, which ends the program.
void mark_on(int signal, struct sigaction& before) {
  struct sigaction marking = {};
  marking.sa_handler = mark_signal;
  marking.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&marking.sa_mask);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &marking, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  arrived = 0;
  mark_on(SIGINT, before_int_);
  mark_on(SIGTERM, before_term_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

bool InterruptGuard::is_requested() const { return arrived != 0; }

const char* InterruptGuard::name() const {
  if (arrived == 0) return "";
  return arrived == SIGINT ? "SIGINT (Ctrl-C)" : "SIGTERM";
}

Problem explain_interruption(const Solution& solution, const InterruptGuard& interrupt,
                             const std::string& checkpoint) {
  const auto num_steps = static_cast<std::size_t>(solution.statistics().steps);
  return {.id = "S-INT-006",
          .what = fmt::format("the run was interrupted at t = {}", solution.t()),
          .where = fmt::format("after {}", base::plural(num_steps, "step")),
          .why = fmt::format("the program was told to stop: {}", interrupt.name()),
          .todo = checkpoint.empty()
                      ? "what was computed until then is complete; run again without interruption "
                        "for the rest"
                      : fmt::format("continue it with --resume {}", checkpoint)};
}

}  // namespace daedal::cli
