// The page, with the data of a report in its place.
#include "report/html_report.hpp"

#include "daedal/error.hpp"
#include "daedal/report.hpp"
#include "report/report_json.hpp"
#include "report/report_page.hpp"
#include "solve/start_analysis.hpp"

namespace daedal {
namespace {

// The text of a model may hold anything; inside the page's script element no '<' may occur.
std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char ch : json) {
    if (ch == '<')
      text += "\\u003c";
    else
      text += ch;
  }
  return text;
}

std::string page_with(const report::Json& json) {
  report::require_report_page();
  const std::string_view page = report::embedded_report_page();
  const std::size_t place = page.find(report::report_data_placeholder);
  std::string text(page.substr(0, place));
  text += without_tags(report::dump(json));
  text += page.substr(place + report::report_data_placeholder.size());
  return text;
}

}  // namespace

void report::require_report_page() {
  if (report::embedded_report_page().empty())
    throw Error(Problem{.id = "E-RPT-001",
                        .what = "this daedal cannot write reports",
                        .where = "report",
                        .why = "it was built without the report's page: npm, or the network that "
                               "npm needs, was missing",
                        .todo = "install npm and build again"});
}

std::string html_report(const Model& model, const Analysis& analysis,
                        const ReportOptions& options) {
  return page_with(report::report_json(model, analysis, nullptr, options));
}

std::string html_report(const Model& model, const Solution& solution,
                        const ReportOptions& options) {
  return page_with(report::report_json(model, solving::analyze_start(model, solution.start()),
                                       &solution, options));
}

}  // namespace daedal
