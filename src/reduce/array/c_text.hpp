// Pieces of C: numbers, names, comments and strings that hold whatever a user wrote.
#pragma once

#include <string>
#include <string_view>

namespace daedal::reduce {

// A literal of type double that is read back to the same bits: "2.0", "1e-05".
std::string c_number(double value);

// Text inside a comment: in one line, and without what would open or close one.
std::string c_comment(std::string_view text);

// A string literal with its quotes.
std::string c_string(std::string_view text);

// Whether C and Fortran both take it as the beginning of names of functions: a letter, then
// letters, digits and underscores, at most `longest_c_prefix` characters.
inline constexpr std::size_t longest_c_prefix = 40;  // of the 63 that a Fortran name may have
bool is_c_prefix(std::string_view name);
// The nearest such name.
std::string c_prefix(std::string_view name);

// Breaks a long line at spaces; what follows is indented further.
std::string wrapped(const std::string& line);

}  // namespace daedal::reduce
