// Colour for people at a terminal. The library's text is plain; what its lines are is seen from
// their shape, and colour is added here, last.
#pragma once

#include <string>
#include <vector>

#include "daedal/error.hpp"

namespace daedal::cli {

enum class ColorWhen { automatic, always, never };

// Whether text is coloured: `always` and `never` are obeyed; otherwise on a terminal that knows
// colours (TERM is not "dumb") if NO_COLOR is not set or empty. Null for a variable that is not
// set.
bool is_color_wanted(ColorWhen when, bool is_terminal, const char* no_color, const char* term);

// The choice of the whole program; automatic until then.
void set_color(ColorWhen when);
// Whether what goes to this stream, STDOUT_FILENO or STDERR_FILENO, is coloured.
bool is_colored(int descriptor);

// Takes `--color WHEN` and `--color=WHEN` out of the words, wherever they stand before `--`; the
// last counts. Throws Error E-CLI-009 for a value that is none, and E-CLI-002 without one.
ColorWhen take_color(std::vector<std::string>& words);
// What --color takes.
const std::vector<std::string>& color_choices();

// Each as the plain text, with colours: the messages of problems; a result, whose first line tells
// how it went; help and other pages.
std::string colored_messages(const std::vector<Problem>& problems);
std::string colored_result(const std::string& text, bool is_good);
std::string colored_help(const std::string& text);
std::string colored_page(const std::string& markdown);

}  // namespace daedal::cli
