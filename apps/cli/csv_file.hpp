// The CSV file of a run, which may be one that is continued.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output_file.hpp"
#include "daedal/model.hpp"
#include "report/csv.hpp"

namespace daedal::cli {

// How much of it belongs to the results of a run up to some step; kept with a checkpoint.
struct CsvMark {
  std::string path;  // absolute
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
  long num_rows = 0;
};
std::string bytes_of(const CsvMark& mark);
// None for a run that wrote no such file. Throws Error E-CHK-002 for bytes that are none.
std::optional<CsvMark> csv_mark(const std::string& bytes, const std::string& checkpoint);

class CsvFile {
 public:
  CsvFile(const std::string& path, const Model& model);
  // One that is continued; what stands behind the mark goes. Throws E-CHK-007.
  CsvFile(const CsvMark& mark, const Model& model);

  void write(double t, std::span<const double> values);
  void flush() { csv_.flush(); }
  // The mark covers all rows until now.
  CsvMark mark();
  // Whatever happens to the machine, the rows of the last mark are there.
  void synchronise() const { file_.synchronise(); }
  // A run that did not get to its first row leaves a file with names only, not an old one.
  void finish();
  long num_rows() const { return former_rows_ + csv_.num_rows(); }

 private:
  void find_names(const Model& model);
  void write_header();

  std::string path_;
  OutputFile file_;
  report::CsvWriter csv_;
  std::vector<std::string> names_;
  bool has_header_ = false;
  long former_rows_ = 0;
};

}  // namespace daedal::cli
