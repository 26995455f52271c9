// Files that are read and written as a whole.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace daedal::base {

// Throws FileFailure.
std::string read_whole(const std::string& path);

// Whoever looks, and whatever is killed when, finds the old content or the new one: a temporary
// file, part_file_of(path), is written, forced to the disk and renamed. It is locked meanwhile.
// `beginning` is what all content of this kind begins with: a file of the temporary's name that
// begins otherwise is not ours, and stays. Permissions of an old file stay. Throws FileFailure;
// then the old content is there, and no temporary file of ours.
void replace_whole(const std::string& path, std::string_view bytes, std::string_view beginning);

// Throws what replace_whole would throw at its beginning: a folder that takes no file, a temporary
// file that is not ours. Changes nothing.
void require_replaceable(const std::string& path, std::string_view beginning);

// The path with ".part" at its end; if it is a symbolic link, the path of the linked file.
std::string part_file_of(const std::string& path);

}  // namespace daedal::base
