// Files that are read and written as a whole.
#pragma once

#include <string>
#include <string_view>

namespace daedal::base {

// Why the operating system refuses: "No such file or directory".
struct FileFailure {
  std::string why;
};

// Throws FileFailure.
std::string read_whole(const std::string& path);

// Whoever looks, and whatever is killed when, finds the old content or the new one: a temporary
// file of the same name with ".part" is written, forced to the disk and renamed. Throws
// FileFailure; then the old content is there, and no temporary file.
void replace_whole(const std::string& path, std::string_view bytes);

}  // namespace daedal::base
