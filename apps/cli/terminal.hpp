// What the user's terminal can show.
#pragma once

namespace daedal::cli {

// Characters of a line of the terminal behind this stream, STDOUT_FILENO or STDERR_FILENO, from 40
// to 200; 80 for what is none.
int terminal_width(int descriptor);

// Whether the locale's characters are those of UTF-8, by LC_ALL, LC_CTYPE or LANG, whichever is set
// first.
bool is_utf8();

}  // namespace daedal::cli
