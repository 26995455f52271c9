// What a command may use of the machine: --max-seconds and --max-memory.
#pragma once

#include <optional>
#include <string>

#include "daedal/error.hpp"

namespace daedal::cli {

struct CommandLine;

struct Caps {
  std::optional<double> seconds;
  std::optional<double> megabytes;  // default: 80 % of the machine's memory
};

// Holds a command to its caps while it lives; one at a time.
//
// Runs look at both caps themselves, between steps, and end there. This is for everything else. The
// system refuses memory beyond the cap, a fifth of it granted for what a run notices too late; that
// is std::bad_alloc here. And a command that has not begun to answer when its time is over, and
// some more for the step it may be in, is ended with S-LIM-001 and exit code 1.
class CapGuard {
 public:
  CapGuard(const CommandLine& line, const Caps& caps);
  ~CapGuard();
  CapGuard(const CapGuard&) = delete;
  CapGuard& operator=(const CapGuard&) = delete;
};

// The command's time is no longer looked at: from now on it writes results.
void begin_answer();

// E-CLI-006, with the cap of the last guard.
Problem explain_out_of_memory(const std::string& command_line);

}  // namespace daedal::cli
