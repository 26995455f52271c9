#include "cli/interrupt.hpp"

namespace daedal::cli {
namespace {

volatile std::sig_atomic_t arrived = 0;  // the signal that came, 0 for none

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

}  // namespace daedal::cli
