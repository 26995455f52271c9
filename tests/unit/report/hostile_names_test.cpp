// A model file is other people's: its names and descriptions are data in everything that is
// written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "daedal/analysis.hpp"
#include "daedal/report.hpp"
#include "daedal/solve.hpp"
#include "report/csv.hpp"
#include "report/report_page.hpp"

namespace daedal {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string hostile_name = "'a</script><img src=x onerror=alert(1)>,\"'";

Model hostile_model() {
  return parse_model("model Hostile \"</script><script>alert(1)</script>\"\n  Real " +
                     hostile_name + "(start = 1, unit = \"<b>\") \"<i>\";\nequation\n  der(" +
                     hostile_name + ") = -1;\nend Hostile;\n");
}

TEST(HostileNames, do_not_end_the_script_of_a_report) {
  if (report::embedded_report_page().empty()) GTEST_SKIP() << "built without the report's page";
  const Model model = hostile_model();
  const std::string page = html_report(model, solve(model));
  EXPECT_THAT(page, Not(HasSubstr("</script><script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
}

TEST(HostileNames, are_whole_in_json) {
  const auto json = nlohmann::json::parse(to_json(solve(hostile_model(), {.to = 0.5})));
  EXPECT_EQ(json["final"][hostile_name], 0.5);
}

TEST(HostileNames, are_one_column_of_csv) {
  std::string written;
  report::CsvWriter csv([&](std::string_view lines) { written += lines; });
  csv.write_header({hostile_name, "x\ny"});
  csv.flush();
  EXPECT_EQ(written, "t,\"'a</script><img src=x onerror=alert(1)>,\"\"'\",\"x\ny\"\n");
}

}  // namespace
}  // namespace daedal
