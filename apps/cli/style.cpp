#include "cli/style.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/near_miss.hpp"
#include "base/problem_text.hpp"

namespace daedal::cli {
namespace {

ColorWhen chosen = ColorWhen::automatic;

// Parameters of the escape sequence "select graphic rendition".
constexpr const char* bold = "1";
constexpr const char* bold_red = "1;31";
constexpr const char* bold_green = "1;32";
constexpr const char* bold_yellow = "1;33";
constexpr const char* cyan = "36";

std::string painted(std::string_view text, const char* rendition) {
  if (text.empty()) return "";
  return fmt::format("\033[{}m{}\033[0m", rendition, text);
}

// Each line changed by change(line, line before); line ends stay.
template <typename Change>
std::string by_line(std::string_view text, Change change) {
  std::string result;
  std::string_view before;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    result += change(line, before);
    if (end < text.size()) result += '\n';
    before = line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

// The line below the excerpt of a source has carets and blanks only.
std::string with_carets(const std::string& excerpt) {
  return by_line(excerpt, [](std::string_view line, std::string_view) {
    const bool is_caret = line.find('^') != line.npos && line.find_first_not_of(" ^") == line.npos;
    return is_caret ? painted(line, bold_green) : std::string(line);
  });
}

// The first so many characters painted.
std::string begun(std::string_view line, std::size_t count, const char* rendition) {
  return painted(line.substr(0, count), rendition) +
         std::string(line.substr(std::min(count, line.size())));
}

// How long the words are that name the part that follows: "signature matrix" in
// "signature matrix  x  y", "equations" in "equations: ...".
std::size_t heading_length(std::string_view line) {
  return std::min({line.find("  "), line.find(':'), line.size()});
}

// "options", "exit codes": small letters alone below an empty line; and how a verb is called.
bool is_help_heading(std::string_view line, std::string_view before) {
  return before.empty() && !line.starts_with(' ') &&
         (line.starts_with("daedal") ||
          line.find_first_not_of("abcdefghijklmnopqrstuvwxyz ,.") == line.npos);
}

Error no_color_choice(const std::string& given) {
  const std::string hint = base::did_you_mean(given, color_choices());
  const std::string takes = fmt::format("--color takes {}", fmt::join(color_choices(), ", "));
  return Error({.id = "E-CLI-009",
                .what = fmt::format("'{}' is not a value of --color", given),
                .where = "--color " + (given.empty() ? "''" : given),
                .why = "it is none of the words that --color takes",
                .todo = hint.empty() ? takes : fmt::format("{} {}", hint, takes)});
}

ColorWhen read_color(const std::string& text) {
  if (text == "auto") return ColorWhen::automatic;
  if (text == "always") return ColorWhen::always;
  if (text == "never") return ColorWhen::never;
  throw no_color_choice(text);
}

}  // namespace

bool is_color_wanted(ColorWhen when, bool is_terminal, const char* no_color, const char* term) {
  if (when != ColorWhen::automatic) return when == ColorWhen::always;
  const bool is_refused = no_color != nullptr && *no_color != '\0';
  const bool is_dumb = term == nullptr || std::string_view(term) == "dumb";
  return is_terminal && !is_refused && !is_dumb;
}

void set_color(ColorWhen when) { chosen = when; }

bool is_colored(int descriptor) {
  return is_color_wanted(chosen, isatty(descriptor) != 0, std::getenv("NO_COLOR"),
                         std::getenv("TERM"));
}

const std::vector<std::string>& color_choices() {
  static const std::vector<std::string> choices = {"auto", "always", "never"};
  return choices;
}

ColorWhen take_color(std::vector<std::string>& words) {
  const std::string name = "--color";
  ColorWhen when = ColorWhen::automatic;
  for (std::size_t k = 0; k < words.size() && words[k] != "--";) {
    const auto word = words.begin() + static_cast<std::ptrdiff_t>(k);
    if (word->starts_with(name + "=")) {
      when = read_color(word->substr(name.size() + 1));
      words.erase(word);
    } else if (*word == name) {
      if (k + 1 == words.size())
        throw Error(
            {.id = "E-CLI-002",
             .what = "there is no value after '--color'",
             .where = "--color",
             .why = "it is the last word",
             .todo = fmt::format("write --color and one of {}", fmt::join(color_choices(), ", "))});
      when = read_color(words[k + 1]);
      words.erase(word, word + 2);
    } else {
      ++k;
    }
  }
  return when;
}

std::string colored_messages(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& plain : problems) {
    Problem problem = base::printable(plain);
    problem.id = painted(problem.id, problem.id.starts_with('E') ? bold_red : bold_yellow);
    problem.what = painted(problem.what, bold);
    problem.where = painted(problem.where, bold);
    problem.excerpt = with_carets(problem.excerpt);
    problem.todo = painted(problem.todo, cyan);
    text += (text.empty() ? "" : "\n") + base::text_of(problem);
  }
  return text;
}

std::string colored_result(const std::string& text, bool is_good) {
  bool is_first = true;
  return by_line(text, [&](std::string_view line, std::string_view before) {
    const bool is_headline = std::exchange(is_first, false);
    const bool is_heading = before.empty() && !line.starts_with(' ');
    if (is_headline)
      return begun(line, std::min(line.find(':'), line.size()), is_good ? bold_green : bold_red);
    return is_heading ? begun(line, heading_length(line), bold) : std::string(line);
  });
}

std::string colored_help(const std::string& text) {
  return by_line(text, [](std::string_view line, std::string_view before) {
    return is_help_heading(line, before) ? painted(line, bold) : std::string(line);
  });
}

std::string colored_page(const std::string& markdown) {
  return by_line(markdown, [](std::string_view line, std::string_view) {
    return line.starts_with('#') ? painted(line, bold) : std::string(line);
  });
}

}  // namespace daedal::cli
