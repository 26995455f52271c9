#include "cli/model_file.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/near_miss.hpp"
#include "cli/members.hpp"

namespace daedal::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_told = 3;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// Sorted, because folders are in no order. A folder that cannot be read has no names.
template <typename IsWanted>
std::vector<std::string> names_in(const fs::path& folder, IsWanted is_wanted) {
  std::vector<std::string> names;
  std::error_code trouble;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, trouble);
  for (; !trouble && entry != fs::directory_iterator(); entry.increment(trouble))
    if (is_wanted(entry->path())) names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> files_in(const fs::path& folder, const std::string& extension) {
  return names_in(folder, [&](const fs::path& path) {
    return path.extension() == extension && !is_folder(path);
  });
}

// The folder itself, or the nearest one to each part of its name; empty if there is none like it.
std::optional<fs::path> near_folder(const fs::path& folder) {
  fs::path found;
  for (const fs::path& part : folder) {
    if (is_folder(found / part)) {
      found /= part;
      continue;
    }
    const std::vector<std::string> near =
        base::near_misses(part.string(), names_in(found, is_folder), 1);
    if (near.empty()) return {};
    found /= near.front();
  }
  return found;
}

// Calls read() and adds to its message about a file that cannot be read which one may be meant.
template <typename Read>
auto read_or_suggest(const std::string& path, const char* extension, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    if (error.id() != "E-FIL-001") throw;
    const std::vector<std::string> near = near_files(path, extension);
    if (near.empty()) throw;
    Problem problem = error.problems().front();
    problem.todo = base::did_you_mean(near);
    throw Error(std::move(problem));
  }
}

}  // namespace

std::vector<std::string> near_files(const std::string& path, const std::string& extension) {
  const fs::path given(path);
  std::error_code ignored;
  if (fs::is_regular_file(path + extension, ignored)) return {path + extension};
  const std::optional<fs::path> folder =
      is_folder(given) ? given : near_folder(given.parent_path());
  if (!folder) return {};
  const std::vector<std::string> files = files_in(*folder, extension);
  const bool is_named = std::find(files.begin(), files.end(), given.filename()) != files.end();
  if (is_named && *folder == given.parent_path()) return {};  // it is there, and cannot be read
  std::vector<std::string> names =
      is_folder(given) ? files
      : is_named       ? std::vector<std::string>{given.filename().string()}
                       : base::near_misses(given.filename().string(), files, most_told);
  names.resize(std::min(names.size(), most_told));
  for (std::string& name : names) name = (*folder / name).string();
  return names;
}

Model load(const ModelRequest& request) {
  return read_or_suggest(request.model, ".mo", [&] {
    return load_model(request.model, request.parameters, request.limits);
  });
}

lang::Source load_members_text(const std::string& path) {
  return read_or_suggest(path, ".csv", [&] { return read_members_text(path); });
}

}  // namespace daedal::cli
