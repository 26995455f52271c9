#include "cli/csv_records.hpp"

#include <fmt/format.h>

namespace daedal::cli {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_blank(char ch) { return ch == ' ' || ch == '\t' || ch == '\r'; }

class CsvReader {
 public:
  CsvReader(std::string_view text, lang::Diagnostics& diagnostics)
      : text_(text), diagnostics_(diagnostics) {
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  }

  std::vector<CsvRecord> read() {
    std::vector<CsvRecord> records;
    while (!is_at_end()) {
      skip_blanks();
      if (now() == '#')
        skip_to_line_end();
      else if (!is_at_line_end())
        records.push_back(read_record());
      advance();  // over the line end
    }
    return records;
  }

 private:
  bool is_at_end() const { return at_ >= text_.size(); }
  char now() const { return is_at_end() ? '\n' : text_[at_]; }
  bool is_at_line_end() const { return now() == '\n'; }

  // Columns count characters: bytes 10xxxxxx continue one of UTF-8.
  void advance() {
    if (is_at_end()) return;
    if (text_[at_] == '\n')
      position_ = {position_.line + 1, 1};
    else if (at_ + 1 >= text_.size() ||
             (static_cast<unsigned char>(text_[at_ + 1]) & 0xC0U) != 0x80U)
      ++position_.column;
    ++at_;
  }
  void skip_blanks() {
    while (is_blank(now())) advance();
  }
  void skip_to_line_end() {
    while (!is_at_line_end()) advance();
  }

  // Ends at the line end.
  CsvRecord read_record() {
    CsvRecord record = {read_field()};
    while (now() == ',') {
      advance();
      record.push_back(read_field());
    }
    return record;
  }

  // Ends at a comma or the line end.
  CsvField read_field() {
    skip_blanks();
    CsvField field{.text = {}, .position = position_};
    if (now() == '"') {
      field.text = read_quoted();
      skip_blanks();
      if (now() != ',' && !is_at_line_end()) refuse_rest();
    } else {
      field.text = read_plain();
    }
    return field;
  }

  std::string read_plain() {
    const std::size_t first = at_;
    while (now() != ',' && !is_at_line_end()) advance();
    std::string_view text = text_.substr(first, at_ - first);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return std::string(text);
  }

  std::string read_quoted() {
    const lang::Position opening = position_;
    std::string text;
    for (advance(); !is_at_end(); advance()) {
      if (now() == '"') {
        advance();
        if (is_at_end() || now() != '"') return text;
      }
      text += now();
    }
    diagnostics_.report({"E-MEM-004", opening, "the quote that opens here is not closed",
                         "the text ends before another double quote comes",
                         "close it, or write \"\" for a double quote inside quotes"});
    return text;
  }

  void refuse_rest() {
    const lang::Position place = position_;
    const std::string rest = read_plain();
    diagnostics_.report({"E-MEM-004", place,
                         fmt::format("'{}' stands behind a closing quote", rest),
                         "a field in quotes ends with its closing quote",
                         "write \"\" for a double quote inside quotes, or a comma before the next "
                         "field"});
  }

  std::string_view text_;
  lang::Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  lang::Position position_ = {1, 1};
};

}  // namespace

std::vector<CsvRecord> read_csv(std::string_view text, lang::Diagnostics& diagnostics) {
  return CsvReader(text, diagnostics).read();
}

}  // namespace daedal::cli
