// The file of an ensemble's members: what is read, and every mistake at its place.
#include "cli/members.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daedal/error.hpp"
#include "model/model_data.hpp"

namespace daedal::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Structural n, an array, a matrix, every type, and values computed from others.
Model example() {
  return parse_model(R"(model Example
  parameter Integer n = 2;
  parameter Real m[n] = {1, 2};
  parameter Real A[2,2] = {{1, 0}, {0, 1}};
  parameter Integer k = 3;
  parameter Boolean on = true;
  parameter Real L = 10;
  parameter Real inverse = 1/L;
  parameter Real free;
  Real x(start = sqrt(L), nominal = m[2]);
  Real v[n];
equation
  der(x) = -inverse*x*m[1]*A[1,2]*k*free;
  for i in 1:n loop
    der(v[i]) = m[i]*x;
  end for;
end Example;)");
}

Members read(const std::string& text) {
  return read_members({.file = "sweep.csv", .text = text}, example());
}

std::vector<Problem> mistakes(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.problems();
  }
  return {};
}

// "E-MEM-001 sweep.csv:1:3"
std::vector<std::string> places(const std::string& text) {
  std::vector<std::string> result;
  for (const Problem& problem : mistakes(text)) result.push_back(problem.id + " " + problem.where);
  return result;
}

TEST(Members, are_names_and_then_a_line_of_values_each) {
  const Members members = read("L,m[2]\n9,1.5\n-1e-3,+2\n");
  EXPECT_THAT(members.parameters, ElementsAre("L", "m[2]"));
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0], (ParameterValues{{"L", 9.0}, {"m[2]", 1.5}}));
  EXPECT_EQ(members[1], (ParameterValues{{"L", -1e-3}, {"m[2]", 2.0}}));
  EXPECT_EQ(members.place(1), "sweep.csv:3");
}

TEST(Members, may_stand_among_blanks_blank_lines_comments_and_carriage_returns) {
  const Members members =
      read("\xEF\xBB\xBF# lengths\r\n\r\n  \t\r\n L , k \r\n# first\r\n 9 ,\t1\r\n\r\n10,2");
  EXPECT_THAT(members.parameters, ElementsAre("L", "k"));
  EXPECT_THAT(members.values, ElementsAre(ElementsAre(9.0, 1.0), ElementsAre(10.0, 2.0)));
  EXPECT_THAT(members.lines, ElementsAre(6, 8));
}

TEST(Members, may_be_in_quotes) {
  const Members members = read("\"A[1,2]\" , \"L\"\n\"5\",\"6\"\n");
  EXPECT_THAT(members.parameters, ElementsAre("A[1,2]", "L"));
  EXPECT_THAT(members.values, ElementsAre(ElementsAre(5.0, 6.0)));
}

TEST(Members, may_be_truth_values) {
  EXPECT_THAT(read("on\ntrue\nfalse\n1\n").values,
              ElementsAre(ElementsAre(1.0), ElementsAre(0.0), ElementsAre(1.0)));
}

TEST(Members, quotes_must_enclose_a_field_wholly) {
  EXPECT_THAT(places("\"L\"x\n1\n"), ElementsAre("E-MEM-004 sweep.csv:1:4"));
  EXPECT_THAT(places("L\n\"1\n2\n"), testing::Contains("E-MEM-004 sweep.csv:2:1"));
  EXPECT_THAT(mistakes("\"a\"\"b\"\n1\n")[0].what, HasSubstr("'a\"b'"));
}

TEST(Members, of_an_empty_file_are_missed) {
  for (const char* text : {"", "\n \n", "# only words\n", "L\n", "L\n# nothing\n"}) {
    const std::vector<Problem> found = mistakes(text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].id, "E-FIL-002");
    EXPECT_EQ(found[0].where, "sweep.csv");
  }
}

TEST(Members, columns_need_names_of_their_own) {
  EXPECT_THAT(places("L,,k,L\n1,2,3,4\n"),
              ElementsAre("E-MEM-001 sweep.csv:1:3", "E-MEM-001 sweep.csv:1:6"));
  EXPECT_THAT(mistakes("L,k,L\n1,2,3\n")[0].why, HasSubstr("sweep.csv:1:1"));
}

TEST(Members, names_that_are_no_parameters_come_with_advice) {
  EXPECT_EQ(mistakes("invers\n1\n")[0].id, "E-MOD-007");
  EXPECT_EQ(mistakes("invers\n1\n")[0].todo, "did you mean 'inverse'?");
  EXPECT_THAT(mistakes("x\n1\n")[0].why, HasSubstr("is a variable"));
  EXPECT_THAT(mistakes("m\n1\n")[0].todo, HasSubstr("m[1]"));
  EXPECT_THAT(mistakes("1.5\n2\n")[0].todo, HasSubstr("in the first line"));
  EXPECT_THAT(mistakes("L;k\n1;2\n")[0].todo, HasSubstr("commas"));
}

TEST(Members, cannot_differ_in_what_shapes_the_model) {
  const std::vector<Problem> found = mistakes("L,n\n1,3\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, "E-MOD-011");
  EXPECT_EQ(found[0].where, "sweep.csv:1:3");
  EXPECT_THAT(found[0].todo, HasSubstr("-p n=VALUE"));
}

TEST(Members, have_one_value_for_each_parameter) {
  EXPECT_THAT(
      places("L,k\n1\n1,2,3\n1,2,\n1,2\n"),
      ElementsAre("E-MEM-002 sweep.csv:2:1", "E-MEM-002 sweep.csv:3:5", "E-MEM-002 sweep.csv:4:5"));
}

TEST(Members, values_are_finite_numbers_of_the_parameters_type) {
  EXPECT_THAT(
      places("L,k,on\n"
             "fast,1,1\n"
             "1,,1\n"
             "1e999,1,1\n"
             "nan,1,1\n"
             "1,2.5,2\n"),
      ElementsAre("E-MEM-003 sweep.csv:2:1", "E-MEM-003 sweep.csv:3:3", "E-MEM-003 sweep.csv:4:1",
                  "E-MOD-003 sweep.csv:5:1", "E-LNG-016 sweep.csv:6:3", "E-LNG-016 sweep.csv:6:7"));
}

TEST(Members, columns_of_places_count_characters) {
  EXPECT_THAT(places("L,k\n1,\u00B5\u00B5,3\n"), ElementsAre("E-MEM-002 sweep.csv:2:6"));
}

TEST(Members, mistakes_show_the_line) { EXPECT_EQ(mistakes("L,k\n1,y\n")[0].excerpt, "1,y\n  ^"); }

// With L = 0 inverse is infinite; a negative L has no root; m[2] is the nominal of x.
TEST(Members, with_which_the_model_makes_no_sense_are_found_before_anything_is_solved) {
  EXPECT_THAT(
      places("L,m[2],free\n1,1,1\n0,1,1\n-1,1,1\n1,-1,1\n"),
      ElementsAre("E-MOD-003 sweep.csv:3:1", "E-MOD-013 sweep.csv:4:1", "E-MOD-010 sweep.csv:5:1"));
  EXPECT_THAT(mistakes("L,free\n0,1\n")[0].why, HasSubstr("declared at model:8:18"));
}

TEST(Members, a_long_list_of_mistakes_is_cut_off) {
  std::string text = "L\n";
  for (int k = 0; k < 100; ++k) text += "x\n";
  EXPECT_EQ(mistakes(text).size(), 21U);
  EXPECT_EQ(mistakes(text).back().id, "E-LNG-015");
}

TEST(Members, give_values_to_parameters_that_have_none) {
  Model model = example();
  complete(model, read_members({.file = "sweep.csv", .text = "free,L\n7,8\n9,10\n"}, model));
  const std::vector<double> values = model::parameter_values(model.data());
  EXPECT_EQ(values[model::parameter_to_set(model.data(), "free", 0.0)], 7.0);
  EXPECT_EQ(values[model::parameter_to_set(model.data(), "L", 0.0)], 10.0);
}

TEST(Members, of_a_file_that_cannot_be_read_are_an_error) {
  try {
    (void)read_members_text("no/such/file.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "E-FIL-001");
    EXPECT_THAT(error.what(), HasSubstr("the members file cannot be read"));
  }
}

}  // namespace
}  // namespace daedal::cli
