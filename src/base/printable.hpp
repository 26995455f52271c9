// Text of which nothing acts on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace daedal::base {

// Control characters other than line ends and tabs, those of Unicode among them, and characters
// that turn the direction of writing, as \x1b or \u202e. Bytes that are not UTF-8 as \xff.
std::string printable(std::string_view text);

// The length of the UTF-8 character at the front, or 0 if there is none: too long forms, surrogates
// and values above U+10FFFF are refused (RFC 3629, section 4).
std::size_t character_length(std::string_view text);

}  // namespace daedal::base
