// What the lexer hands to the parser.
#pragma once

#include <cstdint>
#include <string_view>

#include "expr/graph.hpp"

namespace daedal::lang {

using Position =
    expr::SourcePosition;  // line and column, 1-based; columns count characters, not bytes

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
  bool is_identifier(std::string_view name) const {
    return kind == TokenKind::identifier && text == name;
  }
};

}  // namespace daedal::lang
