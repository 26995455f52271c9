// Counting and listing in messages.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace daedal::base {

// "1 equation", "3 equations".
inline std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// How much of a long list a message shows.
inline constexpr std::size_t most_listed = 20;

// "a, b, c" of at most twenty items, then the count of the rest. item(k) is the text of item k.
template <typename Item>
std::string listed(std::size_t count, Item item) {
  std::string text;
  for (std::size_t k = 0; k < std::min(count, most_listed); ++k) {
    if (k > 0) text += ", ";
    text += item(k);
  }
  if (count > most_listed) text += fmt::format(", ... and {} more", count - most_listed);
  return text;
}

inline std::string listed(const std::vector<std::string>& items) {
  return listed(items.size(), [&](std::size_t k) { return items[k]; });
}

}  // namespace daedal::base
