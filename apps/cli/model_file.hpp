// The files that a command names.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "lang/load.hpp"

namespace daedal::cli {

// The model of a request. Of a file that does not exist the message tells the nearest that does.
Model load(const ModelRequest& request);
// The same for the text of a members' file.
lang::Source load_members_text(const std::string& path);

// Up to three files of this extension that `path` may mean: names like it where the folders exist
// or are like it themselves, the path with the extension added, or files in it if it is a folder.
std::vector<std::string> near_files(const std::string& path, const std::string& extension);

}  // namespace daedal::cli
