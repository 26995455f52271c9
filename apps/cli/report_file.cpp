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

void ReportFile::write(const Model& model, const Analysis& analysis) {
  if (file_) file_->write(html_report(model, analysis, {.command = request_.command}));
}

void ReportFile::write(const Model& model, const Solution& solution) {
  if (file_) file_->write(html_report(model, solution, {.command = request_.command}));
}

std::string ReportFile::message() const {
  return file_ ? fmt::format("report in {}\n", request_.file) : "";
}

}  // namespace daedal::cli
