// What standard output can show.
#pragma once

namespace daedal::cli {

// Characters of a line: of the terminal, from 40 to 200; 80 for what is none.
int terminal_width();

// Whether the locale's characters are those of UTF-8, by LC_ALL, LC_CTYPE or LANG, whichever is set
// first.
bool is_utf8();

}  // namespace daedal::cli
