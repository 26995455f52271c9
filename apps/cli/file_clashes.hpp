// Files of one command that would destroy each other.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace daedal::cli {

// E-CLI-010 for each file that the command would write in the place of one that it reads or writes
// for something else. Files that do not exist yet count.
std::vector<Problem> clashes_of(const AnalyzeRequest& request);
std::vector<Problem> clashes_of(const ArrayRequest& request);
std::vector<Problem> clashes_of(const RunRequest& request);
std::vector<Problem> clashes_of(const EnsembleRequest& request, const std::string& command);

}  // namespace daedal::cli
