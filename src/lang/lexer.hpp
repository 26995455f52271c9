// Text -> tokens. Comments and blanks are dropped; the last token is always end_of_file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::lang {

class Diagnostics;

// Line and column, 1-based; columns count characters, not bytes.
using Position = expr::SourcePosition;

enum class TokenKind : std::uint8_t {
  identifier,
  keyword,
  number,
  string,
  punctuation,
  end_of_file
};

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  Position position;
  std::string_view text;  // as written; a string without its quotes, a quoted identifier with them

  // Keywords and punctuation are compared by their spelling.
  bool is(std::string_view spelling) const {
    return (kind == TokenKind::keyword || kind == TokenKind::punctuation) && text == spelling;
  }
  bool is_identifier(std::string_view name) const;
};

// Reports stray characters and unterminated strings and comments (E-LNG-001) and goes on. Tokens
// point into `text`.
std::vector<Token> tokenize(std::string_view text, Diagnostics& diagnostics);

bool is_keyword(std::string_view word);

}  // namespace daedal::lang
