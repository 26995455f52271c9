#include "jit/stage_compiler.hpp"

#include <system_error>

#include "jit/compiler.hpp"

namespace daedal::jit {
namespace {

// Measured on the problems of problems/, on one processor core of 2022: loading the compiler; what
// every batch costs; an element of an operation or a term of a sum.
constexpr double seconds_of_loading = 0.02;
constexpr double seconds_of_batch = 0.005;
constexpr double seconds_of_element = 25e-6;
// A run that ends while the compiler is being loaded waits for that: half of what it took, at most.
constexpr double seconds_before_loading = 0.05;
// Larger programs are left to the interpreter: their code would no longer fit into fast memory.
constexpr double most_seconds = 3.0;
// Elements compiled between two looks at whether the run has ended.
constexpr Number elements_of_batch = 500;

Number elements_of(const StageCode& code, const Piece& piece) {
  Number elements = 0;
  for (Number n = piece.first; n < piece.last; ++n) elements += work_of(code, code.operations[n]);
  return elements;
}

// The stages above 0 of one, the start of the other.
CompiledCode join(const taylor::CompiledStages& stages, const taylor::CompiledStages& start) {
  auto all = std::make_shared<taylor::CompiledStages>(stages);
  all->start = start.start;
  all->images.insert(all->images.end(), start.images.begin(), start.images.end());
  return all;
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
                             const taylor::SeriesSchedule& schedule, SolveSchedules solves,
                             CodeCache cache)
    : program_(program),
      schedule_(schedule),
      solves_(std::move(solves)),
      cache_(std::move(cache)) {}

StageCompiler::~StageCompiler() {
  {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
  }
  cancelled_.notify_all();
  if (thread_.joinable()) thread_.join();
}

CompiledCode StageCompiler::poll() {
  if (state_ == State::waiting && seconds() >= seconds_before_loading) {
    lower();
    start_thread();
  }
  if (!has_result_.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard lock(mutex_);
  has_result_ = false;
  return std::move(result_);
}

// Where the system gives no thread the interpreter goes on.
void StageCompiler::start_thread() {
  state_ = State::running;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    state_ = State::done;
  }
}

void StageCompiler::give(CompiledCode code) {
  const std::lock_guard lock(mutex_);
  result_ = std::move(code);
  has_result_.store(true, std::memory_order_release);
}

void StageCompiler::lower() {
  stage_code_ = lower_stages(program_, schedule_, solves_);
  start_code_ = lower_start(program_, schedule_);
}

// Without a compiler the interpreter goes on.
void StageCompiler::run() {
  try {
    const double needed = estimated_seconds(stage_code_);
    if (const CompiledCode stages = make(stage_code_, needed)) {
      give(stages);
      if (const CompiledCode start = make(start_code_, needed + estimated_seconds(start_code_)))
        give(join(*stages, *start));
    }
  } catch (const CompilerFailure&) {
  }
  state_.store(State::done, std::memory_order_release);
}

CompiledCode StageCompiler::compile() {
  lower();
  state_ = State::done;
  return join(*make(stage_code_, 0.0), *make(start_code_, 0.0));
}

// Nothing if the run ends before, or is not worth it.
CompiledCode StageCompiler::make(const StageCode& code, double seconds_to_wait) {
  const Compiler& compiler = Compiler::of_installation();
  if (code.pieces.empty()) return compiler.link(code, {});
  const CodeKey key = key_of(code, compiler.target());
  if (CompiledCode kept = load(compiler, code, key)) return kept;
  if (seconds_to_wait > most_seconds) return nullptr;
  wait_until(seconds_to_wait);
  has_compiled_ = true;
  const std::vector<std::string> objects = compile_pieces(compiler, code);
  if (is_cancelled_) return nullptr;
  CompiledCode linked = compiler.link(code, objects);
  cache_.store(key, objects);
  return linked;
}

CompiledCode StageCompiler::load(const Compiler& compiler, const StageCode& code,
                                 const CodeKey& key) const {
  const auto objects = cache_.load(key);
  if (!objects) return nullptr;
  try {
    return compiler.link(code, *objects);
  } catch (const CompilerFailure&) {
    return nullptr;  // compiled again
  }
}

void StageCompiler::wait_until(double seconds_of_run) {
  std::unique_lock lock(mutex_);
  cancelled_.wait_until(lock,
                        start_ + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds_of_run)),
                        [this] { return is_cancelled_.load(); });
}

std::vector<std::string> StageCompiler::compile_pieces(const Compiler& compiler,
                                                       const StageCode& code) const {
  std::vector<std::string> objects;
  for (std::size_t first = 0, last = 0; first < code.pieces.size() && !is_cancelled_;
       first = last) {
    for (Number elements = 0; last < code.pieces.size() && elements < elements_of_batch; ++last)
      elements += elements_of(code, code.pieces[last]);
    objects.push_back(compiler.compile(code, first, last));
  }
  return objects;
}

}  // namespace daedal::jit
