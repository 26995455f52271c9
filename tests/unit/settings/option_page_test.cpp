// docs/reference/options.md shows the table of options as it is. With DAEDAL_APPROVE in the
// environment (`make approve`) the page is written instead.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>

#include "daedal/option.hpp"

namespace daedal {
namespace {

const std::string page_path = DAEDAL_SOURCE_DIR "/docs/reference/options.md";
constexpr const char* begin_mark = "<!-- options -->\n";
constexpr const char* end_mark = "<!-- end of options -->\n";

struct Section {
  OptionGroup group;
  const char* title;
};
constexpr Section sections[] = {
    {OptionGroup::run, "What is computed"},    {OptionGroup::method, "By which method"},
    {OptionGroup::bdf, "Of the method bdf"},   {OptionGroup::resources, "Limits"},
    {OptionGroup::checkpoints, "Checkpoints"}, {OptionGroup::ensemble, "Of ensembles"}};

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

// In a cell of a table.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

// The command line's name of the value, which is the option itself elsewhere.
std::string help_of(const OptionInfo& info) {
  if (info.value_name.empty()) return info.help;
  return std::regex_replace(info.help, std::regex("\\b" + info.value_name + "\\b"),
                            code(info.name));
}

std::string line_of(const OptionInfo& info) {
  const std::string python =
      code(info.name) + (info.short_name.empty() ? "" : ", " + code(info.short_name));
  const std::string flag = info.flag + (info.value_name.empty() ? "" : " " + info.value_name);
  const std::string values =
      info.choices.empty() ? info.range : fmt::format("`{}`", fmt::join(info.choices, "`, `"));
  return fmt::format("| {} | {} | {} | {} | {} | {}{} |\n", code(info.field), python, code(flag),
                     info.default_text, values, escaped(help_of(info)),
                     info.is_kept ? " (*kept*)" : "");
}

// What a cell has no room for.
std::string lists_of(OptionGroup group) {
  std::string text;
  for (const OptionInfo& info : options()) {
    if (info.group != group || info.details.empty()) continue;
    text += fmt::format("\n{}:\n\n", code(info.name));
    for (const std::string& detail : info.details) text += "- " + detail + "\n";
  }
  return text;
}

std::string text_of(const Section& section) {
  std::string text = fmt::format("\n## {}\n\n<!-- no measurement: settings -->\n", section.title);
  text += "| C++ | Python | command line | default | values | what it does |\n";
  text += "|---|---|---|---|---|---|\n";
  for (const OptionInfo& info : options())
    if (info.group == section.group) text += line_of(info);
  return text + lists_of(section.group);
}

std::string read_page() {
  std::ifstream file(page_path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(OptionPage, shows_the_table_of_options) {
  const std::string page = read_page();
  const std::size_t begin = page.find(begin_mark), end = page.find(end_mark);
  ASSERT_LT(begin, end);
  std::string expected = page.substr(0, begin) + begin_mark;
  for (const Section& section : sections) expected += text_of(section);
  expected += "\n" + page.substr(end);
  if (std::getenv("DAEDAL_APPROVE") != nullptr)
    std::ofstream(page_path) << expected;
  else
    EXPECT_EQ(page, expected) << "`make approve` writes the page anew";
}

}  // namespace
}  // namespace daedal
