// Object code kept on disk, so that a model is compiled once: $XDG_CACHE_HOME/daedal, default
// ~/.cache/daedal. Nothing here is an error: what cannot be read is compiled again, what cannot be
// written is not kept.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "jit/stage_code.hpp"

namespace daedal::jit {

// A hash of everything that the object code follows from: the stages, the target, daedal's version
// and the format of the files.
using CodeKey = std::array<std::uint64_t, 2>;
CodeKey key_of(const StageCode& code, const std::string& target);

class CodeCache {
 public:
  // folder: empty for none.
  explicit CodeCache(std::filesystem::path folder = default_folder(),
                     std::uintmax_t most_bytes = default_most_bytes);

  // Nothing if there is no file, or it is damaged, belongs to someone else, is no regular file or
  // is larger than the cache may be.
  std::optional<std::vector<std::string>> load(const CodeKey& key) const;
  // In one piece or not at all; then removes files that were not used for longest until the rest
  // fits.
  void store(const CodeKey& key, const std::vector<std::string>& objects) const;

  static std::filesystem::path default_folder();
  static constexpr std::uintmax_t default_most_bytes = 64 << 20;

 private:
  std::filesystem::path path_of(const CodeKey& key) const;
  void remove_oldest() const;

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
};

}  // namespace daedal::jit
