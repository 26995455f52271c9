#include "jit/stage_compiler.hpp"

#include "jit/compiler.hpp"
#include "jit/lower_stages.hpp"

namespace daedal::jit {
namespace {

// Measured on the problems of problems/, on one processor core of 2022: loading the compiler; what
// every batch costs; an element of an operation or a term of a sum.
constexpr double seconds_of_loading = 0.02;
constexpr double seconds_of_batch = 0.005;
constexpr double seconds_of_element = 45e-6;
// A run that ends while the compiler is being loaded waits for that: half of what it took, at most.
constexpr double seconds_before_loading = 0.05;
// Larger programs are left to the interpreter: their code would no longer fit into fast memory.
constexpr double most_seconds = 5.0;
// Elements compiled between two looks at whether the run has ended.
constexpr Number elements_of_batch = 500;

Number elements_of(const StageCode& code, const Piece& piece) {
  Number elements = 0;
  for (Number n = piece.first; n < piece.last; ++n) elements += work_of(code, code.operations[n]);
  return elements;
}

}  // namespace

double estimated_seconds(const StageCode& code) {
  Number elements = 0;
  for (const Piece& piece : code.pieces) elements += elements_of(code, piece);
  return seconds_of_loading + seconds_of_batch +
         (seconds_of_element + seconds_of_batch / elements_of_batch) *
             static_cast<double>(elements);
}

StageCompiler::StageCompiler(const taylor::PackedProgram& program,
                             const taylor::SeriesSchedule& schedule, CodeCache cache)
    : program_(program), schedule_(schedule), cache_(std::move(cache)) {}

StageCompiler::~StageCompiler() {
  {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
  }
  cancelled_.notify_all();
  if (thread_.joinable()) thread_.join();
}

CompiledCode StageCompiler::poll() {
  switch (state_.load(std::memory_order_acquire)) {
    case State::waiting:
      if (seconds() < seconds_before_loading) return nullptr;
      code_ = lower_stages(program_, schedule_);
      state_ = State::running;
      thread_ = std::thread([this] { run(); });
      return nullptr;
    case State::ready: state_ = State::done; return std::move(result_);
    default: return nullptr;
  }
}

// Without a compiler the interpreter goes on.
void StageCompiler::run() {
  try {
    result_ = make(true);
  } catch (const CompilerFailure&) {
  }
  state_.store(result_ ? State::ready : State::done, std::memory_order_release);
}

CompiledCode StageCompiler::compile() {
  code_ = lower_stages(program_, schedule_);
  state_ = State::done;
  return make(false);
}

CompiledCode StageCompiler::make(bool is_patient) {
  const Compiler& compiler = Compiler::of_installation();
  const CodeKey key = key_of(code_, compiler.target());
  if (CompiledCode kept = load(compiler, key)) return kept;
  if (is_patient) wait_until_worth_it();
  const std::vector<std::string> objects = compile_pieces(compiler);
  if (is_cancelled_) return nullptr;
  CompiledCode linked = compiler.link(code_, objects);
  cache_.store(key, objects);
  return linked;
}

CompiledCode StageCompiler::load(const Compiler& compiler, const CodeKey& key) {
  const auto objects = cache_.load(key);
  if (!objects) return nullptr;
  try {
    CompiledCode linked = compiler.link(code_, *objects);
    is_from_cache_ = true;
    return linked;
  } catch (const CompilerFailure&) {
    return nullptr;  // compiled again
  }
}

void StageCompiler::wait_until_worth_it() {
  const double needed = estimated_seconds(code_);
  std::unique_lock lock(mutex_);
  const auto is_cancelled = [this] { return is_cancelled_.load(); };
  if (needed > most_seconds) return cancelled_.wait(lock, is_cancelled);
  cancelled_.wait_until(
      lock,
      start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(needed)),
      is_cancelled);
}

std::vector<std::string> StageCompiler::compile_pieces(const Compiler& compiler) {
  std::vector<std::string> objects;
  for (std::size_t first = 0, last = 0; first < code_.pieces.size() && !is_cancelled_;
       first = last) {
    for (Number elements = 0; last < code_.pieces.size() && elements < elements_of_batch; ++last)
      elements += elements_of(code_, code_.pieces[last]);
    objects.push_back(compiler.compile(code_, first, last));
  }
  return objects;
}

}  // namespace daedal::jit
