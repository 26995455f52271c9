// CSV: names quoted only where they must be, numbers that read back, whole lines only.
#include "report/csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace daedal::report {
namespace {

std::string written(const std::vector<std::string>& names,
                    const std::vector<std::vector<double>>& rows) {
  std::string text;
  CsvWriter csv([&](std::string_view lines) { text += lines; });
  csv.write_header(names);
  for (const auto& row : rows) csv.write_row(row[0], std::span(row).subspan(1));
  csv.flush();
  return text;
}

TEST(Csv, is_a_line_of_names_and_a_line_for_each_time) {
  EXPECT_EQ(written({"x", "v[1]"}, {{0, 1.5, -2}, {0.5, 1e-300, 1e22}}),
            "t,x,v[1]\n0,1.5,-2\n0.5,1e-300,1e+22\n");
}

TEST(Csv, of_an_ensemble_has_the_member_in_front) {
  std::string text;
  CsvWriter csv([&](std::string_view lines) { text += lines; });
  csv.write_member_header({"x"});
  csv.write_member_row(12, 0.5, std::vector{1.5});
  csv.flush();
  EXPECT_EQ(text, "member,t,x\n12,0.5,1.5\n");
  EXPECT_EQ(csv.num_rows(), 1);
}

TEST(Csv, names_with_commas_quotes_or_line_ends_are_quoted) {
  EXPECT_EQ(written({"y[1,2]", "a\"b", "two\nlines", "x[1]", ""}, {}),
            "t,\"y[1,2]\",\"a\"\"b\",\"two\nlines\",x[1],\n");
}

TEST(Csv, a_model_without_variables_still_has_its_times) {
  EXPECT_EQ(written({}, {{0.25}}), "t\n0.25\n");
}

TEST(Csv, numbers_read_back_as_the_same_double) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double x : {0.1 + 0.2, 1.0 / 3.0, -0.0, 1e23, tiny, 123456789012345678.0,
                         std::numeric_limits<double>::max(), std::nextafter(1.0, 2.0)}) {
    const std::string text = written({}, {{x}}).substr(2);
    double back = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), back);
    EXPECT_EQ(error, std::errc()) << text;
    EXPECT_EQ(*end, '\n') << text;
    EXPECT_EQ(back, x) << text;
    EXPECT_EQ(std::signbit(back), std::signbit(x)) << text;
  }
}

TEST(Csv, what_is_not_finite_keeps_its_place) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(written({"x", "y", "z"}, {{0, std::nan(""), inf, -inf}}), "t,x,y,z\n0,nan,inf,-inf\n");
}

TEST(Csv, the_sink_gets_whole_lines_only) {
  std::size_t num_calls = 0, num_lines = 0;
  CsvWriter csv([&](std::string_view lines) {
    ++num_calls;
    num_lines += static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
    EXPECT_TRUE(lines.ends_with('\n'));
  });
  const std::vector<double> values(10, 1.0 / 3.0);
  csv.write_header(std::vector<std::string>(10, "x"));
  for (int k = 0; k < 5000; ++k) csv.write_row(k, values);
  csv.flush();
  csv.flush();
  EXPECT_EQ(num_lines, 5001U);
  EXPECT_GT(num_calls, 2U);    // not everything is held until the end
  EXPECT_LT(num_calls, 100U);  // nor is every line a call of its own
  EXPECT_EQ(csv.num_rows(), 5000);
}

TEST(Csv, lines_that_the_sink_refused_are_not_offered_twice) {
  int num_calls = 0;
  CsvWriter csv([&](std::string_view) {
    ++num_calls;
    throw std::runtime_error("full");
  });
  csv.write_header({"x"});
  EXPECT_THROW(csv.flush(), std::runtime_error);
  csv.flush();
  EXPECT_EQ(num_calls, 1);
}

}  // namespace
}  // namespace daedal::report
