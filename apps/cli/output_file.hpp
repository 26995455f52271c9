// Where a trajectory is written as the run goes.
#pragma once

#include <string>
#include <string_view>

namespace daedal::cli {

// A file, or standard output for "-". An old file of the name keeps its content until the first
// write replaces it; a file that was made and never written to is removed again.
class OutputFile {
 public:
  // Throws Error E-FIL-005 if it cannot be opened for writing.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // All of the text; throws Error E-FIL-005, or E-CLI-007 for standard output.
  void write(std::string_view text);

 private:
  bool is_standard_output() const { return path_ == "-"; }
  void empty_old_content();

  std::string path_;
  int descriptor_ = -1;
  bool is_new_ = false;  // made by us
  bool is_written_ = false;
};

}  // namespace daedal::cli
