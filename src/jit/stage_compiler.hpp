// Machine code for a run, made beside it: a thread compiles while the integrator goes on with the
// interpreter (docs/theory/compiled-kernels.md).
//
// First the stages above 0, which run some twenty times per step, then the start. Compiling never
// takes longer than the run has already taken: it begins when the time estimated for it has passed.
// A clock decides only when machine code takes over; results do not depend on
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "jit/code_cache.hpp"
#include "jit/lower_stages.hpp"
#include "jit/stage_code.hpp"
#include "taylor/compiled_stages.hpp"
#include "taylor/packed_program.hpp"

namespace daedal::jit {

class Compiler;

// How long compiling takes, roughly.
double estimated_seconds(const StageCode& code);

using CompiledCode = std::shared_ptr<const taylor::CompiledStages>;

class StageCompiler {
 public:
  // Keeps references to the program and the schedules. cache: where to look and keep.
  StageCompiler(const taylor::PackedProgram& program, const taylor::SeriesSchedule& schedule,
                SolveSchedules solves, CodeCache cache);
  // Waits for the piece being compiled, no longer.
  ~StageCompiler();
  StageCompiler(const StageCompiler&) = delete;
  StageCompiler& operator=(const StageCompiler&) = delete;

  // To be called between steps: begins when it is worth it. Code when it is ready: for the stages
  // above 0, later for all; each once. Otherwise nothing.
  CompiledCode poll();
  // Nothing will be given any more.
  bool is_done() const { return state_ == State::done && !has_result_; }

  // At once, in this thread. Throws CompilerFailure.
  CompiledCode compile();

  // Whether nothing was compiled for the code last given.
  bool is_from_cache() const { return !has_compiled_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { waiting, running, done };

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void lower();
  void start_thread();
  void run();
  CompiledCode make(const StageCode& code, double seconds_to_wait);
  CompiledCode load(const Compiler& compiler, const StageCode& code, const CodeKey& key) const;
  std::vector<std::string> compile_pieces(const Compiler& compiler, const StageCode& code) const;
  void wait_until(double seconds_of_run);
  void give(CompiledCode code);

  const taylor::PackedProgram& program_;
  const taylor::SeriesSchedule& schedule_;
  SolveSchedules solves_;
  CodeCache cache_;
  const Clock::time_point start_ = Clock::now();
  StageCode stage_code_, start_code_;  // above 0, and up to 0
  std::atomic<State> state_ = State::waiting;
  std::atomic<bool> is_cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable cancelled_;
  std::atomic<bool> has_compiled_ = false;
  std::atomic<bool> has_result_ = false;
  CompiledCode result_;  // guarded by the mutex
  std::thread thread_;
};

}  // namespace daedal::jit
