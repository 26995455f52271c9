// Words of a command line, one on each line of the input: a request, or an Error that makes sense.
#include "cli/command_line.hpp"

#include <cstdint>

#include "cli/style.hpp"
#include "fuzz/expect.hpp"
#include "report/plotted.hpp"

namespace daedal::cli {
namespace {

std::vector<std::string> words_of_lines(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char ch : text) {
    if (ch == '\n')
      words.emplace_back();
    else if (ch != '\0')  // ends a word of a real command line
      words.back() += ch;
  }
  return words;
}

void read(CommandLine line) {
  take_color(line.arguments);
  if (line.arguments.empty()) return;
  const std::string verb = line.verb();
  if (verb == "analyze") read_analyze(line);
  if (verb == "init") read_init(line);
  if (verb == "array") read_array(line);
  if (verb == "run") {
    const RunRequest request = read_run(line);
    if (request.plot) report::find_plotted(*request.plot, {"x", "y[1]", "'a,b'"}, {"energy"});
  }
  if (verb == "ensemble") read_ensemble(line);
  if (verb == "explain") read_error_id(line);
  if (verb == "help") read_verb(line);
  if (verb == "completion") read_shell(line);
}

}  // namespace
}  // namespace daedal::cli

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  daedal::fuzz::expect_sound_errors(
      [&] { daedal::cli::read({.arguments = daedal::cli::words_of_lines(text)}); });
  return 0;
}
