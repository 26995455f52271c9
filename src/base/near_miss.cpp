#include "base/near_miss.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace daedal::base {
namespace {

// Damerau-Levenshtein distance (optimal string alignment) in half edits; a change of case is one
// half.
int half_edits(std::string_view a, std::string_view b) {
  const auto lower = [](char ch) { return std::tolower(static_cast<unsigned char>(ch)); };
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width), above(width), row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = static_cast<int>(2 * j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(2 * i);
    for (std::size_t j = 1; j < width; ++j) {
      const int replace = a[i - 1] == b[j - 1] ? 0 : (lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2);
      row[j] = std::min({above[j] + 2, row[j - 1] + 2, above[j - 1] + replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 2);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[width - 1];
}

}  // namespace

std::vector<std::string> near_misses(std::string_view name, const std::vector<std::string>& known,
                                     std::size_t limit) {
  const std::size_t longest =
      200;  // longer names are never typed by hand; comparing them would cost too much
  if (name.empty() || name.size() > longest) return {};
  const int reach = std::max<int>(2, 2 * static_cast<int>((name.size() + 1) / 3));
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const std::size_t size = known[k].size();
    const std::size_t gap = size > name.size() ? size - name.size() : name.size() - size;
    if (2 * static_cast<int>(std::min<std::size_t>(gap, longest)) > reach) continue;
    const int distance = half_edits(name, known[k]);
    if (distance <= reach && distance < 2 * static_cast<int>(std::max(size, name.size())))
      found.emplace_back(distance, k);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(limit, found.size()); ++k)
    names.push_back(known[found[k].second]);
  return names;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  return did_you_mean(near_misses(name, known));
}

std::string did_you_mean(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text = "did you mean ";
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += k + 1 == names.size() ? " or " : ", ";
    text += "'" + names[k] + "'";
  }
  return text + "?";
}

}  // namespace daedal::base
