#include "cli/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/printable.hpp"
#include "cli/caps.hpp"
#include "cli/style.hpp"

namespace daedal::cli {

void print_result(const std::string& result, bool is_good) {
  begin_answer();
  const std::string text = base::printable(result);
  fmt::print("{}", is_colored(STDOUT_FILENO) ? colored_result(text, is_good) : text);
}

void print_json(const std::string& json) {
  begin_answer();
  fmt::print("{}\n", json);
}

void put(std::FILE* stream, std::string_view text) {
  [[maybe_unused]] const std::size_t taken = std::fwrite(text.data(), 1, text.size(), stream);
}

void print_messages(const std::vector<Problem>& problems) {
  put(stderr, is_colored(STDERR_FILENO) ? colored_messages(problems) : Error(problems).what());
}

void print_findings(const std::vector<Problem>& problems, bool is_text_above) {
  std::fflush(stdout);
  if (problems.empty()) return;
  if (is_text_above) put(stderr, "\n");
  print_messages(problems);
}

std::string with_problems(report::Json json, const std::vector<Problem>& problems) {
  if (!problems.empty()) {
    report::Json& errors = json["errors"];
    for (const report::Json& error : report::errors_of(problems)) errors.push_back(error);
  }
  return report::dump(json);
}

}  // namespace daedal::cli
