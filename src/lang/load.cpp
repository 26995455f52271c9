#include "lang/load.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/printable.hpp"
#include "daedal/error.hpp"
#include "lang/diagnostics.hpp"
#include "lang/lower.hpp"
#include "lang/parser.hpp"

namespace daedal::lang {
namespace {

constexpr std::size_t max_bytes = std::size_t{64} << 20U;

[[noreturn]] void fail(const char* id, const std::string& file, std::string what, std::string why,
                       std::string todo) {
  throw Error(Problem{.id = id,
                      .what = std::move(what),
                      .where = file,
                      .why = std::move(why),
                      .todo = std::move(todo)});
}

[[noreturn]] void fail_too_large(const std::string& file, std::uintmax_t size) {
  fail("E-FIL-004", file, "the file is too large for a model",
       fmt::format("it has {} bytes; the limit is {} (64 MB)", size, max_bytes),
       "check that this is a model; write repetition with arrays and for loops");
}

// Those below a blank but for blanks, delete, and those of Unicode (U+0080 to U+009F), which
// terminals obey, too.
bool is_control(std::string_view text) {
  const char ch = text.front();
  const auto byte = static_cast<unsigned char>(ch);
  const bool is_blank = ch == '\n' || ch == '\r' || ch == '\t' || ch == '\f' || ch == '\v';
  return (byte < 0x20U && !is_blank) || byte == 0x7FU ||
         (byte == 0xC2U && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0U);
}

// The offset of the first byte that no text has.
std::optional<std::size_t> first_binary_byte(std::string_view text) {
  for (std::size_t k = 0; k < text.size();) {
    const std::string_view rest = text.substr(k);
    const std::size_t length = is_control(rest) ? 0 : base::character_length(rest);
    if (length == 0) return k;
    k += length;
  }
  return std::nullopt;
}

}  // namespace

void check_encoding(const Source& source, const char* what) {
  if (const auto offset = first_binary_byte(source.text))
    fail("E-FIL-003", source.file, "this is not a text file",
         fmt::format("byte {} is 0x{:02X}, which plain UTF-8 text does not contain", *offset + 1,
                     static_cast<unsigned>(static_cast<unsigned char>(source.text[*offset]))),
         fmt::format("give {} in plain text, saved as UTF-8", what));
}

void check_text(const Source& source) {
  if (source.text.size() > max_bytes) fail_too_large(source.file, source.text.size());
  if (source.text.find_first_not_of(" \t\r\n\f\v") == std::string::npos)
    fail("E-FIL-002", source.file, "the model text is empty",
         source.text.empty() ? "it has 0 bytes"
                             : fmt::format("its {} bytes are all blanks", source.text.size()),
         "write a model: model Name ... equation ... end Name;");
  check_encoding(source, "a model");
}

std::string read_bytes(const std::string& path, const char* what, std::size_t most_bytes) {
  const std::string trouble = fmt::format("the {} file cannot be read", what);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    fail("E-FIL-001", path, trouble, "it is a folder", "give the name of a file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    fail("E-FIL-001", path, trouble, errno != 0 ? std::strerror(errno) : "it cannot be opened",
         "check the name and the folder, and that you may read it");
  std::string bytes;
  std::string block(std::size_t{1} << 16U, '\0');
  while (bytes.size() <= most_bytes &&
         (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
          stream.gcount() > 0))
    bytes.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

Source read_source(const std::string& path) {
  Source source{.file = path, .text = read_bytes(path, "model", max_bytes)};
  if (source.text.size() > max_bytes) {
    std::error_code trouble;
    const auto size = std::filesystem::file_size(path, trouble);
    fail_too_large(path, trouble ? source.text.size() : size);
  }
  check_text(source);
  return source;
}

model::ModelData model_from(const Source& source, const ParameterValues& parameters,
                            const ModelLimits& limits) {
  check_text(source);
  Diagnostics diagnostics(source);
  const Ast ast = parse(source.text, diagnostics);
  model::ModelData data = lower(ast, source.file, parameters, limits, diagnostics);
  diagnostics.throw_if_any();
  return data;
}

}  // namespace daedal::lang

namespace daedal {

Model load_model(const std::string& path, const ParameterValues& parameters,
                 const ModelLimits& limits) {
  return Model(lang::model_from(lang::read_source(path), parameters, limits));
}

Model parse_model(const std::string& text, const std::string& file,
                  const ParameterValues& parameters, const ModelLimits& limits) {
  return Model(lang::model_from({.file = file, .text = text}, parameters, limits));
}

}  // namespace daedal
