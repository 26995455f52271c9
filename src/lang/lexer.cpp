#include "lang/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "lang/diagnostics.hpp"

namespace daedal::lang {
namespace {

// Reserved words of Modelica 3.6, section 2.3.3, in alphabetical order.
constexpr std::array<std::string_view, 59> keywords = {
    "algorithm",   "and",          "annotation", "block",       "break",
    "class",       "connect",      "connector",  "constant",    "constrainedby",
    "der",         "discrete",     "each",       "else",        "elseif",
    "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
    "expandable",  "extends",      "external",   "false",       "final",
    "flow",        "for",          "function",   "if",          "import",
    "impure",      "in",           "initial",    "inner",       "input",
    "loop",        "model",        "not",        "operator",    "or",
    "outer",       "output",       "package",    "parameter",   "partial",
    "protected",   "public",       "pure",       "record",      "redeclare",
    "replaceable", "return",       "stream",     "then",        "true",
    "type",        "when",         "while",      "within"};
static_assert(std::is_sorted(keywords.begin(), keywords.end()));

constexpr std::array<std::string_view, 12> long_punctuation = {":=", "==", "<>", "<=", ">=", "**",
                                                               "!=", ".*", "./", ".^", ".+", ".-"};

bool is_letter(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}
bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }
bool is_blank(char ch) {
  return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r' || ch == '\f' || ch == '\v';
}

// Signs that look like an operator: the operator that was meant, or nothing.
std::string_view meant_operator(std::string_view stray) {
  for (const std::string_view minus : {"\u2212", "\u2013", "\u2014"})
    if (stray.starts_with(minus)) return "-";
  for (const std::string_view times : {"\u00d7", "\u00b7", "\u22c5"})
    if (stray.starts_with(times)) return "*";
  return "";
}

std::string hint_for_stray(std::string_view stray) {
  const char ch = stray.front();
  if (const auto meant = meant_operator(stray); !meant.empty())
    return fmt::format("write {}", meant);
  if (ch == '#' || ch == '%') return "comments start with // or stand between /* and */";
  if (ch == '!') return "write 'not' or '<>'";
  if (ch == '&') return "write 'and'";
  if (ch == '|') return "write 'or'";
  return "remove it; names with other characters need single quotes: 'my name'";
}

class Lexer {
 public:
  Lexer(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    if (text_.starts_with("\xEF\xBB\xBF"))
      at_ = 3;  // a byte order mark is no character of the text
    tokens_.reserve(text_.size() / 4 + 1);
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) lex_token();
    tokens_.push_back({TokenKind::end_of_file, position_, text_.substr(text_.size())});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance(std::size_t num_bytes = 1) {
    const std::size_t stop = std::min(at_ + num_bytes, text_.size());
    for (; at_ < stop; ++at_) {
      const char ch = text_[at_];
      if (ch == '\n') {
        ++position_.line;
        position_.column = 1;
      } else if ((static_cast<unsigned char>(ch) & 0xC0U) != 0x80U) {
        ++position_.column;
      }
    }
  }

  void advance_to(std::size_t offset) { advance(std::min(offset, text_.size()) - at_); }

  void report(Position position, std::string what, std::string why, std::string todo) {
    diagnostics_.report({"E-LNG-001", position, std::move(what), std::move(why), std::move(todo)});
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_blank(peek())) {
        advance();
      } else if (peek() == '/' && peek(1) == '/') {
        advance_to(text_.find('\n', at_));
      } else if (peek() == '/' && peek(1) == '*') {
        skip_block_comment();
      } else {
        return;
      }
    }
  }

  void skip_block_comment() {
    const Position start = position_;
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
      report(start, "a comment is not closed", "/* has no */ before the end of the text",
             "close the comment with */");
      advance_to(text_.size());
      return;
    }
    advance_to(close + 2);
  }

  void push(TokenKind kind, Position start, std::size_t first, std::size_t last) {
    tokens_.push_back({kind, start, text_.substr(first, last - first)});
  }

  void lex_token() {
    const char ch = peek();
    if (is_letter(ch)) return lex_word();
    if (is_digit(ch) || (ch == '.' && is_digit(peek(1)))) return lex_number();
    if (ch == '"') return lex_string();
    if (ch == '\'') return lex_quoted_identifier();
    if (!lex_punctuation()) lex_stray();
  }

  void lex_word() {
    const Position start = position_;
    const std::size_t first = at_;
    std::size_t last = at_;
    while (last < text_.size() && (is_letter(text_[last]) || is_digit(text_[last]))) ++last;
    advance_to(last);
    const bool reserved = is_keyword(text_.substr(first, last - first));
    push(reserved ? TokenKind::keyword : TokenKind::identifier, start, first, last);
  }

  // digits [. digits] [e [+-] digits]; in "2.*x" the point belongs to the operator.
  void lex_number() {
    const Position start = position_;
    const std::size_t first = at_;
    std::size_t last = at_;
    const auto skip_digits = [&] {
      while (last < text_.size() && is_digit(text_[last])) ++last;
    };
    const auto char_at = [&](std::size_t k) { return k < text_.size() ? text_[k] : '\0'; };
    skip_digits();
    const std::string_view operators = "*/^+-";
    if (char_at(last) == '.' && operators.find(char_at(last + 1)) == std::string_view::npos) {
      ++last;
      skip_digits();
    }
    if (char_at(last) == 'e' || char_at(last) == 'E') {
      const std::size_t sign = char_at(last + 1) == '+' || char_at(last + 1) == '-' ? 1 : 0;
      if (is_digit(char_at(last + 1 + sign))) {
        last += 1 + sign;
        skip_digits();
      }
    }
    advance_to(last);
    push(TokenKind::number, start, first, last);
  }

  void lex_string() {
    const Position start = position_;
    std::size_t last = at_ + 1;
    while (last < text_.size() && text_[last] != '"') last += text_[last] == '\\' ? 2 : 1;
    if (last >= text_.size()) {
      report(start, "a string is not closed", "the text ends before the closing \"",
             "close the string with \"");
      last =
          std::min(text_.find('\n', at_), text_.size());  // most likely it was to end on its line
      push(TokenKind::string, start, at_ + 1, last);
      advance_to(last);
      return;
    }
    push(TokenKind::string, start, at_ + 1, last);
    advance_to(last + 1);
  }

  void lex_quoted_identifier() {
    const Position start = position_;
    std::size_t last = at_ + 1;
    while (last < text_.size() && text_[last] != '\'' && text_[last] != '\n')
      last += text_[last] == '\\' ? 2 : 1;
    if (last >= text_.size() || text_[last] == '\n' || last == at_ + 1) {
      const bool follows_name =
          at_ > 0 && (std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0 ||
                      text_[at_ - 1] == '_' || text_[at_ - 1] == ')');
      report(start, "a quoted name is not closed or is empty",
             "a name between single quotes ends on the line it starts on",
             follows_name ? "for a derivative write der(x), for the second one der(x, 2)"
                          : "close it with ' and put at least one character inside");
      last = std::min(last, text_.size());
      if (last == at_ + 1 && last < text_.size() && text_[last] == '\'') ++last;
      advance_to(last);
      return;
    }
    push(TokenKind::identifier, start, at_, last + 1);
    advance_to(last + 1);
  }

  bool lex_punctuation() {
    std::size_t length = 0;
    for (const std::string_view spelling : long_punctuation)
      if (text_.substr(at_).starts_with(spelling)) length = spelling.size();
    if (length == 0 &&
        std::string_view("()[]{},;:=+-*/^<>.").find(peek()) != std::string_view::npos)
      length = 1;
    if (length == 0) return false;
    push(TokenKind::punctuation, position_, at_, at_ + length);
    advance(length);
    return true;
  }

  // One report for a run of characters that start no token.
  void lex_stray() {
    const Position start = position_;
    const std::size_t begin = at_;
    std::size_t last = at_ + 1;
    const auto is_stray = [](char ch) {
      const bool ascii = (static_cast<unsigned char>(ch) & 0x80U) == 0;
      return !ascii ||
             (!is_letter(ch) && !is_digit(ch) && !is_blank(ch) && ch != '"' && ch != '\'' &&
              std::string_view("()[]{},;:=+-*/^<>.").find(ch) == std::string_view::npos);
    };
    while (last < text_.size() && is_stray(text_[last])) ++last;
    std::size_t shown = std::min<std::size_t>(last, begin + 12);
    while (shown > begin + 1 && shown < text_.size() &&
           (static_cast<unsigned char>(text_[shown]) & 0xC0U) == 0x80U)
      --shown;
    report(start, fmt::format("'{}' has no meaning here", text_.substr(begin, shown - begin)),
           "this character starts no word, number or operator of the language",
           hint_for_stray(text_.substr(begin, last - begin)));
    if (const auto meant = meant_operator(text_.substr(begin)); !meant.empty())
      tokens_.push_back({TokenKind::punctuation, start, meant});  // go on as if it had been written
    advance_to(last);
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  Position position_{1, 1};
  std::vector<Token> tokens_;
};

}  // namespace

bool Token::is_identifier(std::string_view name) const {
  return kind == TokenKind::identifier && text == name;
}

bool is_keyword(std::string_view word) {
  return std::binary_search(keywords.begin(), keywords.end(), word);
}

std::vector<Token> tokenize(std::string_view text, Diagnostics& diagnostics) {
  return Lexer(text, diagnostics).run();
}

}  // namespace daedal::lang
