// Text -> tokens. Comments and blanks are dropped; the last token is always end_of_file.
#pragma once

#include <string_view>
#include <vector>

#include "lang/diagnostics.hpp"
#include "lang/token.hpp"

namespace daedal::lang {

// Reports stray characters and unterminated strings and comments (E-LNG-001) and goes on. Tokens
// point into `text`.
std::vector<Token> tokenize(std::string_view text, Diagnostics& diagnostics);

bool is_keyword(std::string_view word);

}  // namespace daedal::lang
