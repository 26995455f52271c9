#include "cli/caps.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "base/machine.hpp"
#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "daedal/option.hpp"
#include "report/errors_json.hpp"
#include "settings/option_table.hpp"

namespace daedal::cli {
namespace {

constexpr double megabyte = 1e6;
// A run notices between steps; until then a vector of its steps may have doubled.
constexpr double granted_beyond = 1.2, granted_bytes = 64e6;

// Sanitizers reserve more memory than any machine has.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_limit_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool can_limit_memory = false;
#else
constexpr bool can_limit_memory = true;
#endif
#else
constexpr bool can_limit_memory = true;
#endif

double memory_cap = 0.0;  // bytes, 0 for none
bool is_cap_given = false;
rlimit limit_before = {};

void limit_memory(const std::optional<double>& megabytes) {
  is_cap_given = megabytes.has_value();
  memory_cap = is_cap_given ? *megabytes * megabyte
                            : settings::default_part_of_memory *
                                  static_cast<double>(base::memory_of_machine());
  getrlimit(RLIMIT_DATA, &limit_before);
  const double granted = granted_beyond * memory_cap + granted_bytes;
  const bool is_sensible = memory_cap > 0.0 && granted < 1e18;
  if (!can_limit_memory || !is_sensible) return;
  rlimit limit = limit_before;
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(granted));
  setrlimit(RLIMIT_DATA, &limit);
}

// Ends the program when its time is over, unless it was disarmed before.
class Watchdog {
 public:
  void arm(const CommandLine& line, double seconds) {
    line_ = line;
    seconds_ = seconds;
    is_armed_ = true;
    thread_ = std::thread([this] { watch(); });
  }

  void disarm() {
    const std::lock_guard lock(mutex_);
    is_armed_ = false;
    changed_.notify_all();
  }

  void join() {
    disarm();
    if (thread_.joinable()) thread_.join();
  }

 private:
  // For a run that looks at the time itself after its step.
  double grace() const { return 1.0 + 0.1 * seconds_; }

  void watch() {
    std::unique_lock lock(mutex_);
    const auto limit = std::chrono::duration<double>(std::min(seconds_ + grace(), 1e9));
    changed_.wait_for(lock, limit, [&] { return !is_armed_; });
    if (is_armed_) end_program();
  }

  [[noreturn]] void end_program() const {
    const Problem problem = line_.problem(
        "S-LIM-001", "the time allowed was over",
        fmt::format("after {} s the command had neither ended nor come to the end of a step",
                    seconds_),
        "raise --max-seconds, or make the model smaller; `daedal analyze` shows its size");
    print_messages({problem});
    if (line_.has("--json")) put(stdout, report::errors_to_json("out-of-time", {problem}) + "\n");
    std::fflush(nullptr);
    _exit(exit_numerical_trouble);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  CommandLine line_ = {};
  double seconds_ = 0.0;
  bool is_armed_ = false;
};

Watchdog& watchdog() {
  static Watchdog one;
  return one;
}

}  // namespace

CapGuard::CapGuard(const CommandLine& line, const Caps& caps) {
  limit_memory(caps.megabytes);
  if (caps.seconds) watchdog().arm(line, *caps.seconds);
}

CapGuard::~CapGuard() {
  watchdog().join();
  if (can_limit_memory) setrlimit(RLIMIT_DATA, &limit_before);
}

void begin_answer() { watchdog().disarm(); }

Problem explain_out_of_memory(const std::string& command_line) {
  const std::string cap =
      memory_cap > 0.0 ? fmt::format("the limit is {:.0f} MB{}", memory_cap / megabyte,
                                     is_cap_given ? " (--max-memory)"
                                                  : ", " + find_option("max_memory")->default_text)
                       : "the system gave no more";
  return {.id = "E-CLI-006",
          .what = "out of memory",
          .where = command_line,
          .why = fmt::format("the command needs more memory than it may have: {}", cap),
          .todo = "make the model smaller, keep fewer steps, or raise --max-memory"};
}

}  // namespace daedal::cli
