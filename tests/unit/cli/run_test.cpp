// `daedal run` around a solver that the test controls: files, exit codes, interruption.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/descriptor.hpp"
#include "cli/commands.hpp"
#include "solution/access.hpp"
#include "unit/cli/verb_fixture.hpp"

namespace daedal::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Run : public VerbFixture {
 protected:
  void SetUp() override {
    VerbFixture::SetUp();
    write("two.mo", "model Two Real x[2]; equation der(x[1]) = x[2]; der(x[2]) = -x[1]; end Two;");
    request.model = path("two.mo");
  }
  Said run_with(const Solver& solver) const {
    return said_by([&] { return run(request, solver); });
  }

  RunRequest request;
};

// Ten steps of length 1 from 0; x[1] = t, x[2] = -t. Ends where on_step says so.
Solution count_to_ten(const Model&, const SolveOptions& options) {
  solution::Record s;
  s.variables = {"x[1]", "x[2]"};
  s.method = "taylor";
  const auto sample = [&] {
    s.final = {s.t, -s.t};
    if (options.on_sample) options.on_sample(s.t, s.final);
  };
  for (sample(); s.t < 10.0 && s.ok();) {
    s.t += 1.0;
    ++s.statistics.steps;
    sample();
    if (!options.on_step({.from = 0, .to = 10, .t = s.t, .steps = s.statistics.steps}))
      s.status = Status::interrupted;
  }
  return SolutionAccess::solution_of(std::move(s));
}

Solution no_start(const Model&, const SolveOptions&) {
  solution::Record s;
  s.status = Status::no_consistent_point;
  s.problems = {{.id = "S-INI-999", .what = "w", .where = "here", .why = "y", .todo = "d"}};
  return SolutionAccess::solution_of(std::move(s));
}

Solution wrong_option(const Model&, const SolveOptions&) {
  throw Error(Problem{.id = "E-OPT-999", .what = "tol = 5"});
}

// A solver during which a signal arrives, at the third step.
Solver with_signal(int signal) {
  return [signal](const Model& model, const SolveOptions& given) {
    SolveOptions options = given;
    options.on_step = [&given, signal](const Progress& progress) {
      if (progress.steps == 3) std::raise(signal);
      return given.on_step(progress);
    };
    return count_to_ten(model, options);
  };
}

TEST_F(Run, prints_the_final_values) {
  const Said said = run_with(count_to_ten);
  EXPECT_EQ(said.exit_code, exit_done);
  EXPECT_THAT(said.out, HasSubstr("reached t = 10"));
  EXPECT_THAT(said.out, HasSubstr("  x[2]  -10\n"));
  EXPECT_EQ(said.err, "");
}

TEST_F(Run, prints_no_name_that_turns_the_direction_of_writing) {
  const Solver turning = [](const Model& model, const SolveOptions& options) {
    Solution solution = count_to_ten(model, options);
    SolutionAccess::record(solution).variables[0] = "a\u202eb";
    return solution;
  };
  EXPECT_THAT(run_with(turning).out, HasSubstr("  a\\u202eb "));
  request.json = true;
  EXPECT_THAT(nlohmann::json::parse(run_with(turning).out).dump(), HasSubstr("a\u202eb"));
}

TEST_F(Run, keeps_no_steps) {
  bool kept = true;
  run_with([&](const Model& model, const SolveOptions& options) {
    kept = options.keep_steps;
    return count_to_ten(model, options);
  });
  EXPECT_FALSE(kept);
}

TEST_F(Run, writes_a_row_for_each_sample_and_says_so) {
  request.output = path("out.csv");
  const Said said = run_with(count_to_ten);
  EXPECT_THAT(content("out.csv"), StartsWith("t,x[1],x[2]\n0,0,-0\n1,1,-1\n"));
  EXPECT_THAT(content("out.csv"), testing::EndsWith("\n10,10,-10\n"));
  EXPECT_THAT(said.out, HasSubstr("11 rows in " + request.output + "\n"));
  request.quiet = true;
  EXPECT_EQ(run_with(count_to_ten).out, "");
}

TEST_F(Run, writes_rows_to_standard_output_and_nothing_else_there) {
  request.output = "-";
  const Said said = run_with(count_to_ten);
  EXPECT_THAT(said.out, StartsWith("t,x[1],x[2]\n"));
  EXPECT_THAT(said.out, testing::EndsWith("\n10,10,-10\n"));
}

TEST_F(Run, replaces_an_old_file_wholly) {
  request.output = path("out.csv");
  std::ofstream(request.output) << std::string(100000, 'x');
  run_with(count_to_ten);
  EXPECT_THAT(content("out.csv"), testing::EndsWith("\n10,10,-10\n"));
}

TEST_F(Run, wrong_input_leaves_an_old_file_alone_and_makes_no_new_one) {
  request.output = path("old.csv");
  std::ofstream(request.output) << "kept";
  EXPECT_EQ(run_with(wrong_option).exit_code, exit_wrong_input);
  EXPECT_EQ(content("old.csv"), "kept");
  request.output = path("new.csv");
  run_with(wrong_option);
  EXPECT_FALSE(std::filesystem::exists(request.output));
}

TEST_F(Run, without_a_start_leaves_no_old_rows_behind) {
  request.output = path("out.csv");
  std::ofstream(request.output) << "old";
  const Said said = run_with(no_start);
  EXPECT_EQ(said.exit_code, exit_numerical_trouble);
  EXPECT_EQ(content("out.csv"), "t,x[1],x[2]\n");
  EXPECT_THAT(said.err, HasSubstr("S-INI-999"));
}

TEST_F(Run, refuses_a_file_that_cannot_be_written_before_it_computes) {
  request.output = path("no/such/folder.csv");
  const Said said = run_with([](const Model&, const SolveOptions&) -> Solution {
    ADD_FAILURE() << "the solver was called";
    return {};
  });
  EXPECT_EQ(said.exit_code, exit_wrong_input);
  EXPECT_THAT(said.err, HasSubstr("E-FIL-005"));
}

TEST_F(Run, a_full_disk_is_an_error) {
  request.output = "/dev/full";
  const Said said = run_with(count_to_ten);
  EXPECT_EQ(said.exit_code, exit_wrong_input);
  EXPECT_THAT(said.err, HasSubstr("No space left on device"));
}

TEST_F(Run, its_output_file_is_its_own_until_the_end) {
  request.output = path("out.csv");
  run_with([&](const Model& model, const SolveOptions& options) {
    EXPECT_THROW(base::open_locked(request.output, O_WRONLY), base::FileInUse);
    return count_to_ten(model, options);
  });
  EXPECT_NO_THROW(base::open_locked(request.output, O_WRONLY));
}

TEST_F(Run, json_of_numerical_trouble_has_status_and_errors) {
  request.json = true;
  const Said said = run_with(no_start);
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["status"], "no-consistent-point");
  EXPECT_EQ(json["errors"][0]["id"], "S-INI-999");
  EXPECT_THAT(said.err, StartsWith("S-INI-999"));
}

TEST_F(Run, interrupted_by_either_signal_ends_in_good_order) {
  for (const int signal : {SIGINT, SIGTERM}) {
    request.json = true;
    request.output = path("out.csv");
    const Said said = run_with(with_signal(signal));
    EXPECT_EQ(said.exit_code, exit_numerical_trouble);
    const auto json = nlohmann::json::parse(said.out);
    EXPECT_EQ(json["status"], "interrupted");
    EXPECT_EQ(json["steps"], 3);
    EXPECT_EQ(json["errors"][0]["id"], "S-INT-006");
    EXPECT_THAT(content("out.csv"), testing::EndsWith("\n3,3,-3\n"));
    EXPECT_THAT(said.err, HasSubstr(signal == SIGINT ? "SIGINT (Ctrl-C)" : "SIGTERM"));
  }
}

TEST_F(Run, a_report_does_not_replace_the_rows_that_a_checkpoint_knows) {
  request.output = path("out.csv");
  request.options.to = 100.0;
  request.options.max_steps = 3;
  request.options.checkpoint.file = path("checkpoint");
  run_with(daedal::solve);
  const std::string rows = content("out.csv");
  RunRequest resumed;
  resumed.model = request.model;
  resumed.options.resume = resumed.options.checkpoint.file = path("checkpoint");
  resumed.report.file = path("out.csv");
  const Said said = said_by([&] { return run(resumed, daedal::solve); });
  EXPECT_THAT(said.err, StartsWith("E-CLI-010  --report would overwrite the output"));
  EXPECT_EQ(content("out.csv"), rows);
}

TEST_F(Run, restores_what_signals_did_before) {
  run_with(with_signal(SIGINT));
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST_F(Run, leaves_an_ignored_signal_ignored) {
  std::signal(SIGINT, SIG_IGN);
  EXPECT_EQ(run_with(with_signal(SIGINT)).exit_code, exit_done);
  std::signal(SIGINT, SIG_DFL);
}

TEST_F(Run, a_second_signal_ends_at_once) {
  const Solver stubborn = [](const Model&, const SolveOptions&) -> Solution {
    std::raise(SIGINT);
    std::raise(SIGINT);
    return {};
  };
  EXPECT_EXIT(run(request, stubborn), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace daedal::cli
