#include "cli/report_file.hpp"

#include <fmt/format.h>

#include "daedal/report.hpp"
#include "report/html_report.hpp"

namespace daedal::cli {

ReportFile::ReportFile(const ReportRequest& request) : request_(request) {
  if (!request.is_wanted()) return;
  report::require_report_page();
  file_ = std::make_unique<OutputFile>(request.file);
}

template <typename Result>
void ReportFile::write_page(const Model& model, const Result& result) {
  if (!file_) return;
  try {
    file_->write(html_report(model, result, {.command = request_.command}));
  } catch (const Error& error) {
    problems_ = error.problems();
  }
}

void ReportFile::write(const Model& model, const Analysis& analysis) {
  write_page(model, analysis);
}
void ReportFile::write(const Model& model, const Solution& solution) {
  write_page(model, solution);
}

std::string ReportFile::message() const {
  return file_ && problems_.empty() ? fmt::format("report in {}\n", request_.file) : "";
}

}  // namespace daedal::cli
