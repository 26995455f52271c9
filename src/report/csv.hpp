// Trajectories as CSV: a line of names, then a line for each time, as RFC 4180 and every
// spreadsheet read it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daedal::report {

// Hands the sink whole lines only, some 64 kB at a time, so that what an interruption leaves behind
// never ends in half a line. Numbers are the shortest that read back as the same double; those that
// are not finite are nan, inf and -inf.
class CsvWriter {
 public:
  using Sink = std::function<void(std::string_view lines)>;

  explicit CsvWriter(Sink sink) : sink_(std::move(sink)) {}
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  // t, then the names; one with a comma, a quote or a line end is quoted.
  void write_header(const std::vector<std::string>& names);
  void write_row(double t, std::span<const double> values);
  // A row that begins with the number of an ensemble's member.
  void write_member_header(const std::vector<std::string>& names);
  void write_member_row(std::size_t member, double t, std::span<const double> values);
  // Hands over what is still held.
  void flush();

  long num_rows() const { return num_rows_; }

 private:
  void end_line();

  Sink sink_;
  std::string lines_;
  long num_rows_ = 0;
};

}  // namespace daedal::report
