#include <mutex>
#include <set>

#include "daedal/choice.hpp"

namespace daedal {

const std::string* kept_name(std::string_view name) {
  static std::mutex guard;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(guard);
  const auto found = names.find(name);
  return &*(found != names.end() ? found : names.emplace(name).first);
}

}  // namespace daedal
