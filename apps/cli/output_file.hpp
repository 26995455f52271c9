// Where a trajectory is written as the run goes.
#pragma once

#include <string>
#include <string_view>

#include "base/archive.hpp"
#include "base/descriptor.hpp"

namespace daedal::cli {

// A file, or standard output for "-". An old file of the name keeps its content until the first
// write replaces it; a file that was made and never written to is removed again. No other process
// of daedal writes it meanwhile.
class OutputFile {
 public:
  // Throws Error E-FIL-005 if it cannot be opened for writing, or another process writes it.
  explicit OutputFile(const std::string& path);
  // One whose first bytes stay: those of a run that is continued. What stands behind them goes with
  // the first write. Throws E-CHK-007 if they are not there, or are not those with this checksum,
  // and E-FIL-005 if another process writes the file.
  OutputFile(const std::string& path, std::uint64_t size, std::uint64_t checksum);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // All of the text; throws Error E-FIL-005, or E-CLI-007 for standard output. Of lines that a file
  // did not take as a whole, none is left in half.
  void write(std::string_view text);
  // Whatever happens to the machine, what was written is there.
  void synchronise() const;
  std::uint64_t size() const { return size_; }  // of what was written
  std::uint64_t checksum() const { return checksum_.value(); }

 private:
  bool is_standard_output() const { return path_ == "-"; }
  int descriptor() const;
  void empty_old_content();
  [[noreturn]] void give_up(std::string_view taken, int reason);
  void read_first(std::uint64_t size);
  void note_written(std::string_view text);

  std::string path_;
  base::Descriptor file_;  // none for standard output
  bool is_new_ = false;    // made by us
  bool is_written_ = false;
  std::uint64_t size_ = 0;
  base::Checksum checksum_;
};

}  // namespace daedal::cli
