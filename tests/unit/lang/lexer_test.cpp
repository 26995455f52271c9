#include "lang/lexer.hpp"

#include <gtest/gtest.h>

#include "lang/diagnostics.hpp"
#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

struct Lexed {
  explicit Lexed(std::string text)
      : source{.file = "t", .text = std::move(text)}, diagnostics(source) {
    tokens = tokenize(source.text, diagnostics);
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Token& token : tokens) all.emplace_back(token.text);
    all.pop_back();
    return all;
  }
  Source source;
  Diagnostics diagnostics;
  std::vector<Token> tokens;
};

using Texts = std::vector<std::string>;

TEST(Lexer, splits_words_numbers_and_the_longest_punctuation) {
  EXPECT_EQ(Lexed("x1:=a.*b<=1.5e-3").texts(), (Texts{"x1", ":=", "a", ".*", "b", "<=", "1.5e-3"}));
}

TEST(Lexer, a_point_before_an_operator_belongs_to_the_operator) {
  EXPECT_EQ(Lexed("2.*x").texts(), (Texts{"2", ".*", "x"}));
  EXPECT_EQ(Lexed("2.5*x").texts(), (Texts{"2.5", "*", "x"}));
  EXPECT_EQ(Lexed("3. ").texts(), (Texts{"3."}));
}

TEST(Lexer, an_e_without_digits_is_not_an_exponent) {
  EXPECT_EQ(Lexed("2e+x").texts(), (Texts{"2", "e", "+", "x"}));
}

TEST(Lexer, drops_comments_of_both_kinds) {
  EXPECT_EQ(Lexed("a // b\n/* c\nd */ e").texts(), (Texts{"a", "e"}));
}

TEST(Lexer, strings_lose_their_quotes_and_keep_escapes) {
  EXPECT_EQ(Lexed(R"("a \" b" c)").texts(), (Texts{R"(a \" b)", "c"}));
}

TEST(Lexer, quoted_identifiers_keep_their_quotes) {
  const Lexed lexed("'a b' + x");
  EXPECT_EQ(lexed.texts(), (Texts{"'a b'", "+", "x"}));
  EXPECT_EQ(lexed.tokens[0].kind, TokenKind::identifier);
}

TEST(Lexer, positions_count_characters_not_bytes) {
  const Lexed lexed("\"\xC3\xA9\xC3\xA9\" x\n  y");
  EXPECT_EQ(lexed.tokens[1].position.column, 6U);
  EXPECT_EQ(lexed.tokens[2].position.line, 2U);
  EXPECT_EQ(lexed.tokens[2].position.column, 3U);
}

TEST(Lexer, a_byte_order_mark_is_no_character) {
  const Lexed lexed("\xEF\xBB\xBFmodel");
  EXPECT_EQ(lexed.texts(), (Texts{"model"}));
  EXPECT_EQ(lexed.tokens[0].position.column, 1U);
}

TEST(Lexer, reserved_words_are_keywords_and_types_are_not) {
  EXPECT_TRUE(is_keyword("within"));
  EXPECT_TRUE(is_keyword("algorithm"));
  EXPECT_FALSE(is_keyword("Real"));
  EXPECT_FALSE(is_keyword("time"));
}

TEST(Lexer, unterminated_strings_comments_and_stray_characters_are_reported_where_they_start) {
  EXPECT_EQ(findings("model M\n Real x \"open;\nequation\n x = 1;\nend M;").front(),
            "E-LNG-001 2:9");
  EXPECT_EQ(findings("model M\n Real x;\nequation\n x = 1;\n /* open\nend M;").front(),
            "E-LNG-001 5:2");
  const Problem problem = only_problem(model_text("Real x;", "x = 1 # 2;"));
  EXPECT_EQ(problem.id, "2 problems");  // the stray character, and the 2 that no operator joins
  EXPECT_EQ(findings(model_text("Real x;", "x = 1; # done")).front(), "E-LNG-001 4:8");
}

TEST(Lexer, an_unterminated_string_ends_with_its_line_so_that_later_lines_are_read) {
  const auto found =
      findings("model M\n Real x \"open;\n Real y;\nequation\n x = yy;\n y = 1;\nend M;");
  EXPECT_EQ(found, (Texts{"E-LNG-001 2:9", "E-LNG-001 2:16", "E-LNG-002 5:6"}));
}

}  // namespace
}  // namespace daedal::lang
