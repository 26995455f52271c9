// The files that a command names.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "lang/load.hpp"

namespace daedal::cli {

// The model of a request. If its file does not exist, the message names existing files like it.
Model load(const ModelRequest& request);
// The text of a members' file, with the same message if the file does not exist.
lang::Source load_members_text(const std::string& path);

// Up to three files of this extension that `path` may mean: names like it where the folders exist
// or are like it themselves, the path with the extension added, or files in it if it is a folder.
std::vector<std::string> near_files(const std::string& path, const std::string& extension);

}  // namespace daedal::cli
