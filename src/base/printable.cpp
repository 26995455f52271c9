#include "base/printable.hpp"

#include <fmt/format.h>

namespace daedal::base {
namespace {

// The number of a well-formed character.
unsigned code_point(std::string_view character) {
  const auto byte = [&](std::size_t k) {
    return static_cast<unsigned>(static_cast<unsigned char>(character[k]));
  };
  if (character.size() == 1) return byte(0);
  unsigned code = byte(0) & (0x7FU >> character.size());
  for (std::size_t k = 1; k < character.size(); ++k) code = (code << 6U) | (byte(k) & 0x3FU);
  return code;
}

bool is_control(unsigned code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
}

// Marks, embeddings, overrides and isolates of bidirectional text (Unicode Annex 9, table 2), and
// the separators of lines.
bool turns_writing(unsigned code) {
  return code == 0x061C || (code >= 0x200E && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return continues(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const unsigned least = lead == 0xE0U ? 0xA0U : 0x80U, most = lead == 0xEDU ? 0x9FU : 0xBFU;
    return byte(1) >= least && byte(1) <= most && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const unsigned least = lead == 0xF0U ? 0x90U : 0x80U, most = lead == 0xF4U ? 0x8FU : 0xBFU;
    return byte(1) >= least && byte(1) <= most && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const unsigned code =
        length > 0 ? code_point(text.substr(0, length)) : static_cast<unsigned char>(text.front());
    if (length > 0 && !is_control(code) && !turns_writing(code))
      result += text.substr(0, length);
    else
      result += length > 1 ? fmt::format("\\u{:04x}", code) : fmt::format("\\x{:02x}", code);
    text.remove_prefix(length > 0 ? length : 1);
  }
  return result;
}

}  // namespace daedal::base
