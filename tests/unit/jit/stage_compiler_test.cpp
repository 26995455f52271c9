#include "jit/stage_compiler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <thread>
#include <vector>

#include "jit/compiler.hpp"
#include "jit/lower_stages.hpp"
#include "unit/taylor/stages.hpp"
#include "unit/temporary_folder.hpp"

namespace daedal::jit {
namespace {

using taylor::SeriesSolver;
using taylor::Stages;

bool has_compiler() {
  try {
    Compiler::of_installation();
    return true;
  } catch (const CompilerFailure&) {
    return false;
  }
}

class CompiledStages : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_compiler()) GTEST_SKIP() << "no compiler";
  }
};
using StageCompilerTest = CompiledStages;

void set_pendulum(SeriesSolver& series) {
  series.coefficient(0, 0) = 0.6;
  series.coefficient(1, 0) = 0.8;
  series.coefficient(0, 1) = 0.8;
  series.coefficient(1, 1) = -0.6;
}

void expect_equal_bits(const SeriesSolver& one, const SeriesSolver& other) {
  for (int k = 0; k <= one.highest_degree(); ++k)
    for (taylor::Slot slot = 0; slot < one.schedule().offset.size(); ++slot)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(one.slot_coefficient(slot, k)),
                std::bit_cast<std::uint64_t>(other.slot_coefficient(slot, k)))
          << "slot " << slot << " order " << k;
}

void expect_pendulum(CompiledCode code) {
  ASSERT_NE(code, nullptr);
  Stages interpreted = taylor::pendulum(20), compiled = taylor::pendulum(20);
  for (Stages* stages : {&interpreted, &compiled}) set_pendulum(*stages->series);
  compiled.series->use(std::move(code));
  EXPECT_TRUE(interpreted.solve().ok());
  EXPECT_TRUE(compiled.solve().ok());
  expect_equal_bits(*interpreted.series, *compiled.series);
}

void damage_all_files(const std::filesystem::path& folder) {
  for (const auto& file : std::filesystem::directory_iterator(folder))
    std::filesystem::resize_file(file.path(), 100);
}

TEST_F(CompiledStages, have_every_operation_and_the_bits_of_the_interpreter) {
  const auto make = [] {
    Stages s;
    const auto x = s.x("x"), y = s.x("y"), z = s.x("z"), w = s.x("w"), v = s.x("v");
    expr::Graph& g = *s.graph;
    const auto minus = [&](auto a, auto b) { return g.subtract(a, b); };
    s.residuals = {minus(s.der(x), g.multiply(y, g.unary(expr::Op::sin, x))),
                   minus(s.der(y), g.divide(x, s.sum(s.number(2.0), g.multiply(y, y)))),
                   minus(s.der(z), g.power(s.sum(s.number(3.0), g.multiply(x, x)), 0.3)),
                   minus(s.der(w, 2), s.sum(g.unary(expr::Op::exp, z), g.unary(expr::Op::abs, w))),
                   minus(v, g.pow(s.sum(s.number(2.0), x), y))};
    s.prepare(15);
    for (int j = 0; j < 4; ++j) s.series->coefficient(j, 0) = 0.3 + 0.1 * j;
    s.series->coefficient(3, 1) = -0.2;
    return s;
  };
  Stages interpreted = make(), compiled = make();
  compiled.series->use(StageCompiler(compiled.series->program(), compiled.series->schedule(),
                                     compiled.series->intended_schedules(), CodeCache(""))
                           .compile());
  EXPECT_TRUE(interpreted.solve().ok());
  EXPECT_TRUE(compiled.solve().ok());
  expect_equal_bits(*interpreted.series, *compiled.series);
}

TEST_F(StageCompilerTest, makes_code_that_a_later_compiler_finds_in_the_cache) {
  const test::TemporaryFolder folder;
  Stages stages = taylor::pendulum(20);
  for (const bool is_later : {false, true}) {
    StageCompiler compiler(stages.series->program(), stages.series->schedule(),
                           stages.series->intended_schedules(), CodeCache(folder.path()));
    expect_pendulum(compiler.compile());
    EXPECT_EQ(compiler.is_from_cache(), is_later);
  }
}

TEST_F(StageCompilerTest, compiles_again_what_the_cache_has_damaged) {
  const test::TemporaryFolder folder;
  const CodeCache cache(folder.path());
  Stages stages = taylor::pendulum(20);
  const StageCode code = lower_stages(stages.series->program(), stages.series->schedule(),
                                      stages.series->intended_schedules());
  const CodeKey key = key_of(code, Compiler::of_installation().target());
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{}, {"not an object"}}) {
    cache.store(key, wrong);
    StageCompiler compiler(stages.series->program(), stages.series->schedule(),
                           stages.series->intended_schedules(), cache);
    expect_pendulum(compiler.compile());
    EXPECT_FALSE(compiler.is_from_cache());
  }
  damage_all_files(folder.path());
  StageCompiler compiler(stages.series->program(), stages.series->schedule(),
                         stages.series->intended_schedules(), cache);
  expect_pendulum(compiler.compile());
}

TEST_F(StageCompilerTest, gives_a_run_that_goes_on_the_stages_above_0_and_then_all) {
  Stages stages = taylor::pendulum(20);
  StageCompiler compiler(stages.series->program(), stages.series->schedule(),
                         stages.series->intended_schedules(), CodeCache(""));
  std::vector<CompiledCode> given;
  while (!compiler.is_done()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (CompiledCode code = compiler.poll()) given.push_back(code);
  }
  ASSERT_FALSE(given.empty());
  const auto has_start = [](const CompiledCode& code) {
    return std::any_of(code->start.begin(), code->start.end(),
                       [](taylor::StageFunction function) { return function != nullptr; });
  };
  if (given.size() == 2) {  // this thread may have missed the first
    EXPECT_FALSE(has_start(given[0]));
  }
  EXPECT_TRUE(has_start(given.back()));
  for (const CompiledCode& code : given) expect_pendulum(code);
}

TEST_F(StageCompilerTest, can_be_destroyed_at_any_moment) {
  Stages stages = taylor::pendulum(20);
  for (int milliseconds = 0; milliseconds < 120; milliseconds += 8) {
    StageCompiler compiler(stages.series->program(), stages.series->schedule(),
                           stages.series->intended_schedules(), CodeCache(""));
    for (int k = 0; k < milliseconds; ++k) {
      compiler.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

TEST_F(StageCompilerTest, code_lives_as_long_as_its_user) {
  Stages stages = taylor::pendulum(20);
  CompiledCode code;
  {
    StageCompiler compiler(stages.series->program(), stages.series->schedule(),
                           stages.series->intended_schedules(), CodeCache(""));
    code = compiler.compile();
  }
  expect_pendulum(std::move(code));
}

TEST(Compiler, says_which_module_is_missing) {
  try {
    const Compiler compiler("/no/such/module.so");
    FAIL();
  } catch (const CompilerFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("/no/such/module.so"), std::string::npos);
  }
}

TEST(EstimatedSeconds, grow_with_the_program) {
  Stages small = taylor::pendulum(5);
  const StageCode code = lower_stages(small.series->program(), small.series->schedule(), {});
  StageCode twice = code;
  twice.pieces.insert(twice.pieces.end(), code.pieces.begin(), code.pieces.end());
  EXPECT_GT(estimated_seconds(twice), estimated_seconds(code));
}

}  // namespace
}  // namespace daedal::jit
