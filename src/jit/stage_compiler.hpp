// Machine code for a run, made beside it: a thread compiles while the integrator goes on with the
// interpreter (docs/theory/compiled-kernels.md).
//
// Compiling never takes longer than the run has already taken: it begins when the time estimated
// for it has passed. A clock decides only when machine code takes over; results do not depend on
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
  // Keeps references to the program and its schedule, which it reads until code() returned
  // something or compile() did. cache: where to look and keep.
  StageCompiler(const taylor::PackedProgram& program, const taylor::SeriesSchedule& schedule,
                CodeCache cache);
  // Waits for the piece being compiled, no longer.
  ~StageCompiler();
  StageCompiler(const StageCompiler&) = delete;
  StageCompiler& operator=(const StageCompiler&) = delete;

  // To be called between steps: begins when it is worth it. The code when it is ready, once;
  // otherwise nothing.
  CompiledCode poll();

  // At once, in this thread. Throws CompilerFailure.
  CompiledCode compile();

  // Of the code last given: nothing was compiled for it.
  bool is_from_cache() const { return is_from_cache_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { waiting, running, ready, done };

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void run();
  CompiledCode make(bool is_patient);
  CompiledCode load(const Compiler& compiler, const CodeKey& key);
  std::vector<std::string> compile_pieces(const Compiler& compiler);
  void wait_until_worth_it();

  const taylor::PackedProgram& program_;
  const taylor::SeriesSchedule& schedule_;
  CodeCache cache_;
  const Clock::time_point start_ = Clock::now();
  StageCode code_;
  std::atomic<State> state_ = State::waiting;
  std::atomic<bool> is_cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable cancelled_;
  bool is_from_cache_ = false;
  CompiledCode result_;  // written by the thread before state_ becomes ready
  std::thread thread_;
};

}  // namespace daedal::jit
