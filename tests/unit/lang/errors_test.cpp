// Every error id with its place and its numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

TEST(Errors, unknown_names_suggest_names_in_scope) {
  const Problem problem = only_problem(model_text("Real lambda;", "lamda = 1;"));
  EXPECT_EQ(problem.id, "E-LNG-002");
  EXPECT_EQ(problem.where, "model.mo:4:1");
  EXPECT_EQ(problem.excerpt, "lamda = 1;\n^");
  EXPECT_EQ(problem.todo, "did you mean 'lambda'?");
}

TEST(Errors, names_from_other_languages_get_their_own_advice) {
  EXPECT_EQ(only_problem(model_text("Real x;", "x = sin(t);")).todo, "time is called 'time'");
  EXPECT_THAT(only_problem(model_text("Real x(start = 1, fixed = True);", "x = 1;")).todo,
              HasSubstr("'true'"));
  EXPECT_EQ(only_problem(model_text("Real x;", "x[1] = 1;")).todo, "write x without brackets");
  EXPECT_EQ(only_problem(model_text("Real x;", "x = 2 \u2212 x;")).todo, "write -");
  EXPECT_THAT(problems_of(model_text("Real x;", "x' = -x;"))[0].todo, HasSubstr("write der(x)"));
}

TEST(Errors, a_named_if_or_for_is_one_mistake) {
  EXPECT_EQ(findings(model_text("Real x;", "a: if time < 1 then x = 0; else x = 1; end if;")),
            (Texts{"E-LNG-001 4:4"}));
  EXPECT_EQ(findings(model_text("Real x[2];", "a: for i in 1:2 loop x[i] = 0; end for;")),
            (Texts{"E-LNG-001 4:4"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = 1;\na: connect(x, x);\nimport A.B;")),
            (Texts{"E-LNG-006 5:4", "E-LNG-006 6:1"}));
}

TEST(Errors, a_missing_structural_value_is_reported_once) {
  EXPECT_EQ(findings(model_text("parameter Integer n;\nReal x[n];",
                                "for i in 1:n loop x[i] = sum(x[j] for j in 1:n); end for;")),
            (Texts{"E-MOD-002 3:8"}));
}

TEST(Errors, unknown_functions_suggest_functions_and_replacements) {
  EXPECT_EQ(only_problem(model_text("Real x;", "x = sn(x);")).todo.find("did you mean"), 0U);
  EXPECT_EQ(only_problem(model_text("Real x;", "x = pow(x, 2);")).todo, "write a^b");
  EXPECT_THAT(only_problem(model_text("Real x;", "x = x(2);")).what,
              HasSubstr("'x' is not a function"));
  EXPECT_THAT(only_problem(model_text("Real x;", "x = sin;")).why, HasSubstr("is a function"));
}

TEST(Errors, duplicate_names_tell_the_first_place) {
  const Problem problem = only_problem(model_text("Real x;\nReal x;"));
  EXPECT_EQ(problem.id, "E-LNG-003");
  EXPECT_EQ(problem.where, "model.mo:3:6");
  EXPECT_THAT(problem.why, HasSubstr("model.mo:2:6"));
  EXPECT_EQ(findings(model_text("Real x, y;", "a: x = 1;\na: y = 1;")), (Texts{"E-LNG-003 5:1"}));
  EXPECT_EQ(findings(model_text("Real time;")), (Texts{"E-LNG-003 2:6"}));
  EXPECT_EQ(findings(model_text("Real x(start = 1, start = 2);")), (Texts{"E-LNG-003 2:19"}));
}

TEST(Errors, mismatched_sizes_are_both_named) {
  const Problem sides = only_problem(model_text("Real x[3], y[2,2];", "x = y;"));
  EXPECT_EQ(sides.id, "E-LNG-004");
  EXPECT_EQ(sides.where, "model.mo:4:1");
  EXPECT_THAT(sides.why, AllOf(HasSubstr("size 3"), HasSubstr("size 2 x 2")));
  EXPECT_EQ(findings(model_text("Real x[3], s;", "s = x + 1;")), (Texts{"E-LNG-004 4:9"}));
  EXPECT_EQ(findings(model_text("Real x[3], s;", "s = x*{1, 2};")), (Texts{"E-LNG-004 4:7"}));
  EXPECT_EQ(findings(model_text("Real x[3];", "x = 0;")), (Texts{"E-LNG-004 4:1"}));
  EXPECT_EQ(findings(model_text("Real x[3];", "x[1,2] = 0;")), (Texts{"E-LNG-004 4:1"}));
  EXPECT_EQ(findings(model_text("Real x[3];", "x^2 = x;")), (Texts{"E-LNG-004 4:1"}));
  EXPECT_EQ(findings(model_text("parameter Real m[2] = {1, 2, 3};")), (Texts{"E-LNG-004 2:23"}));
  EXPECT_EQ(findings(model_text("parameter Real m[2,2] = {{1, 2}, {3}};")),
            (Texts{"E-LNG-004 2:34"}));
}

TEST(Errors, subscripts_out_of_range_give_the_number_and_the_size) {
  const Problem problem = only_problem(model_text("Real x[3];", "x[4] = 1;"));
  EXPECT_EQ(problem.id, "E-LNG-005");
  EXPECT_EQ(problem.where, "model.mo:4:3");
  EXPECT_THAT(problem.what, HasSubstr("4"));
  EXPECT_THAT(problem.why, HasSubstr("1 to 3"));
  EXPECT_EQ(findings(model_text("Real x[3];", "for i in 1:3 loop x[i+1] = 1; end for;")),
            (Texts{"E-LNG-005 4:21"}));
  EXPECT_EQ(findings(model_text("Real x[3];", "x[0:2] = x;")), (Texts{"E-LNG-005 4:3"}));
  EXPECT_EQ(findings(model_text("Real x[3], y;", "y = size(x, 2);")), (Texts{"E-LNG-005 4:13"}));
}

TEST(Errors, constructs_of_full_modelica_are_named_with_their_line) {
  const auto outside = [](std::string_view declarations, std::string_view equations,
                          std::string_view what) {
    const Problem problem = only_problem(model_text(declarations, equations));
    EXPECT_EQ(problem.id, "E-LNG-006") << declarations << equations;
    EXPECT_THAT(problem.what, HasSubstr(std::string(what)));
  };
  outside("Real x; extends Base;", "x = 1;", "extends");
  outside("Real x; import Modelica.Math.*;", "x = 1;", "import");
  outside("input Real x;", "x = 1;", "input");
  outside("flow Real x;", "x = 1;", "flow");
  outside("Resistor r(R = 1); Real x;", "x = 1;", "Resistor");
  outside("Modelica.Units.SI.Length x;", "x = 1;", "Modelica.Units.SI.Length");
  outside("function f input Real u; output Real v; algorithm v := u; end f; Real x;", "x = 1;",
          "function");
  outside("record R Real a; end R; Real x;", "x = 1;", "record");
  outside("Real x if true;", "x = 1;", "conditional");
  outside("Real x;", "connect(a, b); x = 1;", "connect");
  outside("Real x;", "x = r.p.v;", "r.p.v");
  outside("Real x;", "assert(x > 1, \"low\"); x = 1;", "assert");
  outside("Real x(stateSelect = 1);", "x = 1;", "stateSelect");
  outside("Real x;", "x = 1; algorithm x := 2;", "algorithm");
  outside("Real x[2];", "for i loop x[i] = 1; end for;", "'i' has no range");
  outside("parameter Real A[2,2] = [1, 2; 3, 4]; Real x;", "x = 1;", "brackets");
  EXPECT_EQ(findings("within Lib;\nmodel M Real x; equation x = 1; end M;"),
            (Texts{"E-LNG-006 1:1"}));
  EXPECT_EQ(findings("package P\nend P;"), (Texts{"E-LNG-006 1:1"}));
  EXPECT_EQ(findings("model M = N(a = 1);"), (Texts{"E-LNG-006 1:9"}));
}

TEST(Errors, absurd_sizes_are_refused_at_once_with_the_number) {
  const Problem problem = only_problem(model_text("Real x[1000000000];"));
  EXPECT_EQ(problem.id, "E-LNG-008");
  EXPECT_EQ(problem.where, "model.mo:2:6");
  EXPECT_THAT(problem.why, HasSubstr("1000000000"));
  EXPECT_EQ(findings(model_text("Real x[1000000, 1000000, 1000000, 1000000];")),
            (Texts{"E-LNG-008 2:6"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = sum(fill(1, 1000000000));")),
            (Texts{"E-LNG-008 4:9"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = sum(1:1000000000);")), (Texts{"E-LNG-008 4:9"}));
  EXPECT_EQ(
      findings(model_text("Real x;", "for i in 1:1000000000000 loop end for; x = 1;")).front(),
      "E-LNG-008 4:5");
  EXPECT_EQ(
      findings(model_text("Real x;", "x = sum(sum(1 for j in 1:1000000) for i in 1:1000000);"))
          .front(),
      "E-LNG-008 4:19");
}

TEST(Errors, types_must_fit) {
  EXPECT_EQ(findings(model_text("parameter Boolean b = true; Real x;", "x = b;")),
            (Texts{"E-LNG-009 4:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = 1 + true;")), (Texts{"E-LNG-009 4:9"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = \"text\";")), (Texts{"E-LNG-009 4:5"}));
  EXPECT_EQ(findings(model_text("parameter Boolean b = 1;")), (Texts{"E-LNG-009 2:23"}));
  EXPECT_EQ(findings(model_text("parameter Real p = true;")), (Texts{"E-LNG-009 2:20"}));
  EXPECT_EQ(findings(model_text("parameter Integer n = 2.5;")), (Texts{"E-LNG-009 2:23"}));
  EXPECT_EQ(findings(model_text("Real x(start = 1, fixed = 1);")), (Texts{"E-LNG-009 2:19"}));
  EXPECT_EQ(findings(model_text("Real x(unit = 1);")), (Texts{"E-LNG-009 2:15"}));
  EXPECT_EQ(findings(model_text("parameter Boolean b = not 1;")), (Texts{"E-LNG-009 2:27"}));
}

TEST(Errors, variables_cannot_shape_a_model) {
  const Problem problem = only_problem(model_text("Real n; Real x[n];"));
  EXPECT_EQ(problem.id, "E-LNG-011");
  EXPECT_EQ(problem.where, "model.mo:2:16");
  EXPECT_THAT(problem.what, AllOf(HasSubstr("'n'"), HasSubstr("the size of 'x'")));
  EXPECT_EQ(findings(model_text("Real n;", "for i in 1:n loop end for;")),
            (Texts{"E-LNG-011 4:12"}));
  EXPECT_EQ(findings(model_text("Real x, n;", "der(x, n) = 1;")), (Texts{"E-LNG-011 4:8"}));
  EXPECT_EQ(findings(model_text("Real x, y;", "x = mod(y, 2);")), (Texts{"E-LNG-011 4:9"}));
  EXPECT_EQ(findings(model_text("Real x; parameter Real p = x;")), (Texts{"E-LNG-011 2:28"}));
}

TEST(Errors, structural_numbers_must_make_sense) {
  EXPECT_THAT(only_problem(model_text("Real x[2 - 5];")).why, HasSubstr("-3"));
  EXPECT_THAT(only_problem(model_text("Real x[5/2];")).why, HasSubstr("2.5"));
  EXPECT_EQ(findings(model_text("Real x;", "der(x, -1) = 1;")), (Texts{"E-LNG-011 4:8"}));
  EXPECT_EQ(findings(model_text("Real x;", "der(x, 1.5) = 1;")), (Texts{"E-LNG-011 4:8"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = 1/0;")), (Texts{"E-LNG-011 4:7"}));
  EXPECT_EQ(findings(model_text("Real x;", "for i in 1:0:3 loop end for;")),
            (Texts{"E-LNG-011 4:10"}));
  EXPECT_EQ(findings(model_text("Real x[integer(log(0))];")), (Texts{"E-LNG-011 2:16"}));
  EXPECT_EQ(findings(model_text("constant Real c;")), (Texts{"E-LNG-011 2:15"}));
  EXPECT_EQ(findings(model_text("Real x[:];")), (Texts{"E-LNG-011 2:8"}));
}

TEST(Errors, modifiers_must_exist_and_make_sense) {
  EXPECT_EQ(only_problem(model_text("Real x(nominl = 1);")).id, "E-LNG-012");
  EXPECT_EQ(findings(model_text("parameter Real p(start = 1) = 2;")), (Texts{"E-LNG-012 2:18"}));
  EXPECT_EQ(findings("model M Real x; equation x = 1; annotation(experiment(StopTme = 1)); end M;"),
            (Texts{"E-LNG-012 1:55"}));
}

TEST(Errors, numbers_out_of_range_are_refused) {
  EXPECT_EQ(findings(model_text("Real x;", "x = 1e400;")), (Texts{"E-LNG-013 4:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = 1e-400;")), (Texts{"E-LNG-013 4:5"}));
}

TEST(Errors, wrong_numbers_of_arguments_are_counted) {
  const Problem problem = only_problem(model_text("Real x;", "x = sin(1, 2);"));
  EXPECT_EQ(problem.id, "E-LNG-014");
  EXPECT_EQ(problem.why, "it takes 1, but 2 are given");
  EXPECT_EQ(findings(model_text("Real x;", "x = atan2(1);")), (Texts{"E-LNG-014 4:5"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = der();")), (Texts{"E-LNG-014 4:5"}));
}

class SourceFile : public testing::Test {
 protected:
  std::string write(std::string_view name, std::string_view content) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::string id_of(const std::string& path) {
    try {
      read_source(path);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  }
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              fmt::format("daedal_lang_{}", testing::UnitTest::GetInstance()->random_seed());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(SourceFile, missing_folders_empty_binary_and_huge_files_are_told_apart) {
  EXPECT_EQ(id_of((folder_ / "none.mo").string()), "E-FIL-001");
  EXPECT_EQ(id_of(folder_.string()), "E-FIL-001");
  EXPECT_EQ(id_of(write("empty.mo", "")), "E-FIL-002");
  EXPECT_EQ(id_of(write("blank.mo", " \n\t\n")), "E-FIL-002");
  EXPECT_EQ(id_of(write("binary.mo", std::string_view("model\0M", 7))), "E-FIL-003");
  EXPECT_EQ(id_of(write("latin1.mo", "model M \"caf\xE9\"")), "E-FIL-003");
  EXPECT_EQ(id_of(write("huge.mo", std::string((std::size_t{64} << 20U) + 1, ' '))), "E-FIL-004");
  EXPECT_EQ(id_of(write("fine.mo", pendulum_text)), "");
}

TEST_F(SourceFile, load_model_reads_a_file_and_names_it_in_messages) {
  const std::string path = write("p.mo", pendulum_text);
  EXPECT_EQ(load_model(path).num_variables(), 3);
  const std::string bad = write("bad.mo", "model M Real x; equation x = q; end M;");
  try {
    load_model(bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].where, bad + ":1:30");
  }
}

}  // namespace
}  // namespace daedal::lang
