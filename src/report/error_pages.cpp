#include "report/error_pages.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "daedal/error.hpp"

namespace daedal {

std::string error_page(const std::string& id) {
  std::string upper = id;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char ch) { return static_cast<char>(std::toupper(ch)); });
  const auto& pages = report::embedded_error_pages();
  const auto found = pages.find(upper);
  return found == pages.end() ? "" : found->second;
}

std::vector<std::string> error_ids() {
  std::vector<std::string> ids;
  for (const auto& [id, page] : report::embedded_error_pages()) ids.push_back(id);
  return ids;
}

}  // namespace daedal
