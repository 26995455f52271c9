// The page of --report.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/output_file.hpp"
#include "daedal/analysis.hpp"
#include "daedal/model.hpp"
#include "daedal/solution.hpp"

namespace daedal::cli {

// A name and a command line, as the page shows it.
struct ReportRequest {
  std::string file;  // "" for no report
  std::string command;

  bool is_wanted() const { return !file.empty(); }
};

// Opened before the work begins, so that a name which cannot be written costs no run.
class ReportFile {
 public:
  // Throws Error E-RPT-001 or E-FIL-005. Does nothing at all if no report is wanted.
  explicit ReportFile(const ReportRequest& request);

  // What was computed is not lost with a page that cannot be written: problems() tells of it.
  void write(const Model& model, const Analysis& analysis);
  void write(const Model& model, const Solution& solution);
  // "report in crane.html", with a line end; "" if there is none.
  std::string message() const;
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  template <typename Result>
  void write_page(const Model& model, const Result& result);

  ReportRequest request_;
  std::unique_ptr<OutputFile> file_;
  std::vector<Problem> problems_;
};

}  // namespace daedal::cli
