#include "cli/file_clashes.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/whole_file.hpp"

namespace daedal::cli {
namespace {

// A file and what it is: "model".
struct UsedFile {
  const char* what;
  std::string path;
};

// A file that an option makes the command write.
struct WrittenFile {
  const char* option;
  std::string path;
  const char* todo;
};

bool is_same_file(const std::string& a, const std::string& b) {
  const auto is_file = [](const std::string& path) { return !path.empty() && path != "-"; };
  const auto place_of = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  std::error_code ignored;
  return is_file(a) && is_file(b) &&
         (std::filesystem::equivalent(a, b, ignored) || place_of(a) == place_of(b));
}

class Clashes {
 public:
  explicit Clashes(std::string command) : command_(std::move(command)) {}

  void check(const WrittenFile& written, const std::vector<UsedFile>& others) {
    for (const UsedFile& other : others)
      if (is_same_file(written.path, other.path))
        problems_.push_back(
            {.id = "E-CLI-010",
             .what = fmt::format("{} would overwrite the {}", written.option, other.what),
             .where = command_,
             .why = fmt::format("'{}' and '{}' are the same file", other.path, written.path),
             .todo = written.todo});
  }
  std::vector<Problem> take() { return std::move(problems_); }

 private:
  std::string command_;
  std::vector<Problem> problems_;
};

WrittenFile output_of(const SolveRequest& request) {
  return {"-o", request.output, "give the output another name, such as -o out.csv"};
}

WrittenFile report_of(const ReportRequest& request) {
  return {"--report", request.file, "give the report another name, such as --report out.html"};
}

// Those that are named, and the one that is written first.
std::vector<UsedFile> checkpoints_of(const RunRequest& request) {
  const std::string &kept = request.options.checkpoint.file, &resumed = request.options.resume;
  std::vector<UsedFile> files;
  if (!kept.empty()) files.push_back({"checkpoint", kept});
  if (!kept.empty()) files.push_back({"checkpoint's temporary file", base::part_file_of(kept)});
  if (resumed != kept) files.push_back({"checkpoint that is resumed", resumed});
  return files;
}

}  // namespace

std::vector<Problem> clashes_of(const AnalyzeRequest& request) {
  Clashes clashes(request.report.command);
  clashes.check(report_of(request.report), {{"model", request.model}});
  return clashes.take();
}

std::vector<Problem> clashes_of(const ArrayRequest& request) {
  Clashes clashes(request.command);
  clashes.check(
      {"--source", request.source, "give the source another name, such as --source array.c"},
      {{"model", request.model}});
  return clashes.take();
}

std::vector<Problem> clashes_of(const RunRequest& request) {
  const UsedFile model = {"model", request.model}, output = {"output", request.output};
  const std::vector<UsedFile> checkpoints = checkpoints_of(request);
  Clashes clashes(request.report.command);
  clashes.check(output_of(request), {model});
  clashes.check(output_of(request), checkpoints);
  clashes.check(report_of(request.report), {model, output});
  clashes.check(report_of(request.report), checkpoints);
  if (!request.options.checkpoint.file.empty())
    clashes.check({"--checkpoint", base::part_file_of(request.options.checkpoint.file),
                   "give the checkpoint another name"},
                  {model});
  return clashes.take();
}

std::vector<Problem> clashes_of(const EnsembleRequest& request, const std::string& command) {
  Clashes clashes(command);
  clashes.check(output_of(request), {{"model", request.model}, {"members", request.members}});
  return clashes.take();
}

}  // namespace daedal::cli
