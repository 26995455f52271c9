// What is told of checkpoints that do not fit, and that they are left alone. That continued runs
// are the same bit by bit is shown in tests/checkpoint.
#include "daedal/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "daedal/ensemble.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

using testing::HasSubstr;

Model oscillator(double stiffness = 4.0) {
  Model m("Oscillator");
  const auto k = m.parameter("k", stiffness);
  const auto x = m.variable("x", {.start = {1, 0}, .fixed = {true, true}});
  m.equation("motion", der(x, 2) == -k * x);
  return m;
}

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

void put(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

Problem refusal(const Model& model, const SolveOptions& options) {
  try {
    solve(model, options);
  } catch (const Error& error) {
    return error.problems().front();
  }
  return {.id = "none", .what = {}, .where = {}, .why = {}, .todo = {}};
}

class CheckpointFile : public testing::Test {
 protected:
  CheckpointFile()
      : file_(testing::TempDir() + "daedal_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove(file_);
  }
  ~CheckpointFile() override { std::filesystem::remove(file_); }

  // Leaves a checkpoint on the way.
  void stop_after(long steps) {
    const Solution stopped =
        solve(oscillator(),
              {.to = 100.0,
               .tolerance = 1e-10,
               .anchor_every = 10,
               .checkpoint = {.file = file_},
               .on_step = [&](const Progress& progress) { return progress.steps < steps; }});
    ASSERT_EQ(stopped.status(), Status::interrupted);
  }
  // Refused with this id, and the file is as before.
  Problem refused_untouched(const Model& model, SolveOptions options) {
    const std::string before = content(file_);
    options.resume = file_;
    options.checkpoint.file = file_;
    const Problem problem = refusal(model, options);
    EXPECT_EQ(content(file_), before);
    return problem;
  }

  std::string file_;
};

TEST_F(CheckpointFile, tells_what_it_belongs_to) {
  stop_after(35);
  const Checkpoint checkpoint = read_checkpoint(file_);
  EXPECT_EQ(checkpoint.model, "Oscillator");
  EXPECT_EQ(checkpoint.steps, 30);
  EXPECT_EQ(checkpoint.options.at("to"), OptionValue(100.0));
  EXPECT_EQ(checkpoint.options.at("tolerance"), OptionValue(1e-10));
  EXPECT_FALSE(checkpoint.is_finished);
  const Solution rest = solve(oscillator(), {.checkpoint = {.file = file_}, .resume = file_});
  EXPECT_TRUE(rest.ok());
  EXPECT_NEAR(rest("x", 100.0), std::cos(200.0), 1e-7);
  EXPECT_TRUE(read_checkpoint(file_).is_finished);
}

TEST_F(CheckpointFile, that_is_cut_off_anywhere_is_refused) {
  stop_after(35);
  const std::string whole = content(file_);
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
    put(file_, whole.substr(0, size));
    EXPECT_EQ(refused_untouched(oscillator(), {}).id, "E-CHK-002") << size;
  }
  put(file_, whole + "x");
  EXPECT_THAT(refused_untouched(oscillator(), {}).why, HasSubstr("bytes after its head"));
}

TEST_F(CheckpointFile, in_which_a_bit_has_changed_is_refused) {
  stop_after(35);
  const std::string whole = content(file_);
  for (std::size_t k = 0; k < whole.size(); k += 3) {
    std::string damaged = whole;
    damaged[k] = static_cast<char>(damaged[k] ^ 0x10);
    put(file_, damaged);
    EXPECT_THAT(refused_untouched(oscillator(), {}).id, testing::AnyOf("E-CHK-002", "E-CHK-003"))
        << k;
  }
}

TEST_F(CheckpointFile, of_another_version_is_refused_by_name) {
  stop_after(35);
  std::string other = content(file_);
  other[18] = static_cast<char>(other[18] + 1);  // behind "daedal checkpoint\n"
  put(file_, other);
  const Problem problem = refused_untouched(oscillator(), {});
  EXPECT_EQ(problem.id, "E-CHK-003");
  EXPECT_THAT(problem.why, HasSubstr("format 2"));
}

TEST_F(CheckpointFile, of_another_run_is_refused_with_all_that_differs) {
  stop_after(35);
  EXPECT_THAT(refused_untouched(oscillator(5.0), {}).why, HasSubstr("of the model are not those"));
  Model set = oscillator();
  set.set_parameter("k", 3.0);
  const Problem problem =
      refused_untouched(set, {.to = 50.0, .tolerance = 1e-6, .method = "dd-erk"});
  EXPECT_EQ(problem.id, "E-CHK-004");
  EXPECT_THAT(problem.why, HasSubstr("parameter k is 3, in the checkpoint not set"));
  EXPECT_THAT(problem.why, HasSubstr("to is 50, in the checkpoint 100"));
  EXPECT_THAT(problem.why, HasSubstr("tolerance is 1e-06, in the checkpoint 1e-10"));
  EXPECT_THAT(problem.why, HasSubstr("method is dd-erk, in the checkpoint auto"));
  EXPECT_THAT(refused_untouched(oscillator(), {.max_step = 0.1, .at = {1.0, 2.0}}).why,
              testing::AllOf(HasSubstr("max_step is 0.1, in the checkpoint none"),
                             HasSubstr("at is 1,2, in the checkpoint none")));
}

TEST_F(CheckpointFile, that_cannot_be_written_again_is_refused_before_a_step_is_made) {
  stop_after(35);
  const std::string in_the_way = file_ + ".part";
  put(in_the_way, "my thesis");
  const Problem problem = refused_untouched(oscillator(), {.on_step = [](const Progress&) {
                                              ADD_FAILURE() << "a step was made";
                                              return true;
                                            }});
  EXPECT_EQ(problem.id, "E-CHK-005");
  EXPECT_THAT(problem.why, HasSubstr("not ours to replace"));
  EXPECT_EQ(content(in_the_way), "my thesis");
  std::filesystem::remove(in_the_way);
}

TEST_F(CheckpointFile, is_not_replaced_if_something_would_be_lost) {
  stop_after(35);
  const SolveOptions anew = {.to = 1.0, .checkpoint = {.file = file_}};
  EXPECT_THAT(refusal(oscillator(), anew).why, HasSubstr("unfinished run of 'Oscillator'"));
  solve(oscillator(), {.checkpoint = {.file = file_}, .resume = file_});
  EXPECT_TRUE(solve(oscillator(), anew).ok());  // that one was finished
  put(file_, "my thesis");
  EXPECT_EQ(refusal(oscillator(), anew).id, "E-CHK-006");
  EXPECT_EQ(content(file_), "my thesis");
}

TEST_F(CheckpointFile, that_cannot_be_written_is_told_before_the_run) {
  const std::string nowhere = testing::TempDir() + "no such folder/file";
  EXPECT_EQ(refusal(oscillator(), {.checkpoint = {.file = nowhere}}).id, "E-CHK-005");
  EXPECT_EQ(refusal(oscillator(), {.resume = nowhere}).id, "E-CHK-001");
}

TEST_F(CheckpointFile, of_a_run_that_ends_before_its_next_anchor_is_finished_all_the_same) {
  stop_after(35);
  const std::string other = file_ + "_other";
  std::filesystem::remove(other);
  solve(oscillator(), {.checkpoint = {.file = other},
                       .resume = file_,
                       .on_step = [](const Progress&) { return false; }});
  EXPECT_EQ(read_checkpoint(other).steps, 30);  // where it was continued
  std::filesystem::remove(other);
  const long last = solve(oscillator(), {.resume = file_}).statistics().steps;
  std::filesystem::remove(file_);
  stop_after(last);  // behind the last anchor
  solve(oscillator(), {.checkpoint = {.file = file_}, .resume = file_});
  EXPECT_TRUE(read_checkpoint(file_).is_finished);
}

// Also after the switch: that modes were converted is found again with them.
TEST_F(CheckpointFile, of_converted_modes_goes_on_as_a_run_that_was_not_stopped) {
  const Model model = parse_model(
      "model M\n Real x(start = {1, 0}); Real y(start = {0, 0});\nequation\n"
      " der(x, 2) - der(y, 2) = -x;\n"
      " der(y, 2) - der(x, 2) = -y + (if time < 1 then 0 else (time - 1)^3);\nend M;\n",
      "smooth.mo");
  SolveOptions options{.to = 2.0, .tolerance = 1e-10, .max_step = 0.05, .anchor_every = 7};
  const Solution whole = solve(model, options);
  ASSERT_TRUE(whole.ok());
  for (const long steps : {10, 22, 30}) {
    SolveOptions first = options;
    first.checkpoint = {.file = file_};
    first.on_step = [&](const Progress& progress) { return progress.steps < steps; };
    ASSERT_EQ(solve(model, first).status(), Status::interrupted);
    const Solution rest = solve(model, {.resume = file_});
    ASSERT_TRUE(rest.ok()) << steps;
    EXPECT_EQ(rest.final(), whole.final()) << steps;
    EXPECT_EQ(rest.statistics().steps, whole.statistics().steps) << steps;
    EXPECT_EQ(rest.converted(), whole.converted()) << steps;
    EXPECT_EQ(rest.statistics().original_residual, whole.statistics().original_residual) << steps;
    std::filesystem::remove(file_);
  }
}

// Sides that are inputs of a mode are in the state, and so is the table of the modes that were met.
TEST_F(CheckpointFile, of_one_mode_with_switches_goes_on_as_a_run_that_was_not_stopped) {
  const Model model = parse_model(
      "model M\n Real x[3](each start = 0.5, each fixed = true);\n"
      " discrete Real on[3](each start = 1);\nequation\n"
      " for i in 1:3 loop\n"
      "  der(x[i]) = (if on[i] > 0.5 then 2 + 0.1*i else 0) - x[i];\n"
      "  when x[i] > 1 then on[i] = 0; end when;\n"
      "  when x[i] < 0.5 then on[i] = 1; end when;\n end for;\nend M;\n",
      "switches.mo");
  for (const char* method : {"taylor", "dd-erk", "bdf"}) {
    SolveOptions options{
        .to = 4.0, .tolerance = 1e-8, .method = method, .max_step = 0.02, .anchor_every = 7};
    const Solution whole = solve(model, options);
    ASSERT_TRUE(whole.ok());
    for (const long steps : {20, 60, 130}) {
      SolveOptions first = options;
      first.checkpoint = {.file = file_};
      first.on_step = [&](const Progress& progress) { return progress.steps < steps; };
      ASSERT_EQ(solve(model, first).status(), Status::interrupted);
      const Solution rest = solve(model, {.resume = file_});
      ASSERT_TRUE(rest.ok()) << method << steps;
      EXPECT_EQ(rest.final(), whole.final()) << method << steps;
      ASSERT_EQ(rest.num_modes(), whole.num_modes()) << method << steps;
      ASSERT_EQ(rest.modes().size(), whole.modes().size()) << method << steps;
      for (std::size_t k = 0; k < rest.modes().size(); ++k) {
        EXPECT_EQ(rest.modes()[k].conditions, whole.modes()[k].conditions) << method << steps;
        EXPECT_EQ(rest.modes()[k].entries, whole.modes()[k].entries) << method << steps;
        EXPECT_EQ(rest.modes()[k].time, whole.modes()[k].time) << method << steps;
      }
      std::filesystem::remove(file_);
    }
  }
}

TEST_F(CheckpointFile, of_an_ensemble_there_is_none) {
  const std::vector<ParameterValues> members = {{{"k", 1.0}}};
  try {
    solve_ensemble(oscillator(), members, {.to = 1.0, .checkpoint = {.file = file_}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().front().id, "E-OPT-006");
  }
}

TEST_F(CheckpointFile, of_fixed_steps_there_is_none) {
  const Problem problem = refusal(
      oscillator(),
      {.to = 1.0, .method = "bdf", .bdf = {.fixed_step = 0.1}, .checkpoint = {.file = file_}});
  EXPECT_EQ(problem.id, "E-OPT-006");
}

TEST_F(CheckpointFile, does_not_change_the_run_that_writes_it) {
  const SolveOptions plain = {.to = 100.0, .tolerance = 1e-10};
  SolveOptions keeping = plain;
  keeping.checkpoint = {.file = file_, .every = 0.0};
  EXPECT_EQ(solve(oscillator(), plain).final(), solve(oscillator(), keeping).final());
}

}  // namespace
}  // namespace daedal
