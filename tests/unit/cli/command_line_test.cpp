// The words of `daedal run` and `daedal init`, read into requests.
#include "cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "daedal/option.hpp"

namespace daedal::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CommandLine run_with(std::vector<std::string> options) {
  options.insert(options.begin(), {"run", "crane.mo"});
  return {.arguments = std::move(options)};
}

std::vector<Problem> mistakes(std::vector<std::string> options) {
  try {
    read_run(run_with(std::move(options)));
  } catch (const Error& error) {
    return error.problems();
  }
  return {};
}

TEST(RunOptions, not_given_leave_the_choice_to_the_model) {
  const RunRequest request = read_run(run_with({}));
  EXPECT_EQ(request.model, "crane.mo");
  EXPECT_FALSE(request.options.from || request.options.to || request.options.tolerance);
  EXPECT_FALSE(request.options.order);
  EXPECT_EQ(request.options.method, "auto");
  EXPECT_TRUE(std::isinf(request.options.max_step));
  EXPECT_TRUE(request.options.at.empty());
  EXPECT_EQ(request.output, "");
  EXPECT_FALSE(request.json || request.quiet);
}

TEST(RunOptions, choose_the_kernel_and_the_cache) {
  EXPECT_EQ(read_run(run_with({})).options.kernel, "auto");
  EXPECT_TRUE(read_run(run_with({})).options.use_cache);
  const RunRequest request = read_run(run_with({"--kernel", "compiled", "--no-cache"}));
  EXPECT_EQ(request.options.kernel, "compiled");
  EXPECT_FALSE(request.options.use_cache);
}

TEST(RunOptions, ask_for_verification) {
  EXPECT_FALSE(read_run(run_with({})).options.verify);
  EXPECT_TRUE(read_run(run_with({"--verify"})).options.verify);
}

TEST(RunOptions, reach_the_solver_as_given) {
  const RunRequest request = read_run(run_with(
      {"--from",   "-1.5",   "--to=+2e1", "--tol",      "1e-12",      "--order", "30",
       "--method", "taylor", "--at",      "1,-0.5,3e0", "--max-step", ".25",     "-o",
       "out.csv",  "--json", "--quiet",   "-p",         "g=9.81",     "-p",      "m[2]=1"}));
  EXPECT_EQ(request.options.from, -1.5);
  EXPECT_EQ(request.options.to, 20.0);
  EXPECT_EQ(request.options.tolerance, 1e-12);
  EXPECT_EQ(request.options.order, 30);
  EXPECT_EQ(request.options.method, "taylor");
  EXPECT_THAT(request.options.at, ElementsAre(1.0, -0.5, 3.0));
  EXPECT_EQ(request.options.max_step, 0.25);
  EXPECT_EQ(request.output, "out.csv");
  EXPECT_TRUE(request.json && request.quiet);
  EXPECT_EQ(request.parameters, (ParameterValues{{"g", 9.81}, {"m[2]", 1.0}}));
}

TEST(RunOptions, cap_what_a_run_may_use) {
  const RunRequest none = read_run(run_with({}));
  EXPECT_TRUE(std::isinf(none.options.max_seconds));
  EXPECT_FALSE(none.options.max_memory || none.caps.seconds || none.caps.megabytes);
  EXPECT_EQ(none.limits.max_elements, ModelLimits().max_elements);
  const RunRequest request = read_run(run_with({"--max-steps", "7", "--max-seconds", "1.5",
                                                "--max-memory", "200", "--max-elements", "3000"}));
  EXPECT_EQ(request.options.max_steps, 7);
  EXPECT_EQ(request.options.max_seconds, 1.5);
  EXPECT_EQ(request.options.max_memory, 200.0);
  EXPECT_EQ(request.caps.seconds, 1.5);
  EXPECT_EQ(request.caps.megabytes, 200.0);
  EXPECT_EQ(request.limits.max_elements, 3000);
  EXPECT_EQ(mistakes({"--max-seconds", "0", "--max-memory", "-1", "--max-elements", "0",
                      "--max-steps", "1.5"})
                .size(),
            4U);
}

TEST(ArrayOptions, differentiate_takes_whole_numbers_that_fit) {
  const auto read = [](const std::string& times) {
    return read_array({.arguments = {"array", "crane.mo", "--differentiate", times}});
  };
  EXPECT_THAT(read("1,2").array->differentiations_by_equation, ElementsAre(1, 2));
  for (const std::string times : {"1e300", "1.5", "2147483648", "1,,2"})
    EXPECT_THROW(read(times), Error) << times;
}

// A value of the option as it is typed, and as it is kept.
std::pair<std::string, OptionValue> example_of(const OptionInfo& info) {
  switch (info.type) {
    case OptionType::flag: return {"", !std::get<bool>(info.default_value)};
    case OptionType::whole_number: return {"3", 3L};
    case OptionType::number: return {"0.25", 0.25};
    case OptionType::numbers: return {"1,2", std::vector<double>{1.0, 2.0}};
    case OptionType::file: return {"a.file", std::string("a.file")};
    case OptionType::choice: break;
  }
  return {info.choices.back(), info.choices.back()};
}

std::vector<std::string> words_for(const OptionInfo& info) {
  const std::string text = example_of(info).first;
  return text.empty() ? std::vector<std::string>{info.flag}
                      : std::vector<std::string>{info.flag, text};
}

TEST(TableOfOptions, has_flags_that_set_what_they_name) {
  for (const OptionInfo& info : options()) {
    if (info.flag.empty() || info.group == OptionGroup::ensemble) continue;
    const SolveOptions given = read_run(run_with(words_for(info))).options;
    EXPECT_EQ(get_option(given, info.name), example_of(info).second) << info.flag;
  }
}

TEST(TableOfOptions, has_those_of_ensembles) {
  for (const OptionInfo& info : options()) {
    if (info.flag.empty() || info.group == OptionGroup::checkpoints) continue;
    CommandLine line{.arguments = {"ensemble", "crane.mo", "members.csv"}};
    for (const std::string& word : words_for(info)) line.arguments.push_back(word);
    const EnsembleRequest request = read_ensemble(line);
    const OptionValue value = info.group == OptionGroup::ensemble
                                  ? get_option(request.ensemble, info.name)
                                  : get_option(request.options, info.name);
    EXPECT_EQ(value, example_of(info).second) << info.flag;
  }
}

// What a run writes, and what every verb that reads a model takes, are no options of the solver.
TEST(TableOfOptions, has_all_words_of_a_run_but_those_of_the_program) {
  std::vector<std::string> others;
  for (const Word& word : words_of("run").options) {
    const auto is_it = [&](const OptionInfo& info) { return info.flag == word.names.front(); };
    const auto found = std::find_if(options().begin(), options().end(), is_it);
    if (found == options().end())
      others.push_back(word.names.front());
    else
      EXPECT_EQ(word.takes, found->value_name);
  }
  EXPECT_THAT(others, testing::UnorderedElementsAre("-p", "-o", "--max-elements", "--json",
                                                    "--quiet", "--plot", "--report"));
}

TEST(TableOfOptions, is_what_help_shows) {
  const std::string run = help_text("run"), ensemble = help_text("ensemble");
  for (const OptionInfo& info : options()) {
    if (info.flag.empty()) continue;
    const bool is_of_run = info.group != OptionGroup::ensemble;
    const bool is_of_ensemble = info.group != OptionGroup::checkpoints;
    EXPECT_EQ(!summary(run, info.flag).empty(), is_of_run) << info.flag;
    EXPECT_EQ(!summary(ensemble, info.flag).empty(), is_of_ensemble) << info.flag;
  }
  EXPECT_EQ(run.find('{'), std::string::npos);
  EXPECT_EQ(ensemble.find('{'), std::string::npos);
}

TEST(RunOptions, given_twice_count_as_given_last) {
  EXPECT_EQ(read_run(run_with({"--tol", "1e-3", "--tol", "1e-6"})).options.tolerance, 1e-6);
}

TEST(RunOptions, that_are_not_numbers_are_refused) {
  for (const char* text : {"", " 1", "1 ", "1e-9x", "one", "nan", "inf", "-inf", "1e999", "0x10",
                           "1,5", "+-1", "--json"})
    for (const char* option : {"--from", "--to", "--tol", "--max-step"}) {
      const std::vector<Problem> found = mistakes({option, text});
      ASSERT_EQ(found.size(), 1U) << option << " " << text;
      EXPECT_EQ(found[0].id, "E-CLI-009");
      EXPECT_THAT(found[0].what, HasSubstr(option));
      EXPECT_THAT(found[0].what, HasSubstr(text));
    }
}

TEST(RunOptions, that_must_be_positive_are) {
  for (const char* text : {"0", "-0", "-1e-9"})
    for (const char* option : {"--tol", "--max-step"})
      EXPECT_EQ(mistakes({option, text}).size(), 1U) << option << " " << text;
  EXPECT_THAT(mistakes({"--tol", "0"})[0].todo, HasSubstr("from 1e-15 to 0.1"));
}

TEST(RunOptions, order_is_a_whole_number) {
  for (const char* text : {"", "two", "2.5", "1e1", "99999999999", "3 "})
    EXPECT_EQ(mistakes({"--order", text}).size(), 1U) << text;
}

TEST(RunOptions, every_wrong_time_of_a_list_is_named) {
  EXPECT_EQ(mistakes({"--at", "1,,2"}).size(), 1U);
  EXPECT_EQ(mistakes({"--at", "1,2,"}).size(), 1U);
  EXPECT_EQ(mistakes({"--at", ""}).size(), 1U);
  EXPECT_EQ(mistakes({"--at", "a,1,nan"}).size(), 2U);
  EXPECT_THAT(mistakes({"--at", "1,x"})[0].why, HasSubstr("number 2 of 2"));
}

TEST(RunOptions, all_mistakes_come_at_once) {
  EXPECT_EQ(
      mistakes({"--tol", "x", "--order", "y", "-p", "z", "--checkpoint-every", "r", "--at", "w"})
          .size(),
      5U);
}

TEST(RunOptions, a_run_that_is_resumed_keeps_its_file_unless_another_is_named) {
  EXPECT_EQ(read_run(run_with({})).options.checkpoint.file, "");
  const SolveOptions same = read_run(run_with({"--resume", "a"})).options;
  EXPECT_EQ(same.resume, "a");
  EXPECT_EQ(same.checkpoint.file, "a");
  const SolveOptions other =
      read_run(run_with({"--resume", "a", "--checkpoint", "b", "--checkpoint-every", "0.5"}))
          .options;
  EXPECT_EQ(other.resume, "a");
  EXPECT_EQ(other.checkpoint.file, "b");
  EXPECT_EQ(other.checkpoint.every, 0.5);
}

TEST(RunOptions, rows_that_went_to_a_pipe_or_device_cannot_be_continued) {
  for (const char* output : {"-", "/dev/null"}) {
    EXPECT_EQ(mistakes({"--checkpoint", "f", "-o", output})[0].id, "E-CLI-010") << output;
    EXPECT_EQ(mistakes({"--resume", "f", "-o", output})[0].id, "E-CLI-010") << output;
  }
  EXPECT_TRUE(mistakes({"--checkpoint", "f", "-o", "new.csv"}).empty());
}

TEST(RunOptions, rows_and_json_cannot_share_standard_output) {
  EXPECT_EQ(mistakes({"-o", "-", "--json"})[0].id, "E-CLI-010");
  EXPECT_TRUE(mistakes({"-o", "-"}).empty());
  EXPECT_TRUE(mistakes({"-o", "out.csv", "--json"}).empty());
}

TEST(RunOptions, plot_takes_names_or_none) {
  EXPECT_FALSE(read_run(run_with({})).plot);
  EXPECT_THAT(*read_run(run_with({"--plot"})).plot, testing::IsEmpty());
  EXPECT_THAT(*read_run(run_with({"--plot", "--quiet"})).plot, testing::IsEmpty());
  EXPECT_THAT(*read_run(run_with({"--plot", "x,der(y, 2),x:y"})).plot,
              ElementsAre("x", "der(y, 2)", "x:y"));
  EXPECT_THAT(*read_run(run_with({"--plot=x[1,2]", "--quiet"})).plot, ElementsAre("x[1,2]"));
  EXPECT_THAT(*read_run(run_with({"--plot", "x", "--plot", "y"})).plot, ElementsAre("y"));
}

TEST(RunOptions, a_plot_wants_standard_output_for_itself) {
  EXPECT_EQ(mistakes({"--plot", "--json"})[0].id, "E-CLI-010");
  EXPECT_EQ(mistakes({"--plot", "x", "-o", "-"})[0].id, "E-CLI-010");
  EXPECT_TRUE(mistakes({"--plot", "x", "-o", "out.csv"}).empty());
}

TEST(RunOptions, plot_leaves_the_model_its_word) {
  const RunRequest request = read_run({.arguments = {"run", "--plot", "crane.mo"}});
  EXPECT_EQ(request.model, "crane.mo");
  EXPECT_THAT(*request.plot, testing::IsEmpty());
  const RunRequest named = read_run({.arguments = {"run", "--plot", "x", "crane.mo"}});
  EXPECT_EQ(named.model, "crane.mo");
  EXPECT_THAT(*named.plot, ElementsAre("x"));
}

TEST(AnalyzeOptions, report_names_a_file_and_remembers_the_command) {
  const AnalyzeRequest request =
      read_analyze({.arguments = {"analyze", "crane.mo", "--report", "a.html"}});
  EXPECT_EQ(request.report.file, "a.html");
  EXPECT_EQ(request.report.command, "daedal analyze crane.mo --report a.html");
}

TEST(RunOptions, report_goes_to_a_file_of_its_own) {
  EXPECT_FALSE(read_run(run_with({})).report.is_wanted());
  EXPECT_EQ(read_run(run_with({"--report", "a.html"})).report.file, "a.html");
  EXPECT_EQ(mistakes({"--report", "-"})[0].id, "E-CLI-010");
  EXPECT_EQ(mistakes({"--report", "out.csv", "-o", "out.csv"})[0].id, "E-CLI-010");
  EXPECT_TRUE(mistakes({"--report", "out.html", "-o", "out.csv", "--json"}).empty());
}

TEST(RunOptions, no_file_is_written_in_the_place_of_another) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--checkpoint", "c", "-o", "c"},
                                             {"--checkpoint", "c", "-o", "c.part"},
                                             {"--checkpoint", "c", "--report", "c"},
                                             {"--checkpoint", "c", "--report", "./c.part"},
                                             {"--resume", "c", "--checkpoint", "d", "-o", "c"},
                                             {"--resume", "c", "--report", "c.part"},
                                             {"--report", "crane.mo"},
                                             {"-o", "crane.mo"}})
    EXPECT_THAT(mistakes(words), ElementsAre(testing::Field(&Problem::id, "E-CLI-010")))
        << testing::PrintToString(words);
  EXPECT_TRUE(mistakes({"--checkpoint", "c", "-o", "c.csv", "--report", "c.html"}).empty());
}

TEST(RunOptions, a_model_is_not_the_temporary_file_of_a_checkpoint) {
  try {
    read_run({.arguments = {"run", "c.part", "--checkpoint", "c"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().front().what, "--checkpoint would overwrite the model");
  }
}

TEST(InitOptions, are_the_model_its_parameters_and_json) {
  const InitRequest request = read_init({.arguments = {"init", "--json", "-p", "L=2", "crane.mo"}});
  EXPECT_EQ(request.model, "crane.mo");
  EXPECT_TRUE(request.json);
  EXPECT_EQ(request.parameters, (ParameterValues{{"L", 2.0}}));
  EXPECT_THROW(read_init({.arguments = {"init", "crane.mo", "--to", "1"}}), Error);
}

ArrayRequest array_with(std::vector<std::string> options) {
  options.insert(options.begin(), {"array", "crane.mo"});
  return read_array({.arguments = std::move(options)});
}

TEST(ArrayOptions, say_where_the_array_is_evaluated_and_where_its_source_goes) {
  EXPECT_FALSE(array_with({}).array || array_with({}).point);
  const ArrayRequest there = array_with(
      {"--differentiate", "1,0,2", "--point", "x=1", "--point=der(x, 2)=-3", "--point", "x=2"});
  EXPECT_THAT(there.array->differentiations_by_equation, ElementsAre(1, 0, 2));
  EXPECT_EQ(there.point, (ArrayPointValues{{"x", 2.0}, {"der(x, 2)", -3.0}}));
  const ArrayRequest written =
      array_with({"--differentiate", "2", "--source", "crane.c", "--coefficients"});
  EXPECT_EQ(written.source, "crane.c");
  EXPECT_EQ(written.array->entries, ArrayEntries::coefficients);
  EXPECT_FALSE(written.point);
}

TEST(ArrayOptions, that_need_an_array_or_exclude_each_other_are_refused) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--point", "x=1"},
      {"--source", "crane.c"},
      {"--coefficients"},
      {"--differentiate", "1", "--source", "crane.mo"},
      {"--differentiate", "1", "--source", "-", "--json"},
      {"--differentiate", "1", "--source", "crane.c", "--point", "x=1"}};
  for (const auto& options : wrong) {
    try {
      array_with(options);
      FAIL() << options.front();
    } catch (const Error& error) {
      EXPECT_EQ(error.problems()[0].id, "E-CLI-010") << options.front();
    }
  }
}

}  // namespace
}  // namespace daedal::cli
