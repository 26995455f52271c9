// `daedal ensemble` around a solver that the test controls: files, exit codes, interruption.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "solution/access.hpp"
#include "unit/cli/verb_fixture.hpp"

namespace daedal::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class EnsembleVerb : public VerbFixture {
 protected:
  void SetUp() override {
    VerbFixture::SetUp();
    write("one.mo", "model One parameter Real a = 1; Real x; equation der(x) = a*x; end One;");
    write("sweep.csv", "a\n1\n2\n3\n");
    request.model = path("one.mo");
    request.members = path("sweep.csv");
  }
  Said run_with(const EnsembleSolver& solver) const {
    return said_by([&] { return ensemble(request, solver); });
  }

  EnsembleRequest request;
};

// Each member takes one step for every 1 of its parameter a, of length 1; x = 10 a + t. Ends where
// on_step says so.
std::vector<Solution> count(const Model&, std::span<const ParameterValues> members,
                            const SolveOptions& options, const EnsembleOptions&) {
  std::vector<Solution> all;
  for (const ParameterValues& member : members) {
    solution::Record& s = SolutionAccess::record(all.emplace_back());
    const double a = member.at("a");
    s.variables = {"x"};
    s.method = "taylor";
    s.order = 14;
    s.tolerance = 1e-9;
    while (s.t < a && s.ok()) {
      s.t += 1.0;
      ++s.statistics.steps;
      if (!options.on_step({.from = 0, .to = a, .t = s.t, .steps = s.statistics.steps}))
        s.status = Status::interrupted;
    }
    s.final = {10.0 * a + s.t};
    for (const double t : options.at)
      if (t <= s.t) s.at.push_back({t, {10.0 * a + t}});
  }
  return all;
}

// The second member has no start, the third ends at half its way.
std::vector<Solution> stumble(const Model& model, std::span<const ParameterValues> members,
                              const SolveOptions& options, const EnsembleOptions& ensemble) {
  std::vector<Solution> all = count(model, members, options, ensemble);
  solution::Record& second = SolutionAccess::record(all[1]);
  second.status = second.start.status = Status::no_consistent_point;
  second.problems = {{.id = "S-INI-999", .what = "w", .where = "here", .why = "y", .todo = "d"}};
  solution::Record& third = SolutionAccess::record(all[2]);
  third.status = Status::blow_up;
  third.problems = {{.id = "S-INT-999", .what = "w", .where = "there", .why = "y", .todo = "d"}};
  third.t = 1.5;
  return all;
}

TEST_F(EnsembleVerb, prints_a_line_for_each_member) {
  const Said said = run_with(count);
  EXPECT_EQ(said.exit_code, exit_done);
  EXPECT_EQ(said.out,
            "3 of 3 members reached t = 3: 6 steps, taylor of order 14, tolerance 1e-09\n\n"
            "  member  a  status  t  steps\n"
            "  1       1      ok  1      1\n"
            "  2       2      ok  2      2\n"
            "  3       3      ok  3      3\n");
  EXPECT_EQ(said.err, "");
}

TEST_F(EnsembleVerb, hands_options_and_members_to_the_solver) {
  request.options.tolerance = 1e-5;
  request.ensemble = {.lanes = 2, .threads = 3};
  run_with([](const Model& model, std::span<const ParameterValues> members,
              const SolveOptions& options, const EnsembleOptions& ensemble) {
    EXPECT_EQ(members.size(), 3U);
    EXPECT_EQ(members[2], (ParameterValues{{"a", 3.0}}));
    EXPECT_EQ(options.tolerance, 1e-5);
    EXPECT_FALSE(options.keep_steps);
    EXPECT_EQ(ensemble.lanes, 2);
    EXPECT_EQ(ensemble.threads, 3);
    return count(model, members, options, ensemble);
  });
}

TEST_F(EnsembleVerb, writes_the_end_of_each_member_and_says_so) {
  request.output = path("out.csv");
  const Said said = run_with(count);
  EXPECT_EQ(content("out.csv"), "member,t,x\n1,1,11\n2,2,22\n3,3,33\n");
  EXPECT_THAT(said.out, HasSubstr("3 rows in " + request.output + "\n"));
  request.quiet = true;
  EXPECT_EQ(run_with(count).out, "");
}

TEST_F(EnsembleVerb, writes_the_times_asked_for_as_far_as_reached) {
  request.output = "-";
  request.options.at = {0.5, 2.0};
  EXPECT_EQ(run_with(count).out,
            "member,t,x\n1,0.5,10.5\n2,0.5,20.5\n2,2,22\n3,0.5,30.5\n3,2,32\n");
}

TEST_F(EnsembleVerb, tells_of_members_that_did_not_end_well_and_keeps_the_others) {
  request.output = path("out.csv");
  const Said said = run_with(stumble);
  EXPECT_EQ(said.exit_code, exit_numerical_trouble);
  EXPECT_EQ(content("out.csv"), "member,t,x\n1,1,11\n3,1.5,33\n");
  EXPECT_THAT(said.err, HasSubstr("S-ENS-001  2 of 3 members did not reach the end"));
  EXPECT_THAT(said.err, HasSubstr("blow-up: 1, no-consistent-point: 1"));
  EXPECT_THAT(said.err, HasSubstr("sweep.csv:3 member 2, here"));
  EXPECT_THAT(said.err, HasSubstr("sweep.csv:4 member 3, there"));
}

TEST_F(EnsembleVerb, tells_warnings_of_members_once_for_each_id) {
  const Said said = run_with([](const Model& model, auto members, const SolveOptions& options,
                                const EnsembleOptions& ensemble_options) {
    std::vector<Solution> all = count(model, members, options, ensemble_options);
    for (const std::size_t k : {1U, 2U})
      SolutionAccess::record(all[k]).warnings = {
          {.id = "W-ERR-001", .what = "far off", .where = "x at t = 1"}};
    SolutionAccess::record(all[1]).verification.emplace().error = 0.25;
    return all;
  });
  EXPECT_EQ(said.exit_code, exit_done);
  EXPECT_THAT(said.err, HasSubstr("sweep.csv:3 member 2, x at t = 1; and 1 other member"));
  EXPECT_THAT(said.err, testing::Not(HasSubstr("member 3")));
  EXPECT_THAT(said.out, HasSubstr("error"));
  EXPECT_THAT(said.out, HasSubstr("2.5e-01"));
}

TEST_F(EnsembleVerb, json_has_totals_members_and_errors) {
  request.json = true;
  request.ensemble = {.lanes = 2, .threads = 5};
  const Said said = run_with(stumble);
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["status"], "members-failed");
  EXPECT_EQ(json["totals"]["members"], 3);
  EXPECT_EQ(json["totals"]["ok"], 1);
  EXPECT_EQ(json["totals"]["lanes"], 2);
  EXPECT_EQ(json["totals"]["threads"], 2);  // more would have nothing to do
  ASSERT_EQ(json["members"].size(), 3U);
  EXPECT_EQ(json["members"][2]["member"], 3);
  EXPECT_EQ(json["members"][2]["parameters"]["a"], 3.0);
  EXPECT_EQ(json["members"][2]["status"], "blow-up");
  EXPECT_EQ(json["members"][2]["errors"][0]["id"], "S-INT-999");
  EXPECT_EQ(json["errors"][0]["id"], "S-ENS-001");
  EXPECT_EQ(json["errors"].size(), 3U);
}

TEST_F(EnsembleVerb, json_of_an_ensemble_that_ended_well_has_no_errors) {
  request.json = true;
  const auto json = nlohmann::json::parse(run_with(count).out);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_FALSE(json.contains("errors"));
}

TEST_F(EnsembleVerb, says_the_same_of_many_members_once) {
  std::ofstream stream(request.members);
  stream << "a\n";
  for (int k = 0; k < 1000; ++k) stream << "1\n";
  stream.close();
  const Said said = run_with([](const Model& model, std::span<const ParameterValues> members,
                                const SolveOptions& options, const EnsembleOptions& ensemble) {
    std::vector<Solution> all = count(model, members, options, ensemble);
    for (std::size_t k = 500; k < 600; ++k) {
      SolutionAccess::record(all[k]).status = Status::blow_up;
      SolutionAccess::record(all[k]).problems = {
          {.id = "S-INT-999", .what = "w", .where = "t", .why = "y", .todo = "d"}};
    }
    return all;
  });
  EXPECT_EQ(std::count(said.out.begin(), said.out.end(), '\n'), 34);  // headline, table, rest
  EXPECT_THAT(said.out, HasSubstr("  10      1       ok  1      1\n  501     1  blow-up"));
  EXPECT_THAT(said.out, HasSubstr("... and 970 more, 890 of them ok"));
  EXPECT_LT(std::count(said.err.begin(), said.err.end(), '\n'), 12);
}

TEST_F(EnsembleVerb, interrupted_keeps_what_was_computed) {
  request.json = true;
  request.output = path("out.csv");
  const Said said = run_with([](const Model& model, std::span<const ParameterValues> members,
                                const SolveOptions& given, const EnsembleOptions& ensemble) {
    SolveOptions options = given;
    int num_calls = 0;
    options.on_step = [&](const Progress& progress) {
      if (++num_calls == 2) std::raise(SIGINT);
      return given.on_step(progress);
    };
    return count(model, members, options, ensemble);
  });
  EXPECT_EQ(said.exit_code, exit_numerical_trouble);
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_EQ(json["totals"]["ok"], 1);
  EXPECT_EQ(content("out.csv"), "member,t,x\n1,1,11\n2,1,21\n3,1,31\n");
  EXPECT_THAT(said.err, HasSubstr("SIGINT (Ctrl-C)"));
}

TEST_F(EnsembleVerb, wrong_members_leave_an_old_file_alone) {
  std::ofstream(request.members) << "a\nfast\n";
  request.output = path("old.csv");
  std::ofstream(request.output) << "kept";
  const Said said = run_with(count);
  EXPECT_EQ(said.exit_code, exit_wrong_input);
  EXPECT_THAT(said.err, StartsWith("E-MEM-003"));
  EXPECT_EQ(content("old.csv"), "kept");
}

EnsembleRequest read(std::vector<std::string> words) {
  words.insert(words.begin(), "ensemble");
  return read_ensemble({.arguments = std::move(words)});
}

std::string mistake(const std::vector<std::string>& words) {
  try {
    read(words);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(EnsembleOptions, reach_the_solver_as_given) {
  const EnsembleRequest request =
      read({"crane.mo",  "-",    "--to", "20",         "--tol", "1e-12",   "--order",
            "30",        "--at", "1,2",  "--max-step", "0.5",   "--lanes", "4",
            "--threads", "2",    "-o",   "out.csv",    "-p",    "g=9"});
  EXPECT_EQ(request.model, "crane.mo");
  EXPECT_EQ(request.members, "-");
  EXPECT_EQ(request.options.to, 20.0);
  EXPECT_EQ(request.options.tolerance, 1e-12);
  EXPECT_EQ(request.options.order, 30);
  EXPECT_EQ(request.options.max_step, 0.5);
  EXPECT_EQ(request.options.at.size(), 2U);
  EXPECT_EQ(request.ensemble.lanes, 4);
  EXPECT_EQ(request.ensemble.threads, 2);
  EXPECT_EQ(request.output, "out.csv");
  EXPECT_EQ(request.parameters, (ParameterValues{{"g", 9.0}}));
}

TEST(EnsembleOptions, not_given_are_those_of_the_library) {
  const EnsembleRequest request = read({"crane.mo", "sweep.csv"});
  EXPECT_EQ(request.ensemble.lanes, daedal::EnsembleOptions{}.lanes);
  EXPECT_EQ(request.ensemble.threads, 0);
}

TEST(EnsembleOptions, that_are_wrong_are_refused) {
  EXPECT_THAT(mistake({}), HasSubstr("the MODEL is missing"));
  EXPECT_THAT(mistake({"crane.mo"}), HasSubstr("the MEMBERS.csv is missing"));
  EXPECT_THAT(mistake({"crane.mo"}), HasSubstr("`daedal ensemble MODEL MEMBERS.csv`"));
  EXPECT_THAT(mistake({"crane.mo", ""}), HasSubstr("the name of the members' file is empty"));
  EXPECT_THAT(mistake({"a", "b", "c"}), HasSubstr("takes one MODEL, one MEMBERS.csv"));
  EXPECT_THAT(mistake({"a", "b", "--lanes", "x"}), StartsWith("E-CLI-009"));
  EXPECT_THAT(mistake({"a", "b", "--threads", "1.5"}), StartsWith("E-CLI-009"));
  EXPECT_THAT(mistake({"a", "b", "--checkpoint", "c"}), StartsWith("E-CLI-002"));
  EXPECT_THAT(mistake({"a", "b", "-o", "-", "--json"}), StartsWith("E-CLI-010"));
}

}  // namespace
}  // namespace daedal::cli
