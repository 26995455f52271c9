#include "cli/option_help.hpp"

#include <fmt/format.h>

#include <functional>
#include <sstream>
#include <vector>

#include "daedal/option.hpp"

namespace daedal::cli {
namespace {

constexpr std::size_t column = 27;  // where descriptions begin
constexpr std::size_t width = 104, usage_width = 100;

std::string name_of(const OptionInfo& info) {
  return info.value_name.empty() ? info.flag : fmt::format("{} {}", info.flag, info.value_name);
}

const std::string& help_of(const OptionInfo& info) {
  return info.flag_help.empty() ? info.help : info.flag_help;
}

std::string default_of(const OptionInfo& info) {
  const bool is_plain = info.type == OptionType::flag || info.default_text == "none";
  return is_plain ? "" : "; default: " + info.default_text;
}

// Pieces with blanks between them, in lines of which those after the first are indented.
std::string wrapped(std::size_t first_column, std::size_t indent, std::size_t last_column,
                    const std::vector<std::string>& pieces) {
  std::string text;
  std::size_t at = first_column;
  for (const std::string& piece : pieces) {
    const bool is_first = text.empty();
    if (!is_first && at + 1 + piece.size() > last_column) {
      text += "\n" + std::string(indent, ' ');
      at = indent;
    } else if (!is_first) {
      text += ' ';
      ++at;
    }
    text += piece;
    at += piece.size();
  }
  return text + "\n";
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string line_of(const OptionInfo& info, const std::string& about) {
  return fmt::format("  {:<{}}{}", name_of(info), column - 2,
                     wrapped(column, column, width, words_of(about)));
}

std::string full_lines(const OptionInfo& info) {
  std::string lines = line_of(info, help_of(info) + default_of(info));
  for (const std::string& detail : info.details) lines += std::string(column, ' ') + detail + "\n";
  return lines;
}

std::string short_lines(const OptionInfo& info) {
  const std::string& help = help_of(info);
  std::string begin = help.substr(0, help.find_first_of(";:("));
  begin.erase(begin.find_last_not_of(' ') + 1);
  return line_of(info, begin + ", as for `daedal run`");
}

// The texts of all options in the group that have a place on the command line, joined.
std::string joined(const std::string& group,
                   const std::function<std::string(const OptionInfo&)>& text) {
  std::string result;
  for (const OptionInfo& info : options())
    if (to_string(info.group) == group && !info.flag.empty()) result += text(info);
  return result;
}

// Replaces every "{verb ARGUMENT}" by what `text` makes of the argument; marks that stand alone
// include the end of their line.
void replace_marks(std::string& text, const std::string& verb,
                   const std::function<std::string(const std::string&)>& make) {
  const std::string begin = "{" + verb + " ";
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    const std::size_t end = text.find('}', at);
    const std::string argument = text.substr(at + begin.size(), end - at - begin.size());
    const std::string replacement = make(argument);
    const bool is_line = replacement.ends_with('\n') && text[end + 1] == '\n';
    text.replace(at, end + 1 - at + (is_line ? 1 : 0), replacement);
    at += replacement.size();
  }
}

std::string usage_of(const std::string& groups) {
  std::string usage;
  for (const std::string& group : words_of(groups))
    usage += joined(group, [](const OptionInfo& info) { return " [" + name_of(info) + "]"; });
  return usage.substr(1);
}

// "daedal run MODEL [-p name=value]... [--from T0]": breaks before brackets, and lines after the
// first begin below the model.
std::string wrapped_usage(const std::string& paragraph) {
  std::vector<std::string> pieces;
  for (const std::string& word : words_of(paragraph)) {
    const bool is_inside = !pieces.empty() && pieces.back().starts_with('[') &&
                           pieces.back().find(']') == std::string::npos;
    if (is_inside)
      pieces.back() += " " + word;
    else
      pieces.push_back(word);
  }
  return wrapped(0, pieces[0].size() + pieces[1].size() + 2, usage_width, pieces);
}

}  // namespace

std::string with_options(std::string text) {
  const std::size_t paragraph = text.find("\n\n");
  if (text.substr(0, paragraph).find("{usage ") != std::string::npos) {
    std::string usage = text.substr(0, paragraph);
    replace_marks(usage, "usage", &usage_of);
    text.replace(0, paragraph + 1, wrapped_usage(usage));
  }
  replace_marks(text, "options",
                [](const std::string& group) { return joined(group, &full_lines); });
  replace_marks(text, "as-for-run",
                [](const std::string& group) { return joined(group, &short_lines); });
  return text;
}

}  // namespace daedal::cli
